// flops: 240518168576
func.func @main(%do: tensor<16x16x1024x64xbf16>, %q: tensor<16x16x1024x64xbf16>, %k: tensor<16x16x1024x64xbf16>, %v: tensor<16x16x1024x64xbf16>) -> (tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v : (tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>) -> (tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>)
  return %0#0, %0#1, %0#2 : tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>, tensor<16x16x1024x64xbf16>
}
