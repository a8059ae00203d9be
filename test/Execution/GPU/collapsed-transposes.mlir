// Transposes of images of 7 by 7 and 14 by 14 are by tiles of a block (forge-collapse-transposes).
// RUN: forge compile %s --function scaled --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function back --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge verify %s --function scaled --target sim:sm_90a
// RUN: forge verify %s --function back --target sim:sm_90a
// RUN: forge verify %s --function back --target sim:gfx942
// RUN: forge verify %s --function scaled --target sim:sm_90a --each-stage

// TILES: workgroup(%{{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}xbf16, #gpu.address_space<workgroup>>)

func.func @scaled(%s: tensor<4x192xbf16>, %x: tensor<4x192x14x14xbf16>) -> tensor<4x14x14x192xbf16> {
  %t = stablehlo.transpose %x, dims = [0, 2, 3, 1] : (tensor<4x192x14x14xbf16>) -> tensor<4x14x14x192xbf16>
  %b = stablehlo.broadcast_in_dim %s, dims = [0, 3] : (tensor<4x192xbf16>) -> tensor<4x14x14x192xbf16>
  %r = stablehlo.multiply %t, %b : tensor<4x14x14x192xbf16>
  return %r : tensor<4x14x14x192xbf16>
}

func.func @back(%x: tensor<8x7x7x320xbf16>) -> tensor<8x320x7x7xbf16> {
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<8x7x7x320xbf16>) -> tensor<8x320x7x7xbf16>
  %r = stablehlo.tanh %t : tensor<8x320x7x7xbf16>
  return %r : tensor<8x320x7x7xbf16>
}
