func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<6x300xf32>
  return %0 : tensor<6x300xf32>
}
