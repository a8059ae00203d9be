// RUN: forge-opt %s --forge-unroll-loops --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Three steps; the table of shifts is swapped in each, and what is looked up in it is a constant.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME:    %[[X:.*]]: tensor<4096xi32>)
// CHECK-NOT:     scf.while
// CHECK-DAG:     %[[S:.*]] = arith.constant 13 : i32
// CHECK-DAG:     %[[T:.*]] = arith.constant 17 : i32
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK:           arith.shli %{{.*}}, %[[S]]
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK:           arith.shli %{{.*}}, %[[T]]
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK:           arith.shli %{{.*}}, %[[S]]
// CHECK:         return %[[C]]
func.func @counted(%x: tensor<4096xi32>) -> tensor<4096xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %i0 = arith.constant 0 : index
  %a = arith.constant dense<[13, 15]> : tensor<2xi32>
  %b = arith.constant dense<[17, 29]> : tensor<2xi32>
  %e = tensor.empty() : tensor<4096xi32>
  %r:4 = scf.while (%i = %c0, %y = %x, %s = %a, %t = %b) : (i32, tensor<4096xi32>, tensor<2xi32>, tensor<2xi32>) -> (i32, tensor<4096xi32>, tensor<2xi32>, tensor<2xi32>) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %y, %s, %t : i32, tensor<4096xi32>, tensor<2xi32>, tensor<2xi32>
  } do {
  ^bb0(%i: i32, %y: tensor<4096xi32>, %s: tensor<2xi32>, %t: tensor<2xi32>):
    %part = tensor.extract_slice %s[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
    %shift = tensor.extract %part[%i0] : tensor<1xi32>
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<4096xi32>) outs(%e : tensor<4096xi32>) {
    ^bb0(%in: i32, %out: i32):
      %v = arith.shli %in, %shift : i32
      linalg.yield %v : i32
    } -> tensor<4096xi32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %z, %t, %s : i32, tensor<4096xi32>, tensor<2xi32>, tensor<2xi32>
  }
  return %r#1 : tensor<4096xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Counters of scf.for are constants.
// CHECK-LABEL: func.func @for_loop(
// CHECK-NOT:     scf.for
// CHECK-COUNT-2: arith.addf
// CHECK-NOT:     arith.addf
func.func @for_loop(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.for %i = %c2 to %c6 step %c3 iter_args(%y = %x) -> (tensor<64xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.addf %in, %f : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Nine steps are too many, and how many there are has to be known.
// CHECK-LABEL: func.func @many(
// CHECK:         scf.for
// CHECK:         scf.for
func.func @many(%x: tensor<64xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%y = %x) -> (tensor<64xf32>) {
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.tanh %in : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<64xf32>) {
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.tanh %in : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// -----

// A step with a product has launches of its own anyway.
// CHECK-LABEL: func.func @product(
// CHECK:         scf.for
// CHECK:           linalg.matmul
func.func @product(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> (tensor<16x16xf32>) {
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
    %z = linalg.matmul ins(%y, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %z : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The counter is compared with what the loop carries.
// CHECK-LABEL: func.func @carried_limit(
// CHECK:         scf.while
func.func @carried_limit(%x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<64xf32>
  %r:2 = scf.while (%i = %c0, %y = %x) : (i32, tensor<64xf32>) -> (i32, tensor<64xf32>) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %y : i32, tensor<64xf32>
  } do {
  ^bb0(%i: i32, %y: tensor<64xf32>):
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.tanh %in : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %z : i32, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
