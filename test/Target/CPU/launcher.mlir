// RUN: forge-opt %s --forge-convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// The captured values go through a block on the caller's stack.
// CHECK: llvm.func internal @body__launch(%[[B:.*]]: i64, %[[E:.*]]: i64, %[[G:.*]]: i64, %[[X:.*]]: f32, %[[P:.*]]: !llvm.ptr
// CHECK-SAME: no_inline
// CHECK: %[[BLOCK:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, ptr
// CHECK: llvm.store %[[X]]
// CHECK: %[[F:.*]] = llvm.mlir.addressof @body__chunk
// CHECK: llvm.call @forge_rt_parallel_for(%[[B]], %[[E]], %[[G]], %[[F]], %[[BLOCK]])
func.func private @body__launch(index, index, index, f32, memref<8xf32>) attributes {forge.parallel_body = @body}

// CHECK: llvm.func internal @body__chunk(%[[C:.*]]: !llvm.ptr, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.call @body(%[[FROM]], %[[TO]], %[[V]]
func.func private @body(%from: index, %to: index, %x: f32, %a: memref<8xf32>) {
  memref.store %x, %a[%from] : memref<8xf32>
  return
}

func.func @main(%n: index, %x: f32, %a: memref<8xf32>) {
  call @body__launch(%n, %n, %n, %x, %a) : (index, index, index, f32, memref<8xf32>) -> ()
  return
}
