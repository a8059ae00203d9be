// A product of unsigned bytes to 32 bits: refused.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
func.func @main(%a: tensor<2x3xui8>, %b: tensor<3x4xui8>) -> tensor<2x4xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
