// flops: 34359738368
func.func @main(%q: tensor<16x16x1024x64xbf16>, %k: tensor<16x16x1024x64xbf16>, %v: tensor<16x16x1024x64xbf16>) -> tensor<16x16x1024x64xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>) -> tensor<16x16x1024x64xbf16>
  return %0 : tensor<16x16x1024x64xbf16>
}
