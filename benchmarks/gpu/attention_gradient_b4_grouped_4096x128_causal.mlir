// flops: 1924145348608
func.func @main(%do: tensor<4x32x4096x128xbf16>, %q: tensor<4x32x4096x128xbf16>, %k: tensor<4x8x4096x128xbf16>, %v: tensor<4x8x4096x128xbf16>) -> (tensor<4x32x4096x128xbf16>, tensor<4x8x4096x128xbf16>, tensor<4x8x4096x128xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal} : (tensor<4x32x4096x128xbf16>, tensor<4x32x4096x128xbf16>, tensor<4x8x4096x128xbf16>, tensor<4x8x4096x128xbf16>) -> (tensor<4x32x4096x128xbf16>, tensor<4x8x4096x128xbf16>, tensor<4x8x4096x128xbf16>)
  return %0#0, %0#1, %0#2 : tensor<4x32x4096x128xbf16>, tensor<4x8x4096x128xbf16>, tensor<4x8x4096x128xbf16>
}
