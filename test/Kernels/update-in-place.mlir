// RUN: forge-opt %s --forge-update-in-place --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK: func.func private @add_in_place(%[[Y:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[Y]] : {{.*}} outs(%[[A]] :
// CHECK-NOT: func.func private @add(
func.func private @add(%x: tensor<8xf32>, %y: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @sum
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] =
// CHECK: func.call @add_in_place(%arg1, %[[A]])
func.func @sum(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = func.call @add(%a, %y, %e) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// CHECK-LABEL: func.func @while
// CHECK: ^bb0(%[[A:.*]]: tensor<8xf32>):
// CHECK: func.call @add_in_place(%arg1, %[[A]])
func.func @while(%x: tensor<8xf32>, %y: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %b = func.call @add(%a, %y, %e) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Two values of one kernel, each in the buffer of its own.
#id = affine_map<(i) -> (i)>
// CHECK-NOT: @both(
// CHECK: func.func private @both_in_place{{[_0-9]*}}(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] : {{.*}} outs(%[[X]], %[[Y]] :
func.func private @both(%x: tensor<8xf32>, %y: tensor<8xf32>, %o: tensor<8xf32>, %p: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {forge.kernel} {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%o, %p : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.mulf %a, %b : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
// CHECK-LABEL: func.func @two
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] =
// CHECK: func.call @both_in_place{{[_0-9]*}}(%[[A]], %[[B]])
func.func @two(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %n:2 = func.call @both(%a, %b, %e, %e) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    scf.yield %n#0, %n#1 : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is read behind the call, through a view too, or at other places than it is written, stays.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
// CHECK-NOT: _in_place
func.func private @exp(%x: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%out : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @transposed(%x: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%out : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @flat(%x: tensor<64xf32>, %out: tensor<64xf32>) -> tensor<64xf32> attributes {forge.kernel} {
  %0 = linalg.copy ins(%x : tensor<64xf32>) outs(%out : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @others(%x: tensor<8x8xf32>, %f: tensor<64xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %ef = tensor.empty() : tensor<64xf32>
  %r:4 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %f) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>) {
    // Read by a call behind.
    %a1 = func.call @exp(%a, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %b1 = func.call @transposed(%a, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // At other places, by the kernel itself; the second carried value is not read at all.
    %c1v = func.call @transposed(%c, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %d1 = func.call @flat(%d, %ef) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    scf.yield %a1, %b1, %c1v, %d1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>
}
func.func @view(%x: tensor<8x8xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %ef = tensor.empty() : tensor<64xf32>
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x, %b = %ef) -> (tensor<8x8xf32>, tensor<64xf32>) {
    %v = tensor.collapse_shape %a [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %a1 = func.call @exp(%a, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %b1 = func.call @flat(%v, %ef) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    scf.yield %a1, %b1 : tensor<8x8xf32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
