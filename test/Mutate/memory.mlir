// Mistakes in memory.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge mutate %t/buffers.mlir --print --from bufferize --phase bufferize --mutator drop-store | FileCheck %s --check-prefix=STORE
// RUN: forge mutate %t/buffers.mlir --print --from bufferize --phase bufferize --mutator alias-copy | FileCheck %s --check-prefix=ALIAS
// RUN: forge mutate %t/tensors.mlir --print --phase import --mutator drop-update | FileCheck %s --check-prefix=UPDATE

//--- buffers.mlir
func.func @main(%m: memref<8xf32>, %a: f32, %i: index) -> memref<8xf32> {
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %m, %0 : memref<8xf32> to memref<8xf32>
  memref.store %a, %0[%i] : memref<8xf32>
  return %0 : memref<8xf32>
}
// STORE: drop-store at memref.copy
// STORE-NOT: memref.copy
// STORE: memref.store
// STORE: drop-store at memref.store
// STORE: memref.copy
// STORE-NOT: memref.store

// ALIAS-NOT: memref.copy %
// ALIAS: memref.store %arg1, %arg0[%arg2]

//--- tensors.mlir
func.func @main(%c: tensor<8x4xf32>, %u: tensor<1x4xf32>, %at: tensor<i32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dynamic_update_slice %c, %u, %at, %at : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// UPDATE-NOT: stablehlo.dynamic_update_slice %
// UPDATE: return %arg0
