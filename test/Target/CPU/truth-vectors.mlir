// Vectors of truth values are bytes in memory, as memref.load and store have them; vectors of LLVM's i1 would be bits.
// RUN: forge-opt %s --forge-convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// CHECK-LABEL: llvm.func internal @move
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
// CHECK: %[[T:.*]] = llvm.icmp "ne" %[[X]], %{{.*}} : vector<16xi8>
// CHECK: %[[B:.*]] = llvm.zext %[[T]] : vector<16xi1> to vector<16xi8>
// CHECK: llvm.store %[[B]], %{{.*}} {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
func.func @move(%a: memref<64xi1>, %i: index) {
  %v = vector.load %a[%i] : memref<64xi1>, vector<16xi1>
  %c0 = arith.constant 0 : index
  vector.store %v, %a[%c0] : memref<64xi1>, vector<16xi1>
  return
}

// CHECK-LABEL: llvm.func internal @masked
// CHECK: llvm.intr.masked.load %{{.*}} {alignment = 1 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xi8>) -> vector<16xi8>
// CHECK: llvm.intr.masked.store %{{.*}} {alignment = 1 : i32} : vector<16xi8>, vector<16xi1> into !llvm.ptr
func.func @masked(%a: memref<64xi1>, %i: index, %m: vector<16xi1>, %o: vector<16xi1>) {
  %v = vector.maskedload %a[%i], %m, %o : memref<64xi1>, vector<16xi1>, vector<16xi1> into vector<16xi1>
  vector.maskedstore %a[%i], %m, %v : memref<64xi1>, vector<16xi1>, vector<16xi1>
  return
}

// Others are MLIR's.
// CHECK-LABEL: llvm.func internal @floats
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
func.func @floats(%a: memref<64xf32>, %i: index) -> vector<16xf32> {
  %v = vector.load %a[%i] : memref<64xf32>, vector<16xf32>
  return %v : vector<16xf32>
}
