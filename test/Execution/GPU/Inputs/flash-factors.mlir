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
// Tiles of rows are few, keys many: blocks of a cluster share the keys. A causal tile sees none of some parts.
func.func @shared_keys(%q: tensor<1x2x64x64xf32>, %k: tensor<1x2x500x64xf32>, %v: tensor<1x2x500x64xf32>) -> tensor<1x2x64x64xf32> {
  %o = transformer.attention %q, %k, %v : (tensor<1x2x64x64xf32>, tensor<1x2x500x64xf32>, tensor<1x2x500x64xf32>) -> tensor<1x2x64x64xf32>
  return %o : tensor<1x2x64x64xf32>
}
func.func @shared_causal_keys(%q: tensor<2x2x70x32xf32>, %k: tensor<2x1x300x32xf32>, %v: tensor<2x1x300x32xf32>) -> tensor<2x2x70x32xf32> {
  %n = arith.constant dense<[0, 290]> : tensor<2xi32>
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<2x2x70x32xf32>, tensor<2x1x300x32xf32>, tensor<2x1x300x32xf32>, tensor<2xi32>) -> tensor<2x2x70x32xf32>
  return %o : tensor<2x2x70x32xf32>
}
// The same by matrix instructions of warps: rows of 74 and 66 bytes.
func.func @shared_odd_keys(%q: tensor<1x2x66x37xf16>, %k: tensor<1x2x501x37xf16>, %v: tensor<1x2x501x33xf16>) -> tensor<1x2x66x33xf16> {
  %o = transformer.attention %q, %k, %v : (tensor<1x2x66x37xf16>, tensor<1x2x501x37xf16>, tensor<1x2x501x33xf16>) -> tensor<1x2x66x33xf16>
  return %o : tensor<1x2x66x33xf16>
}
