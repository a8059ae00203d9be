// RUN: forge-opt %s --forge-scalarize-loops -split-input-file | FileCheck %s

#scalar = affine_map<() -> ()>

// CHECK-LABEL: @counting
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[C6:.*]] = arith.constant 6 : i32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C6]] step %[[C1]] iter_args(%{{.*}} = %arg0) -> (tensor<8xf32>) : i32 {
// CHECK-NOT: tensor<i32>
func.func @counting(%x: tensor<8xf32>) -> tensor<8xf32> {
  %start = arith.constant dense<0> : tensor<i32>
  %r:2 = scf.while (%i = %start, %a = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %six = arith.constant dense<6> : tensor<i32>
    %e = tensor.empty() : tensor<i1>
    %lt = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
        ins(%i, %six : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
      ^bb0(%p: i32, %q: i32, %o: i1):
        %k = arith.cmpi slt, %p, %q : i32
        linalg.yield %k : i1
    } -> tensor<i1>
    %c = tensor.extract %lt[] : tensor<i1>
    scf.condition(%c) %i, %a : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<8xf32>):
    %one = arith.constant dense<1> : tensor<i32>
    %ei = tensor.empty() : tensor<i32>
    %next = linalg.add ins(%i, %one : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    %e = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %next, %b : tensor<i32>, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}

// -----

// The counter is a result: its value after the loop is the loop's business.
// CHECK-LABEL: @counter_used
// CHECK: scf.while
// CHECK-NOT: scf.for
func.func @counter_used(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// -----

// Not upwards.
// CHECK-LABEL: @downwards
// CHECK: scf.while
func.func @downwards(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  %r:2 = scf.while (%i = %c0, %a = %x) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %a : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    %next = arith.addi %i, %step : i32
    %b = math.exp %a : f32
    scf.yield %next, %b : i32, f32
  }
  return %r#1 : f32
}
