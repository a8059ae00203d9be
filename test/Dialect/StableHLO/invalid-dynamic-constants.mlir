// RUN: forge-opt %s --split-input-file --verify-diagnostics

// Shapes and padding that are operands, but constant: the result is checked against their numbers.

func.func @dynamic_iota_negative() -> tensor<?xf32> {
  %s = stablehlo.constant dense<-1> : tensor<1xi32>
  // expected-error @+1 {{op expected output_shape of at least 0, but got -1}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_iota_result() -> tensor<3x?xf32> {
  %s = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  // expected-error @+1 {{op expected result of shape [1, 4], but got [3, ?]}}
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

func.func @dynamic_iota_unsigned() -> tensor<4xf32> {
  %s = stablehlo.constant dense<200> : tensor<1xui8>
  // expected-error @+1 {{op expected result of shape [200], but got [4]}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xui8>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @dynamic_reshape_result(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  %s = stablehlo.constant dense<2> : tensor<2xi32>
  // expected-error @+1 {{op expected result of shape [2, 2], but got [1, 4]}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @dynamic_reshape_elements(%x: tensor<2x5xf32>) -> tensor<?x?x?xf32> {
  %s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  // expected-error @+1 {{op expected 10 elements in the result, but got 24}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x5xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

func.func @dynamic_reshape_too_many(%x: tensor<2xf32>) -> tensor<?x?xf32> {
  %s = stablehlo.constant dense<4611686018427387904> : tensor<2xi64>
  // expected-error @+1 {{op expected 2 elements in the result, but got more than fit in 63 bits}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_operand(%x: tensor<1x3xi32>) -> tensor<?x?x?xi32> {
  %s = stablehlo.constant dense<[2, 1, 1]> : tensor<3xi32>
  // expected-error @+1 {{op expected operand dimension 1 of size 1 or 1, but got 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<1x3xi32>, tensor<3xi32>) -> tensor<?x?x?xi32>
  return %0 : tensor<?x?x?xi32>
}

// -----

func.func @dynamic_broadcast_in_dim_negative(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %s = stablehlo.constant dense<[-1, 4]> : tensor<2xi32>
  // expected-error @+1 {{op expected output_dimensions of at least 0, but got -1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @dynamic_broadcast_in_dim_result(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %s = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  // expected-error @+1 {{op expected result of shape [1, 4], but got [3, 4]}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @dynamic_pad_interior(%x: tensor<4xf64>, %v: tensor<f64>, %p: tensor<1xi32>) -> tensor<?xf64> {
  %i = stablehlo.constant dense<-1> : tensor<1xi32>
  // expected-error @+1 {{op expected interior_padding of at least 0, but got -1}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %i : (tensor<4xf64>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

func.func @dynamic_pad_result(%x: tensor<4xf64>, %v: tensor<f64>) -> tensor<4xf64> {
  %p = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{op expected result of shape [9], but got [4]}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %p : (tensor<4xf64>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @dynamic_pad_below_zero(%x: tensor<4xf64>, %v: tensor<f64>) -> tensor<?xf64> {
  %p = stablehlo.constant dense<-3> : tensor<1xi32>
  %i = stablehlo.constant dense<0> : tensor<1xi32>
  // expected-error @+1 {{op expected padding to a size between 0 and 2^63 - 1 in dimension 0, but got size 4, low -3, high -3 and interior 0}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %i : (tensor<4xf64>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// What fits stays.
func.func @fits(%x: tensor<1x3xi32>, %v: tensor<i32>) -> (tensor<?x?x3xi32>, tensor<3x1xi32>, tensor<1x9xi32>) {
  %s = stablehlo.constant dense<[2, 4, 3]> : tensor<3xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<1x3xi32>, tensor<3xi32>) -> tensor<?x?x3xi32>
  %r = stablehlo.constant dense<[3, 1]> : tensor<2xui8>
  %1 = stablehlo.dynamic_reshape %x, %r : (tensor<1x3xi32>, tensor<2xui8>) -> tensor<3x1xi32>
  %p = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %2 = stablehlo.dynamic_pad %x, %v, %p, %p, %i : (tensor<1x3xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x9xi32>
  return %0, %1, %2 : tensor<?x?x3xi32>, tensor<3x1xi32>, tensor<1x9xi32>
}
