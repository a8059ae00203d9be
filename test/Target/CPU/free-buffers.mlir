// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-free-buffers))' -split-input-file | FileCheck %s

func.func private @use(memref<1024xf32>)

// Freed after the last use, here through a view inside of a loop.
// CHECK-LABEL: @last_use
func.func @last_use(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[A:.*]] = memref.alloc
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.subview %a[0] [16] [1] : memref<1024xf32> to memref<16xf32, strided<[1]>>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %v[%c0] : memref<16xf32, strided<[1]>>
  }
  // CHECK: }
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK: call @use
  %b = memref.alloc() : memref<1024xf32>
  call @use(%b) : (memref<1024xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: @returned
// CHECK-NOT: dealloc
func.func @returned() -> memref<1024xf32> {
  %a = memref.alloc() : memref<1024xf32>
  return %a : memref<1024xf32>
}

// -----

// A small one is on the stack, at the entry even if a loop makes it.
// CHECK-LABEL: @small
func.func @small(%n: index) {
  // CHECK-NEXT: memref.alloca() : memref<4xf32>
  // CHECK-NOT: memref.alloc()
  // CHECK-NOT: dealloc
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %zero, %a[%c0] : memref<4xf32>
  }
  return
}

// -----

// Both branches yield buffers of their own, one by a copy: the result is freed outside.
// CHECK-LABEL: @branches
func.func @branches(%c: i1, %x: memref<1024xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %c -> memref<1024xf32> {
    %a = memref.alloc() : memref<1024xf32>
    scf.yield %a : memref<1024xf32>
  } else {
    // CHECK: else
    // CHECK: %[[C:.*]] = memref.alloc
    // CHECK: memref.copy %{{.*}}, %[[C]]
    // CHECK: scf.yield %[[C]]
    scf.yield %x : memref<1024xf32>
  }
  // CHECK: memref.load
  // CHECK-NEXT: memref.dealloc %[[R]]
  %v = memref.load %r[%c0] : memref<1024xf32>
  return %v : f32
}

// -----

// A buffer that the loop hands on to its next iteration is not freed in it.
// CHECK-LABEL: @carried
// CHECK-NOT: dealloc
func.func @carried(%init: memref<1024xf32>, %n: index) -> memref<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> memref<1024xf32> {
    %b = memref.alloc() : memref<1024xf32>
    scf.yield %b : memref<1024xf32>
  }
  return %r : memref<1024xf32>
}

// -----

// Made anew by each iteration, and too large for the stack: made once, before the loops.
// CHECK-LABEL: @each_iteration
func.func @each_iteration(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NOT: dealloc
  // CHECK: call @use(%[[A]])
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
      func.call @use(%a) : (memref<1024xf32>) -> ()
    }
  }
  // CHECK: }
  // CHECK: }
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  return
}
func.func private @use(memref<1024xf32>)

// -----

// A large one, or one whose size an iteration says, is given back by each.
// CHECK-LABEL: @stays_in_the_loop
func.func @stays_in_the_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: %[[A:.*]] = memref.alloc()
  // CHECK: call @large
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK: %[[B:.*]] = memref.alloc(%{{.*}})
  // CHECK: call @sized
  // CHECK-NEXT: memref.dealloc %[[B]]
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1048576xf32>
    func.call @large(%a) : (memref<1048576xf32>) -> ()
    %b = memref.alloc(%i) : memref<?xf32>
    func.call @sized(%b) : (memref<?xf32>) -> ()
  }
  return
}
func.func private @large(memref<1048576xf32>)
func.func private @sized(memref<?xf32>)
