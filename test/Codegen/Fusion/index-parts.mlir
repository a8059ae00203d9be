// RUN: forge-opt %s --forge-index-parts | FileCheck %s

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
// CHECK: %[[Q:.*]] = tensor.extract %[[Y]][%[[I]], %[[RIGHT]]]
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[J]], %c32
// CHECK: %[[V:.*]] = arith.select %[[FIRST]], %[[P]], %[[Q]]
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
