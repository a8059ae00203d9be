// product: 4096 x 4096 x 4096
// The second of two products of a gated MLP.
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %u: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = stablehlo.multiply %0, %u : tensor<4096x4096xbf16>
  return %1 : tensor<4096x4096xbf16>
}
