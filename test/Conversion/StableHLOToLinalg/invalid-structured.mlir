// RUN: forge-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

// What the lowerings of structured ops leave out is refused at its place.

func.func @convolution_dynamic(%x: tensor<?x8x4xf32>, %k: tensor<3x4x8xf32>) -> tensor<?x6x8xf32> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.convolution'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, tensor<3x4x8xf32>) -> tensor<?x6x8xf32>
  return %0 : tensor<?x6x8xf32>
}

// -----

func.func @dynamic_conv_unknown(%x: tensor<1x8x4xf32>, %k: tensor<3x4x8xf32>, %p: tensor<1x2xi64>) -> tensor<1x6x8xf32> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.dynamic_conv'}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x8xf32>, tensor<1x2xi64>) -> tensor<1x6x8xf32>
  return %0 : tensor<1x6x8xf32>
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
