// bytes: 536879104
func.func @main(%x: tensor<32768x4096xbf16>, %g: tensor<4096xbf16>) -> tensor<32768x4096xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<32768x4096xbf16>, tensor<4096xbf16>) -> tensor<32768x4096xbf16>
  return %0 : tensor<32768x4096xbf16>
}
