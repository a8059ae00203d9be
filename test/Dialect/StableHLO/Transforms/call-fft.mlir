// RUN: forge-opt %s --split-input-file --forge-call-fft | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify fft-library=true" | FileCheck %s --check-prefix=LIBRARY
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify fft-library=true tier=optimized" | FileCheck %s --check-prefix=PRODUCTS
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify" | FileCheck %s --check-prefix=PRODUCTS
// RUN: forge-opt %s --split-input-file --forge-pipeline="to=simplify fft-library=true target=sim:sm_90a" | FileCheck %s --check-prefix=PRODUCTS

// CHECK-LABEL: @known
// CHECK: %[[N:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?x9x2xf32>
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x16xf32>
// CHECK: %[[R:.*]] = forge.fft irfft 1 ins(%arg0 : tensor<?x9x2xf32>) outs(%[[E]] : tensor<?x16xf32>) -> tensor<?x16xf32>
// CHECK: return %[[R]]
// LIBRARY-LABEL: @known
// LIBRARY: forge.fft irfft 1
// LIBRARY-NOT: @products
// PRODUCTS-LABEL: @known
// PRODUCTS-NOT: forge.fft
func.func @known(%x: tensor<?x9x2xf32>) -> tensor<?x16xf32> {
  %y = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "irfft"}, decomposition = @products} : (tensor<?x9x2xf32>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
func.func private @products(%x: tensor<?x9x2xf32>) -> tensor<?x16xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x9x2xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<16> : tensor<1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.dynamic_broadcast_in_dim %4, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x16xf32>
  return %5 : tensor<?x16xf32>
}

// -----

// What is none of a transform stays what its decomposition says.
// CHECK-LABEL: @misfits
// CHECK-COUNT-4: stablehlo.composite
// LIBRARY-LABEL: @misfits
// LIBRARY-NOT: forge.fft
// PRODUCTS-LABEL: @misfits
func.func @misfits(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %a = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "dct"}, decomposition = @same} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %b = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 2 : i64, kind = "fft"}, decomposition = @same} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = stablehlo.composite "forge.fft" %x {composite_attributes = {kind = "fft"}, decomposition = @same} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %d = stablehlo.composite "forge.fft" %x {composite_attributes = {dims = 1 : i64, kind = "rfft"}, decomposition = @same} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %a, %b, %c, %d : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}
func.func private @same(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  return %x : tensor<4x2xf32>
}
