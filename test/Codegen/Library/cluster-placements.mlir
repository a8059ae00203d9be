// RUN: forge-opt %s --forge-cluster-placements | FileCheck %s
// RUN: forge-opt %s --forge-cluster-placements --forge-form-kernels --canonicalize --forge-schedule-kernels=chip=sm_90a | FileCheck %s --check-prefix=KERNEL

#x = affine_map<(d0, d1) -> (d1)>
#w = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0) -> (d0)>
#mirror = affine_map<(d0) -> (-d0 + 511)>
#pairs = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2) -> (d0, -d1 + 1, d2)>

// Columns half a head apart: the operation becomes loops of the product's kernel, a block of which has two columns of each half.
// CHECK-LABEL: @pairs
// CHECK: linalg.generic {{.*}} attrs = {forge.cluster = "[[NAME:placed[0-9]+]]"}
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: } {forge.cluster = "[[NAME]]", forge.independent}
// CHECK-NEXT: return
// KERNEL-LABEL: func.func private @contraction(
// KERNEL-SAME: #forge.schedule<strategy = gemv, n = 2,
// KERNEL: linalg.generic
// KERNEL: scf.for
// KERNEL-LABEL: func.func @pairs
// KERNEL: call @contraction(
// KERNEL-NOT: call
// KERNEL: return
func.func @pairs(%x: tensor<512xf32>, %w: tensor<512x512xf32>) -> tensor<4x2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<512xf32>) -> tensor<512xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<512xf32>, tensor<512x512xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %5 = arith.mulf %a, %b : f32
    %6 = arith.addf %c, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<512xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [4, 2, 64] : tensor<512xf32> into tensor<4x2x64xf32>
  %e = tensor.empty() : tensor<4x2x64xf32>
  %2 = linalg.generic {indexing_maps = [#pairs, #other, #pairs], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %1 : tensor<4x2x64xf32>, tensor<4x2x64xf32>) outs(%e : tensor<4x2x64xf32>) {
  ^bb0(%v: f32, %u: f32, %o: f32):
    %3 = arith.subf %v, %u : f32
    linalg.yield %3 : f32
  } -> tensor<4x2x64xf32>
  return %2 : tensor<4x2x64xf32>
}

// Columns c and 511 - c have no distance in common within groups that divide the columns.
// CHECK-LABEL: @mirrored
// CHECK: linalg.generic
// CHECK-NOT: forge.cluster
// CHECK: linalg.generic
// CHECK-NOT: scf.for
// CHECK: return
// KERNEL-LABEL: func.func @mirrored
// KERNEL-COUNT-2: call
func.func @mirrored(%x: tensor<512xf32>, %w: tensor<512x512xf32>) -> tensor<512xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<512xf32>) -> tensor<512xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<512xf32>, tensor<512x512xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %5 = arith.mulf %a, %b : f32
    %6 = arith.addf %c, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<512xf32>
  %e = tensor.empty() : tensor<512xf32>
  %2 = linalg.generic {indexing_maps = [#id, #mirror, #id], iterator_types = ["parallel"]}
      ins(%0, %0 : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%v: f32, %u: f32, %o: f32):
    %3 = arith.subf %v, %u : f32
    linalg.yield %3 : f32
  } -> tensor<512xf32>
  return %2 : tensor<512xf32>
}

// Steps that are not said to be independent, and a product that is read elsewhere too.
// CHECK-LABEL: @kept
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @kept(%x: tensor<512xf32>, %w: tensor<512x512xf32>, %cache: tensor<8x512xf32>, %at: index) -> tensor<8x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<512xf32>) -> tensor<512xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<512xf32>, tensor<512x512xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %5 = arith.mulf %a, %b : f32
    %6 = arith.addf %c, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<512xf32>
  %r = scf.for %i = %c0 to %c512 step %c1 iter_args(%t = %cache) -> tensor<8x512xf32> {
    %v = tensor.extract %0[%i] : tensor<512xf32>
    %n = tensor.insert %v into %t[%at, %i] : tensor<8x512xf32>
    scf.yield %n : tensor<8x512xf32>
  }
  %q = scf.for %i = %c0 to %c512 step %c1 iter_args(%t = %r) -> tensor<8x512xf32> {
    %v = tensor.extract %0[%i] : tensor<512xf32>
    %n = tensor.insert %v into %t[%c0, %i] : tensor<8x512xf32>
    scf.yield %n : tensor<8x512xf32>
  } {forge.independent}
  return %q : tensor<8x512xf32>
}
