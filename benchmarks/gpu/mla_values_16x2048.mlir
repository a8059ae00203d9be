// flops: 17179869184
// Weights times values that are half of each row of a larger tensor, as in multi-head latent attention.
func.func @main(%p: tensor<16x2048x2048xbf16>, %kv: tensor<16x2048x256xbf16>) -> tensor<16x2048x128xbf16> {
  %v = stablehlo.slice %kv [0:16, 0:2048, 128:256] : (tensor<16x2048x256xbf16>) -> tensor<16x2048x128xbf16>
  %0 = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x2048x2048xbf16>, tensor<16x2048x128xbf16>) -> tensor<16x2048x128xbf16>
  return %0 : tensor<16x2048x128xbf16>
}
