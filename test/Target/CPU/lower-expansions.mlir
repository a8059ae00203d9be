// RUN: forge-opt %s --forge-lower-expansions | FileCheck %s

// CHECK-LABEL: func.func @contiguous(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[STRIDE:.*]] = arith.muli %{{.*}}, %[[B]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 8], strides: [%[[STRIDE]], 8, 1]
func.func @contiguous(%x: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x8xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %0 : memref<?x?x8xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: memref<?xf32, strided<[3], offset: ?>>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[A]], 2, %[[B]]], strides: [%{{.*}}, %{{.*}}, 3]
func.func @strided(%x: memref<?xf32, strided<[3], offset: ?>>, %a: index, %b: index)
    -> memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>> {
  %0 = memref.expand_shape %x [[0, 1, 2]] output_shape [%a, 2, %b]
      : memref<?xf32, strided<[3], offset: ?>> into memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>>
  return %0 : memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>>
}

// One open size is MLIR's own to compute.
// CHECK-LABEL: func.func @one(
// CHECK: memref.expand_shape
func.func @one(%x: memref<?xf32>, %a: index) -> memref<?x2xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, 2] : memref<?xf32> into memref<?x2xf32>
  return %0 : memref<?x2xf32>
}
