// Attention of a step over one layer's part of a cache of all layers, its weights rounded to the values' type: one kernel by
// strategy flash where the part begins at a multiple of 16 bytes, several where it may not.
// RUN: forge compile %s --function layer --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function layer --target sim:sm_90a
// RUN: forge verify %s --function layer --target sim:gfx942
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function layer --target sim:sm_90a
// RUN: forge verify %s --function layer --target sim:sm_90a --each-stage
// RUN: forge compile %s --function odd --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ODD
// RUN: forge verify %s --function odd --target sim:sm_90a

// ONE: strategy = flash, m = 16
// ONE-NOT: strategy =
// ODD-NOT: strategy = attention

func.func @layer(%q: tensor<2x2x4x64xbf16>, %kc: tensor<3x2x2x96x64xbf16>, %vc: tensor<3x2x2x96x64xbf16>) -> tensor<2x2x4x64xbf16> {
  %k1 = stablehlo.slice %kc [1:2, 0:2, 0:2, 0:96, 0:64] : (tensor<3x2x2x96x64xbf16>) -> tensor<1x2x2x96x64xbf16>
  %v1 = stablehlo.slice %vc [2:3, 0:2, 0:2, 0:96, 0:64] : (tensor<3x2x2x96x64xbf16>) -> tensor<1x2x2x96x64xbf16>
  %k = stablehlo.reshape %k1 : (tensor<1x2x2x96x64xbf16>) -> tensor<2x2x96x64xbf16>
  %v = stablehlo.reshape %v1 : (tensor<1x2x2x96x64xbf16>) -> tensor<2x2x96x64xbf16>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x2x4x64xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x4x96xf32>
  %scale = stablehlo.constant dense<0.125> : tensor<2x2x4x96xf32>
  %scaled = stablehlo.multiply %s, %scale : tensor<2x2x4x96xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%scaled init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x96xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x96xf32>
  %d = stablehlo.subtract %scaled, %mb : tensor<2x2x4x96xf32>
  %e = stablehlo.exponential %d : tensor<2x2x4x96xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x96xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x96xf32>
  %p = stablehlo.divide %e, %tb : tensor<2x2x4x96xf32>
  %w = stablehlo.convert %p : (tensor<2x2x4x96xf32>) -> tensor<2x2x4x96xbf16>
  %o = stablehlo.dot_general %w, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x2x4x96xbf16>, tensor<2x2x96x64xbf16>) -> tensor<2x2x4x64xbf16>
  return %o : tensor<2x2x4x64xbf16>
}
// Keys begin at the second element of a row.
func.func @odd(%q: tensor<1x2x4x64xbf16>, %kc: tensor<1x2x40x72xbf16>, %v: tensor<1x2x40x64xbf16>) -> tensor<1x2x4x64xbf16> {
  %k = stablehlo.slice %kc [0:1, 0:2, 0:40, 1:65] : (tensor<1x2x40x72xbf16>) -> tensor<1x2x40x64xbf16>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<1x2x4x64xbf16>, tensor<1x2x40x64xbf16>) -> tensor<1x2x4x40xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x4x40xf32>, tensor<f32>) -> tensor<1x2x4xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x40xf32>
  %d = stablehlo.subtract %s, %mb : tensor<1x2x4x40xf32>
  %e = stablehlo.exponential %d : tensor<1x2x4x40xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x40xf32>, tensor<f32>) -> tensor<1x2x4xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x40xf32>
  %p = stablehlo.divide %e, %tb : tensor<1x2x4x40xf32>
  %w = stablehlo.convert %p : (tensor<1x2x4x40xf32>) -> tensor<1x2x4x40xbf16>
  %o = stablehlo.dot_general %w, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x2x4x40xbf16>, tensor<1x2x40x64xbf16>) -> tensor<1x2x4x64xbf16>
  return %o : tensor<1x2x4x64xbf16>
}
