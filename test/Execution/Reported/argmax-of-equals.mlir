// The place of the largest of equal elements is the lowest: GPUs gave that of the partial result that was joined last.
// RUN: forge verify %s --target cpu --distribution ties
// RUN: forge verify %s --target sim:sm_90a --distribution ties
// RUN: forge verify %s --target sim:gfx942 --distribution ties
func.func @main(%x: tensor<7x1037xf32>) -> tensor<7xi32> {
  %i = transformer.argmax %x : tensor<7x1037xf32> -> tensor<7xi32>
  return %i : tensor<7xi32>
}
