// Scalars whose arithmetic the threads of kernels would repeat are computed by a fill of rank 0.
// RUN: forge-opt %s --forge-share-scalars --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Many elements, 20 instructions: a launch takes less time. What is computed of the shared scalar in
// few instructions stays with its readers.
// CHECK-LABEL: func.func @large
// CHECK: %[[NORM:.*]] = math.sqrt
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<f32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[NORM]] : f32) outs(%[[EMPTY]] : tensor<f32>)
// CHECK-NEXT: %[[SHARED:.*]] = tensor.extract %[[FILL]][] : tensor<f32>
// CHECK-NEXT: %[[HALF:.*]] = arith.mulf %[[SHARED]]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic
// CHECK: arith.divf %{{.*}}, %[[SHARED]]
// CHECK: linalg.generic
// CHECK: arith.divf %{{.*}}, %[[HALF]]
// CHECK-NOT: linalg.fill
func.func @large(%x: tensor<4096x4096xf32>, %sum: tensor<f32>) -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
  %c = arith.constant 0.5 : f32
  %s = tensor.extract %sum[] : tensor<f32>
  %norm = math.sqrt %s : f32
  %half = arith.mulf %norm, %c : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %norm : f32
    linalg.yield %q : f32
  } -> tensor<4096x4096xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %half : f32
    linalg.yield %q : f32
  } -> tensor<4096x4096xf32>
  return %0, %1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Few elements: each thread computes the root.
// CHECK-LABEL: func.func @small
// CHECK-NOT: linalg.fill
func.func @small(%x: tensor<64x64xf32>, %sum: tensor<f32>) -> tensor<64x64xf32> {
  %s = tensor.extract %sum[] : tensor<f32>
  %norm = math.sqrt %s : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %norm : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The host computes what depends on no element; cheap arithmetic stays; sizes that are not known
// count as none.
// CHECK-LABEL: func.func @not_shared
// CHECK-NOT: linalg.fill
func.func @not_shared(%x: tensor<4096x4096xf32>, %open: tensor<?x?xf32>, %a: f32, %sum: tensor<f32>)
    -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<?x?xf32>) {
  %root = math.sqrt %a : f32
  %s = tensor.extract %sum[] : tensor<f32>
  %cheap = arith.addf %s, %a : f32
  %dear = math.sqrt %s : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %root : f32
    linalg.yield %q : f32
  } -> tensor<4096x4096xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %cheap : f32
    linalg.yield %q : f32
  } -> tensor<4096x4096xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%open : tensor<?x?xf32>) outs(%open : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %dear : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<?x?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A branch of the host reads the shared scalar, too, and only its element.
// CHECK-LABEL: func.func @branch
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK-NEXT: %[[SHARED:.*]] = tensor.extract %[[FILL]][]
// CHECK: arith.cmpf olt, %[[SHARED]]
// CHECK: scf.if
// CHECK: arith.divf %{{.*}}, %[[SHARED]]
func.func @branch(%x: tensor<33554432xf32>, %sum: tensor<f32>) -> tensor<33554432xf32> {
  %c = arith.constant 1.0 : f32
  %s = tensor.extract %sum[] : tensor<f32>
  %norm = math.sqrt %s : f32
  %less = arith.cmpf olt, %norm, %c : f32
  %0 = scf.if %less -> (tensor<33554432xf32>) {
    scf.yield %x : tensor<33554432xf32>
  } else {
    %empty = tensor.empty() : tensor<33554432xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<33554432xf32>) outs(%empty : tensor<33554432xf32>) {
    ^bb0(%in: f32, %out: f32):
      %q = arith.divf %in, %norm : f32
      linalg.yield %q : f32
    } -> tensor<33554432xf32>
    scf.yield %1 : tensor<33554432xf32>
  }
  return %0 : tensor<33554432xf32>
}
