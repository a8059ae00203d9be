// flops: 34359738368
// x[m,k,b] * w[k,n,b] -> y[b,m,n]: the batch is innermost, so both factors are copied first.
func.func @main(%x: tensor<1024x1024x16xbf16>, %w: tensor<1024x1024x16xbf16>) -> tensor<16x1024x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [2] x [2], contracting_dims = [1] x [0] : (tensor<1024x1024x16xbf16>, tensor<1024x1024x16xbf16>) -> tensor<16x1024x1024xbf16>
  return %0 : tensor<16x1024x1024xbf16>
}
