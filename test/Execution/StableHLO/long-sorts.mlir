// Long lines are sorted in passes over all lines, each a kernel, on devices.
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function odd --target cpu
// RUN: forge verify %s --function first_dimension --target sim:sm_90a
// RUN: forge verify %s --function first_dimension --target sim:gfx1100
// RUN: forge verify %s --function keys --target sim:sm_90a
// RUN: forge verify %s --function keys --target sim:gfx942
// RUN: forge verify %s --function in_branch --target sim:sm_90a
// RUN: forge compile %s --function odd --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function in_branch --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BRANCH

// Runs of 8, and passes up to 1027.
// CHECK-LABEL: func.func @odd
// CHECK-COUNT-9: call @
// CHECK: return
// The passes in a branch are kernels too.
// BRANCH-LABEL: func.func @in_branch
// BRANCH: scf.if
// BRANCH-COUNT-8: func.call @

func.func @odd(%x: tensor<2x1027xf32>) -> tensor<2x1027xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<2x1027xf32>) -> tensor<2x1027xf32>
  return %0 : tensor<2x1027xf32>
}
func.func @first_dimension(%x: tensor<1030x3xi32>) -> tensor<1030x3xi32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<1030x3xi32>) -> tensor<1030x3xi32>
  return %0 : tensor<1030x3xi32>
}
// Equal keys keep their order.
func.func @keys(%x: tensor<2048xi8>) -> (tensor<2048xi8>, tensor<2048xi32>) {
  %n = stablehlo.iota dim = 0 : tensor<2048xi32>
  %0:2 = "stablehlo.sort"(%x, %n) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2048xi8>, tensor<2048xi32>) -> (tensor<2048xi8>, tensor<2048xi32>)
  return %0#0, %0#1 : tensor<2048xi8>, tensor<2048xi32>
}
func.func @in_branch(%x: tensor<1024xi32>, %p: tensor<i1>) -> tensor<1024xi32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
    stablehlo.return %1 : tensor<1024xi32>
  }, {
    stablehlo.return %x : tensor<1024xi32>
  }) : (tensor<i1>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
