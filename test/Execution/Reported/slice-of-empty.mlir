// A slice without elements begins nowhere: refused as out of bounds.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
func.func @main(%a: tensor<3x0xf32>) -> tensor<1x0xf32> {
  %0 = stablehlo.slice %a [1:2, 0:0] : (tensor<3x0xf32>) -> tensor<1x0xf32>
  return %0 : tensor<1x0xf32>
}
