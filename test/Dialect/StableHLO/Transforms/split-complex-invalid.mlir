// RUN: forge-opt %s --split-input-file --verify-diagnostics --forge-split-complex

func.func @order(%a: tensor<4xcomplex<f32>>) -> tensor<4xi1> {
  // expected-error@+1 {{unsupported stablehlo op 'stablehlo.compare': element type 'complex<f32>'}}
  %0 = stablehlo.compare LT, %a, %a : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @floor(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+1 {{unsupported stablehlo op 'stablehlo.floor': element type 'complex<f32>'}}
  %0 = stablehlo.floor %a : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

func.func @length(%a: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error@+1 {{unsupported stablehlo op 'stablehlo.fft': a length known only at run time}}
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// expected-error@+1 {{function 'declared' without a body takes or returns complex numbers}}
func.func private @declared(tensor<4xcomplex<f32>>)
func.func @uses(%a: tensor<4xcomplex<f32>>) {
  call @declared(%a) : (tensor<4xcomplex<f32>>) -> ()
  return
}

// -----

func.func @custom(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+1 {{unsupported custom_call target '@other' of complex numbers}}
  %0 = stablehlo.custom_call @other(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

func.func @parts(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{expected complex numbers of two parts of one type, f32 or f64, but got 'f32' and 'f32' for 'complex<f64>'}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @part(%a: tensor<4xcomplex<f64>>) {
  // expected-error@+1 {{expected result element type 'f64', but got 'f32'}}
  %0 = stablehlo.real %a : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return
}

// -----

func.func @lengths(%a: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{expected operand of shape [5], but got [8]}}
  %0 = stablehlo.fft %a, type = IRFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return
}

// -----

func.func @kinds(%a: tensor<8xf32>) {
  // expected-error@+1 {{expected complex numbers to complex numbers of one precision, f32 or f64, but got 'f32' to 'complex<f32>'}}
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @function_of_chlo(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+1 {{unsupported stablehlo op 'chlo.erf': element type 'complex<f32>'}}
  %0 = chlo.erf %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

func.func @long(%x: tensor<1099511627776xcomplex<f32>>) -> tensor<1099511627776xcomplex<f32>> {
  // expected-error@+1 {{unsupported stablehlo op 'stablehlo.fft': expected lengths of 1 to 2147483648, but got 1099511627776}}
  %0 = stablehlo.fft %x, type = FFT, length = [1099511627776] : (tensor<1099511627776xcomplex<f32>>) -> tensor<1099511627776xcomplex<f32>>
  return %0 : tensor<1099511627776xcomplex<f32>>
}

// -----

// What is no tensor is not taken apart.
func.func @scalar(%x: complex<f32>, %y: memref<4xcomplex<f32>>, %z: tensor<*xcomplex<f32>>) -> complex<f32> {
  return %x : complex<f32>
}
