// Tensors of a GGUF file: numbers as they are, and blocks of Q8_0 as bytes.
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
