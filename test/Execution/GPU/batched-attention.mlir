// Attention as PyTorch exports it: three projections in one, heads that are slices of it, products of three dimensions, scores in 16 bits.
// It is a product and one kernel of strategy flash, which reads the heads where the product wrote them.
// RUN: forge compile %s --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --target cpu

// CHECK: strategy = wgmma
// CHECK: strategy = flash
// CHECK: func.func @main(
// CHECK: call @contraction
// CHECK: call @attention
// CHECK-NOT: call
// CHECK: return
func.func @main(%x: tensor<2x96x128xbf16>, %w: tensor<128x384xbf16>) -> tensor<2x96x128xbf16> {
  %rows = stablehlo.reshape %x : (tensor<2x96x128xbf16>) -> tensor<192x128xbf16>
  %all = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0] : (tensor<192x128xbf16>, tensor<128x384xbf16>) -> tensor<192x384xbf16>
  %qkv = stablehlo.reshape %all : (tensor<192x384xbf16>) -> tensor<2x96x384xbf16>
  %q0 = stablehlo.slice %qkv [0:2, 0:96, 0:128] : (tensor<2x96x384xbf16>) -> tensor<2x96x128xbf16>
  %q1 = stablehlo.reshape %q0 : (tensor<2x96x128xbf16>) -> tensor<2x96x2x64xbf16>
  %q2 = stablehlo.transpose %q1, dims = [0, 2, 1, 3] : (tensor<2x96x2x64xbf16>) -> tensor<2x2x96x64xbf16>
  %q = stablehlo.reshape %q2 : (tensor<2x2x96x64xbf16>) -> tensor<4x96x64xbf16>
  %k0 = stablehlo.slice %qkv [0:2, 0:96, 128:256] : (tensor<2x96x384xbf16>) -> tensor<2x96x128xbf16>
  %k1 = stablehlo.reshape %k0 : (tensor<2x96x128xbf16>) -> tensor<2x96x2x64xbf16>
  %k2 = stablehlo.transpose %k1, dims = [0, 2, 3, 1] : (tensor<2x96x2x64xbf16>) -> tensor<2x2x64x96xbf16>
  %k = stablehlo.reshape %k2 : (tensor<2x2x64x96xbf16>) -> tensor<4x64x96xbf16>
  %v0 = stablehlo.slice %qkv [0:2, 0:96, 256:384] : (tensor<2x96x384xbf16>) -> tensor<2x96x128xbf16>
  %v1 = stablehlo.reshape %v0 : (tensor<2x96x128xbf16>) -> tensor<2x96x2x64xbf16>
  %v2 = stablehlo.transpose %v1, dims = [0, 2, 1, 3] : (tensor<2x96x2x64xbf16>) -> tensor<2x2x96x64xbf16>
  %v = stablehlo.reshape %v2 : (tensor<2x2x96x64xbf16>) -> tensor<4x96x64xbf16>
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x96x64xbf16>, tensor<4x64x96xbf16>) -> tensor<4x96x96xbf16>
  %s1 = stablehlo.reshape %s0 : (tensor<4x96x96xbf16>) -> tensor<2x2x96x96xbf16>
  %eighth = stablehlo.constant dense<1.250000e-01> : tensor<2x2x96x96xbf16>
  %s = stablehlo.multiply %s1, %eighth : tensor<2x2x96x96xbf16>
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %m0 = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x96x96xbf16>, tensor<bf16>) -> tensor<2x2x96xbf16>
  %m = stablehlo.broadcast_in_dim %m0, dims = [0, 1, 2] : (tensor<2x2x96xbf16>) -> tensor<2x2x96x96xbf16>
  %d = stablehlo.subtract %s, %m : tensor<2x2x96x96xbf16>
  %e = stablehlo.exponential %d : tensor<2x2x96x96xbf16>
  %wide = stablehlo.convert %e : (tensor<2x2x96x96xbf16>) -> tensor<2x2x96x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n0 = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x96x96xf32>, tensor<f32>) -> tensor<2x2x96xf32>
  %n1 = stablehlo.convert %n0 : (tensor<2x2x96xf32>) -> tensor<2x2x96xbf16>
  %n = stablehlo.broadcast_in_dim %n1, dims = [0, 1, 2] : (tensor<2x2x96xbf16>) -> tensor<2x2x96x96xbf16>
  %p0 = stablehlo.divide %e, %n : tensor<2x2x96x96xbf16>
  %p = stablehlo.reshape %p0 : (tensor<2x2x96x96xbf16>) -> tensor<4x96x96xbf16>
  %a0 = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x96x96xbf16>, tensor<4x96x64xbf16>) -> tensor<4x96x64xbf16>
  %a1 = stablehlo.reshape %a0 : (tensor<4x96x64xbf16>) -> tensor<2x2x96x64xbf16>
  %a2 = stablehlo.transpose %a1, dims = [0, 2, 1, 3] : (tensor<2x2x96x64xbf16>) -> tensor<2x96x2x64xbf16>
  %a = stablehlo.reshape %a2 : (tensor<2x96x2x64xbf16>) -> tensor<2x96x128xbf16>
  return %a : tensor<2x96x128xbf16>
}
