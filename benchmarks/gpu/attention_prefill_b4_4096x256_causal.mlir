// flops: 549755813888
func.func @main(%q: tensor<4x16x4096x256xbf16>, %k: tensor<4x16x4096x256xbf16>, %v: tensor<4x16x4096x256xbf16>) -> tensor<4x16x4096x256xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<4x16x4096x256xbf16>, tensor<4x16x4096x256xbf16>, tensor<4x16x4096x256xbf16>) -> tensor<4x16x4096x256xbf16>
  return %0 : tensor<4x16x4096x256xbf16>
}
