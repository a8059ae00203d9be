// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the ops with dynamic shapes; the name says which.

func.func @get_dimension_size_c1(%x: tensor<?x4xf32>) -> tensor<i32> {
  // expected-error @+1 {{op expected dimension in the range [0, 2), but got 2}}
  %0 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @get_dimension_size_i64(%x: tensor<?x4xf32>) -> tensor<i64> {
  // expected-error @+1 {{op result #0 must be tensor of rank 0 of an i32 value, but got 'tensor<i64>'}}
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

func.func @dynamic_iota_c1(%s: tensor<2xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{op expected iota_dimension in the range [0, 2), but got 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dynamic_iota_c2(%s: tensor<2xi32>) -> tensor<?xi32> {
  // expected-error @+1 {{op expected 1 entries in output_shape, but got 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @dynamic_reshape_c1(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{op expected result elements of type 'f32', but got 'i32'}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dynamic_reshape_c2(%x: tensor<5xf32>, %s: tensor<2xi32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{op expected 5 elements in the result, but got 6}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<5xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @dynamic_reshape_c4(%x: tensor<?xf32>, %s: tensor<3xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected 2 entries in output_shape, but got 3}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_reshape_dynamic_rank(%x: tensor<?xf32>, %s: tensor<?xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op operand #1 must be statically shaped tensor of rank 1 of index or integer values, but got 'tensor<?xi32>'}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c1(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{op expected result elements of type 'f32', but got 'i32'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected 1 entries in broadcast_dimensions, but got 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c3(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected broadcast_dimensions in the range [0, 2), but got 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c4(%x: tensor<?x?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected unique broadcast_dimensions, but got 0 twice}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 0] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%x: tensor<2xf32>, %s: tensor<2xi32>) -> tensor<?x3xf32> {
  // expected-error @+1 {{op expected operand dimension 0 of size 1 or 3, but got 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c7(%x: tensor<?xf32>, %s: tensor<3xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected 2 entries in output_dimensions, but got 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c8(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected unique known expanding and nonexpanding dimensions, but got 0 twice}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c9(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected known expanding and nonexpanding dimensions in the range [0, 1), but got 1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_c10(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected known expanding and nonexpanding dimensions in the range [0, 1), but got -1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_nonexpanding_dimensions = array<i64: -1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_pad_c1_padding_value(%x: tensor<?xf32>, %v: tensor<f64>, %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{op expected padding_value of type 'f32', but got 'f64'}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<?xf32>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_pad_c1_result(%x: tensor<?xf32>, %v: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf64> {
  // expected-error @+1 {{op expected result elements of type 'f32', but got 'f64'}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

func.func @dynamic_pad_c2(%x: tensor<?xf32>, %v: tensor<f32>, %n: tensor<1xi32>, %m: tensor<2xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{op expected 1 entries in interior_padding, but got 2}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %m : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_pad_c4_rank(%x: tensor<?xf32>, %v: tensor<f32>, %n: tensor<1xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected result of rank 1, but got 2}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @real_dynamic_slice_sizes(%x: tensor<?xf32>, %n: tensor<1xi32>, %m: tensor<2xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{op expected 1 entries in limit_indices, but got 2}}
  %0 = stablehlo.real_dynamic_slice %x, %n, %m, %n : (tensor<?xf32>, tensor<1xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @real_dynamic_slice_rank(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{op expected result of rank 1, but got 2}}
  %0 = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
