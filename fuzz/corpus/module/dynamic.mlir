func.func @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %g = stablehlo.compare GE, %d, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%g, %d) {api_version = 2 : i32, error_message = "expected b >= 1, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %t = stablehlo.constant dense<3> : tensor<1xi32>
  %r = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r, %t, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %f = stablehlo.constant dense<0.5> : tensor<f32>
  %b = stablehlo.dynamic_broadcast_in_dim %f, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  %m = stablehlo.multiply %a, %b : tensor<?x3xf32>
  return %m : tensor<?x3xf32>
}
