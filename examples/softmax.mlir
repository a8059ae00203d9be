// Softmax of rows, as StableHLO: the largest element is subtracted first, so that large scores do not overflow.
//   forge verify examples/softmax.mlir
module @softmax {
  func.func @main(%x: tensor<64x257xf32>) -> tensor<64x257xf32> {
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1]
        : (tensor<64x257xf32>, tensor<f32>) -> tensor<64xf32>
    %max_rows = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x257xf32>
    %shifted = stablehlo.subtract %x, %max_rows : tensor<64x257xf32>
    %exps = stablehlo.exponential %shifted : tensor<64x257xf32>
    %sum = stablehlo.reduce(%exps init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<64x257xf32>, tensor<f32>) -> tensor<64xf32>
    %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x257xf32>
    %result = stablehlo.divide %exps, %sum_rows : tensor<64x257xf32>
    return %result : tensor<64x257xf32>
  }
}
