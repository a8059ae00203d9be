// RUN: forge-opt %s --forge-alternate-buffers | FileCheck %s

func.func private @next(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel} {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @insert(%row: tensor<8xf32>, %i: index, %stack: tensor<64x8xf32>) -> tensor<64x8xf32> attributes {forge.kernel} {
  %0 = tensor.insert_slice %row into %stack[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// Two steps in each iteration, and the ninth behind the loop.
// CHECK-LABEL: func.func @carried
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: scf.for %{{.*}} to %[[C8]] step %[[C2]] iter_args(%[[A:.*]] =
// CHECK: %[[B:.*]] = func.call @next(%[[A]],
// CHECK: %[[C:.*]] = func.call @next(%[[B]],
// CHECK-NEXT: scf.yield %[[C]]
// CHECK: %[[LAST:.*]] = {{.*}}call @next(
// CHECK-NEXT: return %[[LAST]]
func.func @carried(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = func.call @next(%a, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A counter of another type than index.
// CHECK-LABEL: func.func @i32
// CHECK: scf.for
// CHECK-COUNT-2: func.call @next
// CHECK: scf.yield
func.func @i32(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8xf32> : i32 {
    %b = func.call @next(%a, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A stack is written where it is.
// CHECK-LABEL: func.func @stack
// CHECK-COUNT-1: func.call @insert
// CHECK-NOT: func.call @insert
func.func @stack(%x: tensor<8xf32>, %y: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %y) -> tensor<64x8xf32> {
    %b = func.call @insert(%x, %i, %a) : (tensor<8xf32>, index, tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  return %r : tensor<64x8xf32>
}

// Nothing that is carried is read.
// CHECK-LABEL: func.func @not_read
// CHECK-COUNT-1: func.call @next
// CHECK-NOT: func.call @next
func.func @not_read(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = func.call @next(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A number of steps that is known at run time only; three steps; a loop around another one.
// CHECK-LABEL: func.func @other_loops
// CHECK: scf.for
// CHECK-COUNT-1: func.call @next
// CHECK-NEXT: scf.yield
// CHECK: scf.for
// CHECK-COUNT-1: func.call @next
// CHECK-NEXT: scf.yield
// CHECK: scf.for
// CHECK-NEXT: func.call @next
// CHECK-NEXT: scf.for
// CHECK-NOT: func.call @next
// CHECK: return
func.func @other_loops(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = func.call @next(%a, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %r) -> tensor<8xf32> {
    %b = func.call @next(%a, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %t = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %s) -> tensor<8xf32> {
    %b = func.call @next(%a, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.for %j = %c0 to %n step %c1 {
    }
    scf.yield %b : tensor<8xf32>
  }
  return %t : tensor<8xf32>
}
