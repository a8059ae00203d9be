// RUN: forge-opt --forge-lower-sums --split-input-file %s | FileCheck %s
// RUN: forge-opt --forge-lower-sums=parallel=true --split-input-file %s | FileCheck %s --check-prefix=PARALLEL

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Few terms, no blocks; the result is read and written once.
// CHECK-LABEL: func.func @few_terms
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c3{{.*}} step
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c20{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[BEFORE]], %[[X]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[OLD:.*]] = memref.load %{{.*}}[%[[J]]]
// CHECK: arith.addf %[[OLD]], %[[SUM]]
// CHECK: memref.store
// PARALLEL-LABEL: func.func @few_terms
// PARALLEL: scf.parallel (%{{.*}}) = (%{{.*}}) to (%c3{{.*}})
func.func @few_terms(%x: memref<20x3xf32>, %r: memref<3xf32>) {
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<20x3xf32>) outs(%r : memref<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A product of matrices: a block of 32 terms, the last one shorter.
// CHECK-LABEL: func.func @product
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %c100{{.*}} step %c32
// CHECK: %[[END:.*]] = arith.addi %[[BLOCK]], %c32
// CHECK: %[[TO:.*]] = arith.minui %[[END]], %c100
// CHECK: scf.for %{{.*}} = %[[BLOCK]] to %[[TO]]
// CHECK: arith.mulf
func.func @product(%x: memref<4x100xf32>, %y: memref<100x5xf32>, %r: memref<4x5xf32>) {
  linalg.matmul ins(%x, %y : memref<4x100xf32>, memref<100x5xf32>) outs(%r : memref<4x5xf32>)
  return
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Many terms, or a number not known: blocks of blocks. A result next to the sum is reduced with it.
// CHECK-LABEL: func.func @sum_and_largest
// CHECK: scf.for {{.*}} step %c1024{{.*}} -> (f32, f32)
// CHECK: scf.for {{.*}} step %c32{{.*}} -> (f32, f32)
// CHECK: scf.for {{.*}} step %c1{{.*}} -> (f32, f32)
// CHECK: arith.index_cast
func.func @sum_and_largest(%x: memref<?xf32>, %s: memref<f32>, %m: memref<f32>) {
  linalg.generic {indexing_maps = [#all, #none, #none], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%s, %m : memref<f32>, memref<f32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %b = arith.mulf %a, %f : f32
    %t = arith.addf %o, %b : f32
    %u = arith.maximumf %p, %b : f32
    linalg.yield %t, %u : f32, f32
  }
  return
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Left to other loops: what is no sum of floats, a sum that is not one addition, and elementwise operations.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-3: linalg.generic
func.func @left_alone(%x: memref<100xf32>, %i: memref<100xi32>, %r: memref<f32>, %n: memref<i32>) {
  linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%i : memref<100xi32>) outs(%n : memref<i32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %o, %a : i32
    linalg.yield %s : i32
  }
  linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : memref<100xf32>) outs(%r : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    %t = arith.mulf %s, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%x : memref<100xf32>) outs(%x : memref<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  }
  return
}
