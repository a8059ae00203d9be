// Which products get strategy wgmma, with which tiles: the widest, and a narrower one where it leaves fewer of 132 multiprocessors
// idle; chips without the instructions, and products that tensor maps cannot describe, get another strategy.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=hybrid to=kernels" | FileCheck %s --check-prefix=HYBRID
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_80 tier=optimized to=kernels" | FileCheck %s --check-prefix=OLDER
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=correctness to=kernels" | FileCheck %s --check-prefix=OLDER

// OLDER-NOT: wgmma

// CHECK: forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256, k = 64, stages = 4,
// The default takes it too; an unknown number of rows, and GELU, are the library's there.
// HYBRID: forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256, k = 64, stages = 4,
func.func @large(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}

// -----

// CHECK: forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 64, k = 64, stages = 8,
// HYBRID: func.func @few_rows
func.func @few_rows(%x: tensor<128x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<128x4096xf16> {
  %0 = transformer.matmul %x, %w : (tensor<128x4096xf16>, tensor<4096x4096xf16>) -> tensor<128x4096xf16>
  return %0 : tensor<128x4096xf16>
}

// -----

// HYBRID: func.func private @contraction
// HYBRID-SAME: forge.fallback_schedule = #forge.schedule<strategy = wgmma,{{.*}} forge.schedule = #forge.schedule<strategy = library,
// One kernel with its bias, residual and rounding.
// CHECK: func.func private @contraction(%{{.*}}: tensor<?x512xbf16>, %{{.*}}: tensor<512x512xbf16>, %{{.*}}: tensor<512xbf16>, %{{.*}}: tensor<?x512xbf16>, %{{.*}}: tensor<?x512xbf16>, %{{.*}}: index)
// CHECK-SAME: strategy = wgmma,
// CHECK-NOT: forge.schedule
// CHECK: func.func @dynamic
func.func @dynamic(%x: tensor<?x512xbf16>, %w: tensor<512x512xbf16>, %b: tensor<512xbf16>, %r: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %0 = transformer.matmul %x, %w bias %b residual %r : (tensor<?x512xbf16>, tensor<512x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>) -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}

// -----

// HYBRID: func.func @others
// 100 terms are rows of 200 bytes, which tensor maps do not take, and 96 columns too few to pad them for; f32 is never rounded to tf32; and 63 rows are too few.
// CHECK-NOT: wgmma
// CHECK: func.func @others
func.func @others(%x: tensor<128x100xbf16>, %w: tensor<100x96xbf16>, %y: tensor<128x128xf32>, %z: tensor<63x128xbf16>, %v: tensor<128x128xbf16>)
    -> (tensor<128x96xbf16>, tensor<128x128xf32>, tensor<63x128xbf16>) {
  %0 = transformer.matmul %x, %w : (tensor<128x100xbf16>, tensor<100x96xbf16>) -> tensor<128x96xbf16>
  %1 = transformer.matmul %y, %y : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = transformer.matmul %z, %v : (tensor<63x128xbf16>, tensor<128x128xbf16>) -> tensor<63x128xbf16>
  return %0, %1, %2 : tensor<128x96xbf16>, tensor<128x128xf32>, tensor<63x128xbf16>
}

// -----

// Sixteen tiles with long sums.
// HYBRID: func.func private @contraction
// HYBRID-SAME: forge.fallback_schedule = #forge.schedule<strategy = wgmma,{{.*}} forge.schedule = #forge.schedule<strategy = library,
func.func @few_tiles(%x: tensor<128x8192xbf16>, %w: tensor<1024x8192xbf16>) -> tensor<128x1024xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<128x8192xbf16>, tensor<1024x8192xbf16>) -> tensor<128x1024xbf16>
  return %0 : tensor<128x1024xbf16>
}

// -----

// HYBRID: func.func private @contraction
// HYBRID-SAME: forge.fallback_schedule = #forge.schedule<strategy = wgmma,{{.*}} forge.schedule = #forge.schedule<strategy = library,
func.func @gelu(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs, activation = #transformer.activation<gelu_tanh>} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}

// -----

// Wide results of an even number of columns that eight does not divide take the library several times as long; a long sum hides that.
// HYBRID: func.func private @contraction
// HYBRID-NOT: forge.fallback_schedule
// HYBRID-SAME: forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256,
// HYBRID: func.func @uneven_scores
func.func @uneven_scores(%q: tensor<48x1500x64xbf16>, %k: tensor<48x1500x64xbf16>) -> tensor<48x1500x1500xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<48x1500x64xbf16>, tensor<48x1500x64xbf16>) -> tensor<48x1500x1500xf32>
  return %0 : tensor<48x1500x1500xf32>
}

// -----

// HYBRID: func.func private @contraction
// HYBRID-SAME: forge.schedule = #forge.schedule<strategy = library,
// HYBRID: func.func @long_sums
func.func @long_sums(%q: tensor<1500x4096xbf16>, %k: tensor<1500x4096xbf16>) -> tensor<1500x1500xf32> {
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<1500x4096xbf16>, tensor<1500x4096xbf16>) -> tensor<1500x1500xf32>
  return %0 : tensor<1500x1500xf32>
}

// -----

// HYBRID: func.func private @contraction
// HYBRID-SAME: forge.schedule = #forge.schedule<strategy = library,
// HYBRID: func.func @short_rows
func.func @short_rows(%q: tensor<32x4096x40xbf16>, %k: tensor<32x4096x40xbf16>) -> tensor<32x4096x4096xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x4096x40xbf16>, tensor<32x4096x40xbf16>) -> tensor<32x4096x4096xf32>
  return %0 : tensor<32x4096x4096xf32>
}
