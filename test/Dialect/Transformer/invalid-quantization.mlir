// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @quantize_c1_result(%x: tensor<4x64xf32>, %s: tensor<f32>) {
  // expected-error @below {{expected dimension 1 of result to be 64, but got 63}}
  %0 = transformer.quantize %x scale %s : (tensor<4x64xf32>, tensor<f32>) -> tensor<4x63xi8>
  return
}

// -----

func.func @quantize_c2_per_tensor(%x: tensor<4x64xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected rank 0 for scale, but got 1}}
  %0 = transformer.quantize %x scale %s : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c2_per_channel(%x: tensor<4x64xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 64, but got 4}}
  %0 = transformer.quantize %x scale %s {axis = 1 : i64} : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c2_per_block(%x: tensor<4x64xf32>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 2, but got 4}}
  %0 = transformer.quantize %x scale %s {block = array<i64: 2, 32>} : (tensor<4x64xf32>, tensor<4x2xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c2_both(%x: tensor<4x64xf32>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected axis or block, but got both}}
  %0 = transformer.quantize %x scale %s {axis = 0 : i64, block = array<i64: 1, 32>} : (tensor<4x64xf32>, tensor<4x2xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c3_axis(%x: tensor<4x64xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected axis from 0 to 1, but got 2}}
  %0 = transformer.quantize %x scale %s {axis = 2 : i64} : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c3_block(%x: tensor<4x64xf32>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected positive sizes for block, but got -1}}
  %0 = transformer.quantize %x scale %s {block = array<i64: 1, -1>} : (tensor<4x64xf32>, tensor<4x2xf32>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c4_shape(%x: tensor<4x64xf32>, %s: tensor<4xf32>, %z: tensor<5xi8>) {
  // expected-error @below {{expected dimension 0 of zero_point to be 4, but got 5}}
  %0 = transformer.quantize %x scale %s zero_point %z {axis = 0 : i64} : (tensor<4x64xf32>, tensor<4xf32>, tensor<5xi8>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c4_type(%x: tensor<4x64xf32>, %s: tensor<f32>, %z: tensor<i4>) {
  // expected-error @below {{expected element type 'i8' for zero_point, but got 'i4'}}
  %0 = transformer.quantize %x scale %s zero_point %z : (tensor<4x64xf32>, tensor<f32>, tensor<i4>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_c5_scale(%x: tensor<4x64xf32>, %s: tensor<f16>) {
  // expected-error @below {{expected element type f32 for scale, but got 'f16'}}
  %0 = transformer.quantize %x scale %s : (tensor<4x64xf32>, tensor<f16>) -> tensor<4x64xi8>
  return
}

// -----

func.func @quantize_rows_c1_rank(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0:2 = transformer.quantize_rows %x : (tensor<f32>) -> (tensor<f8E4M3FN>, tensor<f32>)
  return
}

// -----

func.func @quantize_rows_c1_result(%x: tensor<4x64xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 64, but got 63}}
  %0:2 = transformer.quantize_rows %x : (tensor<4x64xf32>) -> (tensor<4x63xf8E4M3FN>, tensor<4xf32>)
  return
}

// -----

func.func @quantize_rows_c2_shape(%x: tensor<4x64xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 4, but got 64}}
  %0:2 = transformer.quantize_rows %x : (tensor<4x64xf32>) -> (tensor<4x64xf8E4M3FN>, tensor<64xf32>)
  return
}

// -----

func.func @quantize_rows_c2_type(%x: tensor<4x64xbf16>) {
  // expected-error @below {{expected element type 'f32' for scale, but got 'bf16'}}
  %0:2 = transformer.quantize_rows %x : (tensor<4x64xbf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4xbf16>)
  return
}

// -----

func.func @dequantize_c1_result(%x: tensor<4x64xi8>, %s: tensor<f32>) {
  // expected-error @below {{expected dimension 1 of result to be 64, but got 63}}
  %0 = transformer.dequantize %x scale %s : (tensor<4x64xi8>, tensor<f32>) -> tensor<4x63xf32>
  return
}

// -----

func.func @dequantize_c2_per_tensor(%x: tensor<4x64xi8>, %s: tensor<4xf32>) {
  // expected-error @below {{expected rank 0 for scale, but got 1}}
  %0 = transformer.dequantize %x scale %s : (tensor<4x64xi8>, tensor<4xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c2_per_channel(%x: tensor<4x64xi8>, %s: tensor<4xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 64, but got 4}}
  %0 = transformer.dequantize %x scale %s {axis = 1 : i64} : (tensor<4x64xi8>, tensor<4xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c2_per_block(%x: tensor<4x64xi8>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 2, but got 4}}
  %0 = transformer.dequantize %x scale %s {block = array<i64: 2, 32>} : (tensor<4x64xi8>, tensor<4x2xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c2_both(%x: tensor<4x64xi8>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected axis or block, but got both}}
  %0 = transformer.dequantize %x scale %s {axis = 0 : i64, block = array<i64: 1, 32>} : (tensor<4x64xi8>, tensor<4x2xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c3_axis(%x: tensor<4x64xi8>, %s: tensor<4xf32>) {
  // expected-error @below {{expected axis from 0 to 1, but got 2}}
  %0 = transformer.dequantize %x scale %s {axis = 2 : i64} : (tensor<4x64xi8>, tensor<4xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c3_block(%x: tensor<4x64xi8>, %s: tensor<4x2xf32>) {
  // expected-error @below {{expected positive sizes for block, but got -1}}
  %0 = transformer.dequantize %x scale %s {block = array<i64: 1, -1>} : (tensor<4x64xi8>, tensor<4x2xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c4_shape(%x: tensor<4x64xi8>, %s: tensor<4xf32>, %z: tensor<5xi8>) {
  // expected-error @below {{expected dimension 0 of zero_point to be 4, but got 5}}
  %0 = transformer.dequantize %x scale %s zero_point %z {axis = 0 : i64} : (tensor<4x64xi8>, tensor<4xf32>, tensor<5xi8>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c4_type(%x: tensor<4x64xi8>, %s: tensor<f32>, %z: tensor<i4>) {
  // expected-error @below {{expected element type 'i8' for zero_point, but got 'i4'}}
  %0 = transformer.dequantize %x scale %s zero_point %z : (tensor<4x64xi8>, tensor<f32>, tensor<i4>) -> tensor<4x64xf32>
  return
}

// -----

func.func @dequantize_c5_scale(%x: tensor<4x64xi8>, %s: tensor<f16>) {
  // expected-error @below {{expected element type f32 for scale, but got 'f16'}}
  %0 = transformer.dequantize %x scale %s : (tensor<4x64xi8>, tensor<f16>) -> tensor<4x64xf32>
  return
}

// -----

func.func @quantize_c4_floats(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @below {{expected element type 'f8E5M2' for zero_point, but got 'i8'}}
  %0 = transformer.quantize %x scale %s zero_point %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xf8E5M2>
  return
}

// -----

func.func @quantize_c3_scalar(%x: tensor<f32>, %s: tensor<f32>) {
  // expected-error @below {{expected no axis of a tensor of rank 0, but got 0}}
  %0 = transformer.quantize %x scale %s {axis = 0 : i64} : (tensor<f32>, tensor<f32>) -> tensor<i8>
  return
}
