// Made-up inputs, every phase executed, each compared with the reference under the printed tolerance.
// RUN: forge verify %s --target cpu --each-stage | FileCheck %s
// RUN: forge verify %s --target cpu --seed 3 | FileCheck %s --check-prefix=WHOLE
// RUN: not forge verify %s --function absent 2>&1 | FileCheck %s --check-prefix=ABSENT

// CHECK: result 0: tolerance {{.*}} to {{.*}}, mostly {{.*}} (6 standard deviations by 21 executions in f32, sums of up to 32 terms)
// CHECK: result 1: exact
// CHECK: simplify: result 0 agrees: max_abs
// CHECK: simplify: result 1 agrees: max_abs 0
// CHECK: linalg: result 0 agrees
// CHECK: fuse: result 0 agrees
// CHECK: tile: result 0 agrees
// CHECK: bufferize: result 0 agrees
// CHECK: lower: result 0 agrees
// CHECK: whole: result 0 agrees
// CHECK-NOT: differ

// WHOLE-NOT: simplify
// WHOLE: whole: result 0 agrees
// ABSENT: no function 'absent'
func.func @main(%x: tensor<8x32xf32>, %w: tensor<32x16xf32>, %n: tensor<4xi32>) -> (tensor<8x16xf32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8x16xf32>
  %4 = stablehlo.exponential %3 : tensor<8x16xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %7 = stablehlo.divide %4, %6 : tensor<8x16xf32>
  %8 = stablehlo.multiply %n, %n : tensor<4xi32>
  return %7, %8 : tensor<8x16xf32>, tensor<4xi32>
}
