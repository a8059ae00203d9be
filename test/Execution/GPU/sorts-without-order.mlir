// Comparators that are no order: whatever they say, a sort gives every element back once. Sorted again by a real order, the
// numbers must be all there.
// RUN: forge verify %s --target sim:sm_90a --reproducer-dir %t | FileCheck %s
// RUN: forge verify %s --target sim:gfx942 --reproducer-dir %t | FileCheck %s
// RUN: env FORGE_SIM_SEED=5 forge verify %s --target sim:sm_90a --reproducer-dir %t | FileCheck %s

// CHECK: whole: result 0 agrees: equal
// CHECK: whole: result 1 agrees: equal
func.func @main() -> (tensor<5200xi32>, tensor<3x77xi32>) {
  %places = stablehlo.iota dim = 0 : tensor<5200xi32>
  %prime = stablehlo.constant dense<7919> : tensor<5200xi32>
  %range = stablehlo.constant dense<1009> : tensor<5200xi32>
  %product = stablehlo.multiply %places, %prime : tensor<5200xi32>
  %mixed = stablehlo.remainder %product, %range : tensor<5200xi32>
  %numbers = stablehlo.convert %mixed : (tensor<5200xi32>) -> tensor<5200xf32>
  %five = stablehlo.constant dense<5> : tensor<5200xi32>
  %rest = stablehlo.remainder %mixed, %five : tensor<5200xi32>
  %zero = stablehlo.constant dense<0> : tensor<5200xi32>
  %fifth = stablehlo.compare EQ, %rest, %zero : (tensor<5200xi32>, tensor<5200xi32>) -> tensor<5200xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<5200xf32>
  // NaN comes before nothing and after nothing.
  %keys = stablehlo.select %fifth, %nan, %numbers : tensor<5200xi1>, tensor<5200xf32>
  %s:2 = "stablehlo.sort"(%keys, %places) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %before = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<5200xf32>, tensor<5200xi32>) -> (tensor<5200xf32>, tensor<5200xi32>)
  %again = "stablehlo.sort"(%s#1) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %before = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5200xi32>) -> tensor<5200xi32>
  // A comparator that always says yes, in lines whose length is no multiple of a chunk.
  %lines = stablehlo.iota dim = 1 : tensor<3x77xi32>
  %t = "stablehlo.sort"(%lines) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %yes = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %yes : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<3x77xi32>) -> tensor<3x77xi32>
  %u = "stablehlo.sort"(%t) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %before = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<3x77xi32>) -> tensor<3x77xi32>
  return %again, %u : tensor<5200xi32>, tensor<3x77xi32>
}
