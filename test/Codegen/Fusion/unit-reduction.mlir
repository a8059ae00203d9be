// A sum over one element, fused into a broadcast of it, is added once (the softmax gradients of JAX hold such sums).
// RUN: forge verify %s --target cpu
// RUN: forge-opt %s --forge-pipeline="to=fuse" | FileCheck %s

// No elementwise kernel accumulates into a result of fewer dimensions than its loops.
// CHECK-LABEL: func.func @main
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %[[OUT:.*]]: f32):
// CHECK-NOT: %[[OUT]]
// CHECK: linalg.yield
func.func @main(%arg0: tensor<2x9x11xf32>, %arg1: tensor<2x9x11xf32>) -> tensor<2x9x11xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %product = stablehlo.multiply %arg0, %arg1 : tensor<2x9x11xf32>
  %sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x9x11xf32>, tensor<f32>) -> tensor<2x9xf32>
  %column = stablehlo.reshape %sum : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
  %negated = stablehlo.negate %column : tensor<2x9x1xf32>
  %again = stablehlo.reduce(%negated init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x9x1xf32>, tensor<f32>) -> tensor<2x9xf32>
  %wide = stablehlo.broadcast_in_dim %again, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x11xf32>
  %result = stablehlo.add %arg0, %wide : tensor<2x9x11xf32>
  return %result : tensor<2x9x11xf32>
}
