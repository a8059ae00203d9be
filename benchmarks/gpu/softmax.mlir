// bytes: 536870912
func.func @main(%x: tensor<32768x4096xbf16>) -> tensor<32768x4096xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<32768x4096xbf16>
  return %0 : tensor<32768x4096xbf16>
}
