// Products of matrices.
// For forge fit (docs/tune.md): a kernel each, of small and large sizes.
func.func @product_1x1024x1024(%x: tensor<1x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1x1024xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1x1024xbf16>
  return %0 : tensor<1x1024xbf16>
}

func.func @product_1x4096x4096(%x: tensor<1x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<1x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}

func.func @product_1x14336x4096(%x: tensor<1x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<1x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<1x14336xbf16>
  return %0 : tensor<1x14336xbf16>
}

func.func @product_1x4096x14336(%x: tensor<1x14336xbf16>, %w: tensor<4096x14336xbf16>) -> tensor<1x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x14336xbf16>, tensor<4096x14336xbf16>) -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}

func.func @product_2x4096x4096(%x: tensor<2x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<2x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<2x4096xbf16>
  return %0 : tensor<2x4096xbf16>
}

func.func @product_4x4096x4096(%x: tensor<4x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4x4096xbf16>
  return %0 : tensor<4x4096xbf16>
}

func.func @product_8x4096x4096(%x: tensor<8x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<8x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<8x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<8x4096xbf16>
  return %0 : tensor<8x4096xbf16>
}

func.func @product_16x4096x4096(%x: tensor<16x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<16x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<16x4096xbf16>
  return %0 : tensor<16x4096xbf16>
}

func.func @product_32x4096x4096(%x: tensor<32x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<32x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<32x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<32x4096xbf16>
  return %0 : tensor<32x4096xbf16>
}

func.func @product_64x4096x4096(%x: tensor<64x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<64x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<64x4096xbf16>
  return %0 : tensor<64x4096xbf16>
}

func.func @product_128x1024x1024(%x: tensor<128x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<128x1024xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<128x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<128x1024xbf16>
  return %0 : tensor<128x1024xbf16>
}

func.func @product_256x256x256(%x: tensor<256x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}

func.func @product_512x512x512(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %0 : tensor<512x512xbf16>
}

func.func @product_1024x1024x1024(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}

func.func @product_512x4096x4096(%x: tensor<512x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  return %0 : tensor<512x4096xbf16>
}

func.func @product_2048x2048x2048(%x: tensor<2048x2048xbf16>, %w: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  return %0 : tensor<2048x2048xbf16>
}

func.func @product_2048x4096x4096(%x: tensor<2048x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2048x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<2048x4096xbf16>
  return %0 : tensor<2048x4096xbf16>
}

func.func @product_4096x4096x4096(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}

func.func @product_128x14336x4096(%x: tensor<128x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<128x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<128x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<128x14336xbf16>
  return %0 : tensor<128x14336xbf16>
}

func.func @product_f32_1x4096x4096(%x: tensor<1x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<1x4096xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

func.func @product_f32_4x4096x4096(%x: tensor<4x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<4x4096xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4x4096xf32>, tensor<4096x4096xf32>) -> tensor<4x4096xf32>
  return %0 : tensor<4x4096xf32>
}

func.func @product_f32_128x128x128(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

func.func @product_f32_256x1024x1024(%x: tensor<256x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<256x1024xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
  return %0 : tensor<256x1024xf32>
}

func.func @product_f32_1024x1024x1024(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

func.func @product_f32_2048x2048x2048(%x: tensor<2048x2048xf32>, %w: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
