// Convolutions whose patches would take too much memory are cut and multiplied part by part: images first, then rows of each. The parts
// give what the whole does (small integers, so exactly), with strides, dilation and padding, in layouts of JAX and PyTorch, and for the
// gradient of a kernel. A convolution of one place cannot be divided, one of groups has no patches.
// RUN: rm -rf %t && mkdir -p %t
// RUN: forge-opt %s --convert-stablehlo-to-linalg=patch-elements=2000 -o %t/parts.mlir
// RUN: FileCheck %s --input-file %t/parts.mlir
// RUN: forge run %s --save %t/whole && forge run %t/parts.mlir --save %t/parts
// RUN: cmp %t/whole/out0.npy %t/parts/out0.npy && cmp %t/whole/out1.npy %t/parts/out1.npy && cmp %t/whole/out2.npy %t/parts/out2.npy
// RUN: cmp %t/whole/out3.npy %t/parts/out3.npy && cmp %t/whole/out4.npy %t/parts/out4.npy
// RUN: forge run %t/parts.mlir --target sim:sm_90a --save %t/sim && cmp %t/whole/out0.npy %t/sim/out0.npy && cmp %t/whole/out2.npy %t/sim/out2.npy

// 3 images of 9 x 10 places and patches of 3 * 3 * 5 elements, 12150: 3 of 4050, each in thirds of rows at least.
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, {{[0-9]+}}, 12, 5] [1, 1, 1, 1]
// CHECK: linalg.matmul
// CHECK: tensor.insert_slice
// CHECK: tensor.extract_slice %{{.*}}[2, {{[1-9][0-9]*}}, 0, 0] [1, {{[0-9]+}}, 12, 5] [1, 1, 1, 1]
// CHECK: linalg.matmul
// CHECK: tensor.insert_slice
func.func @main() -> (tensor<3x9x10x4xf32>, tensor<2x4x8x5xf32>, tensor<3x3x3x4xf32>, tensor<1x1x1x2xf32>, tensor<2x6x6x4xf32>) {
  %seven = stablehlo.constant dense<7.0> : tensor<f32>
  %x0_0 = stablehlo.iota dim = 0 : tensor<1350xf32>
  %x0_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<1350xf32>
  %x0_2 = stablehlo.remainder %x0_0, %x0_1 : tensor<1350xf32>
  %x0_ = stablehlo.reshape %x0_2 : (tensor<1350xf32>) -> tensor<3x9x10x5xf32>
  %k0_0 = stablehlo.iota dim = 0 : tensor<180xf32>
  %k0_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<180xf32>
  %k0_2 = stablehlo.remainder %k0_0, %k0_1 : tensor<180xf32>
  %k0_ = stablehlo.reshape %k0_2 : (tensor<180xf32>) -> tensor<3x3x5x4xf32>
  %0 = stablehlo.convolution(%x0_, %k0_) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x9x10x5xf32>, tensor<3x3x5x4xf32>) -> tensor<3x9x10x4xf32>
  %x1_0 = stablehlo.iota dim = 0 : tensor<3120xf32>
  %x1_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<3120xf32>
  %x1_2 = stablehlo.remainder %x1_0, %x1_1 : tensor<3120xf32>
  %x1_ = stablehlo.reshape %x1_2 : (tensor<3120xf32>) -> tensor<2x6x20x13xf32>
  %k1_0 = stablehlo.iota dim = 0 : tensor<360xf32>
  %k1_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<360xf32>
  %k1_2 = stablehlo.remainder %k1_0, %k1_1 : tensor<360xf32>
  %k1_ = stablehlo.reshape %k1_2 : (tensor<360xf32>) -> tensor<4x6x5x3xf32>
  %1 = stablehlo.convolution(%x1_, %k1_) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x20x13xf32>, tensor<4x6x5x3xf32>) -> tensor<2x4x8x5xf32>
  %x2_0 = stablehlo.iota dim = 0 : tensor<1890xf32>
  %x2_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<1890xf32>
  %x2_2 = stablehlo.remainder %x2_0, %x2_1 : tensor<1890xf32>
  %x2_ = stablehlo.reshape %x2_2 : (tensor<1890xf32>) -> tensor<3x14x15x3xf32>
  %k2_0 = stablehlo.iota dim = 0 : tensor<1872xf32>
  %k2_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<1872xf32>
  %k2_2 = stablehlo.remainder %k2_0, %k2_1 : tensor<1872xf32>
  %k2_ = stablehlo.reshape %k2_2 : (tensor<1872xf32>) -> tensor<3x12x13x4xf32>
  %2 = stablehlo.convolution(%x2_, %k2_) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x14x15x3xf32>, tensor<3x12x13x4xf32>) -> tensor<3x3x3x4xf32>
  %x3_0 = stablehlo.iota dim = 0 : tensor<3200xf32>
  %x3_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<3200xf32>
  %x3_2 = stablehlo.remainder %x3_0, %x3_1 : tensor<3200xf32>
  %x3_ = stablehlo.reshape %x3_2 : (tensor<3200xf32>) -> tensor<1x40x40x2xf32>
  %k3_0 = stablehlo.iota dim = 0 : tensor<6400xf32>
  %k3_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<6400xf32>
  %k3_2 = stablehlo.remainder %k3_0, %k3_1 : tensor<6400xf32>
  %k3_ = stablehlo.reshape %k3_2 : (tensor<6400xf32>) -> tensor<40x40x2x2xf32>
  %3 = stablehlo.convolution(%x3_, %k3_) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x40x40x2xf32>, tensor<40x40x2x2xf32>) -> tensor<1x1x1x2xf32>
  %x4_0 = stablehlo.iota dim = 0 : tensor<512xf32>
  %x4_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<512xf32>
  %x4_2 = stablehlo.remainder %x4_0, %x4_1 : tensor<512xf32>
  %x4_ = stablehlo.reshape %x4_2 : (tensor<512xf32>) -> tensor<2x8x8x4xf32>
  %k4_0 = stablehlo.iota dim = 0 : tensor<72xf32>
  %k4_1 = stablehlo.broadcast_in_dim %seven, dims = [] : (tensor<f32>) -> tensor<72xf32>
  %k4_2 = stablehlo.remainder %k4_0, %k4_1 : tensor<72xf32>
  %k4_ = stablehlo.reshape %k4_2 : (tensor<72xf32>) -> tensor<3x3x2x4xf32>
  %4 = stablehlo.convolution(%x4_, %k4_) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x2x4xf32>) -> tensor<2x6x6x4xf32>
  return %0, %1, %2, %3, %4 : tensor<3x9x10x4xf32>, tensor<2x4x8x5xf32>, tensor<3x3x3x4xf32>, tensor<1x1x1x2xf32>, tensor<2x6x6x4xf32>
}
