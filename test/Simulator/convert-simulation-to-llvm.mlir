// RUN: forge-opt %s --forge-convert-simulation-to-llvm --reconcile-unrealized-casts | FileCheck %s

// Shared memory is address space 3, everything else flat.
// CHECK-LABEL: llvm.func @spaces
// CHECK-DAG: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-DAG: llvm.store {{.*}} : f32, !llvm.ptr
func.func @spaces(%s: memref<4xf32, #gpu.address_space<workgroup>>, %g: memref<4xf32, #gpu.address_space<global>>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %s[%c1] : memref<4xf32, #gpu.address_space<workgroup>>
  memref.store %v, %g[%c1] : memref<4xf32, #gpu.address_space<global>>
  return
}
