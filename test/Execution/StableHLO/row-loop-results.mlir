// A producer of two results joins a row loop that reads one of them; the other one is returned. What it reads itself
// joins too, and must not be taken from the loop's results by a copy that stays in front of the loop: that copy would
// read them before they are written.
// RUN: forge verify %s --target cpu --each-stage | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cpu to=loops" | FileCheck %s --check-prefix=LOOPS

// CHECK: loops: result 0 agrees
// CHECK: loops: result 1 agrees
// CHECK: whole: result 0 agrees
// CHECK: whole: result 1 agrees

// All of it is one loop.
// LOOPS-LABEL: func.func @main
// LOOPS-NOT: linalg.generic
// LOOPS: scf.forall
// LOOPS-COUNT-4: linalg.generic
// LOOPS-NOT: linalg.generic
func.func @main(%x: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<64x96xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<64x96xf32>
  %negated = stablehlo.negate %x : tensor<64x96xf32>
  %exp = stablehlo.exponential %negated : tensor<64x96xf32>
  %sum = stablehlo.add %one, %exp : tensor<64x96xf32>
  %p = stablehlo.divide %one, %sum : tensor<64x96xf32>
  %q = stablehlo.subtract %one, %p : tensor<64x96xf32>
  %odds = stablehlo.divide %p, %q : tensor<64x96xf32>
  %logit = stablehlo.log %odds : tensor<64x96xf32>
  %bent = stablehlo.tanh %p : tensor<64x96xf32>
  %total = stablehlo.reduce(%bent init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %totals = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<64xf32>) -> tensor<64x96xf32>
  %share = stablehlo.divide %bent, %totals : tensor<64x96xf32>
  %weighted = stablehlo.multiply %share, %p : tensor<64x96xf32>
  return %logit, %weighted : tensor<64x96xf32>, tensor<64x96xf32>
}
