// bytes: 352583680
func.func @main(%x: tensor<16x4096xbf16>, %g: tensor<14336x4096xbf16>, %u: tensor<14336x4096xbf16>, %d: tensor<4096x14336xbf16>) -> tensor<16x4096xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<16x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<16x14336xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<16x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<16x14336xbf16>
  %2 = transformer.multiply %0, %1 : tensor<16x14336xbf16>
  %3 = transformer.matmul %2, %d {transpose_rhs} : (tensor<16x14336xbf16>, tensor<4096x14336xbf16>) -> tensor<16x4096xbf16>
  return %3 : tensor<16x4096xbf16>
}
