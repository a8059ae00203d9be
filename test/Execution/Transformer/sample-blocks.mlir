// Rows of several blocks of weights, the last of which is a part of one: the place of a running sum is searched among the blocks, then in
// one of them. Shares of 0 and 1 or more, counts of 1 and of all, logits that are all alike.
// RUN: forge verify %s --function all
// RUN: forge verify %s --function all --target sim:sm_90a
// RUN: forge verify %s --function all --target sim:gfx942
// RUN: forge verify %s --function cuts
// RUN: forge verify %s --function cuts --target sim:sm_90a
// RUN: forge verify %s --function cuts --target sim:gfx1100
// RUN: forge verify %s --function alike
// RUN: forge verify %s --function alike --target sim:sm_90a
// RUN: forge verify %s --function open --dynamic-size 1025
// RUN: forge verify %s --function open --dynamic-size 3

// No row is searched by one thread from its first to its last weight.
// RUN: forge compile %s --function cuts --target sim:sm_90a --to gpu -o - | FileCheck %s
// CHECK-NOT: scf.for {{.*}} to %c1300
// CHECK: gpu.launch_func

func.func @all(%x: tensor<4x1300xbf16>, %seeds: tensor<4xi64>, %steps: tensor<4xi64>) -> tensor<4xi32> {
  %0 = transformer.sample %x seeds %seeds steps %steps : (tensor<4x1300xbf16>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @cuts(%x: tensor<6x1300xf32>, %seeds: tensor<6xi64>, %steps: tensor<6xi64>) -> (tensor<6xi32>, tensor<6xi32>) {
  %t = arith.constant dense<[1.0, 0.5, 3.0, 1.0, 0.0, 9.0]> : tensor<6xf32>
  %k = arith.constant dense<[0, 700, 1, 1300, 5, 1299]> : tensor<6xi32>
  %p = arith.constant dense<[0.9, 1.0, 0.5, 0.0, 0.3, 0.99]> : tensor<6xf32>
  %0 = transformer.sample %x seeds %seeds steps %steps temperature %t top_k %k top_p %p
      : (tensor<6x1300xf32>, tensor<6xi64>, tensor<6xi64>, tensor<6xf32>, tensor<6xi32>, tensor<6xf32>) -> tensor<6xi32>
  %1 = transformer.sample %x seeds %seeds steps %steps top_p %p
      : (tensor<6x1300xf32>, tensor<6xi64>, tensor<6xi64>, tensor<6xf32>) -> tensor<6xi32>
  return %0, %1 : tensor<6xi32>, tensor<6xi32>
}
func.func @alike(%seeds: tensor<2xi64>, %steps: tensor<2xi64>) -> tensor<2xi32> {
  %x = arith.constant dense<2.0> : tensor<2x1300xf32>
  %k = arith.constant dense<[600, 0]> : tensor<2xi32>
  %0 = transformer.sample %x seeds %seeds steps %steps top_k %k : (tensor<2x1300xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @open(%x: tensor<2x?xf32>, %seeds: tensor<2xi64>, %steps: tensor<2xi64>) -> tensor<2xi32> {
  %p = arith.constant dense<[0.9, 0.2]> : tensor<2xf32>
  %0 = transformer.sample %x seeds %seeds steps %steps top_p %p : (tensor<2x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
