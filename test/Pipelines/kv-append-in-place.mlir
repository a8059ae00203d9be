// Rows appended to a cache that the caller gives away: the cache is written where it is, nothing of its size is copied.
// RUN: forge-opt %s --forge-pipeline="to=bufferize" -split-input-file | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="to=bufferize tier=correctness" -split-input-file | FileCheck %s

// CHECK-LABEL: @contiguous
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: memref<2x4x1x64xf32
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: memref<2x4x1024x64xf32
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-DAG: %[[NEW:.*]] = memref.subview %[[ROWS]]
// CHECK-DAG: %[[PLACE:.*]] = memref.subview %[[CACHE]]
// CHECK: memref.copy %[[NEW]], %[[PLACE]]
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return %[[CACHE]]
func.func @contiguous(%rows: tensor<2x4x1x64xf32>, %cache: tensor<2x4x1024x64xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<2xi32>)
    -> tensor<2x4x1024x64xf32> {
  %0 = transformer.kv_append %rows into %cache at %at
      : (tensor<2x4x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2xi32>) -> tensor<2x4x1024x64xf32>
  return %0 : tensor<2x4x1024x64xf32>
}

// -----

// CHECK-LABEL: @paged
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: memref<2x4x3x64xf32
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: memref<512x4x16x64xf32
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return %[[CACHE]]
func.func @paged(%rows: tensor<2x4x3x64xf32>, %cache: tensor<512x4x16x64xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<2xi32>,
                 %table: tensor<2x32xi32>) -> tensor<512x4x16x64xf32> {
  %0 = transformer.kv_append %rows into %cache at %at table %table
      : (tensor<2x4x3x64xf32>, tensor<512x4x16x64xf32>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<512x4x16x64xf32>
  return %0 : tensor<512x4x16x64xf32>
}

// -----

// Keys and values of a decoding step: two caches, each written in place, and read by attention afterwards.
// CHECK-LABEL: @step
// CHECK-NOT: memref.alloc() {{.*}}1024x64
// CHECK-NOT: memref<2x4x1024x64xf32{{.*}}> to memref<2x4x1024x64xf32
// CHECK: return
func.func @step(%k: tensor<2x4x1x64xf32>, %v: tensor<2x4x1x64xf32>, %q: tensor<2x8x1x64xf32>,
                %keys: tensor<2x4x1024x64xf32> {tf.aliasing_output = 1 : i32}, %values: tensor<2x4x1024x64xf32> {tf.aliasing_output = 2 : i32},
                %at: tensor<2xi32>) -> (tensor<2x8x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2x4x1024x64xf32>) {
  %0 = transformer.kv_append %k into %keys at %at : (tensor<2x4x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2xi32>) -> tensor<2x4x1024x64xf32>
  %1 = transformer.kv_append %v into %values at %at : (tensor<2x4x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2xi32>) -> tensor<2x4x1024x64xf32>
  %2 = transformer.attention %q, %0, %1 {causal}
      : (tensor<2x8x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2x4x1024x64xf32>) -> tensor<2x8x1x64xf32>
  return %2, %0, %1 : tensor<2x8x1x64xf32>, tensor<2x4x1024x64xf32>, tensor<2x4x1024x64xf32>
}
