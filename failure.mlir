// forge verify ./failure.mlir --target hip --tier optimized --input ./in0.npy
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
}

