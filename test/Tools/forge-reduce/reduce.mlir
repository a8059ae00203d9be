// A chain of operations, a function, a result and an argument are dropped while the test program finds the rest interesting.
// RUN: forge-reduce %s --test %S/Inputs/has-tanh.sh -o %t.mlir 2> %t.log
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=STEPS < %t.log

// CHECK:      func.func @interesting(%[[A:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:   %[[T:.*]] = math.tanh %[[A]]
// CHECK-NEXT:   return %[[T]]
// CHECK-NEXT: }
// CHECK-NOT:  func.func

// STEPS: reduce.mlir: 12 operations
// STEPS: dropped @boring, {{[0-9]+}} operations are left
// STEPS: dropped argument {{[01]}} of @interesting
// STEPS-NOT: null operand
// STEPS: from 12 to 3 operations by {{[0-9]+}} tests
func.func @boring(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

func.func @interesting(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = math.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.add %1, %a : tensor<4x8xf32>
  %3 = stablehlo.exponential %2 : tensor<4x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.slice %3 [0:4, 0:1] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x1xf32>) -> tensor<4xf32>
  return %5, %3 : tensor<4xf32>, tensor<4x8xf32>
}
