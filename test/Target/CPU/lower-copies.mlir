// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-lower-copies))' | FileCheck %s

// CHECK-LABEL: @copies
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %s: memref<4x8xf32, strided<[16, 1]>>) {
  // CHECK-NEXT: memref.copy %arg0, %arg1
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  // CHECK-NEXT: linalg.generic {{.*}} ins(%arg2 : memref<4x8xf32, strided<[16, 1]>>) outs(%arg0
  memref.copy %s, %a : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  // CHECK-NOT: memref.copy
  memref.copy %a, %a : memref<4x8xf32> to memref<4x8xf32>
  return
}
