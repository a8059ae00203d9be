// RUN: forge-opt %s --forge-outline-parallel -split-input-file | FileCheck %s

// Two outer dimensions give enough chunks; the inner one stays a loop.
// CHECK-LABEL: func.func @large
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: call @large__parallel_0__launch(%{{.*}}, %{{.*}}, %{{.*}}, %arg0
// CHECK-NOT: scf.parallel
// CHECK: func.func private @large__parallel_0__launch(index, index, index, memref<8x16x4096xf32>
// CHECK-SAME: forge.parallel_body = @large__parallel_0
// CHECK: func.func private @large__parallel_0(%[[FROM:.*]]: index, %[[TO:.*]]: index, %[[A:.*]]: memref<8x16x4096xf32>
// CHECK: scf.for %[[N:.*]] = %[[FROM]] to %[[TO]]
// CHECK: arith.remui %[[N]]
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[A]]
func.func @large(%a: memref<8x16x4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c8, %c16, %c4096) step (%c1, %c1, %c1) {
    memref.store %zero, %a[%i, %j, %k] : memref<8x16x4096xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @small
// CHECK: scf.parallel
// CHECK-NOT: launch
func.func @small(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %zero, %a[%i] : memref<16xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @forall
// CHECK: call @forall__parallel_0__launch
func.func @forall(%a: memref<4096x64xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) = (0) to (4096) step (64) {
    %v = memref.subview %a[%i, 0] [64, 64] [1, 1] : memref<4096x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%v : memref<64x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// -----

// Equal loops call one function, also where another function has them; those that store another number, or to another
// place, do not.
// CHECK-LABEL: func.func @layers
// CHECK: call @layers__parallel_0__launch({{.*}}, %arg0)
// CHECK: call @layers__parallel_0__launch({{.*}}, %arg1)
// CHECK: call @layers__parallel_1__launch({{.*}}, %arg0)
// CHECK: call @layers__parallel_2__launch({{.*}}, %arg0)
// CHECK-LABEL: func.func @other
// CHECK: call @layers__parallel_0__launch({{.*}}, %arg0)
// CHECK-NOT: parallel_3
func.func @layers(%a: memref<65536xf32>, %b: memref<65536xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 65536 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %a[%i] : memref<65536xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %b[%i] : memref<65536xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %one, %a[%i] : memref<65536xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %a[%c0] : memref<65536xf32>
  }
  return
}
func.func @other(%a: memref<65536xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 65536 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %a[%i] : memref<65536xf32>
  }
  return
}
