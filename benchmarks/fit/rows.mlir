// Operations over rows.
// For forge fit (docs/tune.md): a kernel each, of small and large sizes.
func.func @softmax_16x256(%x: tensor<16x256xbf16>) -> tensor<16x256xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<16x256xbf16>
  return %0 : tensor<16x256xbf16>
}

func.func @softmax_128x1024(%x: tensor<128x1024xbf16>) -> tensor<128x1024xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<128x1024xbf16>
  return %0 : tensor<128x1024xbf16>
}

func.func @softmax_1024x1024(%x: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}

func.func @softmax_512x4096(%x: tensor<512x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<512x4096xbf16>
  return %0 : tensor<512x4096xbf16>
}

func.func @softmax_4096x4096(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}

func.func @softmax_64x32768(%x: tensor<64x32768xbf16>) -> tensor<64x32768xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<64x32768xbf16>
  return %0 : tensor<64x32768xbf16>
}

func.func @softmax_16384x512(%x: tensor<16384x512xbf16>) -> tensor<16384x512xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<16384x512xbf16>
  return %0 : tensor<16384x512xbf16>
}

func.func @rms_norm_1x4096(%x: tensor<1x4096xbf16>, %g: tensor<4096xbf16>) -> tensor<1x4096xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<1x4096xbf16>, tensor<4096xbf16>) -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}

func.func @rms_norm_32x4096(%x: tensor<32x4096xbf16>, %g: tensor<4096xbf16>) -> tensor<32x4096xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<32x4096xbf16>, tensor<4096xbf16>) -> tensor<32x4096xbf16>
  return %0 : tensor<32x4096xbf16>
}

func.func @rms_norm_2048x4096(%x: tensor<2048x4096xbf16>, %g: tensor<4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<2048x4096xbf16>, tensor<4096xbf16>) -> tensor<2048x4096xbf16>
  return %0 : tensor<2048x4096xbf16>
}

func.func @rms_norm_8192x2048(%x: tensor<8192x2048xbf16>, %g: tensor<2048xbf16>) -> tensor<8192x2048xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<8192x2048xbf16>, tensor<2048xbf16>) -> tensor<8192x2048xbf16>
  return %0 : tensor<8192x2048xbf16>
}

func.func @rms_norm_256x8192(%x: tensor<256x8192xbf16>, %g: tensor<8192xbf16>) -> tensor<256x8192xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<256x8192xbf16>, tensor<8192xbf16>) -> tensor<256x8192xbf16>
  return %0 : tensor<256x8192xbf16>
}
