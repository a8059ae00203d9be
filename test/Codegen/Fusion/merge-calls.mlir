// RUN: forge-opt --forge-fuse-elementwise --split-input-file %s | FileCheck %s

func.func private @forge_rt_lgamma_f32(f32) -> f32

// Equal calls of a scalar function are one, and the operation made of calls that nothing reads is gone.
// CHECK-LABEL: func.func @equal
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[G:.*]] = func.call @forge_rt_lgamma_f32(%[[X]])
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[G]], %[[G]]
// CHECK-NEXT:      linalg.yield %[[S]]
// CHECK-NOT:     linalg.generic
#map = affine_map<(d0) -> (d0)>
func.func @equal(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = func.call @forge_rt_lgamma_f32(%in) : (f32) -> f32
    %1 = func.call @forge_rt_lgamma_f32(%in) : (f32) -> f32
    %2 = func.call @forge_rt_lgamma_f32(%1) : (f32) -> f32
    %3 = arith.addf %0, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %unread = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = func.call @forge_rt_lgamma_f32(%in) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}

// -----

func.func private @log_f32(f32) -> f32

// Of a function that is not the runtime's nothing is known.
// CHECK-LABEL: func.func @foreign
// CHECK-COUNT-2: func.call @log_f32
#map = affine_map<(d0) -> (d0)>
func.func @foreign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = func.call @log_f32(%in) : (f32) -> f32
    %1 = func.call @log_f32(%in) : (f32) -> f32
    %3 = arith.addf %0, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
