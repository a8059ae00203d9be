// bytes: 536887296
func.func @main(%x: tensor<32768x4096xbf16>, %g: tensor<4096xbf16>, %b: tensor<4096xbf16>) -> tensor<32768x4096xbf16> {
  %0 = transformer.layer_norm %x scale %g shift %b {epsilon = 1.0e-05 : f32} : (tensor<32768x4096xbf16>, tensor<4096xbf16>, tensor<4096xbf16>) -> tensor<32768x4096xbf16>
  return %0 : tensor<32768x4096xbf16>
}
