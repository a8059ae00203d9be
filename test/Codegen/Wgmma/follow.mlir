// What follows a product becomes part of its kernel: always where the library is not asked; in tier hybrid where that takes no longer
// than the library and an elementwise kernel behind it; never in tier production, unless the library computes it too.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=hybrid to=kernels" | FileCheck %s --check-prefix=HYBRID
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=production to=kernels" | FileCheck %s --check-prefix=PRODUCTION

// CHECK: strategy = wgmma,
// CHECK-NOT: strategy =
// CHECK-LABEL: func.func @silu
// HYBRID: strategy = wgmma,
// HYBRID-NOT: strategy =
// HYBRID-LABEL: func.func @silu
// PRODUCTION: forge.schedule = #forge.schedule<strategy = library,
// PRODUCTION: strategy = rows,
// PRODUCTION-LABEL: func.func @silu
func.func @silu(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %b: tensor<4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}

// -----

// A tanh of f32 takes longer than memory for the sums, in any tier.
// CHECK: strategy = wgmma,
// CHECK: strategy = rows,
// CHECK-LABEL: func.func @tanh
// HYBRID: strategy = wgmma,
// HYBRID: strategy = rows,
// HYBRID-LABEL: func.func @tanh
func.func @tanh(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xf32>
  %1 = stablehlo.tanh %0 : tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// -----

// A tile of 64 rows.
// CHECK: strategy = wgmma, m = 64,
// CHECK-NOT: strategy =
// CHECK-LABEL: func.func @few_rows
// HYBRID: forge.schedule = #forge.schedule<strategy = wgmma, m = 64,
// HYBRID-NOT: strategy =
// HYBRID-LABEL: func.func @few_rows
func.func @few_rows(%x: tensor<64x4096xbf16>, %w: tensor<4096x4096xbf16>, %b: tensor<4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<64x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xbf16>) -> tensor<64x4096xbf16>
  return %0 : tensor<64x4096xbf16>
}

// -----

// A gated MLP's first half: one kernel of two products; its sums are temporaries.
// CHECK: func.func private @contraction(%[[X:.*]]: tensor<512x4096xbf16>, %[[G:.*]]: tensor<4096x4096xbf16>, %[[U:.*]]: tensor<4096x4096xbf16>, %{{.*}}: tensor<512x4096xbf16>)
// CHECK-SAME: strategy = wgmma, m = 128, n = 256, k = 64, stages = 4
// CHECK: linalg.fill
// CHECK: ins(%[[X]], %[[G]] :
// CHECK: linalg.fill
// CHECK: ins(%[[X]], %[[U]] :
// CHECK-NOT: strategy =
// CHECK-LABEL: func.func @gated
// HYBRID: strategy = wgmma,
// HYBRID-NOT: strategy =
// HYBRID-LABEL: func.func @gated
// PRODUCTION-COUNT-2: forge.schedule = #forge.schedule<strategy = library,
// PRODUCTION: strategy = rows,
// PRODUCTION-LABEL: func.func @gated
func.func @gated(%x: tensor<512x4096xbf16>, %g: tensor<4096x4096xbf16>, %u: tensor<4096x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<512x4096xbf16>
  return %2 : tensor<512x4096xbf16>
}

// -----

// The second product has a left factor of its own: it is a kernel of its own, which rounds what the first one reads.
// CHECK: func.func private @contraction({{.*}}) -> tensor<512x4096xbf16> attributes {{.*}}strategy = wgmma,
// CHECK: func.func private @contraction{{.*}}({{.*}}) -> tensor<512x4096xbf16> attributes {{.*}}strategy = wgmma,
// CHECK-NOT: strategy =
// CHECK-LABEL: func.func @other_left
// HYBRID-LABEL: func.func @other_left
func.func @other_left(%x: tensor<512x4096xbf16>, %y: tensor<512x4096xbf16>, %g: tensor<4096x4096xbf16>, %u: tensor<4096x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %1 = transformer.matmul %y, %u {transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<512x4096xbf16>
  return %2 : tensor<512x4096xbf16>
}

// -----

// GELU of a gate: its tanh is added to 1, and what it becomes is rounded.
// CHECK: strategy = wgmma,
// CHECK-NOT: strategy =
// CHECK-LABEL: func.func @gated_gelu
// HYBRID: strategy = wgmma,
// HYBRID-NOT: strategy =
// HYBRID-LABEL: func.func @gated_gelu
func.func @gated_gelu(%x: tensor<512x4096xbf16>, %g: tensor<4096x4096xbf16>, %u: tensor<4096x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<gelu_tanh>, transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<512x4096xbf16>
  return %2 : tensor<512x4096xbf16>
}
