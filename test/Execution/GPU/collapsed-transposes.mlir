// Transposes of images of 7 by 7 and 14 by 14 are by tiles of a block (forge-collapse-transposes), and so are those of kernels with
// windows of 3 by 3, of 3 and of 1 by 5: several loops are one side of a tile.
// RUN: forge compile %s --function scaled --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function back --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function kernels --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function two --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TILES
// RUN: forge verify %s --function kernels --target sim:sm_90a
// RUN: forge verify %s --function kernels --target sim:gfx942
// RUN: forge verify %s --function line --target sim:sm_90a
// RUN: forge verify %s --function two --target sim:sm_90a
// RUN: forge verify %s --function scaled --target sim:sm_90a
// RUN: forge verify %s --function back --target sim:sm_90a
// RUN: forge verify %s --function back --target sim:gfx942
// RUN: forge verify %s --function scaled --target sim:sm_90a --each-stage

// TILES: workgroup(%{{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}x{{b?f[0-9]+}}, #gpu.address_space<workgroup>>

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

func.func @kernels(%x: tensor<96x80x3x3xbf16>) -> tensor<3x3x80x96xbf16> {
  %t = stablehlo.transpose %x, dims = [2, 3, 1, 0] : (tensor<96x80x3x3xbf16>) -> tensor<3x3x80x96xbf16>
  return %t : tensor<3x3x80x96xbf16>
}

func.func @line(%x: tensor<200x130x3xf32>) -> tensor<3x130x200xf32> {
  %t = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<200x130x3xf32>) -> tensor<3x130x200xf32>
  %r = stablehlo.exponential %t : tensor<3x130x200xf32>
  return %r : tensor<3x130x200xf32>
}

// Two tensors across, of one order.
func.func @two(%x: tensor<2x100x70x1x5xf32>, %y: tensor<2x100x70x1x5xf32>) -> tensor<2x5x1x70x100xf32> {
  %a = stablehlo.transpose %x, dims = [0, 4, 3, 2, 1] : (tensor<2x100x70x1x5xf32>) -> tensor<2x5x1x70x100xf32>
  %b = stablehlo.transpose %y, dims = [0, 4, 3, 2, 1] : (tensor<2x100x70x1x5xf32>) -> tensor<2x5x1x70x100xf32>
  %r = stablehlo.subtract %a, %b : tensor<2x5x1x70x100xf32>
  return %r : tensor<2x5x1x70x100xf32>
}
