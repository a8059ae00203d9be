// RUN: forge-opt %s --canonicalize | FileCheck %s

// Within one of the inputs a slice is one of that input; all of an input is the input.
// CHECK-LABEL: @within
// CHECK: %[[A:.*]] = stablehlo.slice %arg1 [1:2, 1:5:2] : (tensor<2x5xf32>) -> tensor<1x2xf32>
// CHECK: return %[[A]], %arg0
func.func @within(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> (tensor<1x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.slice %0 [1:2, 4:8:2] : (tensor<2x8xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<1x2xf32>, tensor<2x3xf32>
}

// One that spans inputs stays, also where an input is empty or of unknown size.
// CHECK-LABEL: @spanning
// CHECK: stablehlo.slice {{.*}} [2:4]
// CHECK: stablehlo.slice {{.*}} [1:2]
func.func @spanning(%a: tensor<3xf32>, %e: tensor<0xf32>, %n: tensor<?xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
  %0 = stablehlo.concatenate %a, %e, %a, dim = 0 : (tensor<3xf32>, tensor<0xf32>, tensor<3xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %0 [2:4] : (tensor<6xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %n, %a, dim = 0 : (tensor<?xf32>, tensor<3xf32>) -> tensor<6xf32>
  %3 = stablehlo.slice %2 [1:2] : (tensor<6xf32>) -> tensor<1xf32>
  return %1, %3 : tensor<2xf32>, tensor<1xf32>
}

// Slices next to each other, put together again; also parts of complex numbers, which lose a dimension in between.
// CHECK-LABEL: @again
// CHECK-NEXT: return %arg0, %arg0
func.func @again(%a: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.slice %a [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.slice %a [0:4, 1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %2 = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
  %3 = stablehlo.reshape %1 : (tensor<4x1xf32>) -> tensor<4xf32>
  %4 = stablehlo.reshape %2 : (tensor<4xf32>) -> tensor<4x1xf32>
  %5 = stablehlo.reshape %3 : (tensor<4xf32>) -> tensor<4x1xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %7 = stablehlo.slice %a [0:1, 0:2] : (tensor<4x2xf32>) -> tensor<1x2xf32>
  %8 = stablehlo.slice %a [1:4, 0:2] : (tensor<4x2xf32>) -> tensor<3x2xf32>
  %9 = stablehlo.concatenate %7, %8, dim = 0 : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %6, %9 : tensor<4x2xf32>, tensor<4x2xf32>
}

// In another order, with a gap, without the end, of two tensors, or of a part of the others, they are not.
// CHECK-LABEL: @not_again
// CHECK-COUNT-5: stablehlo.concatenate
func.func @not_again(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x2xf32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %a [2:4] : (tensor<4xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %3 = stablehlo.slice %a [3:4] : (tensor<4xf32>) -> tensor<1xf32>
  %4 = stablehlo.concatenate %0, %3, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  %5 = stablehlo.slice %a [2:3] : (tensor<4xf32>) -> tensor<1xf32>
  %6 = stablehlo.concatenate %0, %5, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  %7 = stablehlo.slice %b [2:4] : (tensor<4xf32>) -> tensor<2xf32>
  %8 = stablehlo.concatenate %0, %7, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %9 = stablehlo.slice %c [0:3, 0:1] : (tensor<4x2xf32>) -> tensor<3x1xf32>
  %10 = stablehlo.slice %c [0:3, 1:2] : (tensor<4x2xf32>) -> tensor<3x1xf32>
  %11 = stablehlo.concatenate %9, %10, dim = 1 : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  return %2, %4, %6, %8, %11 : tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3x2xf32>
}
