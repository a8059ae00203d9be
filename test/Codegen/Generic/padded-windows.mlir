// Windows of a padded tensor are read where the tensor is, without branches: outside of it another element of it is read, and not taken.
// RUN: forge compile %s --function stencil --target cuda:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge compile %s --function vectors --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=VECTORS
// RUN: forge compile %s --function padded_features --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=FEATURES
// RUN: forge compile %s --function read_twice --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TWICE
// RUN: forge verify %s --function stencil --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function stencil --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function vectors --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function vectors --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function padded_features --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function read_twice --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function read_twice --target sim:gfx942 --reproducer-dir %t

// CHECK: gpu.func @{{.*}}(%[[X:.*]]: memref<2x40x64xf32>,
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i32
// CHECK: %[[IN:.*]] = memref.load %[[X]]
// CHECK: arith.select %{{.*}}, %[[IN]], %{{.*}} : f32
// CHECK: gpu.return
// CHECK-NOT: gpu.func
func.func @stencil(%x: tensor<2x40x64x1xf32>, %k: tensor<3x3x1x1xf32>) -> tensor<2x40x64x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x40x64x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x40x64x1xf32>
  return %0 : tensor<2x40x64x1xf32>
}

// Channels of a place are read at once.
// VECTORS: gpu.func @{{.*}}(%[[X:.*]]: memref<10x10x8xf32>,
// VECTORS: %[[IN:.*]] = vector.load %[[X]]{{.*}} : memref<10x10x8xf32>, vector<4xf32>
// VECTORS: arith.select %{{.*}}, %[[IN]], %{{.*}} : vector<4xf32>
// VECTORS: gpu.return
func.func @vectors(%x: tensor<1x10x10x8xf32>, %k: tensor<3x3x8x1xf32>) -> tensor<1x10x10x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x10x10x8xf32>, tensor<3x3x8x1xf32>) -> tensor<1x10x10x1xf32>
  return %0 : tensor<1x10x10x1xf32>
}

// Zeros along a loop by itself are written.
// FEATURES: gpu.func
// FEATURES: gpu.func
func.func @padded_features(%x: tensor<2x40x64x2xf32>, %k: tensor<3x3x3x1xf32>) -> tensor<2x38x62x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x40x64x2xf32>, tensor<f32>) -> tensor<2x40x64x3xf32>
  %0 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x40x64x3xf32>, tensor<3x3x3x1xf32>) -> tensor<2x38x62x1xf32>
  return %0 : tensor<2x38x62x1xf32>
}

// Two convolutions of one padded tensor read it each, in one launch.
// TWICE-NOT: memref<2x42x66xf32>
// TWICE: gpu.launch_func
// TWICE-NOT: gpu.launch_func
func.func @read_twice(%x: tensor<2x40x64x1xf32>, %k: tensor<3x3x1x1xf32>, %l: tensor<2x3x1x1xf32>) -> (tensor<2x40x64x1xf32>, tensor<2x41x64x1xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x40x64x1xf32>, tensor<f32>) -> tensor<2x42x66x1xf32>
  %0 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x42x66x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x40x64x1xf32>
  %1 = stablehlo.convolution(%p, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x42x66x1xf32>, tensor<2x3x1x1xf32>) -> tensor<2x41x64x1xf32>
  return %0, %1 : tensor<2x40x64x1xf32>, tensor<2x41x64x1xf32>
}
