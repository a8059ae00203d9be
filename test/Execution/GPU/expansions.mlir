// What makes much of little is computed where it is read, steps of short loops and of recurrences are one kernel, and a gather of a
// softmax computes the rows it picks.

// RUN: forge verify %s --function corners --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function corners --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function forces --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function forces --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function states --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function states --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function rotations --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function rotations --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function picked --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function picked --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function parts --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function parts --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function sums --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function sums --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function corners --target cpu --reproducer-dir %t
// RUN: forge verify %s --function states --target cpu --reproducer-dir %t
// RUN: forge verify %s --function rotations --target cpu --reproducer-dir %t
// RUN: forge compile %s --function corners --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function rotations --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function states --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function parts --target cuda:sm_90a --to gpu -o - | grep -c gpu.launch_func | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}

// Features of the eight corners of a cell, looked up by a hash and weighted: products of three, sums of eight terms.
func.func @corners(%table: tensor<2x1024x2xf32>, %x: tensor<1024x3xf32>) -> tensor<1024x4xf32> {
  %scales = stablehlo.constant dense<[16.0, 23.0]> : tensor<2xf32>
  %corner = stablehlo.constant dense<[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]> : tensor<8x3xui32>
  %primes = stablehlo.constant dense<[1, 2654435761, 805459861]> : tensor<3xui32>
  %a0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1024x3xf32>) -> tensor<1024x2x3xf32>
  %a1 = stablehlo.broadcast_in_dim %scales, dims = [1] : (tensor<2xf32>) -> tensor<1024x2x3xf32>
  %a = stablehlo.multiply %a0, %a1 : tensor<1024x2x3xf32>
  %f = stablehlo.floor %a : tensor<1024x2x3xf32>
  %w = stablehlo.subtract %a, %f : tensor<1024x2x3xf32>
  %i = stablehlo.convert %f : (tensor<1024x2x3xf32>) -> tensor<1024x2x3xui32>
  %i0 = stablehlo.broadcast_in_dim %i, dims = [0, 1, 3] : (tensor<1024x2x3xui32>) -> tensor<1024x2x8x3xui32>
  %i1 = stablehlo.broadcast_in_dim %corner, dims = [2, 3] : (tensor<8x3xui32>) -> tensor<1024x2x8x3xui32>
  %i2 = stablehlo.add %i0, %i1 : tensor<1024x2x8x3xui32>
  %i3 = stablehlo.broadcast_in_dim %primes, dims = [3] : (tensor<3xui32>) -> tensor<1024x2x8x3xui32>
  %h = stablehlo.multiply %i2, %i3 : tensor<1024x2x8x3xui32>
  %h0 = stablehlo.slice %h [0:1024, 0:2, 0:8, 0:1] : (tensor<1024x2x8x3xui32>) -> tensor<1024x2x8x1xui32>
  %h1 = stablehlo.slice %h [0:1024, 0:2, 0:8, 1:2] : (tensor<1024x2x8x3xui32>) -> tensor<1024x2x8x1xui32>
  %h2 = stablehlo.slice %h [0:1024, 0:2, 0:8, 2:3] : (tensor<1024x2x8x3xui32>) -> tensor<1024x2x8x1xui32>
  %h3 = stablehlo.xor %h0, %h1 : tensor<1024x2x8x1xui32>
  %h4 = stablehlo.xor %h3, %h2 : tensor<1024x2x8x1xui32>
  %mask = stablehlo.constant dense<1023> : tensor<1024x2x8x1xui32>
  %h5 = stablehlo.and %h4, %mask : tensor<1024x2x8x1xui32>
  %h6 = stablehlo.convert %h5 : (tensor<1024x2x8x1xui32>) -> tensor<1024x2x8x1xi32>
  %h7 = stablehlo.transpose %h6, dims = [1, 0, 2, 3] : (tensor<1024x2x8x1xi32>) -> tensor<2x1024x8x1xi32>
  %g = "stablehlo.gather"(%table, %h7) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<2x1024x2xf32>, tensor<2x1024x8x1xi32>) -> tensor<2x1024x8x2xf32>
  %g1 = stablehlo.transpose %g, dims = [1, 0, 2, 3] : (tensor<2x1024x8x2xf32>) -> tensor<1024x2x8x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<1024x2x3xf32>
  %v = stablehlo.subtract %ones, %w : tensor<1024x2x3xf32>
  %zeros = stablehlo.constant dense<0> : tensor<8x3xui32>
  %is = stablehlo.compare NE, %corner, %zeros, UNSIGNED : (tensor<8x3xui32>, tensor<8x3xui32>) -> tensor<8x3xi1>
  %s0 = stablehlo.broadcast_in_dim %is, dims = [2, 3] : (tensor<8x3xi1>) -> tensor<1024x2x8x3xi1>
  %s1 = stablehlo.broadcast_in_dim %w, dims = [0, 1, 3] : (tensor<1024x2x3xf32>) -> tensor<1024x2x8x3xf32>
  %s2 = stablehlo.broadcast_in_dim %v, dims = [0, 1, 3] : (tensor<1024x2x3xf32>) -> tensor<1024x2x8x3xf32>
  %s = stablehlo.select %s0, %s1, %s2 : tensor<1024x2x8x3xi1>, tensor<1024x2x8x3xf32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [3] : (tensor<1024x2x8x3xf32>, tensor<f32>) -> tensor<1024x2x8xf32>
  %p1 = stablehlo.broadcast_in_dim %p, dims = [0, 1, 2] : (tensor<1024x2x8xf32>) -> tensor<1024x2x8x2xf32>
  %q = stablehlo.multiply %g1, %p1 : tensor<1024x2x8x2xf32>
  %r = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1024x2x8x2xf32>, tensor<f32>) -> tensor<1024x2x2xf32>
  %y = stablehlo.reshape %r : (tensor<1024x2x2xf32>) -> tensor<1024x4xf32>
  return %y : tensor<1024x4xf32>
}

// Distances of all pairs of points, read three times: by a sum over all of them, and by forces along rows and columns.
func.func @forces(%x: tensor<96x3xf32>) -> (tensor<f32>, tensor<96x3xf32>, tensor<96x3xf32>) {
  %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<96x3xf32>) -> tensor<96x96x3xf32>
  %b = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<96x3xf32>) -> tensor<96x96x3xf32>
  %d0 = stablehlo.subtract %a, %b : tensor<96x96x3xf32>
  %n = stablehlo.round_nearest_even %d0 : tensor<96x96x3xf32>
  %d = stablehlo.subtract %d0, %n : tensor<96x96x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.multiply %d, %d : tensor<96x96x3xf32>
  %r2 = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<96x96x3xf32>, tensor<f32>) -> tensor<96x96xf32>
  %e = stablehlo.constant dense<0.1> : tensor<96x96xf32>
  %r3 = stablehlo.add %r2, %e : tensor<96x96xf32>
  %r = stablehlo.sqrt %r3 : tensor<96x96xf32>
  %one = stablehlo.constant dense<1.0> : tensor<96x96xf32>
  %v = stablehlo.divide %one, %r : tensor<96x96xf32>
  %energy = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<96x96xf32>, tensor<f32>) -> tensor<f32>
  %r4 = stablehlo.multiply %r, %r3 : tensor<96x96xf32>
  %f = stablehlo.divide %one, %r4 : tensor<96x96xf32>
  %f1 = stablehlo.broadcast_in_dim %f, dims = [0, 1] : (tensor<96x96xf32>) -> tensor<96x96x3xf32>
  %fd = stablehlo.multiply %f1, %d : tensor<96x96x3xf32>
  %rows = stablehlo.reduce(%fd init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<96x96x3xf32>, tensor<f32>) -> tensor<96x3xf32>
  %columns = stablehlo.reduce(%fd init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<96x96x3xf32>, tensor<f32>) -> tensor<96x3xf32>
  return %energy, %rows, %columns : tensor<f32>, tensor<96x3xf32>, tensor<96x3xf32>
}

// Steps of a state space model, written one by one: slices of what the decay and the input give for all steps, and a sum over the
// states at each.
func.func @states(%t: tensor<2x6x32xf32>, %x: tensor<2x6x32xf32>, %decay: tensor<32x16xf32>, %b: tensor<2x6x16xf32>, %c: tensor<2x6x16xf32>) -> (tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
  %d0 = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x6x32xf32>) -> tensor<2x6x32x16xf32>
  %d1 = stablehlo.broadcast_in_dim %decay, dims = [2, 3] : (tensor<32x16xf32>) -> tensor<2x6x32x16xf32>
  %d2 = stablehlo.multiply %d0, %d1 : tensor<2x6x32x16xf32>
  %d = stablehlo.exponential %d2 : tensor<2x6x32x16xf32>
  %u = stablehlo.multiply %t, %x : tensor<2x6x32xf32>
  %u0 = stablehlo.broadcast_in_dim %u, dims = [0, 1, 2] : (tensor<2x6x32xf32>) -> tensor<2x6x32x16xf32>
  %u1 = stablehlo.broadcast_in_dim %b, dims = [0, 1, 3] : (tensor<2x6x16xf32>) -> tensor<2x6x32x16xf32>
  %v = stablehlo.multiply %u0, %u1 : tensor<2x6x32x16xf32>
  %s0 = stablehlo.constant dense<0.0> : tensor<2x32x16xf32>
  %da0 = stablehlo.slice %d [0:2, 0:1, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db0 = stablehlo.reshape %da0 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va0 = stablehlo.slice %v [0:2, 0:1, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb0 = stablehlo.reshape %va0 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m0 = stablehlo.multiply %db0, %s0 : tensor<2x32x16xf32>
  %s1 = stablehlo.add %m0, %vb0 : tensor<2x32x16xf32>
  %ca0 = stablehlo.slice %c [0:2, 0:1, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb0 = stablehlo.reshape %ca0 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y0 = stablehlo.dot_general %s1, %cb0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %da1 = stablehlo.slice %d [0:2, 1:2, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db1 = stablehlo.reshape %da1 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va1 = stablehlo.slice %v [0:2, 1:2, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb1 = stablehlo.reshape %va1 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m1 = stablehlo.multiply %db1, %s1 : tensor<2x32x16xf32>
  %s2 = stablehlo.add %m1, %vb1 : tensor<2x32x16xf32>
  %ca1 = stablehlo.slice %c [0:2, 1:2, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb1 = stablehlo.reshape %ca1 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y1 = stablehlo.dot_general %s2, %cb1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %da2 = stablehlo.slice %d [0:2, 2:3, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db2 = stablehlo.reshape %da2 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va2 = stablehlo.slice %v [0:2, 2:3, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb2 = stablehlo.reshape %va2 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m2 = stablehlo.multiply %db2, %s2 : tensor<2x32x16xf32>
  %s3 = stablehlo.add %m2, %vb2 : tensor<2x32x16xf32>
  %ca2 = stablehlo.slice %c [0:2, 2:3, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb2 = stablehlo.reshape %ca2 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y2 = stablehlo.dot_general %s3, %cb2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %da3 = stablehlo.slice %d [0:2, 3:4, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db3 = stablehlo.reshape %da3 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va3 = stablehlo.slice %v [0:2, 3:4, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb3 = stablehlo.reshape %va3 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m3 = stablehlo.multiply %db3, %s3 : tensor<2x32x16xf32>
  %s4 = stablehlo.add %m3, %vb3 : tensor<2x32x16xf32>
  %ca3 = stablehlo.slice %c [0:2, 3:4, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb3 = stablehlo.reshape %ca3 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y3 = stablehlo.dot_general %s4, %cb3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %da4 = stablehlo.slice %d [0:2, 4:5, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db4 = stablehlo.reshape %da4 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va4 = stablehlo.slice %v [0:2, 4:5, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb4 = stablehlo.reshape %va4 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m4 = stablehlo.multiply %db4, %s4 : tensor<2x32x16xf32>
  %s5 = stablehlo.add %m4, %vb4 : tensor<2x32x16xf32>
  %ca4 = stablehlo.slice %c [0:2, 4:5, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb4 = stablehlo.reshape %ca4 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y4 = stablehlo.dot_general %s5, %cb4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %da5 = stablehlo.slice %d [0:2, 5:6, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %db5 = stablehlo.reshape %da5 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %va5 = stablehlo.slice %v [0:2, 5:6, 0:32, 0:16] : (tensor<2x6x32x16xf32>) -> tensor<2x1x32x16xf32>
  %vb5 = stablehlo.reshape %va5 : (tensor<2x1x32x16xf32>) -> tensor<2x32x16xf32>
  %m5 = stablehlo.multiply %db5, %s5 : tensor<2x32x16xf32>
  %s6 = stablehlo.add %m5, %vb5 : tensor<2x32x16xf32>
  %ca5 = stablehlo.slice %c [0:2, 5:6, 0:16] : (tensor<2x6x16xf32>) -> tensor<2x1x16xf32>
  %cb5 = stablehlo.reshape %ca5 : (tensor<2x1x16xf32>) -> tensor<2x16xf32>
  %y5 = stablehlo.dot_general %s6, %cb5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5 : tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>
}

// Five steps of rotations by a table that alternates, on counters, as Threefry has them.
func.func @rotations(%key: tensor<2xui32>) -> tensor<64x128xui32> {
  %ra = stablehlo.constant dense<[13, 15]> : tensor<2xui32>
  %rb = stablehlo.constant dense<[17, 29]> : tensor<2xui32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %bits = stablehlo.constant dense<32> : tensor<64x128xui32>
  %a0 = stablehlo.iota dim = 0 : tensor<64x128xui32>
  %b0 = stablehlo.iota dim = 1 : tensor<64x128xui32>
  %k0 = stablehlo.slice %key [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %k1 = stablehlo.slice %key [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %k2 = stablehlo.broadcast_in_dim %k0, dims = [1] : (tensor<1xui32>) -> tensor<64x128xui32>
  %k3 = stablehlo.broadcast_in_dim %k1, dims = [1] : (tensor<1xui32>) -> tensor<64x128xui32>
  %a = stablehlo.add %a0, %k2 : tensor<64x128xui32>
  %b = stablehlo.add %b0, %k3 : tensor<64x128xui32>
  %w:5 = stablehlo.while(%i = %zero, %x = %a, %y = %b, %p = %ra, %q = %rb) : tensor<i32>, tensor<64x128xui32>, tensor<64x128xui32>, tensor<2xui32>, tensor<2xui32> cond {
    %c = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %p0 = stablehlo.slice %p [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %p1 = stablehlo.slice %p [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %r0 = stablehlo.broadcast_in_dim %p0, dims = [1] : (tensor<1xui32>) -> tensor<64x128xui32>
    %r1 = stablehlo.broadcast_in_dim %p1, dims = [1] : (tensor<1xui32>) -> tensor<64x128xui32>
    %x1 = stablehlo.add %x, %y : tensor<64x128xui32>
    %l0 = stablehlo.shift_left %y, %r0 : tensor<64x128xui32>
    %n0 = stablehlo.subtract %bits, %r0 : tensor<64x128xui32>
    %m0 = stablehlo.shift_right_logical %y, %n0 : tensor<64x128xui32>
    %o0 = stablehlo.or %l0, %m0 : tensor<64x128xui32>
    %y1 = stablehlo.xor %x1, %o0 : tensor<64x128xui32>
    %x2 = stablehlo.add %x1, %y1 : tensor<64x128xui32>
    %l1 = stablehlo.shift_left %y1, %r1 : tensor<64x128xui32>
    %n1 = stablehlo.subtract %bits, %r1 : tensor<64x128xui32>
    %m1 = stablehlo.shift_right_logical %y1, %n1 : tensor<64x128xui32>
    %o1 = stablehlo.or %l1, %m1 : tensor<64x128xui32>
    %y2 = stablehlo.xor %x2, %o1 : tensor<64x128xui32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %x2, %y2, %q, %p : tensor<i32>, tensor<64x128xui32>, tensor<64x128xui32>, tensor<2xui32>, tensor<2xui32>
  }
  %r = stablehlo.xor %w#1, %w#2 : tensor<64x128xui32>
  return %r : tensor<64x128xui32>
}

// Of six rows of a softmax, one for each sequence.
func.func @picked(%x: tensor<4x6x256xf32>, %at: tensor<4x1xi32>) -> tensor<4x256xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<4x6x256xf32>, tensor<f32>) -> tensor<4x6xf32>
  %m1 = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x256xf32>
  %d = stablehlo.subtract %x, %m1 : tensor<4x6x256xf32>
  %e = stablehlo.exponential %d : tensor<4x6x256xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x6x256xf32>, tensor<f32>) -> tensor<4x6xf32>
  %s1 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x256xf32>
  %p = stablehlo.divide %e, %s1 : tensor<4x6x256xf32>
  %g = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 256>}> : (tensor<4x6x256xf32>, tensor<4x1xi32>) -> tensor<4x256xf32>
  return %g : tensor<4x256xf32>
}

// Differences of all pairs, of which the two parts are read by themselves.
func.func @parts(%x: tensor<64x2xf32>, %y: tensor<96x2xf32>) -> tensor<64x96xf32> {
  %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<64x2xf32>) -> tensor<64x96x2xf32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<96x2xf32>) -> tensor<64x96x2xf32>
  %d = stablehlo.subtract %a, %b : tensor<64x96x2xf32>
  %e = stablehlo.tanh %d : tensor<64x96x2xf32>
  %p = stablehlo.slice %e [0:64, 0:96, 0:1] : (tensor<64x96x2xf32>) -> tensor<64x96x1xf32>
  %q = stablehlo.slice %e [0:64, 0:96, 1:2] : (tensor<64x96x2xf32>) -> tensor<64x96x1xf32>
  %p1 = stablehlo.reshape %p : (tensor<64x96x1xf32>) -> tensor<64x96xf32>
  %q1 = stablehlo.reshape %q : (tensor<64x96x1xf32>) -> tensor<64x96xf32>
  %r = stablehlo.multiply %p1, %q1 : tensor<64x96xf32>
  %s = stablehlo.add %r, %p1 : tensor<64x96xf32>
  return %s : tensor<64x96xf32>
}

// Along rows and along columns of what a label and a weight give: nothing else has the columns.
func.func @sums(%l: tensor<128xi32>, %w: tensor<128xf32>) -> (tensor<128xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<128x64xi32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<128xi32>) -> tensor<128x64xi32>
  %c = stablehlo.compare EQ, %i, %b : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
  %f = stablehlo.convert %c : (tensor<128x64xi1>) -> tensor<128x64xf32>
  %v = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
  %g = stablehlo.multiply %f, %v : tensor<128x64xf32>
  %h = stablehlo.exponential %g : tensor<128x64xf32>
  %r = stablehlo.reduce(%h init: %z) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
  %s = stablehlo.reduce(%h init: %z) applies stablehlo.add across dimensions = [0] : (tensor<128x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %r, %s : tensor<128xf32>, tensor<64xf32>
}
