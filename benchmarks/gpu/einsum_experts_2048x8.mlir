// flops: 274877906944
// x[t,e,d] * w[e,d,f] -> y[t,e,f]: the batch, experts, is not outermost.
func.func @main(%x: tensor<2048x8x2048xbf16>, %w: tensor<8x2048x4096xbf16>) -> tensor<2048x8x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2048x8x2048xbf16>, tensor<8x2048x4096xbf16>) -> tensor<8x2048x4096xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<8x2048x4096xbf16>) -> tensor<2048x8x4096xbf16>
  return %1 : tensor<2048x8x4096xbf16>
}
