// bytes: 525361152
func.func @main(%x: tensor<2048x128256xbf16>, %t: tensor<2048xi32>) -> tensor<2048xf32> {
  %0 = stablehlo.convert %x : (tensor<2048x128256xbf16>) -> tensor<2048x128256xf32>
  %1 = transformer.cross_entropy none %0, %t : (tensor<2048x128256xf32>, tensor<2048xi32>) -> tensor<2048xf32>
  return %1 : tensor<2048xf32>
}
