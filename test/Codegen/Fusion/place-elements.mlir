// RUN: forge-opt %s --forge-place-elements | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#pairs = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2) -> (d0, -d1 + 1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d2)>

// An insertion at a place known at run time: each element is computed of two, and put where it belongs.
// CHECK-LABEL: @inserted
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x2x64xf32>, %[[A:[a-z0-9]+]]: tensor<64xf32>, %[[CACHE:[a-z0-9]+]]: tensor<8x16x128xf32>, %[[AT:[a-z0-9]+]]: index
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c8{{.*}} iter_args(%[[OUTER:.*]] = %[[CACHE]])
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c128{{.*}} iter_args(%[[T:.*]] = %[[OUTER]])
// CHECK: %[[PAIR:.*]] = arith.remui %[[J]], %c64
// CHECK: %[[HALF:.*]] = arith.divui %[[J]], %c64
// CHECK: %[[V:.*]] = tensor.extract %[[X]][%[[I]], %[[HALF]], %[[PAIR]]]
// CHECK: %[[W:.*]] = tensor.extract %[[X]][%[[I]], %{{.*}}, %[[PAIR]]]
// CHECK: %[[S:.*]] = tensor.extract %[[A]][%[[PAIR]]]
// CHECK: %[[P:.*]] = arith.mulf %[[W]], %[[S]]
// CHECK: %[[SUM:.*]] = arith.addf %[[V]], %[[P]]
// CHECK: tensor.insert %[[SUM]] into %[[T]][%[[I]], %[[AT]], %[[J]]]
// CHECK: } {forge.independent}
// CHECK: } {forge.independent}
// CHECK: return %[[R]]
func.func @inserted(%x: tensor<8x2x64xf32>, %a: tensor<64xf32>, %cache: tensor<8x16x128xf32>, %at: index) -> tensor<8x16x128xf32> {
  %e = tensor.empty() : tensor<8x2x64xf32>
  %0 = linalg.generic {indexing_maps = [#pairs, #other, #angle, #pairs], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %x, %a : tensor<8x2x64xf32>, tensor<8x2x64xf32>, tensor<64xf32>) outs(%e : tensor<8x2x64xf32>) {
  ^bb0(%v: f32, %w: f32, %s: f32, %o: f32):
    %1 = arith.mulf %w, %s : f32
    %2 = arith.addf %v, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x2x64xf32>
  %3 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<8x2x64xf32> into tensor<8x128xf32>
  %4 = tensor.insert_slice %3 into %cache[0, %at, 0] [8, 1, 128] [1, 1, 1] : tensor<8x128xf32> into tensor<8x16x128xf32>
  return %4 : tensor<8x16x128xf32>
}

// Loops that put elements to computed places.
// CHECK-LABEL: @looped
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>
// CHECK-NOT: linalg.generic
// CHECK: scf.for %[[I:[a-z0-9]+]]
// CHECK: scf.for %[[J:[a-z0-9]+]]
// CHECK: %[[V:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK: %[[N:.*]] = arith.negf %[[V]]
// CHECK: tensor.insert %[[N]]
func.func @looped(%x: tensor<8x4xf32>, %to: tensor<8xindex>, %y: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.negf %v : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %y) -> tensor<16x4xf32> {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> tensor<16x4xf32> {
      %v = tensor.extract %0[%i, %j] : tensor<8x4xf32>
      %p = tensor.extract %to[%i] : tensor<8xindex>
      %n = tensor.insert %v into %b[%p, %j] : tensor<16x4xf32>
      scf.yield %n : tensor<16x4xf32>
    }
    scf.yield %s : tensor<16x4xf32>
  }
  return %r : tensor<16x4xf32>
}

// Each element would be computed eight times.
// CHECK-LABEL: @repeated
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-NOT: arith.negf
// CHECK: return
func.func @repeated(%x: tensor<4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.negf %v : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %y) -> tensor<8x4xf32> {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> tensor<8x4xf32> {
      %v = tensor.extract %0[%j] : tensor<4xf32>
      %n = tensor.insert %v into %b[%i, %j] : tensor<8x4xf32>
      scf.yield %n : tensor<8x4xf32>
    }
    scf.yield %s : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// A sum along a line needs its elements one after the other, and reads what it writes.
// CHECK-LABEL: @running
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-NOT: arith.negf
// CHECK: return
func.func @running(%x: tensor<8xf32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.negf %v : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %y) -> tensor<9xf32> {
    %v = tensor.extract %0[%i] : tensor<8xf32>
    %w = tensor.extract %a[%i] : tensor<9xf32>
    %s = arith.addf %v, %w : f32
    %k = arith.addi %i, %c1 : index
    %n = tensor.insert %s into %a[%k] : tensor<9xf32>
    scf.yield %n : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// Computed of what is written: element by element it would read what it has overwritten.
// CHECK-LABEL: @of_itself
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
func.func @of_itself(%x: tensor<8x4xf32>, %at: index) -> tensor<8x4xf32> {
  %p = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.negf %v : f32
    linalg.yield %1 : f32
  } -> tensor<2x4xf32>
  %2 = tensor.insert_slice %0 into %x[%at, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// Read twice, and of a product's kernel.
// CHECK-LABEL: @kept
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
func.func @kept(%x: tensor<2x4xf32>, %y: tensor<8x4xf32>, %z: tensor<8x4xf32>, %at: index) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.negf %v : f32
    linalg.yield %1 : f32
  } -> tensor<2x4xf32>
  %2 = tensor.insert_slice %0 into %y[%at, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], forge.cluster = "product0"} ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %4 = math.absf %v : f32
    linalg.yield %4 : f32
  } -> tensor<2x4xf32>
  %5 = tensor.insert_slice %3 into %z[%at, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  return %2, %0, %5 : tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>

// A padded image is computed as it is padded, if nothing else reads it, and if the padding is not most of it.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<14x64xf32>
// CHECK-NOT:     tensor<14x64xf32>) {
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<16x64xf32>)
// CHECK:           %[[E:.*]] = tensor.extract %[[X]]
// CHECK:           math.exp %[[E]]
// CHECK:           arith.select
// CHECK-LABEL: func.func @mostly_padding(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<14x64xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<32x64xf32>)
// CHECK-LABEL: func.func @read_twice(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<14x64xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<16x64xf32>)
func.func @padded(%x: tensor<14x64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<14x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<14x64xf32>) outs(%e : tensor<14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<14x64xf32>
  %f = tensor.empty() : tensor<16x64xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<16x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %i, %c1 : index
    %l = arith.maxsi %k, %c0 : index
    %m = arith.minsi %l, %c13 : index
    %v = tensor.extract %y[%m, %j] : tensor<14x64xf32>
    %is = arith.cmpi eq, %k, %m : index
    %w = arith.select %is, %v, %zero : f32
    linalg.yield %w : f32
  } -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
func.func @mostly_padding(%x: tensor<14x64xf32>) -> tensor<32x64xf32> {
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<14x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<14x64xf32>) outs(%e : tensor<14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<14x64xf32>
  %f = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<32x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %m = arith.minsi %i, %c13 : index
    %v = tensor.extract %y[%m, %j] : tensor<14x64xf32>
    %is = arith.cmpi eq, %i, %m : index
    %w = arith.select %is, %v, %zero : f32
    linalg.yield %w : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
func.func @read_twice(%x: tensor<14x64xf32>) -> (tensor<16x64xf32>, tensor<14x64xf32>) {
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<14x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<14x64xf32>) outs(%e : tensor<14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<14x64xf32>
  %f = tensor.empty() : tensor<16x64xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<16x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %m = arith.minsi %i, %c13 : index
    %v = tensor.extract %y[%m, %j] : tensor<14x64xf32>
    %is = arith.cmpi eq, %i, %m : index
    %w = arith.select %is, %v, %zero : f32
    linalg.yield %w : f32
  } -> tensor<16x64xf32>
  return %r, %y : tensor<16x64xf32>, tensor<14x64xf32>
}
