func.func @block(%x: tensor<2x32x8x8xf32>, %k: tensor<32x1x3x3xf32>, %gain: tensor<32xf32>, %w: tensor<32x32xf32>) -> tensor<2x32x8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<32.0> : tensor<2x8x8xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<2x32x8x8xf32>, tensor<32x1x3x3xf32>) -> tensor<2x32x8x8xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 3, 1] : (tensor<2x32x8x8xf32>) -> tensor<2x8x8x32xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x8x8x32xf32>, tensor<f32>) -> tensor<2x8x8xf32>
  %3 = stablehlo.divide %2, %count : tensor<2x8x8xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x8x8xf32>) -> tensor<2x8x8x32xf32>
  %5 = stablehlo.subtract %1, %4 : tensor<2x8x8x32xf32>
  %6 = stablehlo.broadcast_in_dim %gain, dims = [3] : (tensor<32xf32>) -> tensor<2x8x8x32xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<2x8x8x32xf32>
  %8 = stablehlo.dot_general %7, %w, contracting_dims = [3] x [0] : (tensor<2x8x8x32xf32>, tensor<32x32xf32>) -> tensor<2x8x8x32xf32>
  %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
  %10 = stablehlo.add %x, %9 : tensor<2x32x8x8xf32>
  %11 = stablehlo.convolution(%10, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<2x32x8x8xf32>, tensor<32x1x3x3xf32>) -> tensor<2x32x8x8xf32>
  %12 = stablehlo.transpose %11, dims = [0, 2, 3, 1] : (tensor<2x32x8x8xf32>) -> tensor<2x8x8x32xf32>
  %13 = stablehlo.dot_general %12, %w, contracting_dims = [3] x [0] : (tensor<2x8x8x32xf32>, tensor<32x32xf32>) -> tensor<2x8x8x32xf32>
  %14 = stablehlo.transpose %13, dims = [0, 3, 1, 2] : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
  %15 = stablehlo.add %10, %14 : tensor<2x32x8x8xf32>
  return %15 : tensor<2x32x8x8xf32>
}

func.func @sequence(%x: tensor<2x16x32xf32>, %k: tensor<32x1x4xf32>) -> tensor<2x16x32xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x16x32xf32>) -> tensor<2x32x16xf32>
  %1 = stablehlo.convolution(%0, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<2x32x16xf32>, tensor<32x1x4xf32>) -> tensor<2x32x19xf32>
  %2 = stablehlo.slice %1 [0:2, 0:32, 0:16] : (tensor<2x32x19xf32>) -> tensor<2x32x16xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x32x16xf32>) -> tensor<2x16x32xf32>
  %4 = stablehlo.logistic %3 : tensor<2x16x32xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<2x16x32xf32>
  return %5 : tensor<2x16x32xf32>
}
