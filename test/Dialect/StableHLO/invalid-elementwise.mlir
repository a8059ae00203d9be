// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the elementwise ops; the name says which.

func.func @abs_c1_shapes(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'stablehlo.abs' op expected one shape, but got [2] and [3]}}
  %0 = stablehlo.abs %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @abs_c2_element_types(%x: tensor<2xf32>) -> tensor<2xf64> {
  // expected-error @+1 {{'stablehlo.abs' op expected result element type 'f32', but got 'f64'}}
  %0 = stablehlo.abs %x : (tensor<2xf32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @abs_operand_unsigned(%x: tensor<2xui32>) -> tensor<2xui32> {
  // expected-error @+1 {{op operand #0 must be ranked tensor of signed integer or float values, but got 'tensor<2xui32>'}}
  %0 = stablehlo.abs %x : tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

func.func @add_c1_shapes(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'stablehlo.add' op expected one shape, but got [2, 3] and [3, 2]}}
  %0 = stablehlo.add %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @add_c1_element_types(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.add' op expected one element type, but got 'f32' and 'i32'}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @and_operand_float(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op operand #0 must be ranked tensor of boolean or integer values}}
  %0 = stablehlo.and %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @exponential_operand_integer(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @+1 {{op operand #0 must be ranked tensor of float values}}
  %0 = stablehlo.exponential %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @exponential_unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{op operand #0 must be ranked tensor of float values, but got 'tensor<*xf32>'}}
  %0 = stablehlo.exponential %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @result_accuracy_mode(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x {
    // expected-error @+1 {{expected a tolerance with mode TOLERANCE}}
    result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @result_accuracy_negative(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x {
    // expected-error @+1 {{expected tolerances that are not negative}}
    result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @convert_c1_shapes(%x: tensor<2xf32>) -> tensor<3xi32> {
  // expected-error @+1 {{'stablehlo.convert' op expected one shape, but got [2] and [3]}}
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @is_finite_c1_shapes(%x: tensor<2xf32>) -> tensor<3xi1> {
  // expected-error @+1 {{'stablehlo.is_finite' op expected one shape, but got [2] and [3]}}
  %0 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @bitcast_convert_c1_same_width(%x: tensor<2xf32>) -> tensor<3xi32> {
  // expected-error @+1 {{op expected the shape with narrow elements to be [2], but got [3]}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @bitcast_convert_c1_narrower(%x: tensor<2xf32>) -> tensor<2x4xi16> {
  // expected-error @+1 {{op expected the shape with narrow elements to be [2, 2], but got [2, 4]}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x4xi16>
  return %0 : tensor<2x4xi16>
}

// -----

func.func @bitcast_convert_c1_wider(%x: tensor<f32>) -> tensor<f64> {
  // expected-error @+1 {{op expected the shape with narrow elements to be [2], but got []}}
  %0 = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @bitcast_convert_c2_to_floats(%x: tensor<2xcomplex<f32>>) -> tensor<2x2xf32> {
  // expected-error @+1 {{op expected complex numbers to become complex numbers, but got 'complex<f32>' and 'f32'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xcomplex<f32>>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @bitcast_convert_c1_complex(%x: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>> {
  // expected-error @+1 {{op expected the shape with narrow elements to be [2, 2], but got [2]}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func @reduce_precision_c2(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @reduce_precision_c3(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{attribute 'mantissa_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_precision"(%x) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @reduce_precision_format(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected a float format such as 'e5m10', but got 'm10e5'}}
  %0 = stablehlo.reduce_precision %x, format = m10e5 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @reduce_precision_format_overflow(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected a float format such as 'e5m10', but got 'e99999999999m10'}}
  %0 = stablehlo.reduce_precision %x, format = e99999999999m10 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @compare_c1_element_types(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  // expected-error @+1 {{'stablehlo.compare' op expected one element type, but got 'f32' and 'i32'}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @compare_c2_shapes(%x: tensor<2xf32>) -> tensor<3xi1> {
  // expected-error @+1 {{'stablehlo.compare' op expected one shape, but got [2] and [3]}}
  %0 = stablehlo.compare LT, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @compare_c3_float_as_signed(%x: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error @+1 {{op expected a compare_type for elements of type 'f32', but got SIGNED}}
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @compare_c3_boolean_as_signed(%x: tensor<2xi1>) -> tensor<2xi1> {
  // expected-error @+1 {{op expected a compare_type for elements of type 'i1', but got SIGNED}}
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @select_c1_pred(%p: tensor<3xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected pred of rank 0 or of shape [2], but got [3]}}
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @select_c2_types(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected one type for both values and the result, but got 'tensor<2xf32>' and 'tensor<3xf32>'}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @clamp_c1_min(%m: tensor<3xf32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected min of rank 0 or of shape [2], but got [3]}}
  %0 = stablehlo.clamp %m, %x, %x : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @clamp_c2_max(%m: tensor<1xf32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{op expected max of rank 0 or of shape [2], but got [1]}}
  %0 = stablehlo.clamp %x, %x, %m : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @clamp_c3_element_types(%m: tensor<f64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.clamp' op expected one element type, but got 'f64' and 'f32'}}
  %0 = stablehlo.clamp %m, %x, %m : (tensor<f64>, tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @clamp_c4_result(%m: tensor<f32>, %x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{op expected result of shape [2], but got [3]}}
  %0 = stablehlo.clamp %m, %x, %m : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @types_of_too_few_operands(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected types of 2 operands, but got 1}}
  %0 = stablehlo.add %x, %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @types_of_two_results(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected the type of 1 result, but got 2}}
  %0 = stablehlo.abs %x : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0 : tensor<2xf32>
}
