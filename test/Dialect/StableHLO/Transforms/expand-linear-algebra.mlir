// RUN: forge-opt %s --split-input-file --forge-expand-linear-algebra | FileCheck %s

// CHECK-LABEL: func.func @qr
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<2x4x3xf32>, tensor<2x3xf32>
// CHECK-NOT: custom_call
func.func @qr(%a: tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x4x3xf32>, tensor<2x3xf32>
}

// -----

// Matrices without elements, and systems without right sides.
// CHECK-LABEL: func.func @empty
// CHECK-NOT: stablehlo.while
// CHECK: return %arg0, %{{.*}}, %arg2, %arg2
func.func @empty(%a: tensor<4x0xf32>, %m: tensor<3x3xcomplex<f32>>, %b: tensor<3x0xcomplex<f32>>) -> (tensor<4x0xf32>, tensor<0xf32>, tensor<3x0xcomplex<f32>>, tensor<3x0xcomplex<f32>>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<4x0xf32>) -> (tensor<4x0xf32>, tensor<0xf32>)
  %1 = "stablehlo.triangular_solve"(%m, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xcomplex<f32>>, tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>>
  %2 = "stablehlo.triangular_solve"(%m, %b) {left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xcomplex<f32>>, tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>>
  return %0#0, %0#1, %1, %2 : tensor<4x0xf32>, tensor<0xf32>, tensor<3x0xcomplex<f32>>, tensor<3x0xcomplex<f32>>
}

// -----

// What is not of this form stays, to be refused where it is; so do systems of floats, which have kernels of their own.
// CHECK-LABEL: func.func @others
// CHECK: stablehlo.custom_call @Qr
// CHECK: stablehlo.custom_call @Qr
// CHECK: stablehlo.custom_call @ProductOfElementaryHouseholderReflectors
// CHECK: stablehlo.triangular_solve
func.func @others(%a: tensor<4x3xf16>, %b: tensor<3x4xf32>, %t: tensor<4xf32>, %m: tensor<3x3xf32>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<4x3xf16>) -> (tensor<4x3xf16>, tensor<3xf16>)
  %1:2 = stablehlo.custom_call @Qr(%b) : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>)
  %2 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%b, %t) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %3 = "stablehlo.triangular_solve"(%m, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}
