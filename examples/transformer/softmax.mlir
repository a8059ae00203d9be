// Softmax of rows, at transformer level; the same function as ../softmax.mlir.
//   forge run examples/transformer/softmax.mlir
module @softmax {
  func.func @main(%x: tensor<64x257xf32>) -> tensor<64x257xf32> {
    %result = transformer.softmax %x {dimension = 1 : i64} : tensor<64x257xf32>
    return %result : tensor<64x257xf32>
  }
}
