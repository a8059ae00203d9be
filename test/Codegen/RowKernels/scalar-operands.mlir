// RUN: forge-opt %s --split-input-file --forge-scalar-operands | FileCheck %s

#m = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>
#n = affine_map<() -> ()>

// The norm of one row: sum of squares, its root, the quotients. Both scalars are operands; the bodies extract nothing.
// CHECK: #[[S:.*]] = affine_map<(d0) -> ()>
// CHECK: #[[N:.*]] = affine_map<() -> ()>
// CHECK-LABEL: func.func @norm
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}["reduction"]
// CHECK: %[[ROOT:.*]] = linalg.generic {indexing_maps = [#[[N]], #[[N]]], iterator_types = []} ins(%[[SUM]] : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: math.sqrt %[[IN]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[S]], #{{.*}}], iterator_types = ["parallel"]} ins(%arg0, %[[ROOT]] : tensor<64xf32>, tensor<f32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[R:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[Q:.*]] = arith.divf %[[X]], %[[R]]
// CHECK-NEXT: arith.addf %[[Q]], %[[R]]
func.func @norm(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = tensor.empty() : tensor<f32>
  %all = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#m, #s], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %root = linalg.generic {indexing_maps = [#n], iterator_types = []} outs(%one : tensor<f32>) {
  ^bb0(%out: f32):
    %1 = tensor.extract %sum[] : tensor<f32>
    %2 = math.sqrt %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%all : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = tensor.extract %root[] : tensor<f32>
    %2 = tensor.extract %root[] : tensor<f32>
    %3 = arith.divf %in, %1 : f32
    %4 = arith.addf %3, %2 : f32
    linalg.yield %4 : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

#m = affine_map<(d0) -> (d0)>
#n = affine_map<() -> ()>

// What was given stays an element that is extracted, and so does one of several.
// CHECK-LABEL: func.func @given
// CHECK: linalg.generic {{.*}} outs
// CHECK: tensor.extract %arg0[]
// CHECK: linalg.generic {{.*}} outs
// CHECK: tensor.extract %{{.*}}[%{{.*}}] : tensor<64xf32>
func.func @given(%s: tensor<f32>) -> tensor<64xf32> {
  %c3 = arith.constant 3 : index
  %all = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%all : tensor<64xf32>) {
  ^bb0(%out: f32):
    %1 = tensor.extract %s[] : tensor<f32>
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %z = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%all : tensor<64xf32>) {
  ^bb0(%out: f32):
    %1 = tensor.extract %y[%c3] : tensor<64xf32>
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %z : tensor<64xf32>
}

// -----

#m = affine_map<(d0) -> (d0)>
#n = affine_map<() -> ()>

// Nor is an operation changed that is in a cluster.
// CHECK-LABEL: func.func @clustered
// CHECK: linalg.generic {indexing_maps = [#{{[a-z0-9]*}}], iterator_types = ["parallel"]} outs(%{{.*}}) attrs = {forge.cluster = 0
// CHECK: tensor.extract
func.func @clustered(%s: tensor<f32>) -> tensor<64xf32> {
  %one = tensor.empty() : tensor<f32>
  %all = tensor.empty() : tensor<64xf32>
  %root = linalg.generic {indexing_maps = [#n, #n], iterator_types = []} ins(%s : tensor<f32>) outs(%one : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.sqrt %in : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%all : tensor<64xf32>) attrs = {forge.cluster = 0 : i64} {
  ^bb0(%out: f32):
    %1 = tensor.extract %root[] : tensor<f32>
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}
