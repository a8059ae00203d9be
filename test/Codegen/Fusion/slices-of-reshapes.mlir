// RUN: forge-opt %s --split-input-file --forge-fuse-elementwise | FileCheck %s

// Heads of a slice of a projection are a slice of its heads.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[X:.*]]: tensor<4x24xf32>
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [4, 6, 4] : tensor<4x24xf32> into tensor<4x6x4xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[HEADS]][1, 2, 0] [3, 2, 4] [1, 1, 1] : tensor<4x6x4xf32> to tensor<3x2x4xf32>
// CHECK: return %[[SLICE]]
func.func @heads(%x: tensor<4x24xf32>) -> tensor<3x2x4xf32> {
  %slice = tensor.extract_slice %x[1, 8] [3, 8] [1, 1] : tensor<4x24xf32> to tensor<3x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xf32> into tensor<3x2x4xf32>
  return %heads : tensor<3x2x4xf32>
}

// A dimension that the slice drops is one of the source's, still; dimensions of one element are no reason.
// CHECK-LABEL: func.func @dropped(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [3, 4, 6, 4]
// CHECK: tensor.extract_slice {{.*}}[2, 0, 2, 0] [1, 4, 2, 4] [1, 1, 1, 1] : tensor<3x4x6x4xf32> to tensor<4x2x4xf32>
func.func @dropped(%x: tensor<3x4x24xf32>) -> tensor<4x2x4xf32> {
  %slice = tensor.extract_slice %x[2, 0, 8] [1, 4, 8] [1, 1, 1] : tensor<3x4x24xf32> to tensor<4x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  return %heads : tensor<4x2x4xf32>
}
// CHECK-LABEL: func.func @units(
// CHECK: tensor.extract_slice
// CHECK: tensor.expand_shape
func.func @units(%x: tensor<4x24xf32>) -> tensor<1x4x8xf32> {
  %slice = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %one = tensor.expand_shape %slice [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  return %one : tensor<1x4x8xf32>
}

// -----

// A slice that begins inside a head, one of a row whose heads are not whole, every second element, a place known at run time: these stay.
// CHECK-LABEL: func.func @inside(
// CHECK: tensor.extract_slice
// CHECK: tensor.expand_shape
func.func @inside(%x: tensor<4x24xf32>) -> tensor<4x2x4xf32> {
  %slice = tensor.extract_slice %x[0, 6] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  return %heads : tensor<4x2x4xf32>
}
// CHECK-LABEL: func.func @partial(
// CHECK: tensor.extract_slice
// CHECK: tensor.expand_shape
func.func @partial(%x: tensor<4x22xf32>) -> tensor<4x2x4xf32> {
  %slice = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x22xf32> to tensor<4x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  return %heads : tensor<4x2x4xf32>
}
// CHECK-LABEL: func.func @strided(
// CHECK: tensor.extract_slice
// CHECK: tensor.expand_shape
func.func @strided(%x: tensor<4x24xf32>) -> tensor<4x2x4xf32> {
  %slice = tensor.extract_slice %x[0, 8] [4, 8] [1, 2] : tensor<4x24xf32> to tensor<4x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  return %heads : tensor<4x2x4xf32>
}
// CHECK-LABEL: func.func @moving(
// CHECK: tensor.extract_slice
// CHECK: tensor.expand_shape
func.func @moving(%x: tensor<4x24xf32>, %i: index) -> tensor<4x2x4xf32> {
  %slice = tensor.extract_slice %x[0, %i] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  return %heads : tensor<4x2x4xf32>
}
