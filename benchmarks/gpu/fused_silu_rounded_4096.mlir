// product: 4096 x 4096 x 4096
// As a framework writes it: every operation rounds to bf16.
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %b: tensor<4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = stablehlo.add %0, %1 : tensor<4096x4096xbf16>
  %3 = stablehlo.logistic %2 : tensor<4096x4096xbf16>
  %4 = stablehlo.multiply %2, %3 : tensor<4096x4096xbf16>
  return %4 : tensor<4096x4096xbf16>
}
