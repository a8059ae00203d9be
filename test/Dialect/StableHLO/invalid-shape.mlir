// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the ops that make tensors or move all elements; the name says which.

func.func @constant_c1_type() -> tensor<3xf32> {
  // expected-error @+1 {{op expected a value of type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
  %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @constant_not_elements() -> tensor<f32> {
  // expected-error @+1 {{expected the elements of a tensor, but got 1.0}}
  %0 = stablehlo.constant 1.0 : f32
  return %0 : tensor<f32>
}

// -----

func.func @constant_hex_size() -> tensor<2xf32> {
  // expected-error @+1 {{expected the bytes of the elements of 'tensor<2xf32>', but got 6 bytes}}
  %0 = stablehlo.constant dense<"0x0000803F0000"> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_hex_digits() -> tensor<2xf32> {
  // expected-error @+1 {{expected an even number of hexadecimal digits}}
  %0 = stablehlo.constant dense<"0x0000803F0000004"> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @iota_c1_dimension() -> tensor<2x3xi32> {
  // expected-error @+1 {{op expected iota_dimension in the range [0, 2), but got 2}}
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

func.func @iota_c1_negative() -> tensor<2x3xi32> {
  // expected-error @+1 {{attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = stablehlo.iota dim = -1 : tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

func.func @broadcast_negative(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected broadcast_sizes of at least 0, but got -2}}
  %0 = stablehlo.broadcast %x, sizes = [-2] : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @broadcast_shape(%x: tensor<3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{op expected result of shape [2, 3], but got [3, 2]}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @broadcast_in_dim_c1_element_type(%x: tensor<3xf32>) -> tensor<2x3xf64> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'f64'}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// -----

func.func @broadcast_in_dim_c2_size(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected 1 entries in broadcast_dimensions, but got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_in_dim_c3_range(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected broadcast_dimensions in the range [0, 2), but got -1}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [-1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_in_dim_c4_unique(%x: tensor<1x1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected unique broadcast_dimensions, but got 1 twice}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<1x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_in_dim_c5_size(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected operand dimension 0 of size 1 or 3, but got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_in_dim_dynamic_result(%x: tensor<2xf32>) -> tensor<?x2xf32> {
  // expected-error @+1 {{op result #0 must be statically shaped tensor}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

func.func @reshape_c1_element_type(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'i32'}}
  %0 = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @reshape_c2_count(%x: tensor<2x3xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{op expected 6 elements in the result, but got 5}}
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @transpose_c1_element_type(%x: tensor<2x3xf32>) -> tensor<3x2xi32> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'i32'}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

func.func @transpose_c2_size(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{op expected 2 entries in permutation, but got 1}}
  %0 = stablehlo.transpose %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @transpose_c2_range(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{op expected permutation in the range [0, 2), but got 2}}
  %0 = stablehlo.transpose %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @transpose_c2_unique(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{op expected unique permutation, but got 1 twice}}
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @transpose_c3_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected result of shape [3, 2], but got [2, 3]}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @reverse_c1_type(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{op expected one shape, but got [2, 3] and [3, 2]}}
  %0 = stablehlo.reverse %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @reverse_c2_unique(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected unique dimensions, but got 0 twice}}
  %0 = stablehlo.reverse %x, dims = [0, 0] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @reverse_c3_range(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected dimensions in the range [0, 2), but got 2}}
  %0 = stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @concatenate_c1_element_types(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'i32'}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @concatenate_c2_shapes(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{op expected inputs that differ in dimension 0 only, but got shapes [2, 3] and [2, 4]}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @concatenate_c2_ranks(%x: tensor<2x3xf32>, %y: tensor<2xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{op expected inputs that differ in dimension 0 only, but got shapes [2, 3] and [2]}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @concatenate_c3_empty() -> tensor<4xf32> {
  // expected-error @+1 {{op expected at least 1 input, but got none}}
  %0 = stablehlo.concatenate dim = 0 : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @concatenate_c4_dimension(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected dimension in the range [0, 1), but got 1}}
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @concatenate_c5_element_type(%x: tensor<2xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'f64'}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @concatenate_c6_shape(%x: tensor<2xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{op expected result of shape [4], but got [5]}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @constant_resource_missing() -> tensor<2xf32> {
  // expected-error @+1 {{op expected data for dense_resource 'nowhere', but the module has none}}
  %0 = stablehlo.constant dense_resource<nowhere> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_resource_size() -> tensor<2xf32> {
  // expected-error @+1 {{op expected 8 bytes of data for dense_resource 'short', but got 4}}
  %0 = stablehlo.constant dense_resource<short> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}
