// Concatenations that fusion makes part of an operation, on simulated chips of both vendors.
// RUN: forge compile %s --function rope --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --function rope --target sim:sm_90a
// RUN: forge verify %s --function rope --target sim:gfx942
// RUN: forge verify %s --function stacked --target sim:sm_90a
// RUN: forge verify %s --function stacked --target sim:gfx942
// RUN: forge verify %s --function several --target sim:sm_90a
// RUN: forge verify %s --function several --target sim:gfx942

// Rotary positions of halves: one kernel, with the conversions around them.
// CHECK-COUNT-1: forge.kernel
// CHECK-NOT: forge.kernel
// CHECK: func.func @rope
func.func @rope(%x: tensor<2x5x64xbf16>, %c: tensor<32xf32>, %s: tensor<32xf32>) -> tensor<2x5x64xbf16> {
  %f = stablehlo.convert %x : (tensor<2x5x64xbf16>) -> tensor<2x5x64xf32>
  %a = stablehlo.slice %f [0:2, 0:5, 0:32] : (tensor<2x5x64xf32>) -> tensor<2x5x32xf32>
  %b = stablehlo.slice %f [0:2, 0:5, 32:64] : (tensor<2x5x64xf32>) -> tensor<2x5x32xf32>
  %cb = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<32xf32>) -> tensor<2x5x32xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<32xf32>) -> tensor<2x5x32xf32>
  %ac = stablehlo.multiply %a, %cb : tensor<2x5x32xf32>
  %bs = stablehlo.multiply %b, %sb : tensor<2x5x32xf32>
  %as = stablehlo.multiply %a, %sb : tensor<2x5x32xf32>
  %bc = stablehlo.multiply %b, %cb : tensor<2x5x32xf32>
  %p = stablehlo.subtract %ac, %bs : tensor<2x5x32xf32>
  %q = stablehlo.add %as, %bc : tensor<2x5x32xf32>
  %r = stablehlo.concatenate %p, %q, dim = 2 : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> tensor<2x5x64xf32>
  %h = stablehlo.convert %r : (tensor<2x5x64xf32>) -> tensor<2x5x64xbf16>
  return %h : tensor<2x5x64xbf16>
}

// Pairs side by side: parts with a dimension of their own, strides of 2.
func.func @stacked(%x: tensor<3x7x16xf32>, %c: tensor<7x8xf32>) -> tensor<3x7x16xf16> {
  %a = stablehlo.slice %x [0:3, 0:7, 0:16:2] : (tensor<3x7x16xf32>) -> tensor<3x7x8xf32>
  %b = stablehlo.slice %x [0:3, 0:7, 1:16:2] : (tensor<3x7x16xf32>) -> tensor<3x7x8xf32>
  %cb = stablehlo.broadcast_in_dim %c, dims = [1, 2] : (tensor<7x8xf32>) -> tensor<3x7x8xf32>
  %p = stablehlo.multiply %a, %cb : tensor<3x7x8xf32>
  %q = stablehlo.subtract %b, %cb : tensor<3x7x8xf32>
  %p1 = stablehlo.reshape %p : (tensor<3x7x8xf32>) -> tensor<3x7x8x1xf32>
  %q1 = stablehlo.reshape %q : (tensor<3x7x8xf32>) -> tensor<3x7x8x1xf32>
  %r = stablehlo.concatenate %p1, %q1, dim = 3 : (tensor<3x7x8x1xf32>, tensor<3x7x8x1xf32>) -> tensor<3x7x8x2xf32>
  %w = stablehlo.reshape %r : (tensor<3x7x8x2xf32>) -> tensor<3x7x16xf32>
  %h = stablehlo.convert %w : (tensor<3x7x16xf32>) -> tensor<3x7x16xf16>
  return %h : tensor<3x7x16xf16>
}

// Three parts of different sizes: the last is a product, and one is returned as well.
func.func @several(%x: tensor<5x3xf32>, %y: tensor<5x9xf32>, %z: tensor<9x6xf32>) -> (tensor<5x18xf32>, tensor<5x9xf32>) {
  %a = stablehlo.exponential %x : tensor<5x3xf32>
  %b = stablehlo.sine %y : tensor<5x9xf32>
  %d = stablehlo.dot_general %y, %z, contracting_dims = [1] x [0] : (tensor<5x9xf32>, tensor<9x6xf32>) -> tensor<5x6xf32>
  %r = stablehlo.concatenate %a, %b, %d, dim = 1 : (tensor<5x3xf32>, tensor<5x9xf32>, tensor<5x6xf32>) -> tensor<5x18xf32>
  %h = stablehlo.negate %r : tensor<5x18xf32>
  return %h, %b : tensor<5x18xf32>, tensor<5x9xf32>
}
