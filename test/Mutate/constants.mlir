// Mistakes in numbers.
// RUN: forge mutate %s --print --phase import --mutator drop-factor | FileCheck %s --check-prefix=FACTOR
// RUN: forge mutate %s --print --phase import --mutator zero-factor | FileCheck %s --check-prefix=ZERO
// RUN: forge mutate %s --print --phase import --mutator count-off-by-one | FileCheck %s --check-prefix=COUNT
// RUN: forge mutate %s --print --phase import --mutator wrong-epsilon | FileCheck %s --check-prefix=EPSILON
// RUN: forge mutate %s --print --phase import --mutator drop-mask-value | FileCheck %s --check-prefix=MASK
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %m: tensor<4xi1>) -> tensor<4xf32> {
  %scale = stablehlo.constant dense<0.3> : tensor<4xf32>
  %n = stablehlo.constant dense<64.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<1.0e-05> : tensor<4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %scale : tensor<4xf32>
  %1 = stablehlo.divide %0, %n : tensor<4xf32>
  %2 = stablehlo.add %1, %eps : tensor<4xf32>
  %3 = stablehlo.select %m, %2, %low : tensor<4xi1>, tensor<4xf32>
  return %3 : tensor<4xf32>
}
// FACTOR: drop-factor at stablehlo.multiply
// FACTOR: stablehlo.divide %arg0
// FACTOR: drop-factor at stablehlo.divide
// FACTOR: %[[P:.*]] = stablehlo.multiply
// FACTOR: stablehlo.add %[[P]]

// ZERO: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00>
// ZERO: stablehlo.multiply %arg0, %[[Z]]
// ZERO-NOT: zero-factor at stablehlo.divide

// COUNT: dense<6.300000e+01>
// EPSILON: dense<9.99999974E-5>
// MASK: %[[L:.*]] = stablehlo.constant dense<0.000000e+00>
// MASK: stablehlo.select {{.*}}, %[[L]]
