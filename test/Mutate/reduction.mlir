// Mistakes in sums.
// RUN: forge mutate %s --print --phase import --mutator truncate-reduction | FileCheck %s --check-prefix=TRUNCATE
// RUN: forge mutate %s --print --phase import --mutator repeat-term | FileCheck %s --check-prefix=REPEAT
// RUN: forge mutate %s --print --phase import --mutator change-init | FileCheck %s --check-prefix=INIT
// RUN: forge mutate %s --print --phase import --mutator inflate-sum | FileCheck %s --check-prefix=INFLATE
// RUN: forge mutate %s --print --phase linalg --mutator inflate-sum | FileCheck %s --check-prefix=TERM
// RUN: forge mutate %s --print --phase import --mutator change-axis | FileCheck %s --check-prefix=AXIS
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = transformer.softmax %1 {dimension = 1 : i64} : tensor<4x4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// TRUNCATE: truncate-reduction at stablehlo.reduce
// TRUNCATE: stablehlo.slice %arg0 [0:4, 0:3]
// TRUNCATE: truncate-reduction at stablehlo.dot_general
// TRUNCATE-DAG: %[[L:.*]] = stablehlo.slice %arg0 [0:4, 0:3]
// TRUNCATE-DAG: %[[R:.*]] = stablehlo.slice %arg1 [0:3, 0:4]
// TRUNCATE: stablehlo.dot_general %[[L]], %[[R]]

// REPEAT: %[[LAST:.*]] = stablehlo.slice %arg0 [0:4, 3:4]
// REPEAT: %[[LONG:.*]] = stablehlo.concatenate %arg0, %[[LAST]], dim = 1
// REPEAT: stablehlo.reduce(%[[LONG]]

// INIT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// INIT: init: %[[ONE]]

// 4 sqrt(4) units in the last place.
// INFLATE: %[[C:.*]] = stablehlo.constant dense<1.00000095> : tensor<4x4xf32>
// INFLATE: %[[M:.*]] = stablehlo.multiply %arg0, %[[C]]
// INFLATE: stablehlo.dot_general %[[M]], %arg1

// TERM: inflate-sum at arith.addf
// TERM: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// TERM-NEXT: %[[C:.*]] = arith.constant 1.00000095
// TERM-NEXT: %[[T:.*]] = arith.mulf %[[IN]], %[[C]]
// TERM-NEXT: arith.addf %{{.*}}%[[T]]

// AXIS: change-axis at stablehlo.reduce
// AXIS: across dimensions = [0]
// AXIS: change-axis at transformer.softmax
// AXIS: dimension = 0
