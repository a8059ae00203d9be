// Attention whose factors wgmma does not take, and one that has tiles of other sizes.

// In f32, with a window and fewer keys than a block has.
func.func @full(%q: tensor<2x4x70x48xf32>, %k: tensor<2x2x75x48xf32>, %v: tensor<2x2x75x64xf32>, %m: tensor<2x1x70x75xf32>) -> tensor<2x4x70x64xf32> {
  %0 = transformer.attention %q, %k, %v mask %m {window = 50 : i64} : (tensor<2x4x70x48xf32>, tensor<2x2x75x48xf32>, tensor<2x2x75x64xf32>, tensor<2x1x70x75xf32>) -> tensor<2x4x70x64xf32>
  return %0 : tensor<2x4x70x64xf32>
}

// Rows of 74 and 66 bytes.
func.func @odd(%q: tensor<1x2x66x37xf16>, %k: tensor<1x2x97x37xf16>, %v: tensor<1x2x97x33xf16>) -> tensor<1x2x66x33xf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x2x66x37xf16>, tensor<1x2x97x37xf16>, tensor<1x2x97x33xf16>) -> tensor<1x2x66x33xf16>
  return %0 : tensor<1x2x66x33xf16>
}

func.func @large(%q: tensor<1x1x128x32xf16>, %k: tensor<1x1x64x32xf16>, %v: tensor<1x1x64x32xf16>) -> tensor<1x1x128x32xf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x1x128x32xf16>, tensor<1x1x64x32xf16>, tensor<1x1x64x32xf16>) -> tensor<1x1x128x32xf16>
  return %0 : tensor<1x1x128x32xf16>
}
