// Long lines are sorted in tiles, and those merged in passes over all lines, each a kernel, on devices.
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function odd --target cpu
// RUN: forge verify %s --function first_dimension --target sim:sm_90a
// RUN: forge verify %s --function first_dimension --target sim:gfx1100
// RUN: forge verify %s --function keys --target sim:sm_90a
// RUN: forge verify %s --function keys --target sim:gfx942
// RUN: forge verify %s --function in_branch --target sim:sm_90a
// RUN: forge verify %s --function wide --target sim:sm_90a
// RUN: forge verify %s --function one_tile --target sim:sm_90a
// RUN: forge compile %s --function odd --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function in_branch --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BRANCH

// Tiles of 4096, and passes up to 9001.
// CHECK-LABEL: func.func @odd
// CHECK-COUNT-3: call @
// CHECK: return
// The passes in a branch are kernels too.
// BRANCH-LABEL: func.func @in_branch
// BRANCH: scf.if
// BRANCH-COUNT-2: func.call @

func.func @odd(%x: tensor<2x9001xf32>) -> tensor<2x9001xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<2x9001xf32>) -> tensor<2x9001xf32>
  return %0 : tensor<2x9001xf32>
}
func.func @first_dimension(%x: tensor<5030x3xi32>) -> tensor<5030x3xi32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5030x3xi32>) -> tensor<5030x3xi32>
  return %0 : tensor<5030x3xi32>
}
// Equal keys keep their order.
func.func @keys(%x: tensor<4109xi8>) -> (tensor<4109xi8>, tensor<4109xi32>) {
  %n = stablehlo.iota dim = 0 : tensor<4109xi32>
  %0:2 = "stablehlo.sort"(%x, %n) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4109xi8>, tensor<4109xi32>) -> (tensor<4109xi8>, tensor<4109xi32>)
  return %0#0, %0#1 : tensor<4109xi8>, tensor<4109xi32>
}
func.func @in_branch(%x: tensor<4200xi32>, %p: tensor<i1>) -> tensor<4200xi32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<4200xi32>) -> tensor<4200xi32>
    stablehlo.return %1 : tensor<4200xi32>
  }, {
    stablehlo.return %x : tensor<4200xi32>
  }) : (tensor<i1>) -> tensor<4200xi32>
  return %0 : tensor<4200xi32>
}
// Tiles of 512 elements of 24 bytes.
func.func @wide(%x: tensor<1100xi64>, %y: tensor<1100xf64>, %z: tensor<1100xi64>) -> (tensor<1100xi64>, tensor<1100xf64>, tensor<1100xi64>) {
  %0:3 = "stablehlo.sort"(%x, %y, %z) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>, %c: tensor<f64>, %d: tensor<f64>, %e: tensor<i64>, %f: tensor<i64>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<1100xi64>, tensor<1100xf64>, tensor<1100xi64>) -> (tensor<1100xi64>, tensor<1100xf64>, tensor<1100xi64>)
  return %0#0, %0#1, %0#2 : tensor<1100xi64>, tensor<1100xf64>, tensor<1100xi64>
}
func.func @one_tile(%x: tensor<1x1024xf32>) -> tensor<1x1024xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %0 : tensor<1x1024xf32>
}
