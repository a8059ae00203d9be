// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Random numbers, factorisations, normalisation, custom calls.

// CHECK-LABEL: @random
func.func @random(%state: tensor<2xui64>, %long: tensor<3xui64>, %a: tensor<f32>, %shape: tensor<2xi64>) {
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xf32>)
  %1:2 = "stablehlo.rng_bit_generator"(%long) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xf32>)
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = stablehlo.rng %a, %a, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @solvers
func.func @solvers(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<3x3xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  // CHECK: stablehlo.cholesky %{{.*}} : tensor<3x3xf32>
  %1 = stablehlo.cholesky %a : tensor<3x3xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
  %2 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: @batch_norm
func.func @batch_norm(%x: tensor<8x4xf32>, %f: tensor<4xf32>) {
  // CHECK: "stablehlo.batch_norm_inference"(%{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}>
  %0 = "stablehlo.batch_norm_inference"(%x, %f, %f, %f, %f) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.batch_norm_training"(%{{.*}})
  %1:3 = "stablehlo.batch_norm_training"(%x, %f, %f) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: "stablehlo.batch_norm_grad"(%{{.*}})
  %2:3 = "stablehlo.batch_norm_grad"(%x, %f, %f, %f, %x) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func private @callee()

// CHECK-LABEL: @custom_call
func.func @custom_call(%x: tensor<2x3xf32>, %t: !stablehlo.token, %p: tuple<tensor<f32>>) {
  // CHECK: stablehlo.custom_call @some_target(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2xf32>
  %0 = stablehlo.custom_call @some_target(%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.custom_call @"no-identifier"() {backend_config = "text", has_side_effect = true} : () -> ()
  stablehlo.custom_call @"no-identifier"() {backend_config = "text", has_side_effect = true} : () -> ()
  // CHECK: stablehlo.custom_call @typed() {api_version = 4 : i32, backend_config = {k = 3 : i64}} : () -> ()
  stablehlo.custom_call @typed() {api_version = 4 : i32, backend_config = {k = 3 : i64}} : () -> ()
  // CHECK: {called_computations = [@callee], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]}
  %1 = stablehlo.custom_call @with_layouts(%x) {called_computations = [@callee], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}
  %2 = stablehlo.custom_call @in_place(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: (!stablehlo.token, tuple<tensor<f32>>) -> !stablehlo.token
  %3 = stablehlo.custom_call @other_values(%t, %p) {mhlo.channel = #stablehlo.channel_handle<handle = 1, type = 2>} : (!stablehlo.token, tuple<tensor<f32>>) -> !stablehlo.token
  // CHECK: stablehlo.custom_call @mhlo.topk(%{{.*}}) {mhlo.attributes = {k = 2 : i64, largest = true}} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  %4:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return
}
