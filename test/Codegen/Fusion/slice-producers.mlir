// RUN: forge-opt %s --forge-slice-producers --split-input-file | FileCheck %s

// One row of a product, of the sum before it and of what is copied into the sum; the whole matrix.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @last_row(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<64x8xf32>, %[[Y:[a-z0-9]+]]: tensor<64x8xf32>, %[[W:[a-z0-9]+]]: tensor<8x100xf32>
// CHECK-DAG:     %[[XS:.*]] = tensor.extract_slice %[[X]][63, 0] [1, 8] [1, 1]
// CHECK-DAG:     %[[YS:.*]] = tensor.extract_slice %[[Y]][63, 0] [1, 8] [1, 1]
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[XS]], %[[YS]] : tensor<1x8xf32>, tensor<1x8xf32>)
// CHECK:         %[[P:.*]] = linalg.matmul ins(%[[S]], %[[W]] : tensor<1x8xf32>, tensor<8x100xf32>) outs(%{{.*}} : tensor<1x100xf32>)
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[P]] {{\[\[}}0, 1]] : tensor<1x100xf32> into tensor<100xf32>
// CHECK:         return %[[R]]
func.func @last_row(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>, %w: tensor<8x100xf32>) -> tensor<100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<64x8xf32>, tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %v = arith.addf %in, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<64x8xf32>
  %f = tensor.empty() : tensor<64x100xf32>
  %a = linalg.fill ins(%zero : f32) outs(%f : tensor<64x100xf32>) -> tensor<64x100xf32>
  %p = linalg.matmul ins(%sum, %w : tensor<64x8xf32>, tensor<8x100xf32>) outs(%a : tensor<64x100xf32>) -> tensor<64x100xf32>
  %row = tensor.extract_slice %p[63, 0] [1, 100] [1, 1] : tensor<64x100xf32> to tensor<100xf32>
  return %row : tensor<100xf32>
}

// -----

// A norm: two equal slices of one tensor are one, and go on through what computes it. Indices in a body count from where the slice starts, which
// only the run tells.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<64x8xf32>, %[[AT:[a-z0-9]+]]: index
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][%[[AT]], 0] [1, 8] [1, 1]
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : tensor<1x8xf32>)
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           affine.apply {{.*}}[%[[I]], %[[AT]]]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<1x8xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x8xf32>, tensor<1xf32>)
func.func @norm(%x: tensor<64x8xf32>, %at: index) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %v = arith.mulf %in, %f : f32
    linalg.yield %v : f32
  } -> tensor<64x8xf32>
  %r = tensor.empty() : tensor<64xf32>
  %a = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<64x8xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %sum : tensor<64x8xf32>, tensor<64xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %v = arith.divf %in, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<64x8xf32>
  %row = tensor.extract_slice %q[%at, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
  return %row : tensor<1x8xf32>
}

// -----

// Through reshapes, a slice of a slice, and a concatenation along another dimension.
// CHECK-LABEL: func.func @moves(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x16x8xf32>, %[[Y:[a-z0-9]+]]: tensor<4x20x8xf32>
// CHECK-DAG:     %[[XS:.*]] = tensor.extract_slice %[[X]][0, 15, 0] [4, 1, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<4x1x8xf32>
// CHECK-DAG:     %[[YS:.*]] = tensor.extract_slice %[[Y]][0, 19, 0] [4, 1, 8] [1, 1, 1] : tensor<4x20x8xf32> to tensor<4x1x8xf32>
// CHECK:         tensor.insert_slice %[[XS]] into %{{.*}}[0, 0, 0] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x1x16xf32>
// CHECK:         %[[J:.*]] = tensor.insert_slice %[[YS]] into %{{.*}}[0, 0, 8] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x1x16xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[J]] {{.*}} : tensor<4x1x16xf32> into tensor<4x1x2x8xf32>
// CHECK:         return %[[E]]
func.func @moves(%x: tensor<4x16x8xf32>, %y: tensor<4x20x8xf32>) -> tensor<4x1x2x8xf32> {
  %e = tensor.empty() : tensor<4x16x16xf32>
  %late = tensor.extract_slice %y[0, 4, 0] [4, 16, 8] [1, 1, 1] : tensor<4x20x8xf32> to tensor<4x16x8xf32>
  %0 = tensor.insert_slice %x into %e[0, 0, 0] [4, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> into tensor<4x16x16xf32>
  %1 = tensor.insert_slice %late into %0[0, 0, 8] [4, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> into tensor<4x16x16xf32>
  %2 = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [4, 16, 2, 8] : tensor<4x16x16xf32> into tensor<4x16x2x8xf32>
  %3 = tensor.extract_slice %2[0, 15, 0, 0] [4, 1, 2, 8] [1, 1, 1, 1] : tensor<4x16x2x8xf32> to tensor<4x1x2x8xf32>
  return %3 : tensor<4x1x2x8xf32>
}

// -----

// Reshapes of several dimensions: the last of 16 rows of the second of 4 matrices is row 31 of 64, and the other way round.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x16x8xf32>, %[[Y:[a-z0-9]+]]: tensor<64x8xf32>, %[[U:[a-z0-9]+]]: tensor<?x1x8xf32>, %[[AT:[a-z0-9]+]]: index
// CHECK-DAG:     tensor.extract_slice %[[X]][1, 15, 0] [1, 1, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<1x1x8xf32>
// CHECK-DAG:     tensor.extract_slice %[[Y]][31, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
// CHECK-DAG:     tensor.extract_slice %[[Y]][16, 0] [32, 8] [1, 1] : tensor<64x8xf32> to tensor<32x8xf32>
// CHECK-DAG:     tensor.extract_slice %[[U]][%[[AT]], 0, 0] [1, 1, 8] [1, 1, 1] : tensor<?x1x8xf32> to tensor<1x1x8xf32>
func.func @rows(%x: tensor<4x16x8xf32>, %y: tensor<64x8xf32>, %u: tensor<?x1x8xf32>, %at: index)
    -> (tensor<1x8xf32>, tensor<1x1x8xf32>, tensor<2x16x8xf32>, tensor<1x8xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x16x8xf32> into tensor<64x8xf32>
  %r0 = tensor.extract_slice %0[31, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
  %1 = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 16, 8] : tensor<64x8xf32> into tensor<4x16x8xf32>
  %r1 = tensor.extract_slice %1[1, 15, 0] [1, 1, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<1x1x8xf32>
  %2 = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 16, 8] : tensor<64x8xf32> into tensor<4x16x8xf32>
  %r2 = tensor.extract_slice %2[1, 0, 0] [2, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<2x16x8xf32>
  %3 = tensor.collapse_shape %u [[0, 1], [2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %r3 = tensor.extract_slice %3[%at, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
  return %r0, %r1, %r2, %r3 : tensor<1x8xf32>, tensor<1x1x8xf32>, tensor<2x16x8xf32>, tensor<1x8xf32>
}

// -----

// Not slices of one tensor before the reshape: the last rows of two matrices, and rows of one and the next.
// CHECK-LABEL: func.func @no_slices(
// CHECK:         tensor.expand_shape
// CHECK:         tensor.extract_slice %{{.*}}[0, 15, 0] [2, 1, 8]
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.extract_slice %{{.*}}[15, 0] [2, 8]
func.func @no_slices(%x: tensor<4x16x8xf32>, %y: tensor<64x8xf32>) -> (tensor<2x1x8xf32>, tensor<2x8xf32>) {
  %0 = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 16, 8] : tensor<64x8xf32> into tensor<4x16x8xf32>
  %r0 = tensor.extract_slice %0[0, 15, 0] [2, 1, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<2x1x8xf32>
  %1 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x16x8xf32> into tensor<64x8xf32>
  %r1 = tensor.extract_slice %1[15, 0] [2, 8] [1, 1] : tensor<64x8xf32> to tensor<2x8xf32>
  return %r0, %r1 : tensor<2x1x8xf32>, tensor<2x8xf32>
}

// -----

// Stay: a result that something else reads too, a slice of most of the result, one with strides, one of another block,
// and one across the parts of a concatenation.
// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-4: linalg.exp {{.*}} outs(%{{.*}} : tensor<64x8xf32>)
// CHECK:         tensor.insert_slice %{{.*}} : tensor<64x8xf32> into tensor<128x8xf32>
// CHECK:         tensor.extract_slice %{{.*}}[60, 0] [8, 8]
func.func @stay(%x: tensor<64x8xf32>, %n: index)
    -> (tensor<64x8xf32>, tensor<1x8xf32>, tensor<40x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64x8xf32>
  %0 = linalg.exp ins(%x : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %r0 = tensor.extract_slice %0[1, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
  %1 = linalg.exp ins(%0 : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %r1 = tensor.extract_slice %1[1, 0] [40, 8] [1, 1] : tensor<64x8xf32> to tensor<40x8xf32>
  %2 = linalg.exp ins(%0 : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %r2 = tensor.extract_slice %2[0, 0] [8, 8] [8, 1] : tensor<64x8xf32> to tensor<8x8xf32>
  %3 = linalg.exp ins(%x : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %f = tensor.empty() : tensor<1x8xf32>
  %r3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<1x8xf32> {
    %s = tensor.extract_slice %3[%i, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<1x8xf32>
    scf.yield %s : tensor<1x8xf32>
  }
  %g = tensor.empty() : tensor<128x8xf32>
  %4 = tensor.insert_slice %x into %g[0, 0] [64, 8] [1, 1] : tensor<64x8xf32> into tensor<128x8xf32>
  %5 = tensor.insert_slice %x into %4[64, 0] [64, 8] [1, 1] : tensor<64x8xf32> into tensor<128x8xf32>
  %r4 = tensor.extract_slice %5[60, 0] [8, 8] [1, 1] : tensor<128x8xf32> to tensor<8x8xf32>
  return %0, %r0, %r1, %r2, %r3, %r4 : tensor<64x8xf32>, tensor<1x8xf32>, tensor<40x8xf32>, tensor<8x8xf32>, tensor<1x8xf32>, tensor<8x8xf32>
}
