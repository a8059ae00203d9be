// RUN: forge-opt %s --forge-split-reductions | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s --check-prefix=SCHEDULE

#x = affine_map<(d0) -> (d0)>
#e = affine_map<(d0) -> ()>

// Rows from the neutral element, then their results from the initial value; both are row kernels.
// CHECK-LABEL: func.func @sum
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1]] output_shape [512, 2048]
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[NEUTRAL]] : f32)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[ROWS]]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}}["reduction"]} ins(%[[SUMS]]
// CHECK-NOT: math.sqrt
// CHECK: return
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512x2048xf32>{{.*}}strategy = "rows"
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512xf32>{{.*}}strategy = "rows"
func.func @sum(%x: tensor<1048576xf32>) -> tensor<f32> {
  %c = arith.constant 0.5 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.sqrt %in : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}

// Few elements; a size with few powers of two; results that cannot be joined: these stay.
// CHECK-LABEL: func.func @few
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @odd
// CHECK-NOT: expand_shape
// CHECK-LABEL: func.func @ordered
// CHECK-NOT: expand_shape
func.func @few(%x: tensor<4096xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<4096xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @odd(%x: tensor<1048577xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048577xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @ordered(%x: tensor<1048576xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#x, #e], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.subf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}
