// product: 4096 x 8192 x 4096
// A gated MLP's first half: silu(x Wg) * (x Wu).
func.func @main(%x: tensor<4096x4096xbf16>, %g: tensor<4096x4096xbf16>, %u: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<4096x4096xbf16>
  return %2 : tensor<4096x4096xbf16>
}
