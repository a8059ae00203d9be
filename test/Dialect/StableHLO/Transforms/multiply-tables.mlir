// RUN: forge-opt %s --forge-multiply-tables=least-work=1 -cse -split-input-file | FileCheck %s
// Products of few operations stay as they are.
// RUN: forge-opt %s --forge-multiply-tables -split-input-file | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: -> tensor<6x

// The product of a lookup is a lookup in the product.
// CHECK-LABEL: func.func @forward
// CHECK: %[[P:.*]] = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
// CHECK: %[[Y:.*]] = "stablehlo.gather"(%[[P]], %arg1) <{{{.*}}slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<16x1xi32>) -> tensor<16x3xf32>
// CHECK: return %[[Y]]
func.func @forward(%t: tensor<4x8xf32>, %i: tensor<16x1xi32>, %w: tensor<8x3xf32>) -> tensor<16x3xf32> {
  %x = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  return %y : tensor<16x3xf32>
}

// -----

// Parts of a concatenation, one of them a column. The gradients of the weights and of the table share the sums by rows:
// those of indices before the table are behind it, and then those behind it; a lookup has its first and last row there.
// Rows without an index are zeros, which are counted.
// CHECK-LABEL: func.func @edges
// CHECK: %[[NODES:.*]] = stablehlo.slice %arg3 [0:8, 0:3]
// CHECK: %[[P:.*]] = stablehlo.dot_general %arg0, %[[NODES]], contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
// CHECK: %[[Y:.*]] = "stablehlo.gather"(%[[P]], %arg1)
// CHECK: %[[COLUMN:.*]] = stablehlo.slice %arg3 [8:9, 0:3]
// CHECK: %[[D:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x3xf32>
// CHECK: %[[W:.*]] = stablehlo.broadcast_in_dim %[[COLUMN]], dims = [0, 1] : (tensor<1x3xf32>) -> tensor<16x3xf32>
// CHECK: %[[OUTER:.*]] = stablehlo.multiply %[[D]], %[[W]]
// CHECK: stablehlo.add %[[Y]], %[[OUTER]]
// CHECK: %[[BEFORE:.*]] = stablehlo.compare LT, %arg1
// CHECK: %[[BEHIND:.*]] = stablehlo.compare GE, %arg1
// CHECK: %[[PLACES:.*]] = stablehlo.select %[[BEHIND]], %{{.*}}, %arg1
// CHECK: %[[ALL:.*]] = stablehlo.select %[[BEFORE]], %{{.*}}, %[[PLACES]]
// CHECK: %[[SUMS:.*]] = "stablehlo.scatter"(%{{.*}}, %[[ALL]], %arg4)
// CHECK: (tensor<6x3xf32>, tensor<16x1xi32>, tensor<16x3xf32>) -> tensor<6x3xf32>
// CHECK: %[[FIRST:.*]] = stablehlo.slice %arg0 [0:1, 0:8]
// CHECK: %[[LAST:.*]] = stablehlo.slice %arg0 [3:4, 0:8]
// CHECK: %[[TABLE:.*]] = stablehlo.concatenate %arg0, %[[FIRST]], %[[LAST]], dim = 0
// CHECK: %[[COUNTS:.*]] = "stablehlo.scatter"(%{{.*}}, %[[ALL]], %{{.*}})
// CHECK: (tensor<6x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<6x1xi32>
// CHECK: %[[SUMMED:.*]] = stablehlo.compare GT, %[[COUNTS]]
// CHECK: %[[EACH:.*]] = stablehlo.broadcast_in_dim %[[SUMMED]], dims = [0, 1] : (tensor<6x1xi1>) -> tensor<6x8xi1>
// CHECK: %[[MASKED:.*]] = stablehlo.select %[[EACH]], %[[TABLE]], %{{.*}}
// CHECK: %[[DW:.*]] = stablehlo.dot_general %[[SUMS]], %[[MASKED]], contracting_dims = [0] x [0] : (tensor<6x3xf32>, tensor<6x8xf32>) -> tensor<3x8xf32>
// CHECK: %[[DC:.*]] = stablehlo.dot_general %arg4, %arg2, contracting_dims = [0] x [0]
// CHECK: stablehlo.concatenate %[[DW]], %[[DC]], dim = 1
// CHECK: %[[DD:.*]] = stablehlo.dot_general %arg4, %[[COLUMN]], contracting_dims = [1] x [1] : (tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<16x1xf32>
// CHECK-NOT: stablehlo.scatter
// CHECK: %[[IN:.*]] = stablehlo.slice %[[SUMS]] [0:4, 0:3]
// CHECK: %[[DT:.*]] = stablehlo.dot_general %[[IN]], %[[NODES]], contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
// CHECK: %[[RESULT:.*]] = stablehlo.select %{{.*}}, %[[DT]], %{{.*}}
// CHECK: return %{{.*}}, %{{.*}}, %[[RESULT]], %[[DD]]
func.func @edges(%t: tensor<4x8xf32>, %i: tensor<16x1xi32>, %d: tensor<16x1xf32>, %w: tensor<9x3xf32>, %dy: tensor<16x3xf32>) -> (tensor<16x3xf32>, tensor<3x9xf32>, tensor<4x8xf32>, tensor<16x1xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %g = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %x = stablehlo.concatenate %g, %d, dim = 1 : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x9xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x9xf32>, tensor<9x3xf32>) -> tensor<16x3xf32>
  %dw = stablehlo.dot_general %dy, %x, contracting_dims = [0] x [0] : (tensor<16x3xf32>, tensor<16x9xf32>) -> tensor<3x9xf32>
  %dx = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [1] : (tensor<16x3xf32>, tensor<9x3xf32>) -> tensor<16x9xf32>
  %dg = stablehlo.slice %dx [0:16, 0:8] : (tensor<16x9xf32>) -> tensor<16x8xf32>
  %dd = stablehlo.slice %dx [0:16, 8:9] : (tensor<16x9xf32>) -> tensor<16x1xf32>
  %dt = "stablehlo.scatter"(%zero, %i, %dg) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<16x1xi32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %y, %dw, %dt, %dd : tensor<16x3xf32>, tensor<3x9xf32>, tensor<4x8xf32>, tensor<16x1xf32>
}

// -----

// Not: rows of a table of more than a fourth as many, 16 bits (sums would be rounded once more), slices of rows, the largest
// of rows, and sums of rows of a product that something else reads.
// CHECK-LABEL: func.func @others
// CHECK: stablehlo.dot_general %{{.*}}, %arg2, {{.*}} : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<16x8xbf16>, tensor<8x3xbf16>) -> tensor<16x3xbf16>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<16x7xf32>, tensor<7x3xf32>) -> tensor<16x3xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
// CHECK: stablehlo.maximum
// CHECK: %[[BOTH:.*]] = stablehlo.dot_general {{.*}} : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
// CHECK: "stablehlo.scatter"(%{{.*}}, %arg1, %[[BOTH]])
// CHECK-NOT: tensor<6x
func.func @others(%t: tensor<6x8xf32>, %i: tensor<16x1xi32>, %w: tensor<8x3xf32>, %half: tensor<4x8xbf16>, %hw: tensor<8x3xbf16>, %u: tensor<4x8xf32>, %w7: tensor<7x3xf32>, %x: tensor<16x8xf32>)
    -> (tensor<16x3xf32>, tensor<16x3xbf16>, tensor<16x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<16x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<6x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %2 = "stablehlo.gather"(%half, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xbf16>, tensor<16x1xi32>) -> tensor<16x8xbf16>
  %3 = stablehlo.dot_general %2, %hw, contracting_dims = [1] x [0] : (tensor<16x8xbf16>, tensor<8x3xbf16>) -> tensor<16x3xbf16>
  %4 = "stablehlo.gather"(%u, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7>}> : (tensor<4x8xf32>, tensor<16x1xi32>) -> tensor<16x7xf32>
  %5 = stablehlo.dot_general %4, %w7, contracting_dims = [1] x [0] : (tensor<16x7xf32>, tensor<7x3xf32>) -> tensor<16x3xf32>
  %6 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %7 = "stablehlo.scatter"(%zero, %i, %6) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<16x1xi32>, tensor<16x3xf32>) -> tensor<4x3xf32>
  %neg = stablehlo.negate %x : tensor<16x8xf32>
  %8 = stablehlo.dot_general %neg, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %9 = "stablehlo.scatter"(%zero, %i, %8) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<16x1xi32>, tensor<16x3xf32>) -> tensor<4x3xf32>
  return %1, %3, %5, %7, %9, %8 : tensor<16x3xf32>, tensor<16x3xbf16>, tensor<16x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<16x3xf32>
}
