func.func @main(%s: tensor<2xui64>) -> tensor<4x2xui32> {
  %o, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x2xui32>)
  %q = stablehlo.optimization_barrier %r : tensor<4x2xui32>
  return %q : tensor<4x2xui32>
}
