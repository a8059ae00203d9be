// flops: 137438953472
// x[b,h,t,d] * w[h,d,o] -> y[b,t,o]: sums over heads and their elements, as behind attention.
func.func @main(%x: tensor<2x32x2048x128xbf16>, %w: tensor<32x128x4096xbf16>) -> tensor<2x2048x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 3] x [0, 1] : (tensor<2x32x2048x128xbf16>, tensor<32x128x4096xbf16>) -> tensor<2x2048x4096xbf16>
  return %0 : tensor<2x2048x4096xbf16>
}
