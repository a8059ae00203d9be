// Kernels compute what they return in arguments: those that they have, or last ones that the caller allocates.
// RUN: forge-opt %s --forge-results-to-arguments --split-input-file | FileCheck %s

// A branch hands on what it was given; the result is copied at the end.
// CHECK-LABEL: func.func private @branch(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>, %[[P:[a-z0-9]+]]: i1, %[[OUT:[a-z0-9]+]]: memref<4xf32>) attributes {forge.kernel}
// CHECK: %[[R:.*]] = scf.if %[[P]]
// CHECK: memref.copy %[[R]], %[[OUT]]
// CHECK-NEXT: return{{$}}
// CHECK: func.func @host(
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK: call @branch(%{{.*}}, %{{.*}}, %{{.*}}, %[[NEW]])
// CHECK: return %[[NEW]]
func.func private @branch(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) -> memref<4xf32> attributes {forge.kernel} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %r = scf.if %p -> memref<4xf32> {
    memref.store %f, %y[%c0] : memref<4xf32>
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @host(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = call @branch(%x, %y, %p) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// What the kernel allocates itself, the caller allocates: of run-time size, too.
// CHECK-LABEL: func.func private @own(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: memref<?xf32>) attributes {forge.kernel}
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %[[X]], %[[OUT]]
// CHECK: return{{$}}
// CHECK: func.func @host(%{{.*}}: memref<?xf32>, %[[SIZE:.*]]: index)
// CHECK: memref.alloc(%[[SIZE]])
func.func private @own(%x: memref<?xf32>, %n: index) -> memref<?xf32> attributes {forge.kernel} {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  return %a : memref<?xf32>
}
func.func @host(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %r = call @own(%x, %n) : (memref<?xf32>, index) -> memref<?xf32>
  return %r : memref<?xf32>
}

// -----

// An argument is the caller's already; functions of the host stay as they are.
// CHECK-LABEL: func.func private @same(%{{.*}}: memref<4xf32>) attributes {forge.kernel}
// CHECK: func.func @host() -> memref<4xf32>
func.func private @same(%x: memref<4xf32>) -> memref<4xf32> attributes {forge.kernel} {
  return %x : memref<4xf32>
}
func.func @host() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
