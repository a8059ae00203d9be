// Tensors of a GGUF file: numbers as they are, and blocks of Q8_0 and Q4_0 as bytes.
func.func @sum(%norm: tensor<64xf32> {forge.weight = {file = "tiny.gguf", tensor = "norm"}},
               %half: tensor<3x64xf16> {forge.weight = {file = "tiny.gguf", tensor = "half"}})
    -> tensor<3x64xf32> {
  %0 = stablehlo.convert %half : (tensor<3x64xf16>) -> tensor<3x64xf32>
  %1 = stablehlo.broadcast_in_dim %norm, dims = [1] : (tensor<64xf32>) -> tensor<3x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x64xf32>
  return %2 : tensor<3x64xf32>
}

// A block of 32 elements is a scale of f16 and 32 integers of 8 bits.
func.func @dequantize(%packed: tensor<4x68xi8> {forge.weight = {file = "tiny.gguf", tensor = "packed"}})
    -> tensor<4x64xf32> {
  %0 = stablehlo.reshape %packed : (tensor<4x68xi8>) -> tensor<4x2x34xi8>
  %1 = stablehlo.slice %0 [0:4, 0:2, 0:2] : (tensor<4x2x34xi8>) -> tensor<4x2x2xi8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x2x2xi8>) -> tensor<4x2xf16>
  %3 = stablehlo.convert %2 : (tensor<4x2xf16>) -> tensor<4x2xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2x32xf32>
  %5 = stablehlo.slice %0 [0:4, 0:2, 2:34] : (tensor<4x2x34xi8>) -> tensor<4x2x32xi8>
  %6 = stablehlo.convert %5 : (tensor<4x2x32xi8>) -> tensor<4x2x32xf32>
  %7 = stablehlo.multiply %4, %6 : tensor<4x2x32xf32>
  %8 = stablehlo.reshape %7 : (tensor<4x2x32xf32>) -> tensor<4x64xf32>
  return %8 : tensor<4x64xf32>
}

// A block of 32 elements is a scale of f16 and 16 bytes: the low halves of all, then the high ones, are integers from 0
// to 15 for -8 to 7.
func.func @nibbles(%packed: tensor<4x36xi8> {forge.weight = {file = "tiny.gguf", tensor = "nibbles"}})
    -> tensor<4x64xf32> {
  %0 = stablehlo.reshape %packed : (tensor<4x36xi8>) -> tensor<4x2x18xi8>
  %1 = stablehlo.slice %0 [0:4, 0:2, 0:2] : (tensor<4x2x18xi8>) -> tensor<4x2x2xi8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x2x2xi8>) -> tensor<4x2xf16>
  %3 = stablehlo.convert %2 : (tensor<4x2xf16>) -> tensor<4x2xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2x32xf32>
  %5 = stablehlo.slice %0 [0:4, 0:2, 2:18] : (tensor<4x2x18xi8>) -> tensor<4x2x16xi8>
  %mask = stablehlo.constant dense<15> : tensor<4x2x16xi8>
  %four = stablehlo.constant dense<4> : tensor<4x2x16xi8>
  %6 = stablehlo.and %5, %mask : tensor<4x2x16xi8>
  %7 = stablehlo.shift_right_logical %5, %four : tensor<4x2x16xi8>
  %8 = stablehlo.concatenate %6, %7, dim = 2 : (tensor<4x2x16xi8>, tensor<4x2x16xi8>) -> tensor<4x2x32xi8>
  %zero = stablehlo.constant dense<8> : tensor<4x2x32xi8>
  %9 = stablehlo.subtract %8, %zero : tensor<4x2x32xi8>
  %10 = stablehlo.convert %9 : (tensor<4x2x32xi8>) -> tensor<4x2x32xf32>
  %11 = stablehlo.multiply %4, %10 : tensor<4x2x32xf32>
  %12 = stablehlo.reshape %11 : (tensor<4x2x32xf32>) -> tensor<4x64xf32>
  return %12 : tensor<4x64xf32>
}
