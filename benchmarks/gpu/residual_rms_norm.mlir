// bytes: 1073750016
func.func @main(%x: tensor<32768x4096xbf16>, %r: tensor<32768x4096xbf16>, %g: tensor<4096xbf16>) -> (tensor<32768x4096xbf16>, tensor<32768x4096xbf16>) {
  %0 = stablehlo.add %x, %r : tensor<32768x4096xbf16>
  %1 = transformer.rms_norm %0 scale %g {epsilon = 1.0e-05 : f32} : (tensor<32768x4096xbf16>, tensor<4096xbf16>) -> tensor<32768x4096xbf16>
  return %0, %1 : tensor<32768x4096xbf16>, tensor<32768x4096xbf16>
}
