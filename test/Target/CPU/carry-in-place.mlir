// RUN: forge-opt %s --forge-carry-in-place | FileCheck %s

// CHECK-LABEL: @computed_anew
func.func @computed_anew(%init: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] =
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: %[[NEW:.*]] = linalg.exp
    %new = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[A]]
    // CHECK: scf.yield %[[M]]
    scf.yield %new : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// In a kernel, one branch writes the destination and the other hands on an input: both write the destination.
// CHECK-LABEL: @branches
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = tensor.insert_slice
// CHECK-NEXT: scf.yield %[[ROW]]
// CHECK: scf.if
// CHECK-NEXT: %[[X:.*]] = bufferization.materialize_in_destination %arg0 in %arg3
// CHECK-NEXT: scf.yield %[[X]]
// CHECK: %[[Y:.*]] = bufferization.materialize_in_destination %arg1 in %arg3
// CHECK-NEXT: scf.yield %[[Y]]
func.func private @branches(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %row: tensor<8xf32>, %out: tensor<4x8xf32>, %a: i1, %b: i1)
    -> tensor<4x8xf32> attributes {forge.kernel} {
  %0 = scf.if %a -> tensor<4x8xf32> {
    %1 = tensor.insert_slice %row into %out[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    scf.yield %1 : tensor<4x8xf32>
  } else {
    %2 = scf.if %b -> tensor<4x8xf32> {
      scf.yield %x : tensor<4x8xf32>
    } else {
      scf.yield %y : tensor<4x8xf32>
    }
    scf.yield %2 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// On the host the result has the buffer of either.
// CHECK-LABEL: @on_the_host
// CHECK-NOT: materialize
func.func @on_the_host(%x: tensor<4x8xf32>, %row: tensor<8xf32>, %out: tensor<4x8xf32>, %a: i1) -> tensor<4x8xf32> {
  %0 = scf.if %a -> tensor<4x8xf32> {
    %1 = tensor.insert_slice %row into %out[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    scf.yield %1 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// A row written into the carried cache stays there: nothing to do.
// CHECK-LABEL: @cache
// CHECK-NOT: materialize
func.func @cache(%cache: tensor<64x8xf32>, %row: tensor<8xf32>, %n: index) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %cache) -> tensor<64x8xf32> {
    %new = tensor.insert_slice %row into %a[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
    scf.yield %new : tensor<64x8xf32>
  }
  return %r : tensor<64x8xf32>
}

// A kernel that writes a row into the carried stack does so in its buffer; one that computes its destination from the stack
// does not.
// CHECK-LABEL: @stack
// CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-NOT: alloc_tensor
// CHECK: %[[NEW:.*]] = func.call @insert_row
// CHECK: %[[OTHER:.*]] = func.call @exponential
// CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[OTHER]] in %[[B]]
// CHECK: scf.yield %[[NEW]], %[[M]]
func.func private @insert_row(%row: tensor<8xf32>, %i: index, %stack: tensor<64x8xf32>) -> tensor<64x8xf32> attributes {forge.kernel} {
  %0 = tensor.insert_slice %row into %stack[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
func.func private @exponential(%x: tensor<64x8xf32>, %out: tensor<64x8xf32>) -> tensor<64x8xf32> attributes {forge.kernel} {
  %0 = linalg.exp ins(%x : tensor<64x8xf32>) outs(%out : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
func.func @stack(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>, %row: tensor<8xf32>, %n: index) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
    %e = tensor.empty() : tensor<64x8xf32>
    %new = func.call @insert_row(%row, %i, %a) : (tensor<8xf32>, index, tensor<64x8xf32>) -> tensor<64x8xf32>
    %other = func.call @exponential(%b, %e) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.yield %new, %other : tensor<64x8xf32>, tensor<64x8xf32>
  }
  return %r#0, %r#1 : tensor<64x8xf32>, tensor<64x8xf32>
}

// Two stacks that change places with each step are copied.
// CHECK-LABEL: @stacks_swapped
// CHECK-COUNT-2: alloc_tensor() copy
// CHECK-COUNT-2: materialize_in_destination
func.func @stacks_swapped(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>, %row: tensor<8xf32>, %n: index) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
    %new = func.call @insert_row(%row, %i, %a) : (tensor<8xf32>, index, tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.yield %b, %new : tensor<64x8xf32>, tensor<64x8xf32>
  }
  return %r#0, %r#1 : tensor<64x8xf32>, tensor<64x8xf32>
}

// CHECK-LABEL: @swap(
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    // CHECK: %[[CB:.*]] = bufferization.alloc_tensor() copy(%[[B]])
    // CHECK: %[[CA:.*]] = bufferization.alloc_tensor() copy(%[[A]])
    // CHECK: materialize_in_destination %[[CB]] in %[[A]]
    // CHECK: materialize_in_destination %[[CA]] in %[[B]]
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// What a branch hands on may be one argument of the loop or another: it is copied in the branches, so
// that the two do not have to share a buffer.
// CHECK-LABEL: @branch
func.func @branch(%x: tensor<8xf32>, %y: tensor<8xf32>, %p: i1, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: %[[NEW:.*]] = linalg.exp
    %new = linalg.exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %[[IF:.*]] = scf.if
    // CHECK: %[[CA:.*]] = bufferization.alloc_tensor() copy(%[[A]])
    // CHECK: scf.yield %[[CA]]
    // CHECK: %[[CB:.*]] = bufferization.alloc_tensor() copy(%[[B]])
    // CHECK: scf.yield %[[CB]]
    %chosen = scf.if %p -> (tensor<8xf32>) {
      scf.yield %a : tensor<8xf32>
    } else {
      scf.yield %b : tensor<8xf32>
    }
    // CHECK: materialize_in_destination %[[NEW]] in %[[A]]
    // CHECK: materialize_in_destination %[[IF]] in %[[B]]
    scf.yield %new, %chosen : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// Updated in place as one result, and handed on as another: only that is copied.
// CHECK-LABEL: @updated_and_handed_on
func.func @updated_and_handed_on(%x: tensor<8xf32>, %y: tensor<8xf32>, %v: f32, %p: i1, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    // CHECK: %[[IF:.*]]:2 = scf.if
    // CHECK: %[[NEW:.*]] = tensor.insert
    // CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[NEW]])
    // CHECK: scf.yield %[[NEW]], %[[COPY]]
    // CHECK: %[[CB:.*]] = bufferization.alloc_tensor() copy(%[[B]])
    // CHECK: scf.yield %[[A]], %[[CB]]
    %if:2 = scf.if %p -> (tensor<8xf32>, tensor<8xf32>) {
      %new = tensor.insert %v into %a[%i] : tensor<8xf32>
      scf.yield %new, %new : tensor<8xf32>, tensor<8xf32>
    } else {
      scf.yield %a, %b : tensor<8xf32>, tensor<8xf32>
    }
    // CHECK-NOT: alloc_tensor
    // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[IF]]#1 in %[[B]]
    // CHECK: scf.yield %[[IF]]#0, %[[M]]
    scf.yield %if#0, %if#1 : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// Updated in one branch, kept in the other: it stays where it is.
// CHECK-LABEL: @updated_in_a_branch
// CHECK-NOT: alloc_tensor
// CHECK-NOT: materialize
func.func @updated_in_a_branch(%cache: tensor<64x8xf32>, %row: tensor<8xf32>, %p: i1, %n: index) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %cache) -> tensor<64x8xf32> {
    %updated = scf.if %p -> (tensor<64x8xf32>) {
      %new = tensor.insert_slice %row into %a[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
      scf.yield %new : tensor<64x8xf32>
    } else {
      scf.yield %a : tensor<64x8xf32>
    }
    scf.yield %updated : tensor<64x8xf32>
  }
  return %r : tensor<64x8xf32>
}

// The body gets the loop's values in another order: each goes back to the buffer it came from.
// CHECK-LABEL: @reordered
func.func @reordered(%x: tensor<8xf32>, %y: tensor<8xf32>, %p: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.while (%a = %x, %b = %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.condition(%p) %b, %a : tensor<8xf32>, tensor<8xf32>
  } do {
  // CHECK: ^bb0(%[[B:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8xf32>):
  ^bb0(%b: tensor<8xf32>, %a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: %[[NEW:.*]] = linalg.exp
    %new = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // CHECK-NOT: alloc_tensor
    // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[A]]
    // CHECK: scf.yield %[[M]], %[[B]]
    scf.yield %new, %b : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// One value goes to two arguments: it may be computed in the buffer of one, the other gets a copy
// made before that is written.
// CHECK-LABEL: @to_two_arguments
func.func @to_two_arguments(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    // CHECK: %[[NEW:.*]] = linalg.exp
    %new = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[NEW]])
    // CHECK: materialize_in_destination %[[NEW]] in %[[A]]
    // CHECK: materialize_in_destination %[[COPY]] in %[[B]]
    scf.yield %new, %new : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// An argument or a value from outside, which every iteration finds unchanged: that is copied.
// CHECK-LABEL: @from_outside
// CHECK-SAME: %{{.*}}: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>
func.func @from_outside(%x: tensor<8xf32>, %y: tensor<8xf32>, %p: i1, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}})
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    // CHECK: %[[IF:.*]] = scf.if
    // CHECK: %[[OUTSIDE:.*]] = bufferization.alloc_tensor() copy(%[[Y]])
    // CHECK: scf.yield %[[OUTSIDE]]
    // CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]])
    // CHECK: scf.yield %[[COPY]]
    %chosen = scf.if %p -> (tensor<8xf32>) {
      scf.yield %y : tensor<8xf32>
    } else {
      scf.yield %a : tensor<8xf32>
    }
    // CHECK: materialize_in_destination %[[IF]] in %[[A]]
    scf.yield %chosen : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What goes to an argument is computed by a loop from nothing: in a buffer of its own.
// CHECK-LABEL: @computed_by_a_loop
func.func @computed_by_a_loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: iter_args(%[[A:.*]] = %{{.*}})
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    // CHECK: %[[START:.*]] = bufferization.alloc_tensor()
    // CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
    %e = tensor.empty() : tensor<8xf32>
    %sums = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %e) -> (tensor<8xf32>) {
      %v = tensor.extract %a[%j] : tensor<8xf32>
      %d = arith.addf %v, %v : f32
      %new = tensor.insert %d into %b[%j] : tensor<8xf32>
      scf.yield %new : tensor<8xf32>
    }
    // CHECK: bufferization.materialize_in_destination %[[SUMS]] in %[[A]]
    scf.yield %sums : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
