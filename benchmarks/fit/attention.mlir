// Attention of one row and of many.
// For forge fit (docs/tune.md): a kernel each, of small and large sizes.
func.func @attention_1x8x8x1x512x64(%q: tensor<1x8x1x64xbf16>, %k: tensor<1x8x512x64xbf16>, %v: tensor<1x8x512x64xbf16>) -> tensor<1x8x1x64xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x8x1x64xbf16>, tensor<1x8x512x64xbf16>, tensor<1x8x512x64xbf16>) -> tensor<1x8x1x64xbf16>
  return %0 : tensor<1x8x1x64xbf16>
}

func.func @attention_1x32x8x1x2048x128(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x8x2048x128xbf16>, %v: tensor<1x8x2048x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x32x1x128xbf16>, tensor<1x8x2048x128xbf16>, tensor<1x8x2048x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %0 : tensor<1x32x1x128xbf16>
}

func.func @attention_1x32x8x1x16384x128(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x8x16384x128xbf16>, %v: tensor<1x8x16384x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x32x1x128xbf16>, tensor<1x8x16384x128xbf16>, tensor<1x8x16384x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %0 : tensor<1x32x1x128xbf16>
}

func.func @attention_8x32x8x1x2048x128(%q: tensor<8x32x1x128xbf16>, %k: tensor<8x8x2048x128xbf16>, %v: tensor<8x8x2048x128xbf16>) -> tensor<8x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<8x32x1x128xbf16>, tensor<8x8x2048x128xbf16>, tensor<8x8x2048x128xbf16>) -> tensor<8x32x1x128xbf16>
  return %0 : tensor<8x32x1x128xbf16>
}

func.func @attention_32x32x8x1x2048x128(%q: tensor<32x32x1x128xbf16>, %k: tensor<32x8x2048x128xbf16>, %v: tensor<32x8x2048x128xbf16>) -> tensor<32x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<32x32x1x128xbf16>, tensor<32x8x2048x128xbf16>, tensor<32x8x2048x128xbf16>) -> tensor<32x32x1x128xbf16>
  return %0 : tensor<32x32x1x128xbf16>
}

func.func @attention_1x8x8x128x128x64(%q: tensor<1x8x128x64xbf16>, %k: tensor<1x8x128x64xbf16>, %v: tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x8x128x64xbf16>, tensor<1x8x128x64xbf16>, tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16>
  return %0 : tensor<1x8x128x64xbf16>
}

func.func @attention_1x32x8x512x512x128(%q: tensor<1x32x512x128xbf16>, %k: tensor<1x8x512x128xbf16>, %v: tensor<1x8x512x128xbf16>) -> tensor<1x32x512x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x32x512x128xbf16>, tensor<1x8x512x128xbf16>, tensor<1x8x512x128xbf16>) -> tensor<1x32x512x128xbf16>
  return %0 : tensor<1x32x512x128xbf16>
}

func.func @attention_1x32x8x2048x2048x128(%q: tensor<1x32x2048x128xbf16>, %k: tensor<1x8x2048x128xbf16>, %v: tensor<1x8x2048x128xbf16>) -> tensor<1x32x2048x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x32x2048x128xbf16>, tensor<1x8x2048x128xbf16>, tensor<1x8x2048x128xbf16>) -> tensor<1x32x2048x128xbf16>
  return %0 : tensor<1x32x2048x128xbf16>
}

func.func @attention_2x32x8x2048x2048x128(%q: tensor<2x32x2048x128xbf16>, %k: tensor<2x8x2048x128xbf16>, %v: tensor<2x8x2048x128xbf16>) -> tensor<2x32x2048x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<2x32x2048x128xbf16>, tensor<2x8x2048x128xbf16>, tensor<2x8x2048x128xbf16>) -> tensor<2x32x2048x128xbf16>
  return %0 : tensor<2x32x2048x128xbf16>
}

func.func @attention_8x12x12x512x512x64(%q: tensor<8x12x512x64xbf16>, %k: tensor<8x12x512x64xbf16>, %v: tensor<8x12x512x64xbf16>) -> tensor<8x12x512x64xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<8x12x512x64xbf16>, tensor<8x12x512x64xbf16>, tensor<8x12x512x64xbf16>) -> tensor<8x12x512x64xbf16>
  return %0 : tensor<8x12x512x64xbf16>
}
