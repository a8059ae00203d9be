// Attention whose weights are multiplied by a number of each head, as the masks of heads in Hugging Face's Flax models: one kernel. JAX
// writes the multiplication as a product of no summed dimensions, whose transpose comes behind.
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --target hip:gfx942 --to kernels -o - | FileCheck %s
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --target sim:gfx1100

// CHECK-COUNT-1: strategy = flash
// CHECK-NOT: forge.schedule = #forge.schedule<strategy
func.func @main(%q: tensor<1x80x2x64xbf16>, %k: tensor<1x80x2x64xbf16>, %v: tensor<1x80x2x64xbf16>, %heads: tensor<2xbf16>) -> tensor<1x2x64x80xbf16> {
  %lowest = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<1x80x2x64xbf16>, tensor<1x80x2x64xbf16>) -> tensor<1x2x80x80xbf16>
  %m = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x80x80xbf16>, tensor<bf16>) -> tensor<1x2x80xbf16>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<1x2x80xbf16>) -> tensor<1x2x80x80xbf16>
  %d = stablehlo.subtract %s, %mb : tensor<1x2x80x80xbf16>
  %e = stablehlo.exponential %d : tensor<1x2x80x80xbf16>
  %e32 = stablehlo.convert %e : (tensor<1x2x80x80xbf16>) -> tensor<1x2x80x80xf32>
  %l = stablehlo.reduce(%e32 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x80x80xf32>, tensor<f32>) -> tensor<1x2x80xf32>
  %l16 = stablehlo.convert %l : (tensor<1x2x80xf32>) -> tensor<1x2x80xbf16>
  %lb = stablehlo.broadcast_in_dim %l16, dims = [0, 1, 2] : (tensor<1x2x80xbf16>) -> tensor<1x2x80x80xbf16>
  %p = stablehlo.divide %e, %lb : tensor<1x2x80x80xbf16>
  %h = stablehlo.dot_general %heads, %p, batching_dims = [0] x [1], contracting_dims = [] x [] : (tensor<2xbf16>, tensor<1x2x80x80xbf16>) -> tensor<2x1x80x80xbf16>
  %w = stablehlo.transpose %h, dims = [1, 0, 2, 3] : (tensor<2x1x80x80xbf16>) -> tensor<1x2x80x80xbf16>
  %o = stablehlo.dot_general %v, %w, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<1x80x2x64xbf16>, tensor<1x2x80x80xbf16>) -> tensor<1x2x64x80xbf16>
  return %o : tensor<1x2x64x80xbf16>
}
