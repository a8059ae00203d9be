// One row into a donated buffer, and one row per iteration into a buffer that a loop carries: no copy of the whole.
// RUN: forge-opt %s --forge-pipeline="from=linalg to=bufferize" -split-input-file | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="from=linalg to=bufferize tier=correctness" -split-input-file | FileCheck %s

// CHECK-LABEL: @donated
// CHECK-SAME: %[[CACHE:.*]]: memref<1024x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: %[[ROW:.*]] = memref.subview %[[CACHE]]
// CHECK-NEXT: memref.copy %{{.*}}, %[[ROW]]
// CHECK-NEXT: return %[[CACHE]]
func.func @donated(%cache: tensor<1024x64xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x64xf32>, %at: index)
    -> tensor<1024x64xf32> {
  %new = tensor.insert_slice %row into %cache[%at, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1024x64xf32>
  return %new : tensor<1024x64xf32>
}

// -----

// The caller keeps its buffer: one copy, and the row.
// CHECK-LABEL: @kept
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %arg0, %[[NEW]]
// CHECK: %[[AT:.*]] = memref.subview %[[NEW]]
// CHECK-NEXT: memref.copy %{{.*}}, %[[AT]]
// CHECK-NOT: memref.copy
// CHECK: return %[[NEW]]
func.func @kept(%cache: tensor<1024x64xf32>, %row: tensor<1x64xf32>, %at: index) -> tensor<1024x64xf32> {
  %new = tensor.insert_slice %row into %cache[%at, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1024x64xf32>
  return %new : tensor<1024x64xf32>
}

// -----

// CHECK-LABEL: @carried
// CHECK: %[[CACHE:.*]] = memref.alloc() {{.*}} : memref<1024x64xf32>
// CHECK: scf.
// CHECK-NOT: memref.alloc() {{.*}} : memref<1024x64xf32>
// CHECK-NOT: memref<1024x64xf32> to memref<1024x64xf32>
// CHECK: return %[[CACHE]]
func.func @carried(%rows: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %start = arith.constant dense<0> : tensor<i32>
  %end = arith.constant 1024 : i32
  %r:2 = scf.while (%i = %start, %c = %init) : (tensor<i32>, tensor<1024x64xf32>) -> (tensor<i32>, tensor<1024x64xf32>) {
    %iv = tensor.extract %i[] : tensor<i32>
    %k = arith.cmpi slt, %iv, %end : i32
    scf.condition(%k) %i, %c : tensor<i32>, tensor<1024x64xf32>
  } do {
  ^bb0(%i: tensor<i32>, %c: tensor<1024x64xf32>):
    %iv = tensor.extract %i[] : tensor<i32>
    %at = arith.index_cast %iv : i32 to index
    %row = tensor.extract_slice %rows[%at, 0] [1, 64] [1, 1] : tensor<1024x64xf32> to tensor<1x64xf32>
    %er = tensor.empty() : tensor<1x64xf32>
    %new = linalg.exp ins(%row : tensor<1x64xf32>) outs(%er : tensor<1x64xf32>) -> tensor<1x64xf32>
    %c2 = tensor.insert_slice %new into %c[%at, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1024x64xf32>
    %one = arith.constant 1 : i32
    %next = arith.addi %iv, %one : i32
    %i2 = tensor.from_elements %next : tensor<i32>
    scf.yield %i2, %c2 : tensor<i32>, tensor<1024x64xf32>
  }
  return %r#1 : tensor<1024x64xf32>
}
