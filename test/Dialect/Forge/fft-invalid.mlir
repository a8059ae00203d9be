// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @types(%x: tensor<4x2xf32>, %y: tensor<4x2xf64>) {
  // expected-error @+1 {{expected operands of one element type}}
  %r = forge.fft fft 1 ins(%x : tensor<4x2xf32>) outs(%y : tensor<4x2xf64>) -> tensor<4x2xf64>
  return
}

// -----

func.func @mixed(%x: tensor<4x2xf32>, %y: memref<4x2xf32>) {
  // expected-error @+1 {{expected two tensors and a result, or two memrefs and none}}
  forge.fft fft 1 ins(%x : tensor<4x2xf32>) outs(%y : memref<4x2xf32>)
  return
}

// -----

func.func @parts(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error @+1 {{expected complex numbers as a last dimension of 2}}
  %r = forge.fft fft 1 ins(%x : tensor<4x3xf32>) outs(%y : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @half(%x: tensor<4xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{sizes of dimension 0 do not fit}}
  %r = forge.fft rfft 1 ins(%x : tensor<4xf32>) outs(%y : tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @batch(%x: tensor<5x4x2xf32>, %y: tensor<6x4x2xf32>) {
  // expected-error @+1 {{sizes of dimension 0 do not fit}}
  %r = forge.fft ifft 1 ins(%x : tensor<5x4x2xf32>) outs(%y : tensor<6x4x2xf32>) -> tensor<6x4x2xf32>
  return
}

// -----

func.func @dims(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{expected 1 to 3 dimensions of operands of one rank, but got 2}}
  %r = forge.fft fft 2 ins(%x : tensor<4x2xf32>) outs(%y : tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @element(%x: tensor<4x2xf16>, %y: tensor<4x2xf16>) {
  // expected-error @+1 {{operand #0 must be}}
  %r = forge.fft fft 1 ins(%x : tensor<4x2xf16>) outs(%y : tensor<4x2xf16>) -> tensor<4x2xf16>
  return
}
