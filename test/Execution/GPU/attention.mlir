// Attention of a few queries, in one kernel, by strategy attention what flash does not take (few-rows.mlir): f32, pages, open sizes, computed factors, on simulated chips with warps of 32 and 64: results against the
// reference, races, wrong addresses and missing barriers found by the simulator.
// RUN: forge compile %s --function grouped --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=FLASH
// RUN: forge verify %s --function grouped --target sim:sm_90a
// RUN: forge verify %s --function grouped --target sim:gfx942
// RUN: forge verify %s --function grouped --target sim:sm_90a --tier production
// RUN: forge verify %s --function grouped --target sim:sm_90a --distribution huge
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function grouped --target sim:sm_90a
// RUN: forge compile %s --function shared_keys --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PIECES
// RUN: forge verify %s --function shared_keys --target sim:sm_90a --dynamic-size 600
// RUN: forge compile %s --function scores --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function scores --target sim:sm_90a
// RUN: forge verify %s --function scores --target sim:gfx942
// RUN: forge compile %s --function nothing_seen --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function nothing_seen --target sim:sm_90a
// RUN: forge verify %s --function nothing_seen --target sim:gfx1100
// RUN: forge compile %s --function beyond --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=STRATEGY
// RUN: forge verify %s --function beyond --target sim:sm_90a
// RUN: forge compile %s --function masked --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=FLASH
// RUN: forge verify %s --function masked --target sim:sm_90a
// RUN: forge verify %s --function masked --target sim:gfx942
// RUN: forge compile %s --function sizes --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function sizes --target sim:sm_90a --dynamic-size 5
// RUN: forge verify %s --function sizes --target sim:gfx942 --dynamic-size 1
// RUN: forge verify %s --function sizes --target sim:gfx942 --dynamic-size 0
// RUN: forge compile %s --function pages --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function pages --target sim:sm_90a
// RUN: forge verify %s --function pages --target sim:gfx942
// RUN: forge compile %s --function wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WIDE
// RUN: forge verify %s --function wide --target sim:sm_90a --dynamic-size 70
// RUN: forge compile %s --function as_jax_has_it --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function as_jax_has_it --target sim:sm_90a
// RUN: forge compile %s --function narrow_and_wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ALIGNED
// RUN: forge verify %s --function narrow_and_wide --target sim:sm_90a
// RUN: forge verify %s --function narrow_and_wide --target sim:gfx942
// RUN: forge compile %s --function narrow_cache --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function narrow_cache --target sim:sm_90a
// RUN: forge compile %s --function narrow_rows --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=NARROW
// RUN: forge verify %s --function narrow_rows --target sim:sm_90a
// RUN: forge verify %s --function narrow_rows --target sim:gfx942

// STRATEGY: strategy = attention,
// ONE: strategy = attention,
// ONE-NOT: strategy =
// ALIGNED: strategy = attention, keys = 64, split_kv = 1
// PIECES: strategy = attention, keys = 256, split_kv = 8
// FLASH: strategy = flash, m = 16
// FLASH-NOT: strategy =
// WIDE: strategy = attention, {{.*}}threads = 128

// One new token of two sequences: four query heads share a key head, keys divide no chunk.
func.func @grouped(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x77x64xbf16>, %v: tensor<2x2x77x64xbf16>, %n: tensor<2xi32>) -> tensor<2x8x1x64xbf16> {
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<2x8x1x64xbf16>, tensor<2x2x77x64xbf16>, tensor<2x2x77x64xbf16>, tensor<2xi32>) -> tensor<2x8x1x64xbf16>
  return %o : tensor<2x8x1x64xbf16>
}
// Blocks of a cluster share the keys of a head; three rows.
func.func @shared_keys(%q: tensor<1x6x1x128xf16>, %k: tensor<1x2x?x128xf16>, %v: tensor<1x2x?x128xf16>) -> tensor<1x6x1x128xf16> {
  %o = transformer.attention %q, %k, %v {causal} : (tensor<1x6x1x128xf16>, tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16>) -> tensor<1x6x1x128xf16>
  return %o : tensor<1x6x1x128xf16>
}
// What is done to scores: scale, cap, a slope for each head and distance, a window; sinks; two new tokens; Dv is not D.
func.func @scores(%q: tensor<1x4x2x64xf32>, %k: tensor<1x2x90x64xf32>, %v: tensor<1x2x90x32xf32>, %p: tensor<1xi32>, %s: tensor<4xf32>, %slopes: tensor<4xf32>) -> tensor<1x4x2x32xf32> {
  %o = transformer.attention %q, %k, %v offsets %p sinks %s {causal, window = 40 : i64, scale = 0.25 : f32, soft_cap = 5.0 : f32} score {
  ^bb0(%x: f32, %b: index, %h: index, %i: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %place = arith.index_cast %t : index to i32
    %distance = arith.sitofp %place : i32 to f32
    %bias = arith.mulf %slope, %distance : f32
    %y = arith.subf %x, %bias : f32
    transformer.yield %y : f32
  } : (tensor<1x4x2x64xf32>, tensor<1x2x90x64xf32>, tensor<1x2x90x32xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<1x4x2x32xf32>
  return %o : tensor<1x4x2x32xf32>
}
// A sequence without a key: its rows are zero; of another the last chunks are seen by no row.
func.func @nothing_seen(%q: tensor<3x2x1x64xf32>, %k: tensor<3x2x300x64xf32>, %v: tensor<3x2x300x64xf32>) -> tensor<3x2x1x64xf32> {
  %n = arith.constant dense<[0, 3, 300]> : tensor<3xi32>
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<3x2x1x64xf32>, tensor<3x2x300x64xf32>, tensor<3x2x300x64xf32>, tensor<3xi32>) -> tensor<3x2x1x64xf32>
  return %o : tensor<3x2x1x64xf32>
}
// What is beyond a sequence's length is never used, no matter what it holds.
func.func @beyond(%q: tensor<1x2x1x64xf32>, %k: tensor<1x2x50x64xf32>, %v: tensor<1x2x50x64xf32>) -> tensor<1x2x1x64xf32> {
  %n = arith.constant dense<50> : tensor<1xi32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %ks = stablehlo.pad %k, %nan, low = [0, 0, 0, 0], high = [0, 0, 20, 0], interior = [0, 0, 0, 0] : (tensor<1x2x50x64xf32>, tensor<f32>) -> tensor<1x2x70x64xf32>
  %vs = stablehlo.pad %v, %nan, low = [0, 0, 0, 0], high = [0, 0, 20, 0], interior = [0, 0, 0, 0] : (tensor<1x2x50x64xf32>, tensor<f32>) -> tensor<1x2x70x64xf32>
  %o = transformer.attention %q, %ks, %vs lengths %n : (tensor<1x2x1x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1xi32>) -> tensor<1x2x1x64xf32>
  return %o : tensor<1x2x1x64xf32>
}
func.func @masked(%q: tensor<2x3x2x64xbf16>, %k: tensor<2x3x40x64xbf16>, %v: tensor<2x3x40x64xbf16>, %m: tensor<2x1x2x40xi1>) -> tensor<2x3x2x64xbf16> {
  %o = transformer.attention %q, %k, %v mask %m : (tensor<2x3x2x64xbf16>, tensor<2x3x40x64xbf16>, tensor<2x3x40x64xbf16>, tensor<2x1x2x40xi1>) -> tensor<2x3x2x64xbf16>
  return %o : tensor<2x3x2x64xbf16>
}
// Sequences and keys of sizes known at run time.
func.func @sizes(%q: tensor<?x4x1x64xbf16>, %k: tensor<?x2x?x64xbf16>, %v: tensor<?x2x?x64xbf16>) -> tensor<?x4x1x64xbf16> {
  %o = transformer.attention %q, %k, %v : (tensor<?x4x1x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16>) -> tensor<?x4x1x64xbf16>
  return %o : tensor<?x4x1x64xbf16>
}
// Keys and values in pages, found by a table in the kernel.
func.func @pages(%q: tensor<2x4x1x64xbf16>, %k: tensor<9x2x16x64xbf16>, %v: tensor<9x2x16x64xbf16>, %t: tensor<2x5xi32>, %n: tensor<2xi32>) -> tensor<2x4x1x64xbf16> {
  %o = transformer.paged_attention %q, %k, %v table %t lengths %n {causal} : (tensor<2x4x1x64xbf16>, tensor<9x2x16x64xbf16>, tensor<9x2x16x64xbf16>, tensor<2x5xi32>, tensor<2xi32>) -> tensor<2x4x1x64xbf16>
  return %o : tensor<2x4x1x64xbf16>
}
// Eight rows of 256 columns: fewer threads, whose sums fit into shared memory.
func.func @wide(%q: tensor<1x8x1x256xbf16>, %k: tensor<1x1x?x256xbf16>, %v: tensor<1x1x?x256xbf16>) -> tensor<1x8x1x256xbf16> {
  %o = transformer.attention %q, %k, %v : (tensor<1x8x1x256xbf16>, tensor<1x1x?x256xbf16>, tensor<1x1x?x256xbf16>) -> tensor<1x8x1x256xbf16>
  return %o : tensor<1x8x1x256xbf16>
}
// A key is four accesses, its value 128: a chunk has as many keys as all threads access at once.
func.func @narrow_and_wide(%q: tensor<1x2x1x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x70x512xf32>) -> tensor<1x2x1x512xf32> {
  %o = transformer.attention %q, %k, %v : (tensor<1x2x1x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x512xf32>) -> tensor<1x2x1x512xf32>
  return %o : tensor<1x2x1x512xf32>
}
// Keys and values of 8 bits with a scale for each head: read narrow, widened in the kernel.
func.func @narrow_cache(%q: tensor<1x4x1x128xf32>, %k: tensor<1x2x60x128xi8>, %v: tensor<1x2x60x128xi8>, %s: tensor<2xf32>) -> tensor<1x4x1x128xf32> {
  %kf = stablehlo.convert %k : (tensor<1x2x60x128xi8>) -> tensor<1x2x60x128xf32>
  %vf = stablehlo.convert %v : (tensor<1x2x60x128xi8>) -> tensor<1x2x60x128xf32>
  %scales = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<2xf32>) -> tensor<1x2x60x128xf32>
  %ks = stablehlo.multiply %kf, %scales : tensor<1x2x60x128xf32>
  %vs = stablehlo.multiply %vf, %scales : tensor<1x2x60x128xf32>
  %o = transformer.attention %q, %ks, %vs : (tensor<1x4x1x128xf32>, tensor<1x2x60x128xf32>, tensor<1x2x60x128xf32>) -> tensor<1x4x1x128xf32>
  return %o : tensor<1x4x1x128xf32>
}
// Of four rows on each head of keys a thread has eight elements of an access: of sixteen the queries and sums would not fit its
// registers.
// NARROW: vector.load {{.*}}xi8{{.*}}, vector<8xi8>
// NARROW-NOT: vector<16xi8>
func.func @narrow_rows(%q: tensor<1x4x4x128xbf16>, %k: tensor<1x4x300x128xi8>, %ks: tensor<1x4x300xbf16>, %v: tensor<1x4x300x128xi8>, %vs: tensor<1x4x300xbf16>) -> tensor<1x4x4x128xbf16> {
  %kf = stablehlo.convert %k : (tensor<1x4x300x128xi8>) -> tensor<1x4x300x128xbf16>
  %vf = stablehlo.convert %v : (tensor<1x4x300x128xi8>) -> tensor<1x4x300x128xbf16>
  %kb = stablehlo.broadcast_in_dim %ks, dims = [0, 1, 2] : (tensor<1x4x300xbf16>) -> tensor<1x4x300x128xbf16>
  %vb = stablehlo.broadcast_in_dim %vs, dims = [0, 1, 2] : (tensor<1x4x300xbf16>) -> tensor<1x4x300x128xbf16>
  %kk = stablehlo.multiply %kf, %kb : tensor<1x4x300x128xbf16>
  %vv = stablehlo.multiply %vf, %vb : tensor<1x4x300x128xbf16>
  %o = transformer.attention %q, %kk, %vv : (tensor<1x4x4x128xbf16>, tensor<1x4x300x128xbf16>, tensor<1x4x300x128xbf16>) -> tensor<1x4x4x128xbf16>
  return %o : tensor<1x4x4x128xbf16>
}
// Weights divided before they meet the values.
func.func @as_jax_has_it(%q: tensor<2x4x64xf32>, %k: tensor<2x50x64xf32>, %v: tensor<2x50x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x64xf32>, tensor<2x50x64xf32>) -> tensor<2x4x50xf32>
  %m = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x50xf32>, tensor<f32>) -> tensor<2x4xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x50xf32>
  %d = stablehlo.subtract %s, %mb : tensor<2x4x50xf32>
  %e = stablehlo.exponential %d : tensor<2x4x50xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x50xf32>, tensor<f32>) -> tensor<2x4xf32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x50xf32>
  %p = stablehlo.divide %e, %zb : tensor<2x4x50xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x50xf32>, tensor<2x50x64xf32>) -> tensor<2x4x64xf32>
  return %o : tensor<2x4x64xf32>
}
