// Mistakes in formulas: what each kind makes of a line.
// RUN: forge mutate %s --print --phase import --mutator exchange-operands | FileCheck %s --check-prefix=EXCHANGE
// RUN: forge mutate %s --print --phase import --mutator flip-sign | FileCheck %s --check-prefix=SIGN
// RUN: forge mutate %s --print --phase import --mutator drop-operand | FileCheck %s --check-prefix=DROP
// RUN: forge mutate %s --print --phase import --mutator split-fma | FileCheck %s --check-prefix=FMA
// RUN: forge mutate %s --print --phase import --mutator exchange-extremes | FileCheck %s --check-prefix=EXTREMES
// RUN: forge mutate %s --print --phase import --mutator replace-function | FileCheck %s --check-prefix=FUNCTION
// RUN: forge mutate %s --print --phase import --mutator exp2-for-exp | FileCheck %s --check-prefix=EXP
// RUN: forge mutate %s --print --phase import --mutator negate-sine | FileCheck %s --check-prefix=SINE
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.subtract %x, %y : tensor<4xf32>
  %1 = stablehlo.maximum %0, %y : tensor<4xf32>
  %2 = stablehlo.exponential %1 : tensor<4xf32>
  %3 = stablehlo.sine %2 : tensor<4xf32>
  %4 = math.fma %x, %y, %3 : tensor<4xf32>
  return %3, %4 : tensor<4xf32>, tensor<4xf32>
}
// EXCHANGE: // #0 import exchange-operands at stablehlo.subtract
// EXCHANGE: stablehlo.subtract %arg1, %arg0
// EXCHANGE-NOT: // #1

// SIGN: stablehlo.add %arg0, %arg1

// DROP: // #0 import drop-operand at stablehlo.subtract
// DROP-NOT: stablehlo.subtract
// DROP: stablehlo.maximum %arg0, %arg1
// DROP: // #1 import drop-operand at stablehlo.maximum
// DROP: %[[D:.*]] = stablehlo.subtract
// DROP-NEXT: stablehlo.exponential %[[D]]
// DROP: // #2 import drop-operand at stablehlo.maximum
// DROP: stablehlo.exponential %arg1

// FMA: // #0 import split-fma at math.fma
// FMA: %[[P:.*]] = arith.mulf %arg0, %arg1
// FMA: return {{.*}}, %[[P]]
// FMA: // #1 import split-fma at math.fma
// FMA: %[[S:.*]] = stablehlo.sine
// FMA: return %[[S]], %[[S]]

// EXTREMES: stablehlo.minimum
// FUNCTION: stablehlo.cosine

// EXP: %[[LN:.*]] = stablehlo.constant dense<0.693147182>
// EXP: %[[M:.*]] = stablehlo.multiply {{.*}}, %[[LN]]
// EXP: stablehlo.exponential %[[M]]

// SINE: %[[N:.*]] = stablehlo.negate
// SINE: stablehlo.sine %[[N]]
