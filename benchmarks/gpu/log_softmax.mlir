// bytes: 1576009728
func.func @main(%x: tensor<2048x128256xbf16>) -> tensor<2048x128256xf32> {
  %0 = stablehlo.convert %x : (tensor<2048x128256xbf16>) -> tensor<2048x128256xf32>
  %1 = transformer.log_softmax %0 {dimension = 1 : i64} : tensor<2048x128256xf32>
  return %1 : tensor<2048x128256xf32>
}
