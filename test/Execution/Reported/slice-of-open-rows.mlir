// A factor is a slice of an argument whose inner size is open: tiles read its rows at a stride that was not known.
// RUN: forge verify %s --target cpu --dynamic-size 300
// RUN: forge verify %s --target sim:sm_90a --dynamic-size 300
// RUN: forge verify %s --target sim:gfx942 --dynamic-size 300
func.func @main(%x: tensor<64x?xf32>, %w: tensor<256x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.slice %x [0:64, 8:264] : (tensor<64x?xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
