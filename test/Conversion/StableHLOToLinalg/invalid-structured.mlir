// RUN: forge-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

// What the lowerings of structured ops leave out is refused at its place.

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @window_strides_unknown(%x: tensor<?xf32>, %z: tensor<f32>, %n: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{unsupported custom_call target '@stablehlo.dynamic_reduce_window': its strides or dilations are not constants}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %p) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @window_body_missing(%x: tensor<?xf32>, %z: tensor<f32>, %n: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected one called computation with 2 arguments and 1 results of rank 0}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %p) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @threefry_dynamic(%s: tensor<2xui64>, %n: tensor<1xi32>) -> tensor<?xui32> {
  // expected-error @+1 {{unsupported custom_call target '@stablehlo.dynamic_rng_bit_generator': the shape of its output is dynamic, which decides how threefry counts}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return %0#1 : tensor<?xui32>
}

// -----

// A computation that some other target is given is not compiled, nor refused in its place.
func.func private @comparator(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @unknown_with_computation(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unsupported custom_call target '@TopKOfTheNeighbours'}}
  %0 = stablehlo.custom_call @TopKOfTheNeighbours(%x) {called_computations = [@comparator]} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @rng(%a: tensor<f32>, %s: tensor<2xi64>) -> tensor<2x3xf32> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.rng'}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @topk_form(%x: tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  // expected-error @+1 {{unsupported custom_call target '@mhlo.topk'}}
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64}} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
