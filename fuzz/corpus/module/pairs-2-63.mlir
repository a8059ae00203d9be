func.func @collective_permute_c5(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected element type 'f32' for a result, but got 'i32'}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<4611686018427387904x2xi64>}> : (tensor<4xf32>) -> tensor<4xi32>
  return
}
