// RUN: forge-opt %s --forge-hoist-invariants --split-input-file | FileCheck %s

// A transposed weight goes before the loop, with the empty tensor it is written to.
// CHECK-LABEL: func.func @transposed(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         scf.while
// CHECK:           linalg.matmul ins(%{{.*}}, %[[T]] :
// CHECK-NOT:     linalg.transpose
func.func @transposed(%w: tensor<16x8xf32>, %x: tensor<4x8xf32>, %n: i32) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %r:2 = scf.while (%i = %c0, %y = %e) : (i32, tensor<4x16xf32>) -> (i32, tensor<4x16xf32>) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %y : i32, tensor<4x16xf32>
  } do {
  ^bb0(%i: i32, %y: tensor<4x16xf32>):
    %te = tensor.empty() : tensor<8x16xf32>
    %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%te : tensor<8x16xf32>) permutation = [1, 0]
    %a = linalg.fill ins(%zero : f32) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
    %p = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%a : tensor<4x16xf32>) -> tensor<4x16xf32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %p : i32, tensor<4x16xf32>
  }
  return %r#1 : tensor<4x16xf32>
}

// -----

// What depends on something invariant follows it, out of both loops; the last operation reads what the loop carries.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @chain(
// CHECK:         math.exp
// CHECK:         math.sin
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         math.sin
// CHECK:             arith.addf
func.func @chain(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<8xf32> {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %v = math.exp %in : f32
        linalg.yield %v : f32
      } -> tensor<8xf32>
      %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %v = math.sin %in : f32
        linalg.yield %v : f32
      } -> tensor<8xf32>
      %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%3, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%in: f32, %in1: f32, %out: f32):
        %v = arith.addf %in, %in1 : f32
        linalg.yield %v : f32
      } -> tensor<8xf32>
      scf.yield %4 : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Stay: a broadcast, which what reads it computes itself; what a step overwrites; what a step hands on; what depends on
// the counter; what only a branch computes; a division, which may fail where the loop runs no time.
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:     linalg.generic
// CHECK:         scf.for
// CHECK-COUNT-6: linalg.generic
func.func @stay(%x: tensor<64xf32>, %s: tensor<f32>, %k: tensor<64xi32>, %y: tensor<64xf32>, %n: index, %p: i1)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %b = %y, %d = %k) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xi32>) {
    %e = tensor.empty() : tensor<64xf32>
    %ei = tensor.empty() : tensor<64xi32>
    %broadcast = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%s : tensor<f32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %start = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.exp %in : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    %next = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %broadcast : tensor<64xf32>, tensor<64xf32>) outs(%start : tensor<64xf32>) {
    ^bb0(%in: f32, %in1: f32, %out: f32):
      %u = arith.addf %in, %in1 : f32
      %v = arith.addf %u, %out : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    %carried = scf.if %p -> tensor<64xf32> {
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %v = math.sin %in : f32
        linalg.yield %v : f32
      } -> tensor<64xf32>
      scf.yield %1 : tensor<64xf32>
    } else {
      scf.yield %b : tensor<64xf32>
    }
    %ratio = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%k : tensor<64xi32>) outs(%ei : tensor<64xi32>) {
    ^bb0(%in: i32, %out: i32):
      %c = arith.constant 7 : i32
      %v = arith.divsi %c, %in : i32
      linalg.yield %v : i32
    } -> tensor<64xi32>
    %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%ratio, %d : tensor<64xi32>, tensor<64xi32>) outs(%ei : tensor<64xi32>) {
    ^bb0(%in: i32, %in1: i32, %out: i32):
      %v = arith.addi %in, %in1 : i32
      linalg.yield %v : i32
    } -> tensor<64xi32>
    scf.yield %next, %carried, %sum : tensor<64xf32>, tensor<64xf32>, tensor<64xi32>
  }
  return %0#0, %0#1, %0#2 : tensor<64xf32>, tensor<64xf32>, tensor<64xi32>
}
