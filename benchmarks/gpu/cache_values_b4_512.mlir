// flops: 4194304
// Weights of four queries of each key head times one layer's values of a cache.
func.func @main(%p: tensor<4x4x4x512xbf16>, %cache: tensor<4x4x4x512x64xbf16>) -> tensor<4x4x4x64xbf16> {
  %s = stablehlo.slice %cache [2:3, 0:4, 0:4, 0:512, 0:64] : (tensor<4x4x4x512x64xbf16>) -> tensor<1x4x4x512x64xbf16>
  %v = stablehlo.reshape %s : (tensor<1x4x4x512x64xbf16>) -> tensor<4x4x512x64xbf16>
  %0 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<4x4x4x512xbf16>, tensor<4x4x512x64xbf16>) -> tensor<4x4x4x64xbf16>
  return %0 : tensor<4x4x4x64xbf16>
}
