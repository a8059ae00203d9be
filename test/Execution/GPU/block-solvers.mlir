// Cholesky factors and triangular systems by the blocks of a GPU: whole panels and parts of one, both triangles and sides, batches
// of known and unknown size, one right-hand side and tiles of them, floats of 16 to 64 bits; and of more rows than a block has.
// RUN: forge verify %s --function factors --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function factors --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function narrow_factors --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function narrow_factors --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function large_factors --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function large_factors --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function systems --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function systems --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function systems --target sim:sm_90a --each-stage --reproducer-dir %t
// RUN: forge verify %s --function batches --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function batches --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function open --dynamic-size 3 --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function open --dynamic-size 40 --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function large_systems --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function large_systems --target sim:gfx942 --reproducer-dir %t
// RUN: forge run %s --function not_positive --target sim:sm_90a
// RUN: forge run %s --function not_positive --target sim:gfx942
// RUN: forge explain %s --function factors --target cuda:sm_90a | FileCheck %s
// RUN: forge compile %s --function factors --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=KERNEL
// RUN: forge compile %s --function factors --target hip:gfx1100 -o %t.so

// CHECK-COUNT-2: loop{{.*}}, 1 launch: generic; threads 512
// After the matrix is read there are two barriers a panel: behind the sums of its elements, and behind its rows, for which each
// thread factors 8 x 8 numbers.
// KERNEL-LABEL: gpu.func @loop
// KERNEL: gpu.barrier
// KERNEL-NEXT: scf.for
// KERNEL: math.fma
// KERNEL: gpu.barrier
// KERNEL-COUNT-8: math.sqrt
// KERNEL-NOT: math.sqrt
// KERNEL: gpu.barrier
// KERNEL: memref.store
// KERNEL: gpu.barrier
func.func @factors(%m: tensor<70x70xf32>) -> (tensor<70x70xf32>, tensor<70x70xf32>) {
  %squares = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
  %rows = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %columns = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %below = stablehlo.compare GE, %rows, %columns : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %above = stablehlo.compare LE, %rows, %columns : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %four = stablehlo.constant dense<4.0> : tensor<70x70xf32>
  %none = stablehlo.constant dense<0.0> : tensor<70x70xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<70x70xf32>
  %diagonal = stablehlo.select %at, %four, %none : tensor<70x70xi1>, tensor<70x70xf32>
  %a = stablehlo.add %squares, %diagonal : tensor<70x70xf32>
  // The other triangle is not read.
  %x = stablehlo.select %below, %a, %nan : tensor<70x70xi1>, tensor<70x70xf32>
  %y = stablehlo.select %above, %a, %nan : tensor<70x70xi1>, tensor<70x70xf32>
  %l = stablehlo.cholesky %x, lower = true : tensor<70x70xf32>
  %u = stablehlo.cholesky %y, lower = false : tensor<70x70xf32>
  return %l, %u : tensor<70x70xf32>, tensor<70x70xf32>
}

func.func @narrow_factors(%m: tensor<3x16x16xf64>) -> (tensor<3x16x16xf64>, tensor<3x16x16xbf16>) {
  %squares = stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<3x16x16xf64>, tensor<3x16x16xf64>) -> tensor<3x16x16xf64>
  %rows = stablehlo.iota dim = 1 : tensor<3x16x16xi32>
  %columns = stablehlo.iota dim = 2 : tensor<3x16x16xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<3x16x16xi32>, tensor<3x16x16xi32>) -> tensor<3x16x16xi1>
  %four = stablehlo.constant dense<4.0> : tensor<3x16x16xf64>
  %none = stablehlo.constant dense<0.0> : tensor<3x16x16xf64>
  %diagonal = stablehlo.select %at, %four, %none : tensor<3x16x16xi1>, tensor<3x16x16xf64>
  %a = stablehlo.add %squares, %diagonal : tensor<3x16x16xf64>
  %l = stablehlo.cholesky %a, lower = true : tensor<3x16x16xf64>
  %b = stablehlo.convert %a : (tensor<3x16x16xf64>) -> tensor<3x16x16xbf16>
  %u = stablehlo.cholesky %b, lower = false : tensor<3x16x16xbf16>
  return %l, %u : tensor<3x16x16xf64>, tensor<3x16x16xbf16>
}

// Two blocks of 128 rows, or three of 64.
func.func @large_factors(%m: tensor<150x150xf32>) -> tensor<150x150xf32> {
  %squares = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<150x150xf32>, tensor<150x150xf32>) -> tensor<150x150xf32>
  %rows = stablehlo.iota dim = 0 : tensor<150x150xi32>
  %columns = stablehlo.iota dim = 1 : tensor<150x150xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<150x150xi32>, tensor<150x150xi32>) -> tensor<150x150xi1>
  %four = stablehlo.constant dense<4.0> : tensor<150x150xf32>
  %none = stablehlo.constant dense<0.0> : tensor<150x150xf32>
  %diagonal = stablehlo.select %at, %four, %none : tensor<150x150xi1>, tensor<150x150xf32>
  %a = stablehlo.add %squares, %diagonal : tensor<150x150xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<150x150xf32>
  return %l : tensor<150x150xf32>
}

// Triangles with numbers of up to 1/16 around a diagonal of 2, and NaN on the side that is not read.
func.func @systems(%m: tensor<20x20xf32>, %b: tensor<20x33xf32>, %c: tensor<33x20xf32>) -> (tensor<20x33xf32>, tensor<20x33xf32>, tensor<33x20xf32>, tensor<33x20xf32>) {
  %rows = stablehlo.iota dim = 0 : tensor<20x20xi32>
  %columns = stablehlo.iota dim = 1 : tensor<20x20xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
  %below = stablehlo.compare GE, %rows, %columns : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
  %share = stablehlo.constant dense<0.0625> : tensor<20x20xf32>
  %two = stablehlo.constant dense<2.0> : tensor<20x20xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<20x20xf32>
  %small = stablehlo.multiply %m, %share : tensor<20x20xf32>
  %a = stablehlo.select %at, %two, %small : tensor<20x20xi1>, tensor<20x20xf32>
  %l = stablehlo.select %below, %a, %nan : tensor<20x20xi1>, tensor<20x20xf32>
  %u = stablehlo.transpose %l, dims = [1, 0] : (tensor<20x20xf32>) -> tensor<20x20xf32>
  %0 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<20x20xf32>, tensor<20x33xf32>) -> tensor<20x33xf32>
  %1 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<20x20xf32>, tensor<20x33xf32>) -> tensor<20x33xf32>
  %2 = "stablehlo.triangular_solve"(%u, %c) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<20x20xf32>, tensor<33x20xf32>) -> tensor<33x20xf32>
  %3 = "stablehlo.triangular_solve"(%u, %c) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<20x20xf32>, tensor<33x20xf32>) -> tensor<33x20xf32>
  return %0, %1, %2, %3 : tensor<20x33xf32>, tensor<20x33xf32>, tensor<33x20xf32>, tensor<33x20xf32>
}

// One right-hand side each, and of two types.
func.func @batches(%m: tensor<3x16x16xf64>, %b: tensor<3x16x1xf64>) -> (tensor<3x16x1xf64>, tensor<3x16x1xf16>) {
  %rows = stablehlo.iota dim = 1 : tensor<3x16x16xi32>
  %columns = stablehlo.iota dim = 2 : tensor<3x16x16xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<3x16x16xi32>, tensor<3x16x16xi32>) -> tensor<3x16x16xi1>
  %share = stablehlo.constant dense<0.0625> : tensor<3x16x16xf64>
  %two = stablehlo.constant dense<2.0> : tensor<3x16x16xf64>
  %small = stablehlo.multiply %m, %share : tensor<3x16x16xf64>
  %a = stablehlo.select %at, %two, %small : tensor<3x16x16xi1>, tensor<3x16x16xf64>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x16x16xf64>, tensor<3x16x1xf64>) -> tensor<3x16x1xf64>
  %h = stablehlo.convert %a : (tensor<3x16x16xf64>) -> tensor<3x16x16xf16>
  %c = stablehlo.convert %b : (tensor<3x16x1xf64>) -> tensor<3x16x1xf16>
  %1 = "stablehlo.triangular_solve"(%h, %c) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x16x16xf16>, tensor<3x16x1xf16>) -> tensor<3x16x1xf16>
  return %0, %1 : tensor<3x16x1xf64>, tensor<3x16x1xf16>
}

// Right-hand sides and a batch whose number the run says.
func.func @open(%b: tensor<24x?xf32>, %c: tensor<?x24x24xf32>) -> (tensor<24x?xf32>, tensor<?x24x24xf32>) {
  %rows = stablehlo.iota dim = 0 : tensor<24x24xi32>
  %columns = stablehlo.iota dim = 1 : tensor<24x24xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
  %share = stablehlo.constant dense<0.0625> : tensor<24x24xf32>
  %two = stablehlo.constant dense<2.0> : tensor<24x24xf32>
  %a = stablehlo.select %at, %two, %share : tensor<24x24xi1>, tensor<24x24xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<24x24xf32>, tensor<24x?xf32>) -> tensor<24x?xf32>
  %size = stablehlo.get_dimension_size %c, dim = 0 : (tensor<?x24x24xf32>) -> tensor<i32>
  %one = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %rest = stablehlo.constant dense<24> : tensor<2xi32>
  %shape = stablehlo.concatenate %one, %rest, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %positive = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [1, 2] : (tensor<24x24xf32>, tensor<3xi32>) -> tensor<?x24x24xf32>
  %scale = stablehlo.constant dense<0.001> : tensor<f32>
  %scales = stablehlo.dynamic_broadcast_in_dim %scale, %shape, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x24x24xf32>
  %small = stablehlo.multiply %c, %scales : tensor<?x24x24xf32>
  %sum = stablehlo.add %positive, %small : tensor<?x24x24xf32>
  %1 = stablehlo.cholesky %sum, lower = true : tensor<?x24x24xf32>
  return %0, %1 : tensor<24x?xf32>, tensor<?x24x24xf32>
}

func.func @large_systems(%m: tensor<150x150xf32>, %b: tensor<150x9xf32>) -> (tensor<150x9xf32>, tensor<150x9xf32>) {
  %rows = stablehlo.iota dim = 0 : tensor<150x150xi32>
  %columns = stablehlo.iota dim = 1 : tensor<150x150xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<150x150xi32>, tensor<150x150xi32>) -> tensor<150x150xi1>
  %share = stablehlo.constant dense<0.0625> : tensor<150x150xf32>
  %two = stablehlo.constant dense<2.0> : tensor<150x150xf32>
  %small = stablehlo.multiply %m, %share : tensor<150x150xf32>
  %a = stablehlo.select %at, %two, %small : tensor<150x150xi1>, tensor<150x150xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<150x150xf32>, tensor<150x9xf32>) -> tensor<150x9xf32>
  %1 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<150x150xf32>, tensor<150x9xf32>) -> tensor<150x9xf32>
  return %0, %1 : tensor<150x9xf32>, tensor<150x9xf32>
}

// The first pivot that is not positive is the 21st of 40: the diagonal is 2 before it, and from it on NaN.
func.func @not_positive() {
  %rows = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %columns = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %place = stablehlo.constant dense<20> : tensor<40x40xi32>
  %isBad = stablehlo.compare EQ, %rows, %place : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %four = stablehlo.constant dense<4.0> : tensor<40x40xf32>
  %bad = stablehlo.constant dense<-4.0> : tensor<40x40xf32>
  %none = stablehlo.constant dense<0.0> : tensor<40x40xf32>
  %pivots = stablehlo.select %isBad, %bad, %four : tensor<40x40xi1>, tensor<40x40xf32>
  %a = stablehlo.select %at, %pivots, %none : tensor<40x40xi1>, tensor<40x40xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<40x40xf32>) -> (tensor<40x40xf32>, tensor<i32>)
  check.expect_eq_const %0#1, dense<21> : tensor<i32>
  %first = stablehlo.slice %0#0 [19:20, 19:20] : (tensor<40x40xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %first, dense<2.0> : tensor<1x1xf32>
  return
}
