// The library divides no sums of a batch: where costs decide, parts do. Tier production leaves the product to it.
// RUN: forge-opt %s --forge-split-terms | FileCheck %s
// RUN: forge-opt %s --forge-split-terms=library=prefer | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @main
// CHECK: tensor.expand_shape %arg0 {{.*}} output_shape [4, 16, [[PARTS:[0-9]+]], [[TERMS:[0-9]+]]]
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<[[PARTS]]x4x16x16xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel", "parallel"]
// WHOLE-NOT: expand_shape
func.func @main(%x: tensor<4x16x4096xf32>, %y: tensor<4x4096x16xf32>) -> tensor<4x16x16xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x16xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %0 = linalg.batch_matmul ins(%x, %y : tensor<4x16x4096xf32>, tensor<4x4096x16xf32>) outs(%f : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %0 : tensor<4x16x16xf32>
}
