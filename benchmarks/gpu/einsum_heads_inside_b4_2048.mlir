// flops: 68719476736
// q[b,t,h,d] * k[b,s,h,d] -> scores[b,h,t,s]: heads inside of both factors.
func.func @main(%q: tensor<4x2048x16x128xbf16>, %k: tensor<4x2048x16x128xbf16>) -> tensor<4x16x2048x2048xbf16> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<4x2048x16x128xbf16>, tensor<4x2048x16x128xbf16>) -> tensor<4x16x2048x2048xbf16>
  return %0 : tensor<4x16x2048x2048xbf16>
}
