// The components of sums over pairs of points: a thread has all three, and computes what their terms have in common once. The matrix of all
// pairs is not in memory.
// RUN: forge explain %s --function forces --target cuda:sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: forge compile %s --function forces --target cuda:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function forces --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function forces --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function forces --target cpu --reproducer-dir %t
// RUN: forge verify %s --function short --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function short --target sim:gfx942 --reproducer-dir %t
// RUN: forge compile %s --function cheap --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=CHEAP

// PLAN: reduce, 1 launch: generic; threads 64, reduce_threads 64
// PLAN: {{^}}1 kernel;

// CHECK: gpu.func @reduce({{.*}}memref<64xf32, #gpu.address_space<workgroup>>{{.*}}memref<64xf32, #gpu.address_space<workgroup>>{{.*}}memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} -> (f32, f32, f32)
// CHECK: math.sqrt
// CHECK: arith.divf
// CHECK-NOT: math.sqrt
// CHECK-NOT: arith.divf
// CHECK: gpu.return
func.func @forces(%x: tensor<512x3xf32>, %m: tensor<512xf32>) -> tensor<512x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %d = stablehlo.subtract %0, %1 : tensor<512x512x3xf32>
  %s = stablehlo.multiply %d, %d : tensor<512x512x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x512xf32>
  %soft = stablehlo.constant dense<0.01> : tensor<512x512xf32>
  %a = stablehlo.add %r, %soft : tensor<512x512xf32>
  %root = stablehlo.sqrt %a : tensor<512x512xf32>
  %cube = stablehlo.multiply %a, %root : tensor<512x512xf32>
  %masses = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
  %w = stablehlo.divide %masses, %cube : tensor<512x512xf32>
  %all = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<512x512xf32>) -> tensor<512x512x3xf32>
  %t = stablehlo.multiply %d, %all : tensor<512x512x3xf32>
  %f = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x3xf32>
  return %f : tensor<512x3xf32>
}

// Sums of few terms are one thread's.
func.func @short(%x: tensor<1000x2xf32>, %y: tensor<5x2xf32>) -> tensor<1000x2xf32> {
  %0 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<5x2xf32>) -> tensor<1000x5x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1000x2xf32>) -> tensor<1000x5x2xf32>
  %d = stablehlo.subtract %0, %1 : tensor<1000x5x2xf32>
  %s = stablehlo.multiply %d, %d : tensor<1000x5x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<1000x5xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1000x5x2xf32>, tensor<f32>) -> tensor<1000x5xf32>
  %a = stablehlo.add %r, %one : tensor<1000x5xf32>
  %root = stablehlo.sqrt %a : tensor<1000x5xf32>
  %w = stablehlo.divide %one, %root : tensor<1000x5xf32>
  %all = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<1000x5xf32>) -> tensor<1000x5x2xf32>
  %t = stablehlo.multiply %d, %all : tensor<1000x5x2xf32>
  %f = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1000x5x2xf32>, tensor<f32>) -> tensor<1000x2xf32>
  return %f : tensor<1000x2xf32>
}

// Terms that have little in common: a thread has one result.
// CHEAP: gpu.func
// CHEAP-NOT: -> (f32, f32, f32)
func.func @cheap(%x: tensor<512x3xf32>, %m: tensor<512xf32>) -> tensor<512x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<512x3xf32>) -> tensor<512x512x3xf32>
  %d = stablehlo.subtract %0, %1 : tensor<512x512x3xf32>
  %masses = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<512xf32>) -> tensor<512x512x3xf32>
  %t = stablehlo.multiply %d, %masses : tensor<512x512x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512x3xf32>, tensor<f32>) -> tensor<512x3xf32>
  return %f : tensor<512x3xf32>
}
