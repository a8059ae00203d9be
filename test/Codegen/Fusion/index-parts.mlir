// RUN: forge-opt %s --forge-index-parts | FileCheck %s
// RUN: forge-opt %S/Inputs/rotations.mlir --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s --check-prefix=ROTATED
// RUN: forge verify %S/Inputs/rotations.mlir --function stencil --target sim:sm_90a
// RUN: forge verify %S/Inputs/rotations.mlir --function windows --target sim:sm_90a
// RUN: forge verify %S/Inputs/rotations.mlir --function few --target sim:gfx942
// RUN: forge verify %S/Inputs/rotations.mlir --function steps --target sim:sm_90a

// Two halves that are computed, read by an operation that fusion can join.
// CHECK-LABEL: @halves
// CHECK-SAME: %[[X:.*]]: tensor<4x32xf32>, %[[Y:.*]]: tensor<4x32xf32>
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: arith.negf
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x64xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[LEFT:.*]] = arith.minsi %[[J]], %c31
// CHECK: %[[P:.*]] = tensor.extract %[[A]][%[[I]], %[[LEFT]]]
// CHECK: %[[FROM:.*]] = arith.maxsi %[[J]], %c32
// CHECK: %[[RIGHT:.*]] = arith.subi %[[FROM]], %c32
// CHECK: %[[SECOND:.*]] = arith.cmpi sge, %[[J]], %c32
// CHECK: %[[Q:.*]] = tensor.extract %[[Y]][%[[I]], %[[RIGHT]]]
// CHECK: %[[V:.*]] = arith.select %[[SECOND]], %[[Q]], %[[P]]
// CHECK: linalg.yield %[[V]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @halves(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> tensor<4x64xbf16> {
  %e = tensor.empty() : tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %f = tensor.empty() : tensor<4x64xf32>
  %l = tensor.insert_slice %n into %f[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %r = tensor.insert_slice %y into %l[0, 32] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %g = tensor.empty() : tensor<4x64xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x64xf32>) outs(%g : tensor<4x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x64xbf16>
  return %h : tensor<4x64xbf16>
}

// Parts that are there are copied as they are; so is what is returned.
// CHECK-LABEL: @inputs
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-LABEL: @returned
// CHECK-COUNT-2: tensor.insert_slice
func.func @inputs(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %f = tensor.empty() : tensor<4x64xf32>
  %l = tensor.insert_slice %x into %f[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %r = tensor.insert_slice %y into %l[0, 32] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x64xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x64xf32>
  return %h : tensor<4x64xf32>
}
func.func @returned(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %e = tensor.empty() : tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %f = tensor.empty() : tensor<4x64xf32>
  %l = tensor.insert_slice %n into %f[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %r = tensor.insert_slice %y into %l[0, 32] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// A gap stays what it was: no part has it.
// CHECK-LABEL: @gap
// CHECK-COUNT-2: tensor.insert_slice
func.func @gap(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> tensor<4x65xf32> {
  %e = tensor.empty() : tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %f = tensor.empty() : tensor<4x65xf32>
  %l = tensor.insert_slice %n into %f[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x65xf32>
  %r = tensor.insert_slice %y into %l[0, 33] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x65xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x65xf32>) outs(%f : tensor<4x65xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x65xf32>
  return %h : tensor<4x65xf32>
}

// Padding on both sides of every second column: nothing is filled or copied.
// CHECK-LABEL: @padded
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[PAD:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: %[[FROM:.*]] = arith.maxsi %[[J]], %c1
// CHECK: %[[PAST:.*]] = arith.subi %[[FROM]], %c1
// CHECK: %[[HALF:.*]] = arith.divui %[[PAST]], %c2
// CHECK: %[[PLACE:.*]] = arith.minsi %[[HALF]], %c2
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[J]], %c1
// CHECK: %[[HIGH:.*]] = arith.cmpi sle, %[[J]], %c5
// CHECK: %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[REST:.*]] = arith.remui %[[J]], %c2
// CHECK: %[[ODD:.*]] = arith.cmpi eq, %[[REST]], %c1
// CHECK: %[[IN:.*]] = arith.andi %[[INSIDE]], %[[ODD]]
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%{{.*}}, %[[PLACE]]]
// CHECK: arith.select %[[IN]], %[[E]], %[[PAD]]
func.func @padded(%x: tensor<4x3xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %pad = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%pad : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = tensor.insert_slice %x into %f[0, 1] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// Even and odd columns in turn; the even ones are themselves put together.
// CHECK-LABEL: @interleaved
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @interleaved(%x: tensor<4x1xf32>, %y: tensor<4x2xf32>, %z: tensor<4x3xf32>) -> tensor<4x6xf32> {
  %e2 = tensor.empty() : tensor<4x2xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x2xf32>) outs(%e2 : tensor<4x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  %e3 = tensor.empty() : tensor<4x3xf32>
  %x0 = tensor.insert_slice %x into %e3[0, 0] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x3xf32>
  %even = tensor.insert_slice %n into %x0[0, 1] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x3xf32>
  %e6 = tensor.empty() : tensor<4x6xf32>
  %x1 = tensor.insert_slice %even into %e6[0, 0] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<4x6xf32>
  %x2 = tensor.insert_slice %z into %x1[0, 1] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<4x6xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x2 : tensor<4x6xf32>) outs(%e6 : tensor<4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %h : tensor<4x6xf32>
}

// Padding is written with what it pads, or read where a sum reads it; a value that is not known is no padding.
// CHECK-LABEL: @summed
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.extract
// CHECK-LABEL: @unknown
// CHECK: tensor.insert_slice
func.func @summed(%x: tensor<4x3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %pad = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%pad : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = tensor.insert_slice %x into %f[0, 1] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %h : tensor<4xf32>
}
func.func @unknown(%x: tensor<4x3xf32>, %pad: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%pad : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = tensor.insert_slice %x into %f[0, 1] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<4x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %h : tensor<4x8xf32>
}

// Slices of one tensor are read there, once, at a place that is selected.
// CHECK-LABEL: @rotated
// CHECK-SAME: %[[X:.*]]: tensor<24x40xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[FIRST:.*]] = arith.addi %[[J]], %c37
// CHECK: %[[SECOND:.*]] = arith.addi %[[J]], %c-3
// CHECK: %[[IN:.*]] = arith.cmpi sge, %[[J]], %c3
// CHECK: %[[AT:.*]] = arith.select %[[IN]], %[[SECOND]], %[[FIRST]]
// CHECK: %[[V:.*]] = tensor.extract %[[X]][%[[I]], %[[AT]]]
// CHECK: linalg.yield %[[V]]
func.func @rotated(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %a = tensor.extract_slice %x[0, 37] [24, 3] [1, 1] : tensor<24x40xf32> to tensor<24x3xf32>
  %b = tensor.extract_slice %x[0, 0] [24, 37] [1, 1] : tensor<24x40xf32> to tensor<24x37xf32>
  %e = tensor.empty() : tensor<24x40xf32>
  %l = tensor.insert_slice %a into %e[0, 0] [24, 3] [1, 1] : tensor<24x3xf32> into tensor<24x40xf32>
  %r = tensor.insert_slice %b into %l[0, 3] [24, 37] [1, 1] : tensor<24x37xf32> into tensor<24x40xf32>
  return %r : tensor<24x40xf32>
}

// Slices that are not at one place along the other dimension are parts as others.
// CHECK-LABEL: @oblique
// CHECK-COUNT-2: tensor.insert_slice
func.func @oblique(%x: tensor<25x40xf32>) -> tensor<24x40xf32> {
  %a = tensor.extract_slice %x[1, 37] [24, 3] [1, 1] : tensor<25x40xf32> to tensor<24x3xf32>
  %b = tensor.extract_slice %x[0, 0] [24, 37] [1, 1] : tensor<25x40xf32> to tensor<24x37xf32>
  %e = tensor.empty() : tensor<24x40xf32>
  %l = tensor.insert_slice %a into %e[0, 0] [24, 3] [1, 1] : tensor<24x3xf32> into tensor<24x40xf32>
  %r = tensor.insert_slice %b into %l[0, 3] [24, 37] [1, 1] : tensor<24x37xf32> into tensor<24x40xf32>
  return %r : tensor<24x40xf32>
}

// A stencil is one kernel; Swin's shifted windows are read where they are before the product; a rotation that is returned is written at once.
// ROTATED-LABEL: func.func @stencil
// ROTATED: call @elementwise
// ROTATED-NOT: call
// ROTATED-LABEL: func.func @windows
// ROTATED: call @elementwise{{.*}}(%arg0, {{.*}}) -> tensor<2x2x2x4x4x16xf32>
// ROTATED-NEXT: tensor.empty
// ROTATED-NEXT: call @contraction
// ROTATED-NOT: call
// ROTATED-LABEL: func.func @few
// ROTATED: call @reduce
// ROTATED-NOT: call
// ROTATED-LABEL: func.func @returned
// ROTATED: call @elementwise
// ROTATED-NOT: call
// ROTATED: return
