// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the ops that take or write a part of a tensor; the name says which.

func.func @slice_c1_element_type(%x: tensor<8xf32>) -> tensor<2xi32> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'i32'}}
  %0 = stablehlo.slice %x [0:2] : (tensor<8xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @slice_c2_size(%x: tensor<8x8xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{op expected 2 entries in start_indices, but got 1}}
  %0 = stablehlo.slice %x [0:2] : (tensor<8x8xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @slice_c2_strides(%x: tensor<8xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected 1 entries in strides, but got 2}}
  %0 = "stablehlo.slice"(%x) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1, 1>} : (tensor<8xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @slice_c3_negative(%x: tensor<8xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected 0 <= start <= limit <= 8 in dimension 0, but got start -1 and limit 2}}
  %0 = stablehlo.slice %x [-1:2] : (tensor<8xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @slice_c3_limit(%x: tensor<8xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{op expected 0 <= start <= limit <= 8 in dimension 0, but got start 0 and limit 9}}
  %0 = stablehlo.slice %x [0:9] : (tensor<8xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @slice_c3_order(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{op expected 0 <= start <= limit <= ? in dimension 0, but got start 3 and limit 2}}
  %0 = stablehlo.slice %x [3:2] : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @slice_c4_strides(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{op expected strides of at least 1, but got 0}}
  %0 = stablehlo.slice %x [0:8:0] : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @slice_c5_shape(%x: tensor<8xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected result of shape [4], but got [3]}}
  %0 = stablehlo.slice %x [0:8:2] : (tensor<8xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @dynamic_slice_c1_element_type(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<2xi32> {
  // expected-error @+1 {{op expected element type 'f32' of the result, but got 'i32'}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @dynamic_slice_c2_start(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected 1 entries in start_indices, but got 2}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic_slice_c2_sizes(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected 1 entries in slice_sizes, but got 2}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2, 2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic_slice_c3_types(%x: tensor<8x8xf32>, %i: tensor<i32>, %j: tensor<i64>) -> tensor<2x2xf32> {
  // expected-error @+1 {{op expected start_indices of one type, but got 'tensor<i32>' and 'tensor<i64>'}}
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @dynamic_slice_c4_size(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<9xf32> {
  // expected-error @+1 {{op expected 0 <= slice size <= 8 in dimension 0, but got 9}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [9] : (tensor<8xf32>, tensor<i32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @dynamic_slice_c5_shape(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected result of shape [2], but got [3]}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @dynamic_update_slice_c1_type(%x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<9xf32> {
  // expected-error @+1 {{op expected result of type 'tensor<8xf32>', but got 'tensor<9xf32>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @dynamic_update_slice_c2_element_type(%x: tensor<8xf32>, %u: tensor<2xi32>, %i: tensor<i32>) -> tensor<8xf32> {
  // expected-error @+1 {{op expected element type 'f32' of update, but got 'i32'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xi32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @dynamic_update_slice_c3_rank(%x: tensor<8xf32>, %u: tensor<f32>, %i: tensor<i32>) -> tensor<8xf32> {
  // expected-error @+1 {{op expected update of rank 1, but got 0}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<f32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @dynamic_update_slice_c4_start(%x: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{op expected 1 entries in start_indices, but got 0}}
  %0 = stablehlo.dynamic_update_slice %x, %u : (tensor<8xf32>, tensor<2xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @dynamic_update_slice_c5_types(%x: tensor<8x8xf32>, %u: tensor<2x2xf32>, %i: tensor<i32>, %j: tensor<ui32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{op expected start_indices of one type, but got 'tensor<i32>' and 'tensor<ui32>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<8x8xf32>, tensor<2x2xf32>, tensor<i32>, tensor<ui32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @dynamic_update_slice_c6_size(%x: tensor<8xf32>, %u: tensor<9xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  // expected-error @+1 {{op expected update of size at most 8 in dimension 0, but got 9}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<9xf32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @pad_c1_element_types(%x: tensor<2xf32>, %v: tensor<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected one element type, but got 'f32' and 'f64'}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_c2_size(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected 1 entries in edge_padding_high, but got 2}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [1, 0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_c3_interior(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected interior_padding of at least 0, but got -1}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [-1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @pad_c4_shape(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected result of shape [5], but got [4]}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_c4_negative(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<0xf32> {
  // expected-error @+1 {{op expected padding to a size between 0 and 2^63 - 1 in dimension 0, but got size 2, low -3, high 0 and interior 0}}
  %0 = stablehlo.pad %x, %v, low = [-3], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

func.func @pad_c4_overflow(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{op expected padding to a size between 0 and 2^63 - 1 in dimension 0}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
