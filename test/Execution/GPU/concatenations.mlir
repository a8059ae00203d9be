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

// An associative scan of five steps as JAX writes it: what is interleaved, by padding, is computed where it is read.
// RUN: forge compile %s --function scan --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=SCAN
// RUN: forge verify %s --function scan --target sim:sm_90a --each-stage
// RUN: forge verify %s --function scan --target sim:gfx942
// SCAN-NOT: tensor.insert_slice
// SCAN-NOT: linalg.fill
func.func @scan(%a: tensor<2x5x3xf32>, %x: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %x_even = stablehlo.slice %x [0:2, 0:4:2, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %a_odd = stablehlo.slice %a [0:2, 1:5:2, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %x_odd = stablehlo.slice %x [0:2, 1:5:2, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %pairs0 = stablehlo.multiply %a_odd, %x_even : tensor<2x2x3xf32>
  %pairs = stablehlo.add %pairs0, %x_odd : tensor<2x2x3xf32>
  %a_next = stablehlo.slice %a [0:2, 2:5:2, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %x_next = stablehlo.slice %x [0:2, 2:5:2, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %rest0 = stablehlo.multiply %a_next, %pairs : tensor<2x2x3xf32>
  %rest = stablehlo.add %rest0, %x_next : tensor<2x2x3xf32>
  %x_first = stablehlo.slice %x [0:2, 0:1, 0:3] : (tensor<2x5x3xf32>) -> tensor<2x1x3xf32>
  %even = stablehlo.concatenate %x_first, %rest, dim = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
  %at_even = stablehlo.pad %even, %zero, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  %at_odd = stablehlo.pad %pairs, %zero, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x2x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  %sum = stablehlo.add %at_even, %at_odd : tensor<2x5x3xf32>
  return %sum : tensor<2x5x3xf32>
}

// Padding of several dimensions, inside too, and negative at an edge; two paddings of one value.
// RUN: forge compile %s --function paddings --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=PADDINGS
// RUN: forge verify %s --function paddings --target sim:sm_90a --each-stage
// RUN: forge verify %s --function paddings --target sim:gfx942 --distribution huge
// RUN: forge verify %s --function stack --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function stack --target sim:gfx942 --reproducer-dir %t
// RUN: forge compile %s --function stack --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=STACK
// STACK: {{^}}2{{$}}
// PADDINGS: func.func private @{{.*}}forge.kernel
// PADDINGS-NOT: tensor.insert_slice
// PADDINGS-NOT: func.func private @{{.*}}forge.kernel
func.func @paddings(%x: tensor<4x7xf32>) -> tensor<10x6xf32> {
  %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x7xf32>
  %p = stablehlo.pad %e, %half, low = [1, 0], high = [2, -1], interior = [1, 0] : (tensor<4x7xf32>, tensor<f32>) -> tensor<10x6xf32>
  %q = stablehlo.pad %x, %one, low = [2, -1], high = [1, 0], interior = [1, 0] : (tensor<4x7xf32>, tensor<f32>) -> tensor<10x6xf32>
  %r = stablehlo.add %p, %q : tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

// Many parts, each of a kernel of its own: they are put to their places at the same time, eight by eight.
func.func @stack(%x0: tensor<64x96xf32>, %x1: tensor<64x96xf32>, %x2: tensor<64x96xf32>, %x3: tensor<64x96xf32>, %x4: tensor<64x96xf32>, %x5: tensor<64x96xf32>, %x6: tensor<64x96xf32>, %x7: tensor<64x96xf32>, %x8: tensor<64x96xf32>, %x9: tensor<64x96xf32>, %x10: tensor<64x96xf32>, %x11: tensor<64x96xf32>) -> tensor<64x96x12xf32> {
  %r0 = stablehlo.reshape %x0 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r1 = stablehlo.reshape %x1 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r2 = stablehlo.reshape %x2 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r3 = stablehlo.reshape %x3 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r4 = stablehlo.reshape %x4 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r5 = stablehlo.reshape %x5 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r6 = stablehlo.reshape %x6 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r7 = stablehlo.reshape %x7 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r8 = stablehlo.reshape %x8 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r9 = stablehlo.reshape %x9 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r10 = stablehlo.reshape %x10 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %r11 = stablehlo.reshape %x11 : (tensor<64x96xf32>) -> tensor<64x96x1xf32>
  %y = stablehlo.concatenate %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, dim = 2 : (tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>, tensor<64x96x1xf32>) -> tensor<64x96x12xf32>
  return %y : tensor<64x96x12xf32>
}
