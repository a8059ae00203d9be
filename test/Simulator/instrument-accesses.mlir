// RUN: forge-opt %s --forge-instrument-accesses | FileCheck %s

// Each check has a site: what, where, how many bytes, aligned to what, from which argument.
// CHECK: forge_sim.sites = [{},
// CHECK-SAME: {alignment = 4 : i64, bytes = 4 : i64, location = "{{.*}}instrument-accesses.mlir:[[#@LINE+14]]:8", operation = "load", root = 0 : i64}
// CHECK-SAME: {alignment = 16 : i64, bytes = 16 : i64, location = {{.*}}, operation = "store"}

// CHECK-DAG: llvm.func @forge_sim_load(!llvm.ptr, i32)

// CHECK-LABEL: llvm.func @accesses
llvm.func @accesses(%args: !llvm.ptr, %q: !llvm.ptr, %x: vector<4xf32>) {
  // The kernel's own arguments are not checked.
  // CHECK: llvm.load %{{.*}} {forge_sim.argument = 0 : i32}
  // CHECK: %[[SITE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @forge_sim_load(%{{.*}}, %[[SITE]])
  // CHECK: llvm.load {{.*}} -> f32
  %p = llvm.load %args {forge_sim.argument = 0 : i32} : !llvm.ptr -> !llvm.ptr
  %e = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f32
  %v = llvm.load %e : !llvm.ptr -> f32
  // CHECK: llvm.call @forge_sim_store(
  llvm.store %x, %q {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @private
llvm.func @private(%i: i64, %x: f32) {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %a = llvm.alloca %c4 x f32 : (i64) -> !llvm.ptr
  // An index that is known needs no check; another is compared with the array's 16 bytes.
  // CHECK-NOT: forge_sim
  // CHECK: llvm.store
  llvm.store %x, %a : f32, !llvm.ptr
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: llvm.call @forge_sim_private(
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @atomics
llvm.func @atomics(%p: !llvm.ptr, %x: i32) -> i32 {
  // Released and acquired, and its result used: 1 + 2 + 8.
  // CHECK: %[[FLAGS:.*]] = llvm.mlir.constant(11 : i32)
  // CHECK: llvm.call @forge_sim_atomic(%{{.*}}, %[[FLAGS]],
  %old = llvm.atomicrmw add %p, %x acq_rel : !llvm.ptr, i32
  llvm.return %old : i32
}
