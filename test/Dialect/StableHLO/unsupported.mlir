// RUN: forge-opt %s --split-input-file --verify-diagnostics

// What Forge does not have is refused at its own location, in either form.

func.func @unknown_pretty(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.foo'}}
  %0 = stablehlo.foo %x, dim = 0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @unknown_generic(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.foo'}}
  %0 = "stablehlo.foo"(%x) {dim = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @unknown_with_region(%x: tensor<2xf32>) {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.foo'}}
  %0 = "stablehlo.foo"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unknown_inside_region(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    // expected-error @+1 {{unsupported stablehlo op 'stablehlo.foo'}}
    %1 = "stablehlo.foo"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @complex(%x: tensor<2xcomplex<f16>>) -> tensor<2xcomplex<f16>> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.add': element type 'complex<f16>'}}
  %0 = stablehlo.add %x, %x : tensor<2xcomplex<f16>>
  return %0 : tensor<2xcomplex<f16>>
}

// -----

func.func @complex_constant() -> tensor<2xcomplex<f16>> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.constant': element type 'complex<f16>'}}
  %0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f16>>
  return %0 : tensor<2xcomplex<f16>>
}

// -----

func.func @complex_constant_hex() -> tensor<2xcomplex<f16>> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.constant': element type 'complex<f16>'}}
  %0 = stablehlo.constant dense<"0x003C0040003C0040"> : tensor<2xcomplex<f16>>
  return %0 : tensor<2xcomplex<f16>>
}

// -----

func.func @quantized(%x: tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2x!quant.uniform<i8:f32, 0.1>> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.add': element type '!quant.uniform<i8:f32, 1.000000e-01>'}}
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32, 0.1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.1>>
}

// -----

func.func @other_width(%x: tensor<2xi3>) -> tensor<2xi3> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.negate': element type 'i3'}}
  %0 = stablehlo.negate %x : tensor<2xi3>
  return %0 : tensor<2xi3>
}

// -----

func.func @other_float(%x: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.negate': element type 'f8E4M3B11FNUZ'}}
  %0 = stablehlo.negate %x : tensor<2xf8E4M3B11FNUZ>
  return %0 : tensor<2xf8E4M3B11FNUZ>
}

// -----

func.func @encoding(%x: tensor<2xf32, "sparse">) -> tensor<2xf32, "sparse"> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.negate': tensor encoding "sparse"}}
  %0 = stablehlo.negate %x : tensor<2xf32, "sparse">
  return %0 : tensor<2xf32, "sparse">
}

// -----

func.func @huge(%x: tensor<4294967296x4294967296xi8>) -> tensor<4294967296x4294967296xi8> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.negate': size of 'tensor<4294967296x4294967296xi8>' does not fit in 63 bits}}
  %0 = stablehlo.negate %x : tensor<4294967296x4294967296xi8>
  return %0 : tensor<4294967296x4294967296xi8>
}

// -----

func.func @complex_in_tuple(%x: tuple<tensor<2xcomplex<f16>>>) -> tensor<2xcomplex<f16>> {
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.get_tuple_element': element type 'complex<f16>'}}
  %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<2xcomplex<f16>>>) -> tensor<2xcomplex<f16>>
  return %0 : tensor<2xcomplex<f16>>
}
