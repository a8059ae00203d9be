// RUN: forge-opt --forge-fuse-elementwise --split-input-file %s | FileCheck %s
// One element of an elementwise result is computed where it is read: what is, and what stays.

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0) -> (d0)>

// The loops' indices and broadcast operands of the producer are those of the element; scalars are themselves.
// CHECK-LABEL: func.func @index_and_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<4x33xi64>, %[[B:.*]]: tensor<33xi64>, %[[S:.*]]: i64,
// CHECK-COUNT-1: linalg.generic
// CHECK: ^bb0(%[[T:[a-z0-9]+]]: i64
// CHECK-DAG: %[[I:.*]] = linalg.index 0
// CHECK-DAG: %[[C:.*]] = arith.index_cast %[[T]] : i64 to index
// CHECK-DAG: %[[E:.*]] = tensor.extract %[[X]][%[[I]], %[[C]]]
// CHECK-DAG: %[[F:.*]] = tensor.extract %[[B]][%[[C]]]
// CHECK-DAG: %[[P:.*]] = arith.index_cast %[[C]] : index to i64
// CHECK: arith.addi %[[E]], %[[F]]
// CHECK: arith.addi %{{.*}}, %[[P]]
// CHECK: arith.addi %{{.*}}, %[[S]]
// CHECK-NOT: linalg.generic
func.func @index_and_broadcast(%x: tensor<4x33xi64>, %b: tensor<33xi64>, %s: i64, %t: tensor<4xi64>) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4x33xi64>
  %w = linalg.generic {indexing_maps = [#id, #col, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %s : tensor<4x33xi64>, tensor<33xi64>, i64) outs(%e : tensor<4x33xi64>) {
  ^bb0(%a: i64, %c: i64, %d: i64, %o: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %0 = arith.addi %a, %c : i64
    %1 = arith.addi %0, %k : i64
    %2 = arith.addi %1, %d : i64
    linalg.yield %2 : i64
  } -> tensor<4x33xi64>
  %r = tensor.empty() : tensor<4xi64>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<4xi64>) outs(%r : tensor<4xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %a : i64 to index
    %v = tensor.extract %w[%i, %c] : tensor<4x33xi64>
    linalg.yield %v : i64
  } -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0) -> (d0)>

// An exponential is not computed again for each reader, where there are more of them than elements.
// CHECK-LABEL: func.func @expensive
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: tensor.extract %[[W]]
func.func @expensive(%x: tensor<4x33xf32>, %t: tensor<700xi32>) -> tensor<700xf32> {
  %four = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x33xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %r = tensor.empty() : tensor<700xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<700xi32>) outs(%r : tensor<700xf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %a : i32 to index
    %k = arith.remui %i, %four : index
    %v = tensor.extract %w[%k, %c] : tensor<4x33xf32>
    linalg.yield %v : f32
  } -> tensor<700xf32>
  return %y : tensor<700xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0) -> (d0)>

// What one reader reads, and less often than it has elements, is computed there.
// CHECK-LABEL: func.func @read_once
// CHECK-COUNT-1: linalg.generic
// CHECK: %[[V:.*]] = tensor.extract %arg0
// CHECK-NEXT: math.exp %[[V]]
// CHECK-NOT: linalg.generic
func.func @read_once(%x: tensor<4x33xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %r = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%r : tensor<4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %a : i32 to index
    %v = tensor.extract %w[%i, %c] : tensor<4x33xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0) -> (d0)>

// In between, the input may be overwritten in place: reading it later would keep a copy of all of it alive.
// CHECK-LABEL: func.func @overwritten
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: arith.extf
// CHECK: tensor.insert
// CHECK: linalg.generic
// CHECK: tensor.extract %[[W]]
func.func @overwritten(%x: tensor<4x33xbf16>, %t: tensor<4xi32>, %n: bf16) -> (tensor<4xf32>, tensor<4x33xbf16>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x33xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x33xbf16>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %s = arith.extf %a : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %z = tensor.insert %n into %x[%c0, %c0] : tensor<4x33xbf16>
  %r = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%r : tensor<4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %a : i32 to index
    %v = tensor.extract %w[%i, %c] : tensor<4x33xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4x33xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// What the host reads, it reads once: on a GPU the sum would become the host's.
// CHECK-LABEL: func.func @host
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: tensor.extract %[[W]]
func.func @host(%x: tensor<4x33xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x33xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  %v = tensor.extract %w[%c1, %c1] : tensor<4x33xf32>
  return %v : f32
}

// -----

// Steps along a line read each element once, two of them at a time.
// CHECK-LABEL: func.func @line(
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-2: math.exp
// CHECK: {forge.scan}
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @line(%x: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x40xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x40xf32>) outs(%e : tensor<8x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<8x40xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %e) -> (tensor<8x40xf32>) {
    %line:2 = scf.for %j = %c0 to %c40 step %c2 iter_args(%sum = %zero, %u = %t) -> (f32, tensor<8x40xf32>) {
      %k = arith.addi %j, %c1 : index
      %a = tensor.extract %exp[%i, %j] : tensor<8x40xf32>
      %b = tensor.extract %exp[%i, %k] : tensor<8x40xf32>
      %s0 = arith.addf %sum, %a : f32
      %u0 = tensor.insert %s0 into %u[%i, %j] : tensor<8x40xf32>
      %s1 = arith.addf %s0, %b : f32
      %u1 = tensor.insert %s1 into %u0[%i, %k] : tensor<8x40xf32>
      scf.yield %s1, %u1 : f32, tensor<8x40xf32>
    } {forge.scan}
    scf.yield %line#1 : tensor<8x40xf32>
  } {forge.independent}
  return %r : tensor<8x40xf32>
}

// -----

// Forty lines would compute it again.
// CHECK-LABEL: func.func @repeated(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: scf.for
// CHECK-NOT: math.exp
#id = affine_map<(d0) -> (d0)>
func.func @repeated(%x: tensor<8xf32>) -> tensor<8x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %f = tensor.empty() : tensor<8x40xf32>
  %r = scf.for %j = %c0 to %c40 step %c1 iter_args(%t = %f) -> (tensor<8x40xf32>) {
    %line:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero, %u = %t) -> (f32, tensor<8x40xf32>) {
      %a = tensor.extract %exp[%i] : tensor<8xf32>
      %s = arith.addf %sum, %a : f32
      %v = tensor.insert %s into %u[%i, %j] : tensor<8x40xf32>
      scf.yield %s, %v : f32, tensor<8x40xf32>
    } {forge.scan}
    scf.yield %line#1 : tensor<8x40xf32>
  } {forge.independent}
  return %r : tensor<8x40xf32>
}

// -----

// An index vector of two parts is not put together; where it is read at another place it is.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @parts(
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg2
// CHECK: return
func.func @parts(%x: tensor<9x7xf32>, %i: tensor<40xi32>, %j: tensor<40xi32>) -> tensor<40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<40x2xi32>
  %0 = tensor.insert_slice %i into %e[0, 0] [40, 1] [1, 1] : tensor<40xi32> into tensor<40x2xi32>
  %1 = tensor.insert_slice %j into %0[0, 1] [40, 1] [1, 1] : tensor<40xi32> into tensor<40x2xi32>
  %o = tensor.empty() : tensor<40xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : tensor<40xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %a = tensor.extract %1[%n, %c0] : tensor<40x2xi32>
    %b = tensor.extract %1[%n, %c1] : tensor<40x2xi32>
    %row = arith.index_cast %a : i32 to index
    %column = arith.index_cast %b : i32 to index
    %v = tensor.extract %x[%row, %column] : tensor<9x7xf32>
    linalg.yield %v : f32
  } -> tensor<40xf32>
  return %r : tensor<40xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @anywhere(
// CHECK-COUNT-2: tensor.insert_slice
func.func @anywhere(%i: tensor<40xi32>, %j: tensor<40xi32>, %at: tensor<40x2xi32>) -> tensor<40x2xi32> {
  %e = tensor.empty() : tensor<40x2xi32>
  %0 = tensor.insert_slice %i into %e[0, 0] [40, 1] [1, 1] : tensor<40xi32> into tensor<40x2xi32>
  %1 = tensor.insert_slice %j into %0[0, 1] [40, 1] [1, 1] : tensor<40xi32> into tensor<40x2xi32>
  %o = tensor.empty() : tensor<40x2xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<40x2xi32>) outs(%o : tensor<40x2xi32>) {
  ^bb0(%k: i32, %out: i32):
    %n = linalg.index 0 : index
    %column = arith.index_cast %k : i32 to index
    %a = tensor.extract %1[%n, %column] : tensor<40x2xi32>
    linalg.yield %a : i32
  } -> tensor<40x2xi32>
  return %r : tensor<40x2xi32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0, d1) -> (d0)>

// Eight of 64 exponentials for each row, and all of them by a sum: nothing writes them.
// CHECK-LABEL: func.func @looked_up_and_summed(
// CHECK-SAME:    %[[X:.*]]: tensor<16x64xf32>
// CHECK-NOT:     outs(%{{.*}} : tensor<16x64xf32>)
// CHECK:         iterator_types = ["parallel", "reduction"]} ins(%[[X]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.exp
// CHECK:         tensor.extract %[[X]]
// CHECK-NEXT:      math.exp
func.func @looked_up_and_summed(%x: tensor<16x64xf32>, %at: tensor<16x8xi32>) -> (tensor<16xf32>, tensor<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x64xf32>
  %es = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<16x64xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<16x8xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%k: i32, %out: f32):
    %n = linalg.index 0 : index
    %column = arith.index_cast %k : i32 to index
    %a = tensor.extract %y[%n, %column] : tensor<16x64xf32>
    linalg.yield %a : f32
  } -> tensor<16x8xf32>
  return %s, %r : tensor<16xf32>, tensor<16x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Two bodies that together look up as many as there are; a row more would compute more.
// CHECK-LABEL: func.func @two_bodies(
// CHECK-NOT:     outs(%{{.*}} : tensor<16x16xf32>)
// CHECK:         return
// CHECK-LABEL: func.func @row_more(
// CHECK:         outs(%{{.*}} : tensor<16x16xf32>)
// CHECK:         return
func.func @two_bodies(%x: tensor<16x16xf32>, %at: tensor<16x8xi32>, %other: tensor<8x16xi32>) -> (tensor<16x8xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x16xf32>
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<16x8xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%k: i32, %out: f32):
    %n = linalg.index 0 : index
    %column = arith.index_cast %k : i32 to index
    %a = tensor.extract %y[%n, %column] : tensor<16x16xf32>
    linalg.yield %a : f32
  } -> tensor<16x8xf32>
  %p = tensor.empty() : tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%other : tensor<8x16xi32>) outs(%p : tensor<8x16xf32>) {
  ^bb0(%k: i32, %out: f32):
    %n = linalg.index 1 : index
    %row = arith.index_cast %k : i32 to index
    %a = tensor.extract %y[%row, %n] : tensor<16x16xf32>
    linalg.yield %a : f32
  } -> tensor<8x16xf32>
  return %r, %s : tensor<16x8xf32>, tensor<8x16xf32>
}
func.func @row_more(%x: tensor<16x16xf32>, %at: tensor<16x8xi32>, %other: tensor<9x16xi32>) -> (tensor<16x8xf32>, tensor<9x16xf32>) {
  %e = tensor.empty() : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x16xf32>
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<16x8xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%k: i32, %out: f32):
    %n = linalg.index 0 : index
    %column = arith.index_cast %k : i32 to index
    %a = tensor.extract %y[%n, %column] : tensor<16x16xf32>
    linalg.yield %a : f32
  } -> tensor<16x8xf32>
  %p = tensor.empty() : tensor<9x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%other : tensor<9x16xi32>) outs(%p : tensor<9x16xf32>) {
  ^bb0(%k: i32, %out: f32):
    %n = linalg.index 1 : index
    %row = arith.index_cast %k : i32 to index
    %a = tensor.extract %y[%row, %n] : tensor<16x16xf32>
    linalg.yield %a : f32
  } -> tensor<9x16xf32>
  return %r, %s : tensor<16x8xf32>, tensor<9x16xf32>
}
