// Passes of lib/Codegen/Attention: attention on GPUs.
#ifndef FORGE_CODEGEN_ATTENTIONPASSES
#define FORGE_CODEGEN_ATTENTIONPASSES

include "mlir/Pass/PassBase.td"

def JoinScoresPass : Pass<"forge-join-scores", "::mlir::func::FuncOp"> {
  let summary = "Computes a softmax of scores on the dimensions of their product";
  let description = [{
    Between the product of queries and keys and the weighted sum of values, models of images see scores in more dimensions
    than the product has: lines and places of queries and keys, to which biases for lines and for places are added (SAM,
    ViTDet, MViTv2). Elementwise operations and reductions in between, if they are a softmax, become operations on the
    dimensions of the product, as attention kernels have them. An operand that differs along a part of a dimension is
    looked up in the body, at places computed of the index. Sizes are static.

    ```mlir
    %t = tensor.expand_shape %scores ... : tensor<12x4096x4096xf32> into tensor<12x64x64x64x64xf32>
    %u = linalg.generic ... ins(%t, %lines : ..., tensor<12x64x64x64xbf16>) ... // softmax, tensor.collapse_shape
    // becomes
    %u = linalg.generic ... ins(%scores : tensor<12x4096x4096xf32>) ... {
      %line = arith.divui %key, %c64 : index
      %bias = tensor.extract %lines[%head, %queryLine, %queryPlace, %line]
    ```

    Numerics: bit-exact but for the order of the softmax's sums.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ClusterAttentionPass : Pass<"forge-cluster-attention", "::mlir::func::FuncOp"> {
  let summary = "Marks attention, which is computed at once";
  let description = [{
    The product of queries with the keys of their head, what is done to the scores, their softmax, the weighted sum of
    the values and what follows it get the same name in `forge.cluster`, if strategy `flash`, or `attention` for 1 to 8 queries, can compute them in one
    kernel: the softmax over the dimension of the keys, the maximum subtracted before exp, the division before or
    behind the weighted sum; what the kernel hands on is the weighted sum, or follows from it. Elementwise operations join that only these use.

    ```mlir
    %scores = linalg.generic ... ins(%q, %k : tensor<2x8x64xf32>, tensor<2x512x64xf32>) ... {forge.cluster = "attention0"}
    %largest = linalg.generic ... ins(%scores : tensor<2x8x512xf32>) ... {forge.cluster = "attention0"}
    %exps = linalg.generic ... ins(%scores, %largest) ... {forge.cluster = "attention0"}
    %sums = linalg.generic ... ins(%exps : tensor<2x8x512xf32>) ... {forge.cluster = "attention0"}
    %weighted = linalg.generic ... ins(%exps, %v : tensor<2x8x512xf32>, tensor<2x512x64xf32>) ... {forge.cluster = "attention0"}
    ```

    What is computed of the softmax's maximum and sum for each row, as the result `lse` of attention is, joins them.

    Gradients of attention are sums of what follows from its weights. Where weights are a softmax of products of f16 or
    bf16, clusters, kernels of strategy `flash_backward`, compute them again: one for the sums over keys, and one for those
    over rows, or one for each of these where registers hold no two. Each has the products, `exp(logit - lse)` with
    `lse = log(sum) + maximum` of the row, what gradients make of it, and its sums. The sum
    over keys of weights times their gradients becomes that over columns of the result times its cotangent; a
    missing result is computed for it. If any of these clusters cannot be such a kernel, the function is left as it is.

    Numerics: bit-exact; strategies `attention` and `flash` then sum in another order, relative to the maximum so far, and leave out roundings
    to narrower types between scores and weights. In gradients, weights are relative to the logarithm of the
    sum and not divided by it, and the row's sum of weights times their gradients errs by the rounding of the result.
  }];
  let options = [Option<"chipName", "chip", "std::string", /*default=*/"\"sm_90a\"", "The chip that kernels are made for">];
}

#endif // FORGE_CODEGEN_ATTENTIONPASSES
