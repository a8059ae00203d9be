// The body of an operation as vector code: what each operand is in the lanes, and what stays scalar.
// RUN: forge-opt --forge-vectorize-rows=vector-bytes=16 --canonicalize --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What is one value for the row is loaded before the loop along it, and computed with as a scalar until it meets a vector.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME: %[[X:.*]]: memref<3x10xf32, strided<[16, 1]>>, %[[S:.*]]: memref<3xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[SCALE:.*]] = memref.load %[[S]][%[[I]]]
// CHECK: scf.for %[[J:.*]] = %c0 to %c8 step %c4
// CHECK: %[[V:.*]] = vector.load %[[X]][%[[I]], %[[J]]]
// CHECK: %[[R:.*]] = math.sqrt %[[SCALE]] : f32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[R]] : f32 to vector<4xf32>
// CHECK: arith.mulf %[[V]], %[[ALL]] : vector<4xf32>
// Ten columns leave two: the lanes of both are on, the others read as zero.
// CHECK: vector.maskedload %[[X]][%[[I]], %c8], %[[MASK:.*]], %{{.*}}
// CHECK: vector.maskedstore %{{.*}}[%[[I]], %c8], %[[MASK]]
func.func @invariant(%x: memref<3x10xf32, strided<[16, 1]>>, %s: memref<3xf32>, %o: memref<3x10xf32, strided<[16, 1]>>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<3x10xf32, strided<[16, 1]>>, memref<3xf32>) outs(%o : memref<3x10xf32, strided<[16, 1]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = math.sqrt %b : f32
    %p = arith.mulf %a, %r : f32
    linalg.yield %p : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Elements that lie apart are loaded lane by lane; lanes behind the end load the last one, which the mask drops.
// CHECK-LABEL: func.func @gathered
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[FIRST:.*]] = memref.load %[[X]][%[[J]], %[[I]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %c1
// CHECK: %[[SECOND:.*]] = memref.load %[[X]][%[[NEXT]], %[[I]]]
// CHECK: vector.from_elements %[[FIRST]], %[[SECOND]], %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: scf.if
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1 : index
// CHECK-COUNT-4: arith.minui %{{.*}}, %[[LAST]] : index
// CHECK: vector.maskedstore
func.func @gathered(%x: memref<?x?xf32>, %o: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = arith.negf %a : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The number of the column is one for each lane, that of the row the same in all.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[START:.*]] = vector.broadcast %[[J]] : index to vector<4xindex>
// CHECK: %[[COLUMNS:.*]] = arith.addi %[[START]], %[[LANES]] : vector<4xindex>
// CHECK: %[[ROW:.*]] = vector.broadcast %[[I]] : index to vector<4xindex>
// CHECK: arith.cmpi ule, %[[COLUMNS]], %[[ROW]] : vector<4xindex>
// CHECK: arith.select %{{.*}} : vector<4xi1>, vector<4xf32>
func.func @numbers(%x: memref<8x8xf32>, %o: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi ule, %j, %i : index
    %e = arith.select %below, %a, %zero : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// What the result holds before is loaded where the body reads it.
// CHECK-LABEL: func.func @accumulates
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[O:.*]]: memref<8xf32>
// CHECK: vector.load %[[X]]
// CHECK: vector.load %[[O]]
// CHECK: arith.addf
// CHECK: vector.store %{{.*}}, %[[O]]
func.func @accumulates(%x: memref<8xf32>, %o: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = arith.addf %a, %c : f32
    linalg.yield %e : f32
  }
  return
}
