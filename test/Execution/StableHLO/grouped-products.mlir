// Products of rows with the matrix of each row's group, in tiles, against all products of which one is chosen. Elements are
// small integers, so that both are equal.
// DEFINE: %{run} = forge run %s --function
// RUN: %{run} looked_up --target sim:sm_90a && %{run} looked_up --target sim:gfx942
// RUN: %{run} of_choices && %{run} of_choices --target sim:gfx1100
// RUN: %{run} summed --target sim:gfx942 && %{run} summed
// RUN: %{run} batches --target sim:sm_90a && %{run} batches --target sim:gfx90a
// RUN: %{run} experts && %{run} experts --target sim:sm_90a
// RUN: forge verify %s --function ranges --target sim:sm_90a
// RUN: forge verify %s --function ranges --target sim:sm_80

// In tiles: no tensor has a matrix for each row.
// RUN: forge compile %s --function looked_up --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=LOOKED --implicit-check-not='tensor<512x256x128xbf16>'
// LOOKED: func.func private @contraction({{.*}}tensor<4x256x128xbf16>{{.*}}tensor<7x128x128xbf16>{{.*}}strategy = wgmma
// RUN: forge compile %s --function ranges --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=RANGES --implicit-check-not='tensor<5x500x'
// RANGES: func.func private @contraction({{.*}}tensor<5x128x264xbf16>{{.*}}strategy = wgmma

// Matrices that are looked up for each batch are read where they are.
// RUN: forge compile %s --function batches --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BATCHES
// BATCHES: func.func private @contraction({{.*}}tensor<9x128x192xbf16>{{.*}}strategy = wgmma

// Gate and up are one kernel, whose results stay in tiles for the product behind them.
// RUN: forge compile %s --function mlp --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=EXPERTS
// EXPERTS: func.func private @contraction(%{{[^:]*}}: tensor<11xi32>, %{{[^:]*}}: tensor<4x64x256xbf16>, %{{[^:]*}}: tensor<11x128x64xbf16>, %{{[^:]*}}: tensor<4x64x256xbf16>, %{{[^:]*}}: tensor<11x128x256xbf16>) -> {{.*}}strategy = wgmma
// EXPERTS: arith.maximumf
// EXPERTS: func.func private @contraction_{{[0-9]+}}(%{{[^:]*}}: tensor<11xi32>, %{{[^:]*}}: tensor<4x256x64xbf16>, %{{[^:]*}}: tensor<11x128x256xbf16>, {{.*}}strategy = wgmma

// (i mod 7) - 3
func.func private @numbers(%count: tensor<131072xi32>) -> tensor<131072xi32> {
  %c7 = stablehlo.constant dense<7> : tensor<131072xi32>
  %c3 = stablehlo.constant dense<3> : tensor<131072xi32>
  %r = stablehlo.remainder %count, %c7 : tensor<131072xi32>
  %s = stablehlo.subtract %r, %c3 : tensor<131072xi32>
  return %s : tensor<131072xi32>
}

// Four matrices; indices outside are the nearest one.
func.func @looked_up() -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %five = stablehlo.constant dense<5> : tensor<131072xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<131072xi32>
  %n = func.call @numbers(%i5) : (tensor<131072xi32>) -> tensor<131072xi32>
  %w32 = stablehlo.reshape %n : (tensor<131072xi32>) -> tensor<4x256x128xi32>
  %w = stablehlo.convert %w32 : (tensor<4x256x128xi32>) -> tensor<4x256x128xbf16>
  %m = func.call @numbers(%i) : (tensor<131072xi32>) -> tensor<131072xi32>
  %half = stablehlo.slice %m [0:65536] : (tensor<131072xi32>) -> tensor<65536xi32>
  %x32 = stablehlo.reshape %half : (tensor<65536xi32>) -> tensor<512x128xi32>
  %x = stablehlo.convert %x32 : (tensor<512x128xi32>) -> tensor<512x128xbf16>
  // -3 to 7
  %r = stablehlo.iota dim = 0 : tensor<512x1xi32>
  %c11 = stablehlo.constant dense<11> : tensor<512x1xi32>
  %c3 = stablehlo.constant dense<3> : tensor<512x1xi32>
  %cubed = stablehlo.multiply %r, %r : tensor<512x1xi32>
  %rest = stablehlo.remainder %cubed, %c11 : tensor<512x1xi32>
  %e = stablehlo.subtract %rest, %c3 : tensor<512x1xi32>
  %of_rows = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256, 128>}> : (tensor<4x256x128xbf16>, tensor<512x1xi32>) -> tensor<512x256x128xbf16>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<512x256x128xbf16>, tensor<512x128xbf16>) -> tensor<512x256xf32>
  %all = stablehlo.dot_general %x, %w, contracting_dims = [1] x [2] : (tensor<512x128xbf16>, tensor<4x256x128xbf16>) -> tensor<512x4x256xf32>
  %low = stablehlo.constant dense<0> : tensor<512x1xi32>
  %high = stablehlo.constant dense<3> : tensor<512x1xi32>
  %near = stablehlo.clamp %low, %e, %high : tensor<512x1xi32>
  %own = stablehlo.broadcast_in_dim %near, dims = [0, 1] : (tensor<512x1xi32>) -> tensor<512x4x256xi32>
  %g = stablehlo.iota dim = 1 : tensor<512x4x256xi32>
  %is = stablehlo.compare EQ, %own, %g : (tensor<512x4x256xi32>, tensor<512x4x256xi32>) -> tensor<512x4x256xi1>
  %zeros = stablehlo.constant dense<0.0> : tensor<512x4x256xf32>
  %kept = stablehlo.select %is, %all, %zeros : tensor<512x4x256xi1>, tensor<512x4x256xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %expected = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x4x256xf32>, tensor<f32>) -> tensor<512x256xf32>
  check.expect_eq %y, %expected : tensor<512x256xf32>
  %done = stablehlo.constant dense<1> : tensor<i32>
  return %done : tensor<i32>
}

// Eight choices of each row; factors of f32, matrices on the right.
func.func @of_choices() -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %n = func.call @numbers(%i) : (tensor<131072xi32>) -> tensor<131072xi32>
  %part = stablehlo.slice %n [0:98304] : (tensor<131072xi32>) -> tensor<98304xi32>
  %w32 = stablehlo.reshape %part : (tensor<98304xi32>) -> tensor<6x64x256xi32>
  %w = stablehlo.convert %w32 : (tensor<6x64x256xi32>) -> tensor<6x64x256xf32>
  %few = stablehlo.slice %n [5:10245] : (tensor<131072xi32>) -> tensor<10240xi32>
  %x32 = stablehlo.reshape %few : (tensor<10240xi32>) -> tensor<160x64xi32>
  %x = stablehlo.convert %x32 : (tensor<160x64xi32>) -> tensor<160x64xf32>
  %r = stablehlo.iota dim = 0 : tensor<160x8xi32>
  %c = stablehlo.iota dim = 1 : tensor<160x8xi32>
  %six = stablehlo.constant dense<6> : tensor<160x8xi32>
  %product = stablehlo.multiply %r, %c : tensor<160x8xi32>
  %e = stablehlo.remainder %product, %six : tensor<160x8xi32>
  %e3 = stablehlo.reshape %e : (tensor<160x8xi32>) -> tensor<160x8x1xi32>
  %of_rows = "stablehlo.gather"(%w, %e3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 256>}> : (tensor<6x64x256xf32>, tensor<160x8x1xi32>) -> tensor<160x8x64x256xf32>
  %y = stablehlo.dot_general %x, %of_rows, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<160x64xf32>, tensor<160x8x64x256xf32>) -> tensor<160x8x256xf32>
  %all = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<160x64xf32>, tensor<6x64x256xf32>) -> tensor<160x6x256xf32>
  %own = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<160x8xi32>) -> tensor<160x8x6x256xi32>
  %g = stablehlo.iota dim = 2 : tensor<160x8x6x256xi32>
  %is = stablehlo.compare EQ, %own, %g : (tensor<160x8x6x256xi32>, tensor<160x8x6x256xi32>) -> tensor<160x8x6x256xi1>
  %spread = stablehlo.broadcast_in_dim %all, dims = [0, 2, 3] : (tensor<160x6x256xf32>) -> tensor<160x8x6x256xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<160x8x6x256xf32>
  %kept = stablehlo.select %is, %spread, %zeros : tensor<160x8x6x256xi1>, tensor<160x8x6x256xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %expected = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<160x8x6x256xf32>, tensor<f32>) -> tensor<160x8x256xf32>
  check.expect_eq %y, %expected : tensor<160x8x256xf32>
  %done = stablehlo.constant dense<1> : tensor<i32>
  return %done : tensor<i32>
}

// The sum over a row's choices is of the product too.
func.func @summed() -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<131072xi32>
  %n = func.call @numbers(%i) : (tensor<131072xi32>) -> tensor<131072xi32>
  %part = stablehlo.slice %n [0:98304] : (tensor<131072xi32>) -> tensor<98304xi32>
  %w32 = stablehlo.reshape %part : (tensor<98304xi32>) -> tensor<6x64x256xi32>
  %w = stablehlo.convert %w32 : (tensor<6x64x256xi32>) -> tensor<6x64x256xbf16>
  %few = stablehlo.slice %n [5:81925] : (tensor<131072xi32>) -> tensor<81920xi32>
  %x32 = stablehlo.reshape %few : (tensor<81920xi32>) -> tensor<160x8x64xi32>
  %x = stablehlo.convert %x32 : (tensor<160x8x64xi32>) -> tensor<160x8x64xbf16>
  %r = stablehlo.iota dim = 0 : tensor<160x8xi32>
  %c = stablehlo.iota dim = 1 : tensor<160x8xi32>
  %six = stablehlo.constant dense<6> : tensor<160x8xi32>
  %product = stablehlo.multiply %r, %c : tensor<160x8xi32>
  %e = stablehlo.remainder %product, %six : tensor<160x8xi32>
  %e3 = stablehlo.reshape %e : (tensor<160x8xi32>) -> tensor<160x8x1xi32>
  %of_rows = "stablehlo.gather"(%w, %e3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 256>}> : (tensor<6x64x256xbf16>, tensor<160x8x1xi32>) -> tensor<160x8x64x256xbf16>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [2, 1] x [2, 1] : (tensor<160x8x64x256xbf16>, tensor<160x8x64xbf16>) -> tensor<160x256xf32>
  %all = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1] : (tensor<160x8x64xbf16>, tensor<6x64x256xbf16>) -> tensor<160x8x6x256xf32>
  %own = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<160x8xi32>) -> tensor<160x8x6x256xi32>
  %g = stablehlo.iota dim = 2 : tensor<160x8x6x256xi32>
  %is = stablehlo.compare EQ, %own, %g : (tensor<160x8x6x256xi32>, tensor<160x8x6x256xi32>) -> tensor<160x8x6x256xi1>
  %zeros = stablehlo.constant dense<0.0> : tensor<160x8x6x256xf32>
  %kept = stablehlo.select %is, %all, %zeros : tensor<160x8x6x256xi1>, tensor<160x8x6x256xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %expected = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<160x8x6x256xf32>, tensor<f32>) -> tensor<160x256xf32>
  check.expect_eq %y, %expected : tensor<160x256xf32>
  %done = stablehlo.constant dense<1> : tensor<i32>
  return %done : tensor<i32>
}

// Six batches of 128 rows, with one of nine matrices each, as adapters of sequences.
func.func @batches() -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<221184xi32>
  %c7 = stablehlo.constant dense<7> : tensor<221184xi32>
  %c3 = stablehlo.constant dense<3> : tensor<221184xi32>
  %rest = stablehlo.remainder %i, %c7 : tensor<221184xi32>
  %n = stablehlo.subtract %rest, %c3 : tensor<221184xi32>
  %w32 = stablehlo.reshape %n : (tensor<221184xi32>) -> tensor<9x128x192xi32>
  %w = stablehlo.convert %w32 : (tensor<9x128x192xi32>) -> tensor<9x128x192xbf16>
  %some = stablehlo.slice %n [3:98307] : (tensor<221184xi32>) -> tensor<98304xi32>
  %x32 = stablehlo.reshape %some : (tensor<98304xi32>) -> tensor<6x128x128xi32>
  %x = stablehlo.convert %x32 : (tensor<6x128x128xi32>) -> tensor<6x128x128xbf16>
  %b = stablehlo.iota dim = 0 : tensor<6x1xi32>
  %five = stablehlo.constant dense<5> : tensor<6x1xi32>
  %nine = stablehlo.constant dense<9> : tensor<6x1xi32>
  %b5 = stablehlo.multiply %b, %five : tensor<6x1xi32>
  %e = stablehlo.remainder %b5, %nine : tensor<6x1xi32>
  %own = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128, 192>}> : (tensor<9x128x192xbf16>, tensor<6x1xi32>) -> tensor<6x128x192xbf16>
  %y = stablehlo.dot_general %x, %own, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x128x128xbf16>, tensor<6x128x192xbf16>) -> tensor<6x128x192xf32>
  %all = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1] : (tensor<6x128x128xbf16>, tensor<9x128x192xbf16>) -> tensor<6x128x9x192xf32>
  %numbers = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x128x9x192xi32>
  %g = stablehlo.iota dim = 2 : tensor<6x128x9x192xi32>
  %is = stablehlo.compare EQ, %numbers, %g : (tensor<6x128x9x192xi32>, tensor<6x128x9x192xi32>) -> tensor<6x128x9x192xi1>
  %zeros = stablehlo.constant dense<0.0> : tensor<6x128x9x192xf32>
  %kept = stablehlo.select %is, %all, %zeros : tensor<6x128x9x192xi1>, tensor<6x128x9x192xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %expected = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x128x9x192xf32>, tensor<f32>) -> tensor<6x128x192xf32>
  check.expect_eq %y, %expected : tensor<6x128x192xf32>
  %done = stablehlo.constant dense<1> : tensor<i32>
  return %done : tensor<i32>
}

// relu(x Wg) * (x Wu), times Wd, of each row's expert.
func.func @mlp(%x: tensor<1024x64xbf16>, %wg: tensor<4x64x256xbf16>, %wu: tensor<4x64x256xbf16>, %wd: tensor<4x256x64xbf16>, %e: tensor<1024xi32>) -> tensor<1024x64xf32> {
  %g0 = "stablehlo.gather"(%wg, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 256>}> : (tensor<4x64x256xbf16>, tensor<1024xi32>) -> tensor<1024x64x256xbf16>
  %u0 = "stablehlo.gather"(%wu, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 256>}> : (tensor<4x64x256xbf16>, tensor<1024xi32>) -> tensor<1024x64x256xbf16>
  %d0 = "stablehlo.gather"(%wd, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256, 64>}> : (tensor<4x256x64xbf16>, tensor<1024xi32>) -> tensor<1024x256x64xbf16>
  %g = stablehlo.dot_general %x, %g0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1024x64xbf16>, tensor<1024x64x256xbf16>) -> tensor<1024x256xbf16>
  %u = stablehlo.dot_general %x, %u0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1024x64xbf16>, tensor<1024x64x256xbf16>) -> tensor<1024x256xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<bf16>) -> tensor<1024x256xbf16>
  %relu = stablehlo.maximum %g, %z : tensor<1024x256xbf16>
  %h = stablehlo.multiply %relu, %u : tensor<1024x256xbf16>
  %y = stablehlo.dot_general %h, %d0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1024x256xbf16>, tensor<1024x256x64xbf16>) -> tensor<1024x64xf32>
  return %y : tensor<1024x64xf32>
}

func.func @experts() -> tensor<i32> {
  %i = stablehlo.iota dim = 0 : tensor<65536xi32>
  %three = stablehlo.constant dense<3> : tensor<65536xi32>
  %one = stablehlo.constant dense<1> : tensor<65536xi32>
  %third = stablehlo.divide %i, %three : tensor<65536xi32>
  %mixed = stablehlo.add %i, %third : tensor<65536xi32>
  %rest = stablehlo.remainder %mixed, %three : tensor<65536xi32>
  %n = stablehlo.subtract %rest, %one : tensor<65536xi32>
  %again = stablehlo.remainder %third, %three : tensor<65536xi32>
  %m = stablehlo.subtract %again, %one : tensor<65536xi32>
  %b = stablehlo.convert %n : (tensor<65536xi32>) -> tensor<65536xbf16>
  %c = stablehlo.convert %m : (tensor<65536xi32>) -> tensor<65536xbf16>
  %wg = stablehlo.reshape %b : (tensor<65536xbf16>) -> tensor<4x64x256xbf16>
  %wu = stablehlo.reshape %c : (tensor<65536xbf16>) -> tensor<4x64x256xbf16>
  %wd = stablehlo.reshape %c : (tensor<65536xbf16>) -> tensor<4x256x64xbf16>
  %x = stablehlo.reshape %b : (tensor<65536xbf16>) -> tensor<1024x64xbf16>
  %r = stablehlo.iota dim = 0 : tensor<1024xi32>
  %r2 = stablehlo.multiply %r, %r : tensor<1024xi32>
  %seven = stablehlo.constant dense<7> : tensor<1024xi32>
  %four = stablehlo.constant dense<4> : tensor<1024xi32>
  %r7 = stablehlo.remainder %r2, %seven : tensor<1024xi32>
  %e = stablehlo.remainder %r7, %four : tensor<1024xi32>
  %y = func.call @mlp(%x, %wg, %wu, %wd, %e) : (tensor<1024x64xbf16>, tensor<4x64x256xbf16>, tensor<4x64x256xbf16>, tensor<4x256x64xbf16>, tensor<1024xi32>) -> tensor<1024x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %ga = stablehlo.dot_general %wg, %x, contracting_dims = [1] x [1] : (tensor<4x64x256xbf16>, tensor<1024x64xbf16>) -> tensor<4x256x1024xbf16>
  %ua = stablehlo.dot_general %wu, %x, contracting_dims = [1] x [1] : (tensor<4x64x256xbf16>, tensor<1024x64xbf16>) -> tensor<4x256x1024xbf16>
  %za = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<bf16>) -> tensor<4x256x1024xbf16>
  %relua = stablehlo.maximum %ga, %za : tensor<4x256x1024xbf16>
  %ha = stablehlo.multiply %relua, %ua : tensor<4x256x1024xbf16>
  %all = stablehlo.dot_general %ha, %wd, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x256x1024xbf16>, tensor<4x256x64xbf16>) -> tensor<4x1024x64xf32>
  %own = stablehlo.broadcast_in_dim %e, dims = [1] : (tensor<1024xi32>) -> tensor<4x1024x64xi32>
  %group = stablehlo.iota dim = 0 : tensor<4x1024x64xi32>
  %is = stablehlo.compare EQ, %own, %group : (tensor<4x1024x64xi32>, tensor<4x1024x64xi32>) -> tensor<4x1024x64xi1>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x1024x64xf32>
  %kept = stablehlo.select %is, %all, %zeros : tensor<4x1024x64xi1>, tensor<4x1024x64xf32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %expected = stablehlo.reduce(%kept init: %none) applies stablehlo.add across dimensions = [0] : (tensor<4x1024x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
  check.expect_eq %y, %expected : tensor<1024x64xf32>
  %done = stablehlo.constant dense<1> : tensor<i32>
  return %done : tensor<i32>
}

// As JAX writes ragged_dot for platforms that it does not know: sizes are counts, rows of other groups are zero.
func.func @ranges(%x: tensor<500x128xbf16>, %w: tensor<5x128x264xbf16>, %e: tensor<470x1xui8>) -> tensor<500x264xf32> {
  %none = stablehlo.constant dense<0> : tensor<5xi32>
  %ones = stablehlo.constant dense<1> : tensor<470xi32>
  %sizes = "stablehlo.scatter"(%none, %e, %ones) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<5xi32>, tensor<470x1xui8>, tensor<470xi32>) -> tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ends = "stablehlo.reduce_window"(%sizes, %zero) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  %first = stablehlo.constant dense<0> : tensor<1xi32>
  %but_last = stablehlo.slice %ends [0:4] : (tensor<5xi32>) -> tensor<4xi32>
  %starts = stablehlo.concatenate %first, %but_last, dim = 0 : (tensor<1xi32>, tensor<4xi32>) -> tensor<5xi32>
  %i = stablehlo.iota dim = 1 : tensor<5x500x128xi32>
  %begin = stablehlo.broadcast_in_dim %starts, dims = [0] : (tensor<5xi32>) -> tensor<5x500x128xi32>
  %end = stablehlo.broadcast_in_dim %ends, dims = [0] : (tensor<5xi32>) -> tensor<5x500x128xi32>
  %after = stablehlo.compare LE, %begin, %i : (tensor<5x500x128xi32>, tensor<5x500x128xi32>) -> tensor<5x500x128xi1>
  %before = stablehlo.compare LT, %i, %end : (tensor<5x500x128xi32>, tensor<5x500x128xi32>) -> tensor<5x500x128xi1>
  %in = stablehlo.and %after, %before : tensor<5x500x128xi1>
  %spread = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<500x128xbf16>) -> tensor<5x500x128xbf16>
  %zeros = stablehlo.constant dense<0.0> : tensor<5x500x128xbf16>
  %rows = stablehlo.select %in, %spread, %zeros : tensor<5x500x128xi1>, tensor<5x500x128xbf16>
  %y = stablehlo.dot_general %rows, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<5x500x128xbf16>, tensor<5x128x264xbf16>) -> tensor<500x264xf32>
  return %y : tensor<500x264xf32>
}
