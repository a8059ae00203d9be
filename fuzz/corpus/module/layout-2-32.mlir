func.func @f(%x: tensor<2x3xf32>) -> tensor<2xf32> {
 %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<0> : tensor<4294967296xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
 return %0 : tensor<2xf32>
}
