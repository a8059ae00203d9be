// Products of a few rows: which kernels strategy gemv takes, and how.
// RUN: forge-opt %s --split-input-file --forge-schedule-kernels=chip=sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=sm_90a library=cost" | FileCheck %s --check-prefix=HYBRID

// PLAN: @few(
// PLAN-SAME: forge.schedule = #forge.schedule<strategy = gemv, n = 4, loads = 2, blocks = 512, threads = 256,
func.func private @few(%x: tensor<2x8192xbf16>, %w: tensor<2048x8192xbf16>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2048xf32>) -> tensor<2x2048xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<2x8192xbf16>, tensor<2048x8192xbf16>) outs(%z : tensor<2x2048xf32>) -> tensor<2x2048xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<2x2048xf32>) outs(%o : tensor<2x2048xbf16>) {
  ^bb0(%s: f32, %u: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2048xbf16>
  return %1 : tensor<2x2048xbf16>
}

// -----

// A row: two columns; few columns for many multiprocessors: one.
// PLAN: @row(
// PLAN-SAME: strategy = gemv, n = 2, loads = 4, blocks = 512, threads = 128
// HYBRID: @row(
// HYBRID-NOT: fallback
// HYBRID-SAME: strategy = gemv,
func.func private @row(%x: tensor<4096xf32>, %w: tensor<1024x4096xf32>, %o: tensor<1024xf32>) -> tensor<1024xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<1024x4096xf32>, tensor<4096xf32>) outs(%z : tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
// PLAN: @narrow(
// PLAN-SAME: strategy = gemv, n = 1, loads = 1, blocks = 64, threads = 64
func.func private @narrow(%x: tensor<512xbf16>, %w: tensor<64x512xbf16>, %o: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<64x512xbf16>, tensor<512xbf16>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Both read the matrix once; a launch of the library takes a microsecond more.
// PLAN: @eight(
// PLAN-SAME: forge.schedule = #forge.schedule<strategy = gemv,
// HYBRID: @eight(
// HYBRID-SAME: forge.schedule = #forge.schedule<strategy = gemv,
func.func private @eight(%x: tensor<8x512xf32>, %w: tensor<1024x512xf32>, %o: tensor<8x1024xf32>) -> tensor<8x1024xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<8x512xf32>, tensor<1024x512xf32>) outs(%z : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %0 : tensor<8x1024xf32>
}

// -----

// A matrix whose columns are side by side: two accesses of a row, and as many rows as an access has elements; more side by
// side where there are many columns.
// PLAN: @columns(
// PLAN-SAME: strategy = gemv, n = 8, loads = 4, blocks = 8, threads = 256,
// HYBRID: @columns(
// HYBRID-NOT: fallback
// HYBRID-SAME: strategy = gemv,
func.func private @columns(%x: tensor<512xf32>, %w: tensor<512x64xf32>, %o: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.vecmat ins(%x, %w : tensor<512xf32>, tensor<512x64xf32>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
// PLAN: @many_columns(
// PLAN-SAME: strategy = gemv, n = 32, loads = 8, blocks = 448, threads = 256,
func.func private @many_columns(%x: tensor<4x1024xbf16>, %w: tensor<1024x14336xbf16>, %o: tensor<4x14336xf32>) -> tensor<4x14336xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<4x14336xf32>) -> tensor<4x14336xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x1024xbf16>, tensor<1024x14336xbf16>) outs(%z : tensor<4x14336xf32>) -> tensor<4x14336xf32>
  return %0 : tensor<4x14336xf32>
}

// -----

// More rows by matrix instructions, before the library: as many neighbouring columns as leave blocks for most multiprocessors, the last
// of which may have a part of them.
// PLAN: @five_rows(
// PLAN-SAME: strategy = gemv, n = 64, loads = 1, blocks = 225, threads = 256,
// HYBRID: @five_rows(
// HYBRID-NOT: fallback
// HYBRID-SAME: strategy = gemv,
func.func private @five_rows(%x: tensor<5x512xbf16>, %w: tensor<512x14344xbf16>, %o: tensor<5x14344xf32>) -> tensor<5x14344xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<5x14344xf32>) -> tensor<5x14344xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<5x512xbf16>, tensor<512x14344xbf16>) outs(%z : tensor<5x14344xf32>) -> tensor<5x14344xf32>
  return %0 : tensor<5x14344xf32>
}
// PLAN: @sixteen_rows(
// PLAN-SAME: strategy = gemv, n = 16, loads = 4, blocks = 128, threads = 512,
// HYBRID: @sixteen_rows(
// HYBRID-NOT: fallback
// HYBRID-SAME: strategy = gemv,
func.func private @sixteen_rows(%x: tensor<16x2048xf16>, %w: tensor<2048x2048xf16>, %o: tensor<16x2048xf32>) -> tensor<16x2048xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x2048xf32>) -> tensor<16x2048xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x2048xf16>, tensor<2048x2048xf16>) outs(%z : tensor<16x2048xf32>) -> tensor<16x2048xf32>
  return %0 : tensor<16x2048xf32>
}
// A large matrix, alone: by the library where the cost decides.
// PLAN: @large(
// PLAN-SAME: strategy = gemv,
// HYBRID: @large(
// HYBRID-SAME: strategy = library,
func.func private @large(%x: tensor<8x4096xf16>, %w: tensor<4096x14336xf16>, %o: tensor<8x14336xf32>) -> tensor<8x14336xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x14336xf32>) -> tensor<8x14336xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x4096xf16>, tensor<4096x14336xf16>) outs(%z : tensor<8x14336xf32>) -> tensor<8x14336xf32>
  return %0 : tensor<8x14336xf32>
}

// A long sum of few columns, which one block would read alone: the library shares it among more.
// PLAN: @long_sum(
// PLAN-SAME: strategy = gemv,
// HYBRID: @long_sum(
// HYBRID-SAME: strategy = library,
func.func private @long_sum(%x: tensor<16x262144xbf16>, %w: tensor<262144x16xbf16>, %o: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x16xf32>) -> tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x262144xbf16>, tensor<262144x16xbf16>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// Nine rows, and seventeen; rows of columns that do not begin at 16 bytes; rows of 16 accesses, less than a warp has lanes; rows that do not begin at
// 16 bytes; a size known at run time only; a factor that is a part of a tensor.
// PLAN-NOT: strategy = gemv
func.func private @nine(%x: tensor<9x512xf32>, %w: tensor<64x512xf32>, %o: tensor<9x64xf32>) -> tensor<9x64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<9x64xf32>) -> tensor<9x64xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<9x512xf32>, tensor<64x512xf32>) outs(%z : tensor<9x64xf32>) -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}
func.func private @seventeen(%x: tensor<17x512xbf16>, %w: tensor<512x64xbf16>, %o: tensor<17x64xf32>) -> tensor<17x64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<17x64xf32>) -> tensor<17x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<17x512xbf16>, tensor<512x64xbf16>) outs(%z : tensor<17x64xf32>) -> tensor<17x64xf32>
  return %0 : tensor<17x64xf32>
}
func.func private @odd_columns(%x: tensor<512xf32>, %w: tensor<512x66xf32>, %o: tensor<66xf32>) -> tensor<66xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<66xf32>) -> tensor<66xf32>
  %0 = linalg.vecmat ins(%x, %w : tensor<512xf32>, tensor<512x66xf32>) outs(%z : tensor<66xf32>) -> tensor<66xf32>
  return %0 : tensor<66xf32>
}
func.func private @short(%x: tensor<128xbf16>, %w: tensor<64x128xbf16>, %o: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<64x128xbf16>, tensor<128xbf16>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func private @odd(%x: tensor<513xbf16>, %w: tensor<64x513xbf16>, %o: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<64x513xbf16>, tensor<513xbf16>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func private @dynamic(%x: tensor<512xf32>, %w: tensor<?x512xf32>, %o: tensor<?xf32>) -> tensor<?xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<?x512xf32>, tensor<512xf32>) outs(%z : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @part(%x: tensor<512xf32>, %all: tensor<65x512xf32>, %o: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %w = tensor.extract_slice %all[1, 0] [64, 512] [1, 1] : tensor<65x512xf32> to tensor<64x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<64x512xf32>, tensor<512xf32>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
