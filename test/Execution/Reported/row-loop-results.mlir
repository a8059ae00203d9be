// A producer of two results joins a loop over rows: a copy in front of the loop read a result before it was written.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
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
