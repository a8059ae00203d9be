// Operations on single elements.
// For forge fit (docs/tune.md): a kernel each, of small and large sizes.
func.func @silu_mul_4096(%x: tensor<4096xbf16>, %y: tensor<4096xbf16>) -> tensor<4096xbf16> {
  %0 = transformer.activation silu %x : tensor<4096xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<4096xbf16>
  return %1 : tensor<4096xbf16>
}

func.func @silu_mul_65536(%x: tensor<65536xbf16>, %y: tensor<65536xbf16>) -> tensor<65536xbf16> {
  %0 = transformer.activation silu %x : tensor<65536xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<65536xbf16>
  return %1 : tensor<65536xbf16>
}

func.func @silu_mul_1048576(%x: tensor<1048576xbf16>, %y: tensor<1048576xbf16>) -> tensor<1048576xbf16> {
  %0 = transformer.activation silu %x : tensor<1048576xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<1048576xbf16>
  return %1 : tensor<1048576xbf16>
}

func.func @silu_mul_4194304(%x: tensor<4194304xbf16>, %y: tensor<4194304xbf16>) -> tensor<4194304xbf16> {
  %0 = transformer.activation silu %x : tensor<4194304xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<4194304xbf16>
  return %1 : tensor<4194304xbf16>
}

func.func @silu_mul_16777216(%x: tensor<16777216xbf16>, %y: tensor<16777216xbf16>) -> tensor<16777216xbf16> {
  %0 = transformer.activation silu %x : tensor<16777216xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<16777216xbf16>
  return %1 : tensor<16777216xbf16>
}

func.func @silu_mul_67108864(%x: tensor<67108864xbf16>, %y: tensor<67108864xbf16>) -> tensor<67108864xbf16> {
  %0 = transformer.activation silu %x : tensor<67108864xbf16>
  %1 = stablehlo.multiply %0, %y : tensor<67108864xbf16>
  return %1 : tensor<67108864xbf16>
}

func.func @transpose_256x256(%x: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}

func.func @transpose_1024x4096(%x: tensor<1024x4096xbf16>) -> tensor<4096x1024xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1024x4096xbf16>) -> tensor<4096x1024xbf16>
  return %0 : tensor<4096x1024xbf16>
}

func.func @transpose_4096x8192(%x: tensor<4096x8192xbf16>) -> tensor<8192x4096xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4096x8192xbf16>) -> tensor<8192x4096xbf16>
  return %0 : tensor<8192x4096xbf16>
}

func.func @rope_1x32x1x128(%x: tensor<1x32x1x128xbf16>, %p: tensor<1xi32>) -> tensor<1x32x1x128xbf16> {
  %0 = transformer.rope %x positions %p : (tensor<1x32x1x128xbf16>, tensor<1xi32>) -> tensor<1x32x1x128xbf16>
  return %0 : tensor<1x32x1x128xbf16>
}

func.func @rope_1x32x512x128(%x: tensor<1x32x512x128xbf16>, %p: tensor<512xi32>) -> tensor<1x32x512x128xbf16> {
  %0 = transformer.rope %x positions %p : (tensor<1x32x512x128xbf16>, tensor<512xi32>) -> tensor<1x32x512x128xbf16>
  return %0 : tensor<1x32x512x128xbf16>
}

func.func @rope_4x32x2048x128(%x: tensor<4x32x2048x128xbf16>, %p: tensor<2048xi32>) -> tensor<4x32x2048x128xbf16> {
  %0 = transformer.rope %x positions %p : (tensor<4x32x2048x128xbf16>, tensor<2048xi32>) -> tensor<4x32x2048x128xbf16>
  return %0 : tensor<4x32x2048x128xbf16>
}
