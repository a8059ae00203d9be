// Sizes that gradients' operands must share and that are known at run time only are compared before anything is computed; backward
// functions take cotangents of any size. What an assertion says names the operation, the operand and the dimension.
// RUN: forge-opt %s --convert-transformer-to-linalg | FileCheck %s
// RUN: forge-opt %s --convert-transformer-to-linalg | FileCheck %s --check-prefix=SAYS

// CHECK-LABEL: func.func @norm
// CHECK-SAME: %[[DY:.*]]: tensor<?x?xf32>, %[[X:.*]]: tensor<?x?xf32>, %[[S:.*]]: tensor<?xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[DY]], %c0
// CHECK: %[[WANTED:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[ROWS]], %[[WANTED]]
// CHECK: call @forge_assert_0(%[[SAME]], %[[ROWS]], %[[WANTED]])
// CHECK: call @forge_assert
// CHECK: call @forge_assert
// CHECK-NOT: forge_assert
// CHECK: linalg.generic
// SAYS-DAG: "rms_norm_grad: cotangent: expected size {1} along dimension 0, but got {0}"
// SAYS-DAG: "rms_norm_grad: cotangent: expected size {1} along dimension 1, but got {0}"
// SAYS-DAG: "rms_norm_grad: scale: expected size {1} along dimension 0, but got {0}"
func.func @norm(%dy: tensor<?x?xf32>, %x: tensor<?x?xf32>, %s: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %dx, %ds = transformer.rms_norm_grad %dy, %x scale %s {epsilon = 1.0e-06 : f32} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %dx, %ds : tensor<?x?xf32>, tensor<?xf32>
}

// The static dimension of 2 is not compared.
// CHECK-LABEL: func.func @embedding
// CHECK-COUNT-2: call @forge_assert
// CHECK-NOT: call @forge_assert
// CHECK: return
// SAYS-DAG: "embedding_grad: cotangent: expected size {1} along dimension 1, but got {0}"
// SAYS-DAG: "embedding_grad: cotangent: expected size {1} along dimension 2, but got {0}"
func.func @embedding(%dx: tensor<2x?x?xf32>, %ids: tensor<2x?xi32>, %wte: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %dwte = transformer.embedding_grad %dx, %ids, %wte : (tensor<2x?x?xf32>, tensor<2x?xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  return %dwte : tensor<256x64xf32>
}

// CHECK-LABEL: func.func @loss
// CHECK-COUNT-2: call @forge_assert
// CHECK-NOT: call @forge_assert
// CHECK: return
// SAYS-DAG: "cross_entropy_grad: targets: expected size {1} along dimension 0, but got {0}"
// SAYS-DAG: "cross_entropy_grad: cotangent: expected size {1} along dimension 0, but got {0}"
func.func @loss(%d: tensor<?xf32>, %logits: tensor<?x100xf32>, %targets: tensor<?xi32>) -> tensor<?x100xf32> {
  %dx = transformer.cross_entropy_grad none %d, %logits, %targets : (tensor<?xf32>, tensor<?x100xf32>, tensor<?xi32>) -> tensor<?x100xf32>
  return %dx : tensor<?x100xf32>
}

// CHECK-LABEL: func.func @attention
// CHECK: call @forge_assert
// CHECK: linalg.generic
// SAYS-DAG: "attention_grad: cotangent: expected size {1} along dimension 2, but got {0}"
func.func @attention(%do: tensor<1x2x?x4xf32>, %q: tensor<1x2x?x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> (tensor<1x2x?x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) {
  %dq, %dk, %dv = transformer.attention_grad %do, %q, %k, %v : (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> (tensor<1x2x?x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
  return %dq, %dk, %dv : tensor<1x2x?x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
}

// What is between operations of the dialect: arithmetic, and a row that is repeated.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-2: call @forge_assert
// CHECK: arith.addf
// CHECK: call @forge_assert
// CHECK: linalg.broadcast
// SAYS-DAG: "addf: operand: expected size {1} along dimension 0, but got {0}"
// SAYS-DAG: "addf: operand: expected size {1} along dimension 1, but got {0}"
// SAYS-DAG: "broadcast: input: expected size {1} along dimension 0, but got {0}"
func.func @between(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %row: tensor<?xf32>) -> tensor<?x?xf32> {
  %sum = arith.addf %x, %y : tensor<?x?xf32>
  %b = linalg.broadcast ins(%row : tensor<?xf32>) outs(%sum : tensor<?x?xf32>) dimensions = [0]
  return %b : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @static
// CHECK-NOT: forge_assert
// CHECK: return
func.func @static(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>) {
  %dx, %dg = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32} : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>)
  return %dx, %dg : tensor<4x64xf32>, tensor<64xf32>
}
