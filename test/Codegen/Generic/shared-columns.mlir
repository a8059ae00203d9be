// Threads that share sums of columns have columns side by side, also where another operand, here the mean of each row, has a
// number for each step of the sum: it is read by the way.
// RUN: forge compile %s --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[PART:.*]] = arith.divui %[[THREAD]], %c32 : index
// CHECK: %[[COLUMN:.*]] = arith.remui %[[THREAD]], %c32 : index
// CHECK: scf.for %[[ROW:.*]] = %[[PART]] to %c512 step %c16
// CHECK: memref.load %{{.*}}[%[[ROW]], %{{.*}}] : memref<512x8192xf32>
func.func @centred(%x: tensor<512x8192xf32>, %mean: tensor<512xf32>) -> tensor<8192xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<512xf32>) -> tensor<512x8192xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<512x8192xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<8192xf32>
  return %2 : tensor<8192xf32>
}
