// Norms that products of a few rows compute themselves: one kernel for a norm and the products that read it, on chips with warps of
// 32 and 64, in several types; results against the reference, races found by the simulator, which runs blocks in another order
// with another seed.
// RUN: forge compile %s --function rms_norm --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function rms_norm --target sim:sm_90a
// RUN: forge verify %s --function rms_norm --target sim:gfx942
// RUN: forge verify %s --function rms_norm --target cpu
// RUN: forge verify %s --function rms_norm --target sim:sm_90a --distribution huge
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function rms_norm --target sim:sm_90a
// RUN: forge compile %s --function layer_norm --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function layer_norm --target sim:sm_90a
// RUN: forge verify %s --function layer_norm --target sim:gfx942
// RUN: forge compile %s --function sums_together --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function sums_together --target sim:sm_90a
// RUN: forge verify %s --function sums_together --target sim:gfx942
// RUN: forge compile %s --function two_rows --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function two_rows --target sim:sm_90a
// RUN: forge verify %s --function two_rows --target sim:gfx942
// RUN: forge compile %s --function uneven --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function uneven --target sim:sm_90a
// RUN: forge verify %s --function uneven --target sim:gfx942
// RUN: forge compile %s --function heads --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function heads --target sim:sm_90a
// RUN: forge verify %s --function heads --target sim:gfx942
// What a norm is computed of is left in memory for what is behind, by the first block of the first product.
// RUN: forge compile %s --function kept --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=KEPT
// RUN: forge verify %s --function kept --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function kept --target sim:sm_90a
// RUN: forge verify %s --function kept --target sim:gfx942
// RUN: forge verify %s --function kept --target cpu
// So is the norm itself.
// RUN: forge compile %s --function also_returned --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function also_returned --target sim:sm_90a
// RUN: forge verify %s --function also_returned --target sim:gfx942
// With the columns of the matrix side by side.
// RUN: forge compile %s --function inside --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function inside --target sim:sm_90a
// RUN: forge verify %s --function inside --target sim:gfx942
// What takes long stays a kernel.
// RUN: forge compile %s --function long --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=APART
// RUN: forge verify %s --function long --target sim:sm_90a

// CHECK: func.func @{{[a-z_]+}}(
// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// Two products with a factor each, as one launch, and a third with the sum that is kept.
// KEPT: func.func @{{[a-z_]+}}(
// KEPT: gpu.launch_func
// KEPT: gpu.launch_func
// KEPT-NOT: gpu.launch_func
// APART: func.func @{{[a-z_]+}}(
// APART: gpu.launch_func
// APART: gpu.launch_func
// APART-NOT: gpu.launch_func

func.func @rms_norm(%x: tensor<1x512xbf16>, %s: tensor<512xbf16>, %w: tensor<640x512xbf16>) -> tensor<1x640xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x512xbf16>, tensor<512xbf16>) -> tensor<1x512xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x640xbf16>
  return %1 : tensor<1x640xbf16>
}
func.func @layer_norm(%x: tensor<1x512xf32>, %s: tensor<512xf32>, %w: tensor<640x512xf32>, %b: tensor<640xf32>) -> tensor<1x640xf32> {
  %0 = transformer.layer_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x512xf32>, tensor<512xf32>) -> tensor<1x512xf32>
  %1 = transformer.matmul %0, %w bias %b {activation = #transformer.activation<gelu>, transpose_rhs} : (tensor<1x512xf32>, tensor<640x512xf32>, tensor<640xf32>) -> tensor<1x640xf32>
  return %1 : tensor<1x640xf32>
}
func.func @two_rows(%x: tensor<2x512xf16>, %s: tensor<512xf16>, %w: tensor<640x512xf16>) -> tensor<2x640xf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<2x512xf16>, tensor<512xf16>) -> tensor<2x512xf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<2x512xf16>, tensor<640x512xf16>) -> tensor<2x640xf16>
  return %1 : tensor<2x640xf16>
}
// Accesses that threads do not divide.
func.func @uneven(%x: tensor<1x2600xbf16>, %s: tensor<2600xbf16>, %w: tensor<640x2600xbf16>) -> tensor<1x640xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x2600xbf16>, tensor<2600xbf16>) -> tensor<1x2600xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<1x2600xbf16>, tensor<640x2600xbf16>) -> tensor<1x640xbf16>
  return %1 : tensor<1x640xbf16>
}
// Two products, and unit dimensions between.
func.func @heads(%x: tensor<1x1x512xbf16>, %s: tensor<512xbf16>, %w: tensor<640x512xbf16>, %v: tensor<640x512xbf16>) -> (tensor<1x1x10x64xbf16>, tensor<1x1x640xbf16>) {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x1x512xbf16>, tensor<512xbf16>) -> tensor<1x1x512xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<1x1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x1x640xbf16>
  %2 = transformer.matmul %0, %v {transpose_rhs} : (tensor<1x1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x1x640xbf16>
  %3 = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [1, 1, 10, 64] : tensor<1x1x640xbf16> into tensor<1x1x10x64xbf16>
  return %3, %2 : tensor<1x1x10x64xbf16>, tensor<1x1x640xbf16>
}
func.func @also_returned(%x: tensor<1x512xbf16>, %s: tensor<512xbf16>, %w: tensor<640x512xbf16>) -> (tensor<1x512xbf16>, tensor<1x640xbf16>) {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x512xbf16>, tensor<512xbf16>) -> tensor<1x512xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x640xbf16>
  return %0, %1 : tensor<1x512xbf16>, tensor<1x640xbf16>
}
func.func @long(%x: tensor<1x9000xbf16>, %s: tensor<9000xbf16>, %w: tensor<640x9000xbf16>) -> tensor<1x640xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x9000xbf16>, tensor<9000xbf16>) -> tensor<1x9000xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<1x9000xbf16>, tensor<640x9000xbf16>) -> tensor<1x640xbf16>
  return %1 : tensor<1x640xbf16>
}
func.func @kept(%x: tensor<1x512xbf16>, %y: tensor<1x512xbf16>, %s: tensor<512xbf16>, %t: tensor<512xbf16>, %w: tensor<640x512xbf16>, %v: tensor<640x512xbf16>, %o: tensor<512x640xbf16>) -> (tensor<1x512xbf16>, tensor<1x640xbf16>) {
  %0 = transformer.rms_norm %y scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x512xbf16>, tensor<512xbf16>) -> tensor<1x512xbf16>
  %1 = stablehlo.add %x, %0 : tensor<1x512xbf16>
  %2 = transformer.rms_norm %1 scale %t {epsilon = 1.0e-05 : f32} : (tensor<1x512xbf16>, tensor<512xbf16>) -> tensor<1x512xbf16>
  %3 = transformer.matmul %2, %w {transpose_rhs} : (tensor<1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x640xbf16>
  %4 = transformer.matmul %2, %v {transpose_rhs} : (tensor<1x512xbf16>, tensor<640x512xbf16>) -> tensor<1x640xbf16>
  %5 = transformer.matmul %3, %o residual %1 {transpose_rhs} : (tensor<1x640xbf16>, tensor<512x640xbf16>, tensor<1x512xbf16>) -> tensor<1x512xbf16>
  return %5, %4 : tensor<1x512xbf16>, tensor<1x640xbf16>
}
func.func @inside(%x: tensor<1x512xbf16>, %s: tensor<512xbf16>, %w: tensor<512x640xbf16>) -> tensor<1x640xbf16> {
  %0 = transformer.layer_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x512xbf16>, tensor<512xbf16>) -> tensor<1x512xbf16>
  %1 = transformer.matmul %0, %w : (tensor<1x512xbf16>, tensor<512x640xbf16>) -> tensor<1x640xbf16>
  return %1 : tensor<1x640xbf16>
}

// One operation adds up the elements and their squares.
func.func @sums_together(%x: tensor<3x256xbf16>, %g: tensor<256xbf16>, %w: tensor<256x512xbf16>) -> tensor<3x512xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<2.560000e+02> : tensor<3xf32>
  %e = stablehlo.constant dense<1.0e-5> : tensor<3xf32>
  %x32 = stablehlo.convert %x : (tensor<3x256xbf16>) -> tensor<3x256xf32>
  %sq = stablehlo.multiply %x32, %x32 : tensor<3x256xf32>
  %s1 = stablehlo.reduce(%x32 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x256xf32>, tensor<f32>) -> tensor<3xf32>
  %s2 = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x256xf32>, tensor<f32>) -> tensor<3xf32>
  %m = stablehlo.divide %s1, %n : tensor<3xf32>
  %q = stablehlo.divide %s2, %n : tensor<3xf32>
  %mm = stablehlo.multiply %m, %m : tensor<3xf32>
  %v0 = stablehlo.subtract %q, %mm : tensor<3xf32>
  %v = stablehlo.add %v0, %e : tensor<3xf32>
  %r = stablehlo.rsqrt %v : tensor<3xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<3xf32>) -> tensor<3x256xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<3xf32>) -> tensor<3x256xf32>
  %g32 = stablehlo.convert %g : (tensor<256xbf16>) -> tensor<256xf32>
  %gb = stablehlo.broadcast_in_dim %g32, dims = [1] : (tensor<256xf32>) -> tensor<3x256xf32>
  %c = stablehlo.subtract %x32, %mb : tensor<3x256xf32>
  %d = stablehlo.multiply %c, %rb : tensor<3x256xf32>
  %f = stablehlo.multiply %d, %gb : tensor<3x256xf32>
  %h = stablehlo.convert %f : (tensor<3x256xf32>) -> tensor<3x256xbf16>
  %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<3x256xbf16>, tensor<256x512xbf16>) -> tensor<3x512xbf16>
  return %y : tensor<3x512xbf16>
}
