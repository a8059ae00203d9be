// One row of what is computed, and what a loop does not change, computed once: against the reference, on the CPU and simulated chips.
// RUN: forge verify %s --function last_token --each-stage
// RUN: forge verify %s --function last_token --target sim:sm_90a
// RUN: forge verify %s --function last_token --target sim:gfx942
// RUN: forge compile %s --function last_token --to fuse -o - | FileCheck %s --check-prefix=LAST
// RUN: forge verify %s --function rows_of_input --target sim:sm_90a --tier production
// RUN: forge verify %s --function rows_of_input --target sim:gfx942
// RUN: forge compile %s --function rows_of_input --to fuse -o - | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %s --function decode --each-stage
// RUN: forge verify %s --function decode --target sim:sm_90a
// RUN: forge verify %s --function decode --target sim:gfx942
// RUN: forge compile %s --function decode --to fuse -o - | FileCheck %s --check-prefix=LOOP
// RUN: forge verify %s --function no_step --each-stage && forge verify %s --function no_step --target sim:sm_90a

// Nothing of 12 tokens but what is given: the query, the probabilities and the logits of one.
// LAST-LABEL: func.func @last_token
// LAST: linalg.{{.*}} -> tensor<2x1x8xf32>
// LAST-NOT: tensor<2x12x40xf32>
// LAST: return
func.func @last_token(%x: tensor<2x12x8xf32>, %g: tensor<8xf32>, %wq: tensor<8x8xf32>, %w: tensor<8x40xf32>) -> tensor<2x40xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<2x12xf32>
  %square = stablehlo.multiply %x, %x : tensor<2x12x8xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x12x8xf32>, tensor<f32>) -> tensor<2x12xf32>
  %more = stablehlo.add %sum, %eps : tensor<2x12xf32>
  %root = stablehlo.rsqrt %more : tensor<2x12xf32>
  %scale = stablehlo.broadcast_in_dim %root, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x8xf32>
  %weight = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<8xf32>) -> tensor<2x12x8xf32>
  %y = stablehlo.multiply %x, %scale : tensor<2x12x8xf32>
  %n = stablehlo.multiply %y, %weight : tensor<2x12x8xf32>
  %q = stablehlo.dot_general %n, %wq, contracting_dims = [2] x [0] : (tensor<2x12x8xf32>, tensor<8x8xf32>) -> tensor<2x12x8xf32>
  %s = stablehlo.dot_general %q, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x12x8xf32>, tensor<2x12x8xf32>) -> tensor<2x12x12xf32>
  %e = stablehlo.tanh %s : tensor<2x12x12xf32>
  %o = stablehlo.dot_general %e, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x12x12xf32>, tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  %h = stablehlo.add %o, %x : tensor<2x12x8xf32>
  %p = stablehlo.dot_general %h, %w, contracting_dims = [2] x [0] : (tensor<2x12x8xf32>, tensor<8x40xf32>) -> tensor<2x12x40xf32>
  %l = stablehlo.slice %p [0:2, 11:12, 0:40] : (tensor<2x12x40xf32>) -> tensor<2x1x40xf32>
  %r = stablehlo.reshape %l : (tensor<2x1x40xf32>) -> tensor<2x40xf32>
  return %r : tensor<2x40xf32>
}

// Rows of an argument, at a place that only the run tells.
// ROWS-LABEL: func.func @rows_of_input
// ROWS: tensor.extract_slice %arg0
// ROWS-NOT: tensor<4x16x256xf32>
// ROWS: return
func.func @rows_of_input(%x: tensor<4x16x64xbf16>, %w: tensor<64x256xbf16>, %at: tensor<i32>) -> tensor<4x1x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x16x64xbf16>, tensor<64x256xbf16>) -> tensor<4x16x256xf32>
  %l = stablehlo.dynamic_slice %p, %zero, %at, %zero, sizes = [4, 1, 256] : (tensor<4x16x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x256xf32>
  return %l : tensor<4x1x256xf32>
}

// LOOP-LABEL: func.func @decode
// LOOP: math.sin
// LOOP: scf.while
// LOOP-NOT: math.sin
// LOOP: return
func.func @decode(%table: tensor<40x8xf32>, %x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %t = %table, %y = %x) : tensor<i32>, tensor<40x8xf32>, tensor<2x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %transposed = stablehlo.transpose %t, dims = [1, 0] : (tensor<40x8xf32>) -> tensor<8x40xf32>
    %sine = stablehlo.sine %transposed : tensor<8x40xf32>
    %logits = stablehlo.dot_general %y, %sine, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x40xf32>) -> tensor<2x40xf32>
    %bounded = stablehlo.tanh %logits : tensor<2x40xf32>
    %next = stablehlo.dot_general %bounded, %sine, contracting_dims = [1] x [1] : (tensor<2x40xf32>, tensor<8x40xf32>) -> tensor<2x8xf32>
    %small = stablehlo.tanh %next : tensor<2x8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t, %small : tensor<i32>, tensor<40x8xf32>, tensor<2x8xf32>
  }
  return %r#2 : tensor<2x8xf32>
}

// The loop runs no time: what stood in it may run all the same.
func.func @no_step(%a: tensor<4x8xf32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %one, %y = %x) : tensor<i32>, tensor<8x4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %e = stablehlo.exponential %a : tensor<4x8xf32>
    %t = stablehlo.transpose %e, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %s = stablehlo.add %y, %t : tensor<8x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<8x4xf32>
  }
  return %r#1 : tensor<8x4xf32>
}
