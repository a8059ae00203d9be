// A sum of 2^22 elements that are computed before and of their places: parts of it by many blocks, results against the reference.
// RUN: forge compile %s --target sim:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target cpu
// CHECK: 3

func.func @main(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> (tensor<f32>, tensor<2048x2048xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<2048x2048xi32>
  %j = stablehlo.iota dim = 1 : tensor<2048x2048xi32>
  %eq = stablehlo.compare EQ, %i, %j : (tensor<2048x2048xi32>, tensor<2048x2048xi32>) -> tensor<2048x2048xi1>
  %zz = stablehlo.constant dense<0.0> : tensor<2048x2048xf32>
  %t = stablehlo.multiply %a, %a : tensor<2048x2048xf32>
  %m = stablehlo.multiply %t, %b : tensor<2048x2048xf32>
  %w = stablehlo.select %eq, %zz, %m : tensor<2048x2048xi1>, tensor<2048x2048xf32>
  %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<f32>
  return %s, %t : tensor<f32>, tensor<2048x2048xf32>
}
