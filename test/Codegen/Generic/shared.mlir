// RUN: forge-opt %s --split-input-file --forge-schedule-kernels=chip=sm_90a --verify-diagnostics | FileCheck %s

#x = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d1)>

// Threads share the elements of a long reduction, as many as keep a line of memory together; what is short is one thread's.
// CHECK-LABEL: func.func private @long
// CHECK-SAME: reduce_threads = 16,
func.func private @long(%x: tensor<4096x8192xf32>, %y: tensor<8192xf32>) -> tensor<8192xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#x, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x8192xf32>) outs(%y : tensor<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8192xf32>
  return %0 : tensor<8192xf32>
}
// CHECK-LABEL: func.func private @short
// CHECK-SAME: reduce_threads = 1,
func.func private @short(%x: tensor<20x8192xf32>, %y: tensor<8192xf32>) -> tensor<8192xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#x, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<20x8192xf32>) outs(%y : tensor<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8192xf32>
  return %0 : tensor<8192xf32>
}
// Differences cannot be joined: the order is the meaning.
// CHECK-LABEL: func.func private @ordered
// CHECK-SAME: reduce_threads = 1,
func.func private @ordered(%x: tensor<4096x8192xf32>, %y: tensor<8192xf32>) -> tensor<8192xf32> attributes {forge.kernel} {
  %0 = linalg.generic {indexing_maps = [#x, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x8192xf32>) outs(%y : tensor<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.subf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

// -----

#x = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d1)>

// expected-error @below {{expected a power of two of threads that share a reduction, and that divides 96, but got 64}}
func.func private @divides(%x: tensor<4096x8192xf32>, %y: tensor<8192xf32>) -> tensor<8192xf32> attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 96, reduce_threads = 64>} {
  %0 = linalg.generic {indexing_maps = [#x, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x8192xf32>) outs(%y : tensor<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

// -----

#x = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{expected one reduction where threads share it}}
func.func private @elementwise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 64>} {
  %0 = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
