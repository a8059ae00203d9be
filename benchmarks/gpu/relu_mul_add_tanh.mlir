// bytes: 805306368
func.func @main(%x: tensor<32768x4096xbf16>, %y: tensor<32768x4096xbf16>) -> tensor<32768x4096xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<32768x4096xbf16>
  %0 = stablehlo.maximum %x, %zero : tensor<32768x4096xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<32768x4096xbf16>
  %2 = stablehlo.add %1, %x : tensor<32768x4096xbf16>
  %3 = stablehlo.tanh %2 : tensor<32768x4096xbf16>
  return %3 : tensor<32768x4096xbf16>
}
