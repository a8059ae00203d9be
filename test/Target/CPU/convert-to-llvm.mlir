// RUN: forge-opt %s --forge-convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// CHECK-DAG: llvm.mlir.global private constant @forge_message_{{.*}}("size differs\0A{{.*}}convert-to-llvm.mlir:[[#@LINE+12]]:3")
// CHECK-DAG: llvm.mlir.global private constant @forge_message_{{.*}}("expected 8, but got {0}\0A{{.*}}convert-to-llvm.mlir:[[#@LINE+13]]:3")
// CHECK-DAG: llvm.func @forge_rt_alloc(i64) -> (!llvm.ptr {llvm.noalias})

// Each place that calls it has one of its own, which says the place.
// CHECK: llvm.func internal @[[ASSERT:assert_0_[0-9]+]](%{{.*}}: i1, %{{.*}}: i64)
// CHECK: llvm.call @forge_rt_assert
func.func private @assert_0(i1, i64) attributes {forge.assert_message = "expected 8, but got {0}"}

// CHECK: llvm.func internal @main
func.func @main(%n: index, %ok: i1, %v: i64) -> memref<?x4xf32> {
  // CHECK: llvm.call @forge_rt_assert
  cf.assert %ok, "size differs"
  // CHECK: llvm.call @[[ASSERT]](
  call @assert_0(%ok, %v) : (i1, i64) -> ()
  // CHECK: %[[B:.*]] = llvm.call @forge_rt_size_mul
  // CHECK: %[[C:.*]] = llvm.call @forge_rt_size_mul(%[[B]]
  // CHECK: llvm.call @forge_rt_alloc(%[[C]])
  %a = memref.alloc(%n) : memref<?x4xf32>
  // CHECK: llvm.call @forge_rt_free
  %b = memref.alloc() : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  // CHECK: llvm.return
  return %a : memref<?x4xf32>
}

// CHECK: llvm.func internal @_mlir_ciface_main
// CHECK: llvm.func @main__packed(%[[ARGS:.*]]: !llvm.ptr)
// CHECK: %[[P:.*]] = llvm.getelementptr %[[ARGS]][0]
// CHECK: llvm.load %[[P]]
// CHECK: llvm.call @_mlir_ciface_main
