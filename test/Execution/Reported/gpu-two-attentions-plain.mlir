// Attention twice: what the layers' kernels fill was taken for a result of one, and the compiler crashed.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
func.func @main(%q: tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32> {
  %a = transformer.attention %q, %q, %q : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %c = transformer.attention %a, %a, %a : (tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>, tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  return %c : tensor<1x1x3x8xf32>
}
