// RUN: forge-opt %s -forge-hoist-reads -split-input-file | FileCheck %s

// A table's entry and what is computed of it come in front of the innermost loop.
// CHECK-LABEL: @gather
// CHECK-SAME: (%[[TABLE:.*]]: memref<8xi32>, %[[ROWS:.*]]: memref<32x16xf32>, %[[Y:.*]]: memref<8x16xf32>)
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[ENTRY:.*]] = memref.load %[[TABLE]][%[[I]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[ENTRY]]
// CHECK-NEXT: scf.for %[[D:.*]] =
// CHECK-NEXT: %[[X:.*]] = memref.load %[[ROWS]][%[[ROW]], %[[D]]]
// CHECK-NEXT: memref.store %[[X]], %[[Y]][%[[I]], %[[D]]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.reduce
func.func @gather(%table: memref<8xi32>, %rows: memref<32x16xf32>, %y: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %d) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %entry = memref.load %table[%i] : memref<8xi32>
    %row = arith.index_cast %entry : i32 to index
    %x = memref.load %rows[%row, %d] : memref<32x16xf32>
    memref.store %x, %y[%i, %d] : memref<8x16xf32>
    scf.reduce
  }
  return
}

// -----

// Nothing is read alike: LLVM hoists what is computed.
// CHECK-LABEL: @elementwise
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NOT: scf.for
func.func @elementwise(%x: memref<8x16xindex>, %y: memref<8x16xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %d) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %a = memref.load %x[%i, %d] : memref<8x16xindex>
    %twice = arith.addi %i, %i : index
    %b = arith.addi %a, %twice : index
    memref.store %b, %y[%i, %d] : memref<8x16xindex>
    scf.reduce
  }
  return
}

// -----

// A body that branches, a dimension that may have no iterations, one dimension alone, and a buffer
// that is written: they stay.
// CHECK-LABEL: @others
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK: scf.if
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK: scf.parallel (%{{.*}}) =
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NOT: scf.for
func.func @others(%table: memref<8xf32>, %y: memref<8x16xf32>, %n: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %d) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %x = memref.load %table[%i] : memref<8xf32>
    scf.if %flag {
      memref.store %x, %y[%i, %d] : memref<8x16xf32>
    }
    scf.reduce
  }
  scf.parallel (%i, %d) = (%c0, %c0) to (%c8, %n) step (%c1, %c1) {
    %x = memref.load %table[%i] : memref<8xf32>
    memref.store %x, %y[%i, %d] : memref<8x16xf32>
    scf.reduce
  }
  scf.parallel (%d) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %table[%c0] : memref<8xf32>
    memref.store %x, %y[%c0, %d] : memref<8x16xf32>
    scf.reduce
  }
  %view = memref.subview %y[0, 0] [8, 1] [1, 1] : memref<8x16xf32> to memref<8xf32, strided<[16]>>
  scf.parallel (%i, %d) = (%c0, %c1) to (%c8, %c16) step (%c1, %c1) {
    %x = memref.load %view[%i] : memref<8xf32, strided<[16]>>
    memref.store %x, %y[%i, %d] : memref<8x16xf32>
    scf.reduce
  }
  return
}
