// RUN: forge-opt %s --split-input-file --forge-form-kernels --canonicalize | FileCheck %s

// A product takes the fill it starts from along; the host calls it with the tensor the result goes to.
// CHECK-LABEL: func.func private @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<4x16xf32>, %[[B:.*]]: tensor<16x8xf32>, %[[OUT:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-SAME: forge.kernel
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[OUT]]
// CHECK: linalg.matmul ins(%[[A]], %[[B]] {{.*}} outs(%[[FILL]]
// CHECK-LABEL: func.func @product(
// CHECK-NOT: linalg
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: call @matmul(%{{.*}}, %{{.*}}, %[[E]])
func.func @product(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A position read from a tensor is read by the kernel: the host does not wait.
// CHECK-LABEL: func.func private @insert(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[AT:.*]]: tensor<i64>, %{{.*}}: tensor<16xf32>)
// CHECK: tensor.extract %[[AT]][]
// CHECK: tensor.insert_slice
// CHECK-LABEL: func.func @update(
// CHECK-NOT: tensor.extract
// CHECK: call @insert
func.func @update(%cache: tensor<16xf32>, %new: tensor<4xf32>, %at: tensor<i64>) -> tensor<16xf32> {
  %i = tensor.extract %at[] : tensor<i64>
  %index = arith.index_cast %i : i64 to index
  %0 = tensor.insert_slice %new into %cache[%index] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Loops over whole tensors are the host's; a loop over elements is a kernel.
// CHECK-LABEL: func.func private @elementwise(
// CHECK-LABEL: func.func private @loop(
// CHECK-SAME: -> tensor<8xf32>
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK-LABEL: func.func @loops(
// CHECK: scf.for
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: func.call @elementwise
// CHECK: call @loop
func.func @loops(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<8xf32> {
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%y : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  %1:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero, %y = %empty) -> (f32, tensor<8xf32>) {
    %e = tensor.extract %0[%i] : tensor<8xf32>
    %s = arith.addf %sum, %e : f32
    %t = tensor.insert %s into %y[%i] : tensor<8xf32>
    scf.yield %s, %t : f32, tensor<8xf32>
  }
  return %1#1 : tensor<8xf32>
}

// -----

// What the host returns is a tensor of its own, no slice; assertions stay on the host.
// CHECK-LABEL: func.func private @copy(
// CHECK: tensor.extract_slice
// CHECK: bufferization.materialize_in_destination
// CHECK-LABEL: func.func @slice(
// CHECK: cf.assert
// CHECK: call @copy
func.func @slice(%x: tensor<8xf32>, %ok: i1) -> tensor<4xf32> {
  cf.assert %ok, "not ok"
  %0 = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A reduction that starts from a constant of one value starts from a fill, of its own kernel.
// CHECK-LABEL: func.func private @reduce(
// CHECK-SAME: %{{.*}}: tensor<8xi64>, %[[OUT:.*]]: tensor<i64>)
// CHECK: linalg.fill {{.*}} outs(%[[OUT]]
// CHECK-LABEL: func.func @count(
func.func @count(%x: tensor<8xi64>) -> tensor<i64> {
  %zero = arith.constant dense<0> : tensor<i64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi64>) outs(%zero : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %1 = arith.addi %in, %out : i64
    linalg.yield %1 : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

// Places that are affine expressions of the loops leave a nest of loops one kernel: rotated keys of patches, put behind others.
// CHECK-LABEL: func.func private @loop{{.*}}(%{{.*}}: tensor<8x4xf32>, %{{.*}}: tensor<9x4xf32>) -> tensor<9x4xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: affine.apply
// CHECK: tensor.insert
// CHECK-LABEL: func.func @affine_places
// CHECK-NOT: scf.for
// CHECK: call @loop
func.func @affine_places(%x: tensor<8x4xf32>, %to: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %to) -> (tensor<9x4xf32>) {
    %1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (tensor<9x4xf32>) {
      %e = tensor.extract %x[%i, %j] : tensor<8x4xf32>
      %at = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%i]
      %2 = tensor.insert %e into %b[%at, %j] : tensor<9x4xf32>
      scf.yield %2 : tensor<9x4xf32>
    } {forge.independent}
    scf.yield %1 : tensor<9x4xf32>
  } {forge.independent}
  return %0 : tensor<9x4xf32>
}
