// Contractions with several dimensions of a kind.
// For forge fit (docs/tune.md): a kernel each, of small and large sizes.
func.func @heads_4x64x64x64(%x: tensor<64x4x64xbf16>, %w: tensor<4x64x64xbf16>) -> tensor<4x64x64xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<64x4x64xbf16>, tensor<4x64x64xbf16>) -> tensor<4x64x64xbf16>
  return %0 : tensor<4x64x64xbf16>
}

func.func @heads_8x256x256x256(%x: tensor<256x8x256xbf16>, %w: tensor<8x256x256xbf16>) -> tensor<8x256x256xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<256x8x256xbf16>, tensor<8x256x256xbf16>) -> tensor<8x256x256xbf16>
  return %0 : tensor<8x256x256xbf16>
}

func.func @heads_8x512x1024x512(%x: tensor<512x8x512xbf16>, %w: tensor<8x1024x512xbf16>) -> tensor<8x512x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<512x8x512xbf16>, tensor<8x1024x512xbf16>) -> tensor<8x512x1024xbf16>
  return %0 : tensor<8x512x1024xbf16>
}

func.func @heads_2x1024x1024x1024(%x: tensor<1024x2x1024xbf16>, %w: tensor<2x1024x1024xbf16>) -> tensor<2x1024x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<1024x2x1024xbf16>, tensor<2x1024x1024xbf16>) -> tensor<2x1024x1024xbf16>
  return %0 : tensor<2x1024x1024xbf16>
}

func.func @two_sums_4x64x128x256(%x: tensor<4x128x64xf32>, %w: tensor<4x64x256xf32>) -> tensor<128x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<4x128x64xf32>, tensor<4x64x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

func.func @two_sums_8x64x512x512(%x: tensor<8x512x64xf32>, %w: tensor<8x64x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<8x512x64xf32>, tensor<8x64x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

func.func @two_sums_32x128x512x1024(%x: tensor<32x512x128xf32>, %w: tensor<32x128x1024xf32>) -> tensor<512x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<32x512x128xf32>, tensor<32x128x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
