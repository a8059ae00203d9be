// flops: 34359738368
// x[t,e,d] * w[e,d,f] -> y[t,e,f] in f32, which is the library's at these strides.
func.func @main(%x: tensor<1024x8x1024xf32>, %w: tensor<8x1024x2048xf32>) -> tensor<1024x8x2048xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<1024x8x1024xf32>, tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<8x1024x2048xf32>) -> tensor<1024x8x2048xf32>
  return %1 : tensor<1024x8x2048xf32>
}
