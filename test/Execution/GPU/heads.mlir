// Projections of heads, with a bias, and attention over them: a kernel each, which writes and reads 16 bits. No kernel rounds sums, and
// none transposes heads, which attention reads and writes where they are.
// RUN: forge compile %s --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --target cpu

// CHECK-COUNT-2: strategy = wgmma
// CHECK: strategy = flash
// CHECK: strategy = wgmma
// CHECK: func.func @main(
// CHECK-COUNT-3: call @contraction{{.*}} -> tensor<{{.*}}xbf16>
// CHECK: call @attention
// CHECK-NEXT: tensor.collapse_shape
// CHECK: call @contraction{{.*}} -> tensor<{{.*}}xbf16>
// CHECK-NOT: call
// CHECK: return
func.func @main(%x: tensor<2x64x128xbf16>, %wq: tensor<128x128xbf16>, %bq: tensor<128xbf16>, %wk: tensor<128x128xbf16>, %wv: tensor<128x128xbf16>, %bv: tensor<128xbf16>, %wo: tensor<128x128xbf16>) -> tensor<2x64x128xbf16> {
  %q = transformer.matmul %x, %wq bias %bq : (tensor<2x64x128xbf16>, tensor<128x128xbf16>, tensor<128xbf16>) -> tensor<2x64x128xbf16>
  %k = transformer.matmul %x, %wk : (tensor<2x64x128xbf16>, tensor<128x128xbf16>) -> tensor<2x64x128xbf16>
  %v = transformer.matmul %x, %wv bias %bv : (tensor<2x64x128xbf16>, tensor<128x128xbf16>, tensor<128xbf16>) -> tensor<2x64x128xbf16>
  %e = tensor.empty() : tensor<2x2x64x64xbf16>
  %qs = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 64, 2, 64] : tensor<2x64x128xbf16> into tensor<2x64x2x64xbf16>
  %qh = linalg.transpose ins(%qs : tensor<2x64x2x64xbf16>) outs(%e : tensor<2x2x64x64xbf16>) permutation = [0, 2, 1, 3]
  %ks = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 64, 2, 64] : tensor<2x64x128xbf16> into tensor<2x64x2x64xbf16>
  %kh = linalg.transpose ins(%ks : tensor<2x64x2x64xbf16>) outs(%e : tensor<2x2x64x64xbf16>) permutation = [0, 2, 1, 3]
  %vs = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 64, 2, 64] : tensor<2x64x128xbf16> into tensor<2x64x2x64xbf16>
  %vh = linalg.transpose ins(%vs : tensor<2x64x2x64xbf16>) outs(%e : tensor<2x2x64x64xbf16>) permutation = [0, 2, 1, 3]
  %a = transformer.attention %qh, %kh, %vh {causal} : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>) -> tensor<2x2x64x64xbf16>
  %f = tensor.empty() : tensor<2x64x2x64xbf16>
  %at = linalg.transpose ins(%a : tensor<2x2x64x64xbf16>) outs(%f : tensor<2x64x2x64xbf16>) permutation = [0, 2, 1, 3]
  %rows = tensor.collapse_shape %at [[0], [1], [2, 3]] : tensor<2x64x2x64xbf16> into tensor<2x64x128xbf16>
  %r = transformer.matmul %rows, %wo residual %x : (tensor<2x64x128xbf16>, tensor<128x128xbf16>, tensor<2x64x128xbf16>) -> tensor<2x64x128xbf16>
  return %r : tensor<2x64x128xbf16>
}
