// RUN: forge run %s
// RUN: forge run %s --tier correctness
// RUN: forge verify %s --function random --target cpu
// RUN: forge verify %s --function random --target sim:sm_90a
// RUN: forge verify %s --function random --target sim:gfx942

// What JAX writes for approx_max_k and approx_min_k, computed exactly: every recall target is met.

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}

func.func @main() {
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %x = stablehlo.constant dense<[[1.0, 5.0, 3.0, 5.0], [-2.0, 0.0, 0xFF800000, -1.0]]> : tensor<2x4xf32>

  // Of equal elements the earlier comes first.
  %columns = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %top:2 = stablehlo.custom_call @ApproxTopK(%x, %columns, %low, %none) {backend_config = "", called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %top#0, dense<[[5.0, 5.0, 3.0], [0.0, -1.0, -2.0]]> : tensor<2x3xf32>
  check.expect_eq_const %top#1, dense<[[1, 3, 2], [1, 3, 0]]> : tensor<2x3xi32>

  // Another dimension, the smallest first.
  %rows = stablehlo.iota dim = 0 : tensor<2x4xi32>
  %bottom:2 = stablehlo.custom_call @ApproxTopK(%x, %rows, %high, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.9 : f32, reduction_dim = 0 : i64, top_k = 1 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x4xf32>, tensor<1x4xi32>)
  check.expect_eq_const %bottom#0, dense<[[-2.0, 0.0, 0xFF800000, -1.0]]> : tensor<1x4xf32>
  check.expect_eq_const %bottom#1, dense<1> : tensor<1x4xi32>

  // Not aggregated: more than were asked for, of which the caller picks.
  %more:2 = stablehlo.custom_call @ApproxTopK(%x, %columns, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = false, recall_target = 0.9 : f32, reduction_dim = 1 : i64, top_k = 1 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %more#0, dense<[[5.0, 5.0], [0.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %more#1, dense<[[1, 3], [1, 3]]> : tensor<2x2xi32>
  return
}

func.func @random(%x: tensor<8x300xf32>) -> (tensor<8x5xf32>, tensor<8x5xi32>) {
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %columns = stablehlo.iota dim = 1 : tensor<8x300xi32>
  %top:2 = stablehlo.custom_call @ApproxTopK(%x, %columns, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.9 : f32, reduction_dim = 1 : i64, top_k = 5 : i64}} : (tensor<8x300xf32>, tensor<8x300xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x5xf32>, tensor<8x5xi32>)
  return %top#0, %top#1 : tensor<8x5xf32>, tensor<8x5xi32>
}
