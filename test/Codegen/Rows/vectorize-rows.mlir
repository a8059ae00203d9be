// RUN: forge-opt --forge-vectorize-rows --canonicalize --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A long row: four accumulators, then one sum across the lanes.
// CHECK-LABEL: func.func @row_sum
// CHECK: scf.for %{{.*}} = %{{.*}} to %c4
// CHECK: scf.for %{{.*}} = %c0 to %c1024 step %c64 iter_args
// CHECK-COUNT-4: vector.load
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
// CHECK: memref.store
// CHECK-NOT: vector.maskedload
func.func @row_sum(%x: memref<4x1024xf32>, %r: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x1024xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// 33 columns: two vectors and a mask of one lane; the row's value is loaded once, before them. The rows lie apart
// in memory (stride 40), so the two loops stay two.
// CHECK-LABEL: func.func @masked_rest
// CHECK: scf.for
// CHECK: memref.load
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: vector.maskedload
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: vector.maskedstore
func.func @masked_rest(%x: memref<4x33xf32, strided<[40, 1]>>, %m: memref<4xf32>, %o: memref<4x33xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : memref<4x33xf32, strided<[40, 1]>>, memref<4xf32>) outs(%o : memref<4x33xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Loops without gaps between them become one: 4x8x16 elements are 32 vectors.
// CHECK-LABEL: func.func @collapsed
// CHECK: memref.collapse_shape
// CHECK-COUNT-1: scf.for %{{.*}} = %c0 to %c512 step %c16
// CHECK-NOT: scf.for
func.func @collapsed(%x: memref<4x8x16xf32>, %o: memref<4x8x16xf32>) {
  linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4x8x16xf32>) outs(%o : memref<4x8x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = arith.negf %a : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Sums down the columns: four vectors of them stay in registers, and partial sums of 32 rows are joined.
// CHECK-LABEL: func.func @column_sum
// CHECK: scf.for %[[J:.*]] = %c0 to %c128 step %c64
// CHECK: %[[SUMS:.*]]:4 = scf.for %[[BLOCK:.*]] = %c0 to %c64 step %c32
// CHECK: %[[END:.*]] = arith.addi %[[BLOCK]], %c32
// CHECK: %[[PART:.*]]:4 = scf.for %[[I:.*]] = %[[BLOCK]] to %[[END]] step %c1 iter_args(%{{.*}} = %cst,
// CHECK-COUNT-4: vector.load %{{.*}}[%[[I]], %{{.*}}]
// CHECK: arith.addf %{{.*}}, %[[PART]]#0
// CHECK: vector.load %{{.*}}[%[[J]]]
// CHECK: arith.addf %{{.*}}, %[[SUMS]]#0
// CHECK: vector.store
func.func @column_sum(%x: memref<64x128xf32>, %r: memref<128xf32>) {
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<64x128xf32>) outs(%r : memref<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Lengths known at run time: the rest is masked, if there is one.
// CHECK-LABEL: func.func @dynamic
// CHECK: memref.dim
// CHECK: scf.for
// CHECK: vector.load
// CHECK: scf.if
// CHECK: arith.cmpi ugt, %{{.*}} : vector<16xi32>
// CHECK: vector.maskedload
func.func @dynamic(%x: memref<?x?xbf16>, %o: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xbf16>) outs(%o : memref<?x?xf32>) {
  ^bb0(%a: bf16, %c: f32):
    %e = arith.extf %a : bf16 to f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Truth values are loaded as other elements are.
// CHECK-LABEL: func.func @select
// CHECK: vector.load %{{.*}} : memref<64xi1>, vector<16xi1>
// CHECK: arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
func.func @select(%p: memref<4x16xi1>, %x: memref<4x16xf32>, %o: memref<4x16xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %x : memref<4x16xi1>, memref<4x16xf32>) outs(%o : memref<4x16xf32>) {
  ^bb0(%q: i1, %a: f32, %c: f32):
    %e = arith.select %q, %a, %c : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// The index of the largest element is not one associative operation; an integer division may trap in a masked
// lane. Both stay as they are.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-2: linalg.generic
func.func @left_alone(%x: memref<33xf32>, %m: memref<f32>, %at: memref<i32>, %a: memref<33xi32>) {
  linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]}
      ins(%x : memref<33xf32>) outs(%m, %at : memref<f32>, memref<i32>) {
  ^bb0(%v: f32, %best: f32, %where: i32):
    %i = linalg.index 0 : index
    %i32 = arith.index_cast %i : index to i32
    %gt = arith.cmpf ogt, %v, %best : f32
    %nb = arith.select %gt, %v, %best : f32
    %nw = arith.select %gt, %i32, %where : i32
    linalg.yield %nb, %nw : f32, i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<33xi32>) outs(%a : memref<33xi32>) {
  ^bb0(%v: i32, %o: i32):
    %c7 = arith.constant 7 : i32
    %d = arith.divsi %c7, %v : i32
    linalg.yield %d : i32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// Truth values are stored as vectors, too.
// CHECK-LABEL: func.func @compare
// CHECK: vector.store %{{.*}} : memref<33xi1>, vector<16xi1>
// CHECK: vector.maskedstore %{{.*}} : memref<33xi1>, vector<16xi1>, vector<16xi1>
func.func @compare(%x: memref<33xf32>, %b: memref<33xi1>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<33xf32>) outs(%b : memref<33xi1>) {
  ^bb0(%v: f32, %o: i1):
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %v, %z : f32
    linalg.yield %p : i1
  }
  return
}

// -----

// The windows of a convolution overlap or skip: their loops are not one.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: collapse_shape
// CHECK: linalg.generic
func.func @windows(%x: memref<2x16x16x3xf32>, %o: memref<2x4x4x4x4x3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 4 + d3, d2 * 4 + d4, d5)>,
                                   affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x16x16x3xf32>) outs(%o : memref<2x4x4x4x4x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The greatest: among integers in the order of the floats, which one instruction compares.
// CHECK-LABEL: func.func @row_max
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>)
// CHECK-NOT: arith.maximumf
// CHECK-COUNT-4: arith.maxsi %{{.*}} : vector<16xi32>
// CHECK: vector.reduction <maxsi>, %{{.*}} : vector<16xi32> into i32
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.maximumf %{{.*}} : f32
func.func @row_max(%x: memref<4x1024xf32>, %r: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x1024xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}
