// forge verify ./failure.mlir --target sim:sm_90a --tier production --input ./in0.npy
module {
  func.func @main(%arg0: tensor<7x37xf32>) -> tensor<7xi32> {
    %0 = transformer.argmax %arg0 : tensor<7x37xf32> -> tensor<7xi32>
    return %0 : tensor<7xi32>
  }
}

