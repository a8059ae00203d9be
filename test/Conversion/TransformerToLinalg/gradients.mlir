// RUN: forge-opt --convert-transformer-to-linalg --canonicalize %s | FileCheck %s

// Two passes over a row: what the weights and the cotangent have in common, then the elements.
// CHECK-LABEL: func.func @softmax_grad
// CHECK: %[[COMMON:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK:   arith.mulf
// CHECK:   arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %[[COMMON]]
// CHECK:   arith.subf
// CHECK:   arith.mulf
// CHECK-NOT: linalg.generic
func.func @softmax_grad(%dp: tensor<4x33xf32>, %p: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %ds = transformer.softmax_grad %dp, %p {dimension = 1 : i64} : tensor<4x33xf32>
  return %ds : tensor<4x33xf32>
}

// Gradients that nothing reads cost nothing: no sum over all rows.
// CHECK-LABEL: func.func @rows_only
// CHECK-NOT: iterator_types = ["reduction", "parallel"]
// CHECK: return
func.func @rows_only(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> tensor<4x64xf32> {
  %dx, %dg = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32}
      : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>)
  return %dx : tensor<4x64xf32>
}

// Sums of narrow floats are held in f32 and rounded once.
// CHECK-LABEL: func.func @sum
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "parallel"]} ins(%arg0 : tensor<2x16x64xbf16>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<64xf32>)
// CHECK: arith.truncf
func.func @sum(%dy: tensor<2x16x64xbf16>) -> tensor<64xbf16> {
  %db = transformer.sum %dy {dimensions = array<i64: 0, 1>} : tensor<2x16x64xbf16> -> tensor<64xbf16>
  return %db : tensor<64xbf16>
}

// Token by token, in order: the sum is the same in every run.
// CHECK-LABEL: func.func @embedding_grad
// CHECK: %[[LOOP:.*]] = scf.for %[[TOKEN:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUMS:.*]] = %{{.*}}) -> (tensor<256x64xf32>) {
// CHECK:   %[[ROW:.*]] = tensor.extract_slice %[[SUMS]]
// CHECK:   linalg.generic {{.*}} outs(%[[ROW]] : tensor<1x64xf32>)
// CHECK:   tensor.insert_slice
// CHECK: return %[[LOOP]]
func.func @embedding_grad(%dx: tensor<2x16x64xf32>, %ids: tensor<2x16xi32>, %wte: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %dwte = transformer.embedding_grad %dx, %ids, %wte
      : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  return %dwte : tensor<256x64xf32>
}
