// RUN: forge-opt %s --split-input-file --forge-expand-linear-algebra | FileCheck %s

// CHECK-LABEL: func.func @potrf
// CHECK: %[[L:.*]] = stablehlo.cholesky %arg0, lower = true : tensor<3x3xf32>
// CHECK: %[[IN:.*]] = stablehlo.compare GE
// CHECK: stablehlo.select %[[IN]], %[[L]], %arg0
// CHECK-NOT: custom_call
func.func @potrf(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<3x3xf32>, tensor<i32>
}

// -----

// CHECK-LABEL: func.func @trsm
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}>
func.func @trsm(%a: tensor<2x3x3xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<2x3x3xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

// -----

// CHECK-LABEL: func.func @getrf
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>
func.func @getrf(%a: tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
  return %0#0, %0#1, %0#2 : tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @empty
// CHECK-NOT: stablehlo.while
// CHECK: return %arg0
func.func @empty(%a: tensor<4x0xf32>) -> (tensor<4x0xf32>, tensor<0xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x0xf32>) -> (tensor<4x0xf32>, tensor<0xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<4x0xf32>, tensor<0xi32>, tensor<i32>
}

// -----

// CHECK-LABEL: func.func @qr
// CHECK-COUNT-2: stablehlo.while
// CHECK-NOT: custom_call
func.func @qr(%a: tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>) {
  %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>)
  %1 = stablehlo.custom_call @lapack_zungqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
  return %1 : tensor<4x3xcomplex<f64>>
}

// -----

// Other functions, options that are none of LAPACK's or not there, and shapes that do not fit stay, to be refused.
// CHECK-LABEL: func.func @others
// CHECK: custom_call @lapack_ssyevd_ffi
// CHECK: custom_call @lapack_spotrf_ffi
// CHECK: custom_call @lapack_spotrf_ffi
// CHECK: custom_call @lapack_spotrf_ffi
// CHECK: custom_call @lapack_strsm_ffi
// CHECK: custom_call @lapack_strsm_ffi
// CHECK: custom_call @lapack_sgetrf_ffi
// CHECK: custom_call @lapack_getrf
func.func @others(%a: tensor<3x3xf32>, %w: tensor<3x4xf32>, %d: tensor<?x3xf32>) {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 77 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %2:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %3:2 = stablehlo.custom_call @lapack_spotrf_ffi(%w) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<i32>)
  %4 = stablehlo.custom_call @lapack_strsm_ffi(%a, %w) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %5 = stablehlo.custom_call @lapack_strsm_ffi(%a, %w) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %6:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%d) {mhlo.backend_config = {}} : (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<3xi32>, tensor<i32>)
  %7:3 = stablehlo.custom_call @lapack_getrf(%a) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  return
}

// -----

// What JAX writes for CUDA: the same functions of any type, the triangle a boolean.
// CHECK-LABEL: func.func @cusolver
// CHECK: stablehlo.cholesky %arg0 : tensor<3x3xf32>
// CHECK: stablehlo.compare LE
// CHECK-COUNT-3: stablehlo.while
// CHECK-NOT: custom_call
func.func @cusolver(%a: tensor<3x3xf32>, %b: tensor<4x3xf32>) -> (tensor<3x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xi32>) {
  %0:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) {mhlo.backend_config = {lower = false}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @cusolver_geqrf_ffi(%b) {mhlo.backend_config = {}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  %2 = stablehlo.custom_call @cusolver_orgqr_ffi(%1#0, %1#1) {mhlo.backend_config = {}} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %3:3 = stablehlo.custom_call @cusolver_getrf_ffi(%b) {mhlo.backend_config = {}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1, %2, %3#0, %3#1 : tensor<3x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @permutation
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<2x4xi32>
// CHECK-NOT: custom_call
func.func @permutation(%p: tensor<2x3xi32>) -> tensor<2x4xi32> {
  %0 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%p) {mhlo.backend_config = {}} : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// Other functions, no triangle, more pivots than rows, and no result stay, to be refused.
// CHECK-LABEL: func.func @other_calls
// CHECK: custom_call @cusolver_syevd_ffi
// CHECK: custom_call @cusolver_potrf_ffi
// CHECK-COUNT-2: custom_call @cu_lu_pivots_to_permutation
func.func @other_calls(%a: tensor<3x3xf32>, %p: tensor<3xi32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xi32>) {
  %0 = stablehlo.custom_call @cusolver_syevd_ffi(%a) {mhlo.backend_config = {lower = true}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %2 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%p) {mhlo.backend_config = {}} : (tensor<3xi32>) -> tensor<2xi32>
  stablehlo.custom_call @cu_lu_pivots_to_permutation(%p) {has_side_effect = true} : (tensor<3xi32>) -> ()
  return %0, %1#0, %2 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xi32>
}
