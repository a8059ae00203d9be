// RUN: forge verify %s --dynamic-size 7 --each-stage
// RUN: forge verify %s --dynamic-size 4
// RUN: forge verify %s --dynamic-size 1 --tier correctness

// Batch normalisation, random bits and top_k over sizes known only at run time.

func.func @main(%x: tensor<?x4x?xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %state: tensor<2xui64>, %shape: tensor<?x?xi8>, %k: tensor<?xi8>)
    -> (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4x?xf32>, tensor<2xui64>, tensor<?x?xui32>, tensor<2xui64>, tensor<?x?xui64>, tensor<?x4x?xf32>, tensor<?x4x?xi32>) {
  %r, %mean, %variance = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>)
  %gx, %gs, %go = "stablehlo.batch_norm_grad"(%x, %s, %mean, %variance, %r) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4x?xf32>) -> (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>)
  %i = "stablehlo.batch_norm_inference"(%x, %s, %o, %mean, %variance) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x?xf32>
  %m = stablehlo.get_dimension_size %shape, dim = 0 : (tensor<?x?xi8>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %shape, dim = 1 : (tensor<?x?xi8>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %bits:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %sizes) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %wide:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %sizes) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui64>)
  %count = stablehlo.get_dimension_size %k, dim = 0 : (tensor<?xi8>) -> tensor<i32>
  %top:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %count) : (tensor<?x4x?xf32>, tensor<i32>) -> (tensor<?x4x?xf32>, tensor<?x4x?xi32>)
  return %r, %mean, %variance, %gx, %gs, %go, %i, %bits#0, %bits#1, %wide#0, %wide#1, %top#0, %top#1 : tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4x?xf32>, tensor<2xui64>, tensor<?x?xui32>, tensor<2xui64>, tensor<?x?xui64>, tensor<?x4x?xf32>, tensor<?x4x?xi32>
}
