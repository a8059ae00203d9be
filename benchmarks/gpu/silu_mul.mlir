// bytes: 805306368
func.func @main(%x: tensor<32768x4096xbf16>, %y: tensor<32768x4096xbf16>) -> tensor<32768x4096xbf16> {
  %0 = transformer.activation silu %x : tensor<32768x4096xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<32768x4096xbf16>
  return %1 : tensor<32768x4096xbf16>
}
