// What is computed where it is used, and what is not: a factor that is made of vectors, whose elements are multiplied once, is in no
// memory; a number that takes long is computed once.
// RUN: forge verify %s --function generated --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function generated --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function generated --target cpu --reproducer-dir %t
// RUN: forge verify %s --function number --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function number --target sim:gfx942 --reproducer-dir %t
// RUN: forge compile %s --function generated --target sim:sm_90a --to kernels -o - | FileCheck %s

// CHECK-NOT: tensor<4x32x512xf32>

func.func @generated(%a: tensor<4x32xf32>, %t: tensor<512xf32>, %c: tensor<4x32xf32>, %d: tensor<4x32xf32>) -> tensor<4x512xf32> {
  %ab = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [2] : (tensor<512xf32>) -> tensor<4x32x512xf32>
  %p = stablehlo.multiply %ab, %tb : tensor<4x32x512xf32>
  %e = stablehlo.exponential %p : tensor<4x32x512xf32>
  %cos = stablehlo.cosine %p : tensor<4x32x512xf32>
  %sin = stablehlo.sine %p : tensor<4x32x512xf32>
  %re = stablehlo.multiply %e, %cos : tensor<4x32x512xf32>
  %im = stablehlo.multiply %e, %sin : tensor<4x32x512xf32>
  %x = stablehlo.dot_general %c, %re, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x32xf32>, tensor<4x32x512xf32>) -> tensor<4x512xf32>
  %y = stablehlo.dot_general %d, %im, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x32xf32>, tensor<4x32x512xf32>) -> tensor<4x512xf32>
  %r = stablehlo.subtract %x, %y : tensor<4x512xf32>
  return %r : tensor<4x512xf32>
}

func.func @number(%x: tensor<64xf32>, %y: tensor<3x5xf32>) -> (tensor<64xf32>, tensor<3x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %s1 = stablehlo.cosine %s0 : tensor<f32>
  %s2 = stablehlo.add %s1, %s0 : tensor<f32>
  %s3 = stablehlo.add %s2, %s0 : tensor<f32>
  %s4 = stablehlo.cosine %s3 : tensor<f32>
  %s5 = stablehlo.add %s4, %s0 : tensor<f32>
  %s6 = stablehlo.add %s5, %s0 : tensor<f32>
  %s7 = stablehlo.cosine %s6 : tensor<f32>
  %s8 = stablehlo.add %s7, %s0 : tensor<f32>
  %s9 = stablehlo.add %s8, %s0 : tensor<f32>
  %s10 = stablehlo.cosine %s9 : tensor<f32>
  %s11 = stablehlo.add %s10, %s0 : tensor<f32>
  %s12 = stablehlo.add %s11, %s0 : tensor<f32>
  %s13 = stablehlo.cosine %s12 : tensor<f32>
  %s14 = stablehlo.add %s13, %s0 : tensor<f32>
  %s15 = stablehlo.add %s14, %s0 : tensor<f32>
  %s16 = stablehlo.cosine %s15 : tensor<f32>
  %s17 = stablehlo.add %s16, %s0 : tensor<f32>
  %s18 = stablehlo.add %s17, %s0 : tensor<f32>
  %s19 = stablehlo.cosine %s18 : tensor<f32>
  %s20 = stablehlo.add %s19, %s0 : tensor<f32>
  %s21 = stablehlo.add %s20, %s0 : tensor<f32>
  %s22 = stablehlo.cosine %s21 : tensor<f32>
  %s23 = stablehlo.add %s22, %s0 : tensor<f32>
  %s24 = stablehlo.add %s23, %s0 : tensor<f32>
  %s25 = stablehlo.cosine %s24 : tensor<f32>
  %s26 = stablehlo.add %s25, %s0 : tensor<f32>
  %s27 = stablehlo.add %s26, %s0 : tensor<f32>
  %s28 = stablehlo.cosine %s27 : tensor<f32>
  %s29 = stablehlo.add %s28, %s0 : tensor<f32>
  %s30 = stablehlo.add %s29, %s0 : tensor<f32>
  %s31 = stablehlo.cosine %s30 : tensor<f32>
  %s32 = stablehlo.add %s31, %s0 : tensor<f32>
  %s33 = stablehlo.add %s32, %s0 : tensor<f32>
  %s34 = stablehlo.cosine %s33 : tensor<f32>
  %s35 = stablehlo.add %s34, %s0 : tensor<f32>
  %s36 = stablehlo.add %s35, %s0 : tensor<f32>
  %sx = stablehlo.broadcast_in_dim %s36, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %sy = stablehlo.broadcast_in_dim %s36, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
  %a = stablehlo.multiply %x, %sx : tensor<64xf32>
  %b = stablehlo.divide %y, %sy : tensor<3x5xf32>
  return %a, %b : tensor<64xf32>, tensor<3x5xf32>
}
