// Mistakes in types.
// RUN: forge mutate %s --print --phase import --mutator narrow-sum | FileCheck %s --check-prefix=SUM
// RUN: forge mutate %s --print --phase import --mutator narrow-factor | FileCheck %s --check-prefix=FACTOR
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = transformer.matmul %0, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// SUM: %[[P:.*]] = stablehlo.dot_general
// SUM: %[[N:.*]] = stablehlo.convert %[[P]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// SUM: %[[W:.*]] = stablehlo.convert %[[N]]
// SUM: transformer.matmul %[[W]]

// FACTOR: // #0 import narrow-factor at stablehlo.dot_general
// FACTOR: %[[N:.*]] = stablehlo.convert %arg0
// FACTOR: %[[W:.*]] = stablehlo.convert %[[N]]
// FACTOR: stablehlo.dot_general %[[W]], %arg1
// FACTOR: // #3 import narrow-factor at transformer.matmul
// FACTOR: %[[T:.*]] = arith.truncf %arg1
// FACTOR: %[[E:.*]] = arith.extf %[[T]]
// FACTOR: transformer.matmul %{{.*}}, %[[E]]
