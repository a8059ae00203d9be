// Mistakes in loops.
// RUN: forge mutate %s --print --from bufferize --phase bufferize --mutator shorten-loop | FileCheck %s --check-prefix=SHORT
// RUN: forge mutate %s --print --from bufferize --phase bufferize --mutator start-loop-late | FileCheck %s --check-prefix=LATE
// RUN: forge mutate %s --print --from bufferize --phase bufferize --mutator stale-carry | FileCheck %s --check-prefix=STALE
// RUN: forge mutate %s --print --from bufferize --phase bufferize --mutator shorten-mask | FileCheck %s --check-prefix=MASK
func.func @main(%m: memref<8xf32>, %a: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> f32 {
    %x = memref.load %m[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  // Never runs: there is no trip to lose.
  scf.for %i = %c1 to %c1 step %c1 {
    memref.store %a, %m[%i] : memref<8xf32>
  }
  %lanes = vector.create_mask %n : vector<8xi1>
  return %r : f32
}
// SHORT: %[[E:.*]] = arith.subi %arg2, %c1
// SHORT: scf.for %{{.*}} = %c0 to %[[E]]
// SHORT-NOT: shorten-loop

// LATE: %[[B:.*]] = arith.addi %c0, %c1
// LATE: scf.for %{{.*}} = %[[B]] to %arg2

// STALE: scf.for {{.*}} iter_args(%[[S:.*]] = %arg1)
// STALE: scf.yield %[[S]]

// MASK: %[[L:.*]] = arith.addi %arg2, %c-1
// MASK: vector.create_mask %[[L]]
