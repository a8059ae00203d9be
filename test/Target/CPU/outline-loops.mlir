// RUN: forge-opt %s --forge-outline-loops="max-loops=2" --split-input-file | FileCheck %s
// RUN: forge-opt %s --forge-outline-loops --split-input-file | FileCheck %s --check-prefix=FEW

// The nest of two moves as one, with its constants; the loop that yields a sum stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>, %[[N:.*]]: index
// CHECK:         call @main__loop_0(%[[N]], %[[A]]) : (index, memref<8x8xf32>) -> ()
// CHECK:         scf.for
// CHECK:         call @main__loop_1(
// CHECK:       func.func private @main__loop_1(
// CHECK-SAME:    attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK:       func.func private @main__loop_0(%[[M:.*]]: index, %[[B:.*]]: memref<8x8xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %[[I:.*]] = %[[ZERO]] to %[[M]] step %[[ONE]]
// CHECK:           scf.for %[[J:.*]] = %[[ZERO]] to %[[M]] step %[[ONE]]
// CHECK:             memref.store %{{.*}}, %[[B]][%[[I]], %[[J]]]
// CHECK:         return
// FEW-NOT: call
func.func @main(%a: memref<8x8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %zero, %a[%i, %j] : memref<8x8xf32>
    }
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %a[%i, %c0] : memref<8x8xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %sum, %a[%c0, %i] : memref<8x8xf32>
  }
  return %sum : f32
}

// -----

// A loop that holds more than two stays, and those inside it move.
// CHECK-LABEL: func.func @nested
// CHECK:         scf.for
// CHECK-COUNT-3:   call @nested__loop_
// CHECK:       func.func private @nested__loop_2
func.func @nested(%a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %x, %a[%i] : memref<8xf32>
    }
    scf.for %i = %c0 to %k step %c1 {
      memref.store %x, %a[%i] : memref<8xf32>
    }
    scf.for %i = %k to %c8 step %c1 {
      memref.store %x, %a[%i] : memref<8xf32>
    }
  }
  return
}
