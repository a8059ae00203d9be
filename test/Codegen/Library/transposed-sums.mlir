// The sum of two transposed products, as gradients of a matrix that is used twice are: the library writes both transposed, and adds one.
// RUN: forge explain %s --function main --target cuda:sm_90a | FileCheck %s
// RUN: forge verify %s --function small --target sim:sm_90a
// CHECK-COUNT-2: {{^}}contraction{{.*}} 1 launch: library;
// CHECK-NOT: launch
func.func @main(%a: tensor<64x128x128xf32>, %b: tensor<64x128x128xf32>, %c: tensor<64x128x128xf32>, %d: tensor<64x128x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<64x128x128xf32>, tensor<64x128x128xf32>) -> tensor<128x128xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<64x128x128xf32>, tensor<64x128x128xf32>) -> tensor<128x128xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %4 = stablehlo.add %1, %3 : tensor<128x128xf32>
  return %4 : tensor<128x128xf32>
}
func.func @small(%a: tensor<300x40xf32>, %b: tensor<300x70xf32>, %c: tensor<300x40xf32>, %d: tensor<300x70xf32>) -> tensor<70x40xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<300x40xf32>, tensor<300x70xf32>) -> tensor<40x70xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<300x40xf32>, tensor<300x70xf32>) -> tensor<40x70xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  %4 = stablehlo.add %1, %3 : tensor<70x40xf32>
  return %4 : tensor<70x40xf32>
}
