// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @activation_grad
func.func @activation_grad(%dy: tensor<4x256xbf16>, %x: tensor<4x256xbf16>) -> tensor<4x256xbf16> {
  // CHECK: transformer.activation_grad gelu_tanh %{{.*}}, %{{.*}} : tensor<4x256xbf16>
  %dx = transformer.activation_grad gelu_tanh %dy, %x : tensor<4x256xbf16>
  return %dx : tensor<4x256xbf16>
}

// CHECK-LABEL: func.func @embedding_grad
func.func @embedding_grad(%dx: tensor<2x16x64xf32>, %ids: tensor<2x16xi32>, %wte: tensor<256x64xf32>) -> tensor<256x64xf32> {
  // CHECK: transformer.embedding_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  %dwte = transformer.embedding_grad %dx, %ids, %wte
      : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  return %dwte : tensor<256x64xf32>
}

// CHECK-LABEL: func.func @sum
func.func @sum(%dy: tensor<2x16x64xf32>, %d: tensor<?x?xf16>) -> (tensor<64xf32>, tensor<?xf16>) {
  // CHECK: transformer.sum %{{.*}} {dimensions = array<i64: 0, 1>} : tensor<2x16x64xf32> -> tensor<64xf32>
  %db = transformer.sum %dy {dimensions = array<i64: 0, 1>} : tensor<2x16x64xf32> -> tensor<64xf32>
  // CHECK: transformer.sum %{{.*}} {accumulate = f64, dimensions = array<i64: 0>} : tensor<?x?xf16> -> tensor<?xf16>
  %s = transformer.sum %d {dimensions = array<i64: 0>, accumulate = f64} : tensor<?x?xf16> -> tensor<?xf16>
  return %db, %s : tensor<64xf32>, tensor<?xf16>
}

// CHECK-LABEL: func.func @softmax_grad
func.func @softmax_grad(%dp: tensor<4x33xf32>, %p: tensor<4x33xf32>, %dl: tensor<4x33xf32>, %l: tensor<4x33xf32>) -> (tensor<4x33xf32>, tensor<4x33xf32>) {
  // CHECK: transformer.softmax_grad %{{.*}}, %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %ds = transformer.softmax_grad %dp, %p {dimension = 1 : i64} : tensor<4x33xf32>
  // CHECK: transformer.log_softmax_grad %{{.*}}, %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %dt = transformer.log_softmax_grad %dl, %l {dimension = 1 : i64} : tensor<4x33xf32>
  return %ds, %dt : tensor<4x33xf32>, tensor<4x33xf32>
}

// CHECK-LABEL: func.func @layer_norm_grad
func.func @layer_norm_grad(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK: transformer.layer_norm_grad %{{.*}}, %{{.*}} scale %{{.*}} {epsilon = 9.99999974E-6 : f32}
  // CHECK-SAME: -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %dx, %dg, %db = transformer.layer_norm_grad %dy, %x scale %g {epsilon = 1.0e-05 : f32}
      : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %dx, %dg, %db : tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @rms_norm_grad
func.func @rms_norm_grad(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>) {
  // CHECK: transformer.rms_norm_grad %{{.*}}, %{{.*}} scale %{{.*}} {epsilon = 9.99999997E-7 : f32}
  %dx, %dg = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32}
      : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>)
  return %dx, %dg : tensor<4x64xf32>, tensor<64xf32>
}
