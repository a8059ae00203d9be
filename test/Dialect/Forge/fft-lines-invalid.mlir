// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @three(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{expected one or two tensors of one static type with elements as operands and as results}}
  %a, %b, %c = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @open(%x: tensor<?x16xf32>) {
  // expected-error @+1 {{expected one or two tensors of one static type with elements as operands and as results}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<?x16xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32>)
  return
}

// -----

func.func @parts(%x: tensor<4x16xf32>, %y: tensor<4x15xf32>) {
  // expected-error @+1 {{expected one or two tensors of one static type with elements as operands and as results}}
  %a, %b = forge.fft_lines %x, %y {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>, tensor<4x15xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @element(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{expected results of rank and element type of 'tensor<4x16xf32>'}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x16xf64>, tensor<4x16xf64>)
  return
}

// -----

func.func @half_floats(%x: tensor<4x16xf16>) {
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor of 32-bit float or 64-bit float values}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf16>) -> (tensor<4x16xf16>, tensor<4x16xf16>)
  return
}

// -----

func.func @dim(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{expected a dimension of 'tensor<4x16xf32>', but got 2}}
  %a, %b = forge.fft_lines %x {dim = 2 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @prime(%x: tensor<4x17xf32>) {
  // expected-error @+1 {{expected a length of at least 2 whose prime factors are at most 13, but got 17}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 17 : i64} : (tensor<4x17xf32>) -> (tensor<4x17xf32>, tensor<4x17xf32>)
  return
}

// -----

func.func @negative(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{expected a length of at least 2 whose prime factors are at most 13, but got -16}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = -16 : i64} : (tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @batch(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{sizes of dimension 0 do not fit}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<5x16xf32>, tensor<5x16xf32>)
  return
}

// -----

func.func @too_many(%x: tensor<4x17xf32>) {
  // expected-error @+1 {{expected 16 or fewer numbers in a line, but got 17}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x17xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @half(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 9 numbers in a line, but got 8}}
  %a = forge.fft_lines %x, %y {dim = 1 : i64, hermitian, length = 16 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @result(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{expected results of 1 to 16 numbers in a line, but got 17}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x17xf32>, tensor<4x17xf32>)
  return
}

// -----

func.func @no_lines(%x: tensor<0x16xf32>) {
  // expected-error @+1 {{expected one or two tensors of one static type with elements as operands and as results}}
  %a, %b = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<0x16xf32>) -> (tensor<0x16xf32>, tensor<0x16xf32>)
  return
}
