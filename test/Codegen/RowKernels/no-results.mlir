// RUN: forge-opt --forge-cluster-rows %s | FileCheck %s

// An operation all of whose results were erased is no row kernel.
// CHECK-LABEL: func.func @unread
// CHECK:         linalg.generic
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func private @f(f32) -> f32
func.func @unread(%x: tensor<8x8xf32>) {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) {
  ^bb0(%in: f32):
    %0 = func.call @f(%in) : (f32) -> f32
    linalg.yield
  }
  return
}
