// The sum of exponentials of a long row is found in one pass with its maximum, also where terms are taken below 0 if the maximum is no finite
// number, as jax.nn.logsumexp does: rows of numbers, of -inf alone, with inf at the end, in the middle, and with NaN.
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --function drawn --target sim:sm_90a
// RUN: forge compile %s --function drawn --target cuda:sm_90a --to ptx -o - | FileCheck %s
// One loop over the row, some accesses at a time, with both reductions; six rows have eight blocks each.
// CHECK: .reqnctapercluster 8, 1, 1
// CHECK-COUNT-8: ld.global.v4
// CHECK-NOT: ld.global

func.func @main() -> tensor<6xf32> {
  %column = stablehlo.iota dim = 1 : tensor<6x40000xf32>
  %row = stablehlo.iota dim = 0 : tensor<6x40000xi32>
  %scale = stablehlo.constant dense<1.0e-3> : tensor<6x40000xf32>
  %plain = stablehlo.multiply %column, %scale : tensor<6x40000xf32>
  %special = stablehlo.constant dense<[[0.0], [0xFF800000], [0x7F800000], [0x7F800000], [0x7FC00000], [0xFF800000]]> : tensor<6x1xf32>
  %all = stablehlo.broadcast_in_dim %special, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x40000xf32>
  %firsts = stablehlo.constant dense<[[50000], [0], [39999], [20000], [30000], [39000]]> : tensor<6x1xi32>
  %lasts = stablehlo.constant dense<[[0], [40000], [40000], [20001], [30001], [40000]]> : tensor<6x1xi32>
  %first = stablehlo.broadcast_in_dim %firsts, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x40000xi32>
  %last = stablehlo.broadcast_in_dim %lasts, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x40000xi32>
  %place = stablehlo.iota dim = 1 : tensor<6x40000xi32>
  %behind = stablehlo.compare GE, %place, %first : (tensor<6x40000xi32>, tensor<6x40000xi32>) -> tensor<6x40000xi1>
  %before = stablehlo.compare LT, %place, %last : (tensor<6x40000xi32>, tensor<6x40000xi32>) -> tensor<6x40000xi1>
  %inside = stablehlo.and %behind, %before : tensor<6x40000xi1>
  %x = stablehlo.select %inside, %all, %plain : tensor<6x40000xi1>, tensor<6x40000xf32>
  %memory = stablehlo.optimization_barrier %x : tensor<6x40000xf32>
  %0 = func.call @drawn(%memory) : (tensor<6x40000xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @drawn(%x: tensor<6x40000xf32>) -> tensor<6xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<6x40000xf32>, tensor<f32>) -> tensor<6xf32>
  %isFinite = stablehlo.is_finite %max : (tensor<6xf32>) -> tensor<6xi1>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %base = stablehlo.select %isFinite, %max, %zeros : tensor<6xi1>, tensor<6xf32>
  %below = stablehlo.broadcast_in_dim %base, dims = [0] : (tensor<6xf32>) -> tensor<6x40000xf32>
  %difference = stablehlo.subtract %x, %below : tensor<6x40000xf32>
  %exps = stablehlo.exponential %difference : tensor<6x40000xf32>
  %sum = stablehlo.reduce(%exps init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x40000xf32>, tensor<f32>) -> tensor<6xf32>
  %log = stablehlo.log %sum : tensor<6xf32>
  %0 = stablehlo.add %log, %base : tensor<6xf32>
  return %0 : tensor<6xf32>
}
