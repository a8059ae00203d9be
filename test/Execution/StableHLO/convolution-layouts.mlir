// Convolutions with other orders of dimensions than [b, 0, 1, f]: the patches have last what the input has last, so that lines of memory are
// copied. Gradients of kernels have the batch there, and need no copy where the window is one place.
// RUN: forge verify %s --function kernel_gradient --target cpu
// RUN: forge verify %s --function kernel_gradient --target sim:sm_90a
// RUN: forge verify %s --function one_place --target cpu
// RUN: forge verify %s --function one_place --target sim:gfx942
// RUN: forge verify %s --function strided --target cpu --each-stage
// RUN: forge verify %s --function channels_first --target cpu
// RUN: forge verify %s --function channels_first --target sim:sm_90a
// RUN: forge verify %s --function mixed --target cpu
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=fuse" | FileCheck %s

// CHECK-LABEL: func.func @kernel_gradient
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x6x3x3x8xbf16>)
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<60x72xbf16>, tensor<60x4xbf16>)
func.func @kernel_gradient(%x: tensor<2x5x6x8xbf16>, %dy: tensor<2x5x6x4xbf16>) -> tensor<3x3x8x4xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x8xbf16>, tensor<2x5x6x4xbf16>) -> tensor<3x3x8x4xbf16>
  return %0 : tensor<3x3x8x4xbf16>
}

// CHECK-LABEL: func.func @one_place
// CHECK-NOT: outs({{.*}} : tensor<2x5x6x1x1x8xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<60x8xf32>, tensor<60x4xf32>)
func.func @one_place(%x: tensor<2x5x6x8xf32>, %dy: tensor<2x5x6x4xf32>) -> tensor<1x1x8x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x8xf32>, tensor<2x5x6x4xf32>) -> tensor<1x1x8x4xf32>
  return %0 : tensor<1x1x8x4xf32>
}

func.func @strided(%x: tensor<3x9x7x5xf32>, %dy: tensor<3x4x2x6xf32>) -> tensor<3x2x5x6xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, 1], [1, 0]], stride = [1, 2], rhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x9x7x5xf32>, tensor<3x4x2x6xf32>) -> tensor<4x3x5x6xf32>
  %1 = stablehlo.slice %0 [0:3, 0:2, 0:5, 0:6] : (tensor<4x3x5x6xf32>) -> tensor<3x2x5x6xf32>
  return %1 : tensor<3x2x5x6xf32>
}

func.func @channels_first(%x: tensor<2x4x9x9xf16>, %k: tensor<6x4x3x2xf16>) -> tensor<2x6x4x8xf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x9x9xf16>, tensor<6x4x3x2xf16>) -> tensor<2x6x4x8xf16>
  return %0 : tensor<2x6x4x8xf16>
}

func.func @mixed(%x: tensor<9x2x4x9xf32>, %k: tensor<3x6x2x4xf32>) -> tensor<7x8x6x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [0, b, f, 1]x[0, o, 1, i]->[0, 1, f, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<9x2x4x9xf32>, tensor<3x6x2x4xf32>) -> tensor<7x8x6x2xf32>
  return %0 : tensor<7x8x6x2xf32>
}
