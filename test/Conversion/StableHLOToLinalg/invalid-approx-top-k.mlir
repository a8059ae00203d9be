// RUN: forge-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

// Calls of ApproxTopK that are not of its form are refused at their place.

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @operands(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected an input and an initial value for each result, but got 1 operands and 1 results}}
  %0 = stablehlo.custom_call @ApproxTopK(%x) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @no_settings(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected 'mhlo.backend_config' with the setting 'reduction_dim'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before]} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @other_settings(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected the settings 'top_k' and 'aggregate_to_topk', but got {reduction_dim = 1 : i64}}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {reduction_dim = 1 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @dimension(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected inputs of one static shape with dimension 2, but got 'tensor<4x8xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 2 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @negative_dimension(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected inputs of one static shape with dimension -1, but got 'tensor<4x8xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = -1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @dynamic(%x: tensor<?x8xf32>, %z: tensor<f32>) -> tensor<?x3xf32> {
  // expected-error @+1 {{expected inputs of one static shape with dimension 1, but got 'tensor<?x8xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @init(%x: tensor<4x8xf32>, %z: tensor<f64>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected an initial value of rank 0 of 'f32', but got 'tensor<f64>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @result(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<5x3xf32> {
  // expected-error @+1 {{expected a result like 'tensor<4x8xf32>' with at most 8 elements along dimension 1, but got 'tensor<5x3xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @result_large(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x9xf32> {
  // expected-error @+1 {{expected a result like 'tensor<4x8xf32>' with at most 8 elements along dimension 1, but got 'tensor<4x9xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 9 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @too_few(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expected at least 3 elements along dimension 1 of the results, but got 2}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = false, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @too_many(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected 3 elements along dimension 1 of the results, but got 4}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @no_comparator(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected one called computation with 2 arguments and 1 results of rank 0}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f64>, %b: tensor<f64>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @comparator_type(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected a comparator of the inputs' elements, but argument 0 of 'before' is 'tensor<f64>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @comparator_result(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected a comparator that gives i1, but 'before' gives 'tensor<f32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@before], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
