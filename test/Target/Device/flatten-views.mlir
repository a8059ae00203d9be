// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-flatten-views))" | FileCheck %s

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[A]], %[[B]], 8], strides: [%{{.*}}, 8, 1]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%{{.*}}], strides: [1]
// CHECK-NOT: memref.expand_shape
// CHECK-NOT: memref.collapse_shape
func.func @views(%x: memref<?x8xf32>, %a: index, %b: index) -> (memref<?x?x8xf32>, memref<?xf32>) {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  %1 = memref.collapse_shape %x [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  return %0, %1 : memref<?x?x8xf32>, memref<?xf32>
}
