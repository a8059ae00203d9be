// flops: 2199023255552
func.func @main(%q: tensor<1x32x16384x128xbf16>, %k: tensor<1x8x16384x128xbf16>, %v: tensor<1x8x16384x128xbf16>) -> tensor<1x32x16384x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x32x16384x128xbf16>, tensor<1x8x16384x128xbf16>, tensor<1x8x16384x128xbf16>) -> tensor<1x32x16384x128xbf16>
  return %0 : tensor<1x32x16384x128xbf16>
}
