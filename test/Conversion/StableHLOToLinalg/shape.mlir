// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_rows
// CHECK: linalg.generic {indexing_maps = [#[[MAP:.*]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
func.func @broadcast_rows(%a: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Only dimensions of size 1 are put in: no data moves.
// CHECK-LABEL: func.func @broadcast_as_reshape
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.generic
func.func @broadcast_as_reshape(%a: tensor<8xf32>) -> tensor<8x1xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}

// -----

// CHECK-LABEL: func.func @reshape
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]]
func.func @reshape(%a: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_through_line
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
func.func @reshape_through_line(%a: tensor<6x4xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// CHECK-LABEL: func.func @transpose
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
func.func @transpose(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// A large splat is filled, not stored.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant dense<[1, 2, -1]> : tensor<3xi8>
// CHECK: linalg.fill
func.func @constants() -> (tensor<3xui8>, tensor<100xf32>) {
  %0 = stablehlo.constant dense<[1, 2, 255]> : tensor<3xui8>
  %1 = stablehlo.constant dense<1.0> : tensor<100xf32>
  return %0, %1 : tensor<3xui8>, tensor<100xf32>
}

// -----

// CHECK-LABEL: func.func @iota
// CHECK: linalg.index 1
// CHECK: arith.index_cast
// CHECK: arith.trunci %{{.*}} : i64 to i8
func.func @iota() -> tensor<2x3xui8> {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<i32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[A]][1] [3] [2]
// CHECK: %[[START:.*]] = arith.minsi %{{.*}}, %c5
// CHECK: tensor.insert_slice %[[S]] into %[[A]][%[[START]]] [3] [1]
func.func @slices(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %a [1:7:2] : (tensor<8xf32>) -> tensor<3xf32>
  %1 = stablehlo.dynamic_update_slice %a, %0, %i : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Interior padding is a strided insertion; negative padding cuts elements off first.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: %[[KEPT:.*]] = tensor.extract_slice %[[A]][1] [3] [1]
// CHECK: tensor.insert_slice %[[KEPT]] into %[[FILL]][1] [3] [2]
func.func @pad(%a: tensor<4xf32>) -> tensor<8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [-1], high = [2], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @concatenate
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [2, 2] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 2] [2, 3] [1, 1]
func.func @concatenate(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x5xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

// CHECK-LABEL: func.func @bitcast_split
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.shrui
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @bitcast_split(%a: tensor<2xf32>) -> tensor<2x4xui8> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x4xui8>
  return %0 : tensor<2x4xui8>
}
