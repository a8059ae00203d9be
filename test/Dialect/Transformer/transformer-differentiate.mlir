// RUN: split-file %s %t
// RUN: forge-opt %t/linear.mlir --transformer-differentiate=arguments=1 | FileCheck %s --check-prefix=LINEAR
// RUN: forge-opt %t/mixed.mlir --transformer-differentiate="function=f name=f_backward primal-results" | FileCheck %s --check-prefix=MIXED
// RUN: forge-opt %t/dynamic.mlir --transformer-differentiate | FileCheck %s --check-prefix=DYNAMIC
// RUN: forge-opt %t/cache.mlir --transformer-differentiate | FileCheck %s --check-prefix=CACHE
// RUN: forge-opt %t/paged.mlir --transformer-differentiate | FileCheck %s --check-prefix=PAGED
// RUN: forge-opt %t/tables.mlir --transformer-differentiate=arguments=1,2 | FileCheck %s --check-prefix=TABLES
// RUN: forge-opt %t/flow.mlir --transformer-differentiate | FileCheck %s --check-prefix=FLOW
// RUN: forge-opt %t/donated.mlir --transformer-differentiate | FileCheck %s --check-prefix=DONATED
// RUN: forge-opt %t/groups.mlir --transformer-differentiate | FileCheck %s --check-prefix=GROUPS

// The example of the pass.
// LINEAR-LABEL: func.func @f(
// LINEAR-LABEL: func.func @f_grad(
// LINEAR-SAME: %[[X:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<8x2xf32>, %[[DY:.*]]: tensor<4x2xf32>) -> tensor<8x2xf32> {
// LINEAR-NEXT: %[[DW:.*]] = transformer.matmul %[[X]], %[[DY]] {transpose_lhs} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// LINEAR-NEXT: return %[[DW]] : tensor<8x2xf32>
//--- linear.mlir
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %y = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Several uses are added up, an unused argument has the gradient zero, integers have none, calls are inlined, the
// epilogue of a product is taken apart first.
// MIXED-LABEL: func.func @f_backward(
// MIXED-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[I:.*]]: tensor<4xi32>, %[[U:.*]]: tensor<3xf32>, %[[DY:.*]]: tensor<4x8xf32>)
// MIXED-SAME: -> (tensor<4x8xf32>, tensor<4xi32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<3xf32>) {
// MIXED: %[[H:.*]] = transformer.layer_norm %[[X]]
// MIXED: %[[Z:.*]] = transformer.matmul %[[H]], %[[W]] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// MIXED: %[[A:.*]] = transformer.activation silu %[[Z]]
// MIXED: %[[Y:.*]] = transformer.add %[[A]], %[[X]]
// MIXED: %[[DZ:.*]] = transformer.activation_grad silu %[[DY]], %[[Z]] : tensor<4x8xf32>
// MIXED: %[[DH:.*]] = transformer.matmul %[[DZ]], %[[W]] {transpose_rhs}
// MIXED: %[[DW:.*]] = transformer.matmul %[[H]], %[[DZ]] {transpose_lhs}
// MIXED: %[[DN:.*]], %{{.*}}, %{{.*}} = transformer.layer_norm_grad %[[DH]], %[[X]]
// MIXED: %[[DX:.*]] = transformer.add %[[DY]], %[[DN]] : tensor<4x8xf32>
// MIXED: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf32>
// MIXED: return %[[Y]], %[[I]], %[[DX]], %[[DW]], %[[ZERO]]
//--- mixed.mlir
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %i: tensor<4xi32>, %u: tensor<3xf32>) -> (tensor<4x8xf32>, tensor<4xi32>) {
  %y = call @g(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y, %i : tensor<4x8xf32>, tensor<4xi32>
}
func.func @g(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %h = transformer.layer_norm %x {epsilon = 1.0e-05 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = transformer.matmul %h, %w residual %x {activation = #transformer.activation<silu>}
      : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// All rows of a batch go into one product for the shared weights; zeros of dynamic size; a bias is summed over.
// DYNAMIC-LABEL: func.func @main_grad(
// DYNAMIC-SAME: %[[X:.*]]: tensor<?x5x8xbf16>, %[[W:.*]]: tensor<2x8xbf16>, %[[B:.*]]: tensor<2xbf16>, %[[U:.*]]: tensor<?xf32>, %[[DY:.*]]: tensor<?x5x2xbf16>)
// DYNAMIC: %[[DB:.*]] = transformer.sum %[[DY]] {dimensions = array<i64: 0, 1>} : tensor<?x5x2xbf16> -> tensor<2xbf16>
// DYNAMIC: %[[DX:.*]] = transformer.matmul %[[DY]], %[[W]] : (tensor<?x5x2xbf16>, tensor<2x8xbf16>) -> tensor<?x5x8xbf16>
// DYNAMIC: %[[XR:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<?x5x8xbf16> into tensor<?x8xbf16>
// DYNAMIC: %[[DYR:.*]] = tensor.collapse_shape %[[DY]] {{\[}}[0, 1], [2]] : tensor<?x5x2xbf16> into tensor<?x2xbf16>
// DYNAMIC: %[[DW:.*]] = transformer.matmul %[[DYR]], %[[XR]] {transpose_lhs} : (tensor<?x2xbf16>, tensor<?x8xbf16>) -> tensor<2x8xbf16>
// DYNAMIC: %[[DU:.*]] = linalg.fill
// DYNAMIC: return %[[DX]], %[[DW]], %[[DB]], %[[DU]]
//--- dynamic.mlir
func.func @main(%x: tensor<?x5x8xbf16>, %w: tensor<2x8xbf16>, %b: tensor<2xbf16>, %u: tensor<?xf32>) -> tensor<?x5x2xbf16> {
  %y = transformer.matmul %x, %w bias %b {transpose_rhs} : (tensor<?x5x8xbf16>, tensor<2x8xbf16>, tensor<2xbf16>) -> tensor<?x5x2xbf16>
  return %y : tensor<?x5x2xbf16>
}

// The rows of a cache get what is where they were written, the cache the rest.
// CACHE-LABEL: func.func @main_grad(
// CACHE-SAME: %[[R:.*]]: tensor<2x4x3x5xf32>, %{{.*}}: tensor<2x4x8x5xf32>, %[[AT:.*]]: tensor<2xi32>, %[[DY:.*]]: tensor<2x4x8x5xf32>)
// CACHE-NEXT: %[[DR:.*]] = transformer.kv_append_grad %[[DY]], %[[R]] at %[[AT]]
// CACHE-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2x4x3x5xf32>
// CACHE-NEXT: %[[DC:.*]] = transformer.kv_append %[[ZERO]] into %[[DY]] at %[[AT]]
// CACHE-NEXT: return %[[DR]], %[[DC]]
//--- cache.mlir
func.func @main(%r: tensor<2x4x3x5xf32>, %c: tensor<2x4x8x5xf32>, %at: tensor<2xi32>) -> tensor<2x4x8x5xf32> {
  %0 = transformer.kv_append %r into %c at %at : (tensor<2x4x3x5xf32>, tensor<2x4x8x5xf32>, tensor<2xi32>) -> tensor<2x4x8x5xf32>
  return %0 : tensor<2x4x8x5xf32>
}

// Pages are rows of a table, and gradients are added up by row; a score region has its slope beside it.
// PAGED-LABEL: func.func @main_grad(
// PAGED-SAME: %[[Q:.*]]: tensor<2x4x3x5xf32>, %[[P:.*]]: tensor<7x2x3x5xf32>, %[[T:.*]]: tensor<2x6xi32>, %[[N:.*]]: tensor<2xi32>, %[[DY:.*]]: tensor<2x4x3x5xf32>)
// PAGED: %[[POOL:.*]] = tensor.collapse_shape %[[P]] {{\[}}[0], [1, 2, 3]] : tensor<7x2x3x5xf32> into tensor<7x30xf32>
// PAGED: transformer.embedding %[[POOL]], %[[T]] : (tensor<7x30xf32>, tensor<2x6xi32>) -> tensor<2x6x30xf32>
// PAGED: %[[DQ:.*]], %{{.*}}, %{{.*}} = transformer.attention_grad %[[DY]], %[[Q]], %{{.*}}, %{{.*}} lengths %[[N]] score {
// PAGED-NEXT: ^bb0(%[[X:.*]]: f32,
// PAGED-NEXT: arith.mulf %[[X]], %[[X]] : f32
// PAGED-NEXT: yield
// PAGED-NEXT: } slope {
// PAGED-NEXT: ^bb0(%[[X:.*]]: f32,
// PAGED-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : f32
// PAGED-NEXT: yield %[[SUM]] : f32
// PAGED: %[[DV:.*]] = transformer.embedding_grad %{{.*}}, %[[T]], %{{.*}} : (tensor<2x6x30xf32>, tensor<2x6xi32>, tensor<7x30xf32>)
// PAGED: %[[DK:.*]] = transformer.embedding_grad %{{.*}}, %[[T]], %{{.*}} : (tensor<2x6x30xf32>, tensor<2x6xi32>, tensor<7x30xf32>)
// PAGED: %[[DP:.*]] = transformer.add
// PAGED: return %[[DQ]], %[[DP]]
//--- paged.mlir
func.func @main(%q: tensor<2x4x3x5xf32>, %p: tensor<7x2x3x5xf32>, %t: tensor<2x6xi32>, %n: tensor<2xi32>) -> tensor<2x4x3x5xf32> {
  %0 = transformer.paged_attention %q, %p, %p table %t lengths %n score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %u: index):
    %y = arith.mulf %x, %x : f32
    transformer.yield %y : f32
  } : (tensor<2x4x3x5xf32>, tensor<7x2x3x5xf32>, tensor<7x2x3x5xf32>, tensor<2x6xi32>, tensor<2xi32>) -> tensor<2x4x3x5xf32>
  return %0 : tensor<2x4x3x5xf32>
}

// Each element that a score region reads has a derivative and a place; a number from outside is computed inside.
// TABLES-LABEL: func.func @main_grad(
// TABLES-SAME: %[[Q:.*]]: tensor<2x4x3x5xf32>, %[[S:.*]]: tensor<4xbf16>, %[[N:.*]]: tensor<f32>, %[[DY:.*]]: tensor<2x4x3x5xf32>)
// TABLES: %{{.*}}, %{{.*}}, %{{.*}}, %[[D:.*]]:2 = transformer.attention_grad %[[DY]], %[[Q]], %[[Q]], %[[Q]] tables %[[N]], %[[S]] score {
// TABLES: tensor.extract %[[N]][] : tensor<f32>
// TABLES: } slope {
// TABLES-NEXT: ^bb0(%[[X:.*]]: f32, %{{[^:]*}}: index, %[[H:[^:]*]]: index,
// TABLES: %[[FACTOR:.*]] = math.exp
// TABLES: %[[FAR:.*]] = arith.sitofp
// TABLES: %[[BYN:.*]] = arith.mulf
// TABLES: transformer.yield %[[FACTOR]], %[[BYN]], %[[FAR]], %[[H]] : f32, f32, f32, index
// TABLES: return %[[D]]#1, %[[D]]#0 : tensor<4xbf16>, tensor<f32>
//--- tables.mlir
func.func @main(%q: tensor<2x4x3x5xf32>, %slopes: tensor<4xbf16>, %temperature: tensor<f32>) -> tensor<2x4x3x5xf32> {
  %number = tensor.extract %temperature[] : tensor<f32>
  %factor = math.exp %number : f32
  %0 = transformer.attention %q, %q, %q score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %d = arith.subi %t, %s : index
    %i = arith.index_cast %d : index to i32
    %far = arith.sitofp %i : i32 to f32
    %narrow = tensor.extract %slopes[%h] : tensor<4xbf16>
    %slope = arith.extf %narrow : bf16 to f32
    %bias = arith.mulf %slope, %far : f32
    %hot = arith.mulf %x, %factor : f32
    %y = arith.addf %hot, %bias : f32
    transformer.yield %y : f32
  } : (tensor<2x4x3x5xf32>, tensor<2x4x3x5xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  return %0 : tensor<2x4x3x5xf32>
}

// A loop becomes its rounds; each side of a branch yields the gradients of what both sides read, and computes again what it needs.
// FLOW-LABEL: func.func @main_grad(
// FLOW-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<i1>, %[[DY:.*]]: tensor<4xf32>)
// FLOW-NOT: scf.for
// FLOW: %[[FLAG:.*]] = tensor.extract %[[C]][] : tensor<i1>
// FLOW: transformer.multiply %[[X]], %[[W]]
// FLOW: %[[H:.*]] = transformer.multiply
// FLOW: %[[D:.*]]:2 = scf.if %[[FLAG]] -> (tensor<4xf32>, tensor<4xf32>) {
// FLOW:   %[[Y:.*]] = math.exp %[[H]]
// FLOW:   %[[DH:.*]] = arith.mulf %[[DY]], %[[Y]]
// FLOW:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// FLOW:   scf.yield %[[DH]], %[[ZERO]]
// FLOW: } else {
// FLOW:   scf.yield %{{.*}}, %[[DY]]
// FLOW: }
// FLOW: transformer.multiply %[[D]]#0, %[[W]]
// FLOW-NOT: scf.if
// FLOW: return
//--- flow.mlir
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %flag = tensor.extract %c[] : tensor<i1>
  %h = scf.for %i = %c0 to %c2 step %c1 iter_args(%g = %x) -> tensor<4xf32> {
    %p = transformer.multiply %g, %w : tensor<4xf32>
    scf.yield %p : tensor<4xf32>
  }
  %y = scf.if %flag -> tensor<4xf32> {
    %e = math.exp %h : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %w : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Both gradients of groups by position go by position.
// GROUPS-LABEL: func.func @main_grad(
// GROUPS-SAME: %[[X:.*]]: tensor<7x4xf32>, %[[W:.*]]: tensor<3x4x5xf32>, %[[G:.*]]: tensor<4xi32>, %[[DY:.*]]: tensor<7x5xf32>)
// GROUPS-NEXT: %[[DX:.*]] = transformer.grouped_matmul %[[DY]], %[[W]] groups %[[G]] {offsets, transpose_rhs}
// GROUPS-NEXT: %[[DW:.*]] = transformer.grouped_outer %[[X]], %[[DY]] groups %[[G]] {offsets}
// GROUPS-NEXT: return %[[DX]], %[[DW]]
//--- groups.mlir
func.func @main(%x: tensor<7x4xf32>, %w: tensor<3x4x5xf32>, %g: tensor<4xi32>) -> tensor<7x5xf32> {
  %0 = transformer.grouped_matmul %x, %w groups %g {offsets} : (tensor<7x4xf32>, tensor<3x4x5xf32>, tensor<4xi32>) -> tensor<7x5xf32>
  return %0 : tensor<7x5xf32>
}

// Arguments that a caller gave away to the function are not given away to its gradient.
// DONATED-LABEL: func.func @main_grad(
// DONATED-SAME: %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32> {jax.arg_info = "w"}, %{{.*}}: tensor<4xf32>)
//--- donated.mlir
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %w: tensor<4xf32> {jax.buffer_donor = true, jax.arg_info = "w"})
    -> (tensor<4xi32>, tensor<4xf32>) {
  %i = arith.constant dense<1> : tensor<4xi32>
  %0 = transformer.multiply %x, %w : tensor<4xf32>
  return %i, %0 : tensor<4xi32>, tensor<4xf32>
}
