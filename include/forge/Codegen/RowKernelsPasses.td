// Passes of lib/Codegen/RowKernels: kernels over rows on GPUs.
#ifndef FORGE_CODEGEN_ROWKERNELSPASSES
#define FORGE_CODEGEN_ROWKERNELSPASSES

include "mlir/Pass/PassBase.td"

def ClusterRowsPass : Pass<"forge-cluster-rows", "::mlir::func::FuncOp"> {
  let summary = "Marks operations over the same rows that one GPU kernel computes";
  let description = [{
    Backwards through each block, an operation on tensors and those of its producers that strategy `rows` can compute in
    the same kernel (softmax, a norm with the residual sum before it, a reduction with what is done to its result) get
    the same number in `forge.cluster`; forge-form-kernels makes one kernel of them. One that stays alone has none. What else uses
    a producer before the last operation joins with it, up to six operations: a step of a recurrence and the sum over its state.

    ```mlir
    %max = linalg.generic {... ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) ... {forge.cluster = 0}
    %exp = linalg.generic {... ["parallel", "parallel"]} ins(%x, %max ... {forge.cluster = 0}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
}

def RecomputeResultsPass : Pass<"forge-recompute-results", "::mlir::func::FuncOp"> {
  let summary = "Computes elementwise results again where kernels would read them from memory";
  let description = [{
    An elementwise operation may have its result read by kernels other than its own: the exponentials of a loss by its
    gradient. Each of these kernels gets a copy of the operation (as a member of its cluster, or fused into its
    operation) if all of them can compute it from an operand that is in memory anyway, has as many elements and no wider
    ones, and from broadcast operands, and if that is predicted to take less time than writing the result. Operations of its
    own kernel that make an operand of it element by element count as part of it: of a softmax, widening, exponential and
    quotient. The result is then not in memory. Results below 16 MiB stay in caches and are left alone.

    ```mlir
    %exps = linalg.generic ... ins(%logits, %max ...) {forge.cluster = 0} // in one kernel with its sum
    %grad = linalg.generic ... ins(%exps, %sum ...)                       // in another
    // becomes
    %grad = linalg.generic ... ins(%logits, %max, %sum ...)
    ```

    Numerics: bit-exact, but a row kernel may then find a sum of exponentials in one pass with its maximum, in another order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CollapseReductionsPass : Pass<"forge-collapse-reductions", "::mlir::func::FuncOp"> {
  let summary = "Makes one loop of reductions over neighbouring dimensions";
  let description = [{
    A linalg.generic on tensors that reduces several dimensions which an operand holds side by side (a loss, a global
    norm, the gradient of a bias summed over batch and sequence) gets one reduction loop for them, and reads that
    operand through tensor.collapse_shape, which costs nothing: GPU strategies `rows` and `generic` share one reduced
    dimension among threads. An operand that lacks some of the dimensions is read at the quotient and remainder of the
    new loop's counter. Products of matrices (a loop of both factors is summed, another is in one factor only) stay as
    they are, and so does what needs a size known at run time only. An elementwise operation that follows from the
    reduction and reads the same tensor gets one loop for them too, where all its operands allow that.

    ```mlir
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<300x100xf32> into tensor<30000xf32>
    %sum = linalg.generic {... ["reduction"]} ins(%flat : tensor<30000xf32>) outs(%zero : tensor<f32>)
    ```

    Numerics: elements are combined in the operand's order; where that was the order of the loops, bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ScalarOperandsPass : Pass<"forge-scalar-operands", "::mlir::func::FuncOp"> {
  let summary = "Makes operands of single elements that bodies extract";
  let description = [{
    Fusion has bodies extract what a tensor of rank 0 holds. Where a linalg.generic of the same block computes that tensor (the
    mean square of a single row, which its norm divides by), it becomes an input of the reader: forge-cluster-rows then
    sees that both belong to one row, and makes one kernel of them. Operations that have a `forge.cluster` stay as they are.

    ```mlir
    // %e = tensor.extract %rms[] : tensor<f32> in the body, before
    %norm = linalg.generic {...} ins(%x, %rms : tensor<4096xbf16>, tensor<f32>) outs(...)
    ```

    Numerics: bit-exact.
  }];
}

def SplitReductionsPass : Pass<"forge-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Makes two reductions of one over many elements, for many blocks of a GPU";
  let description = [{
    A linalg.generic on tensors that reduces a dimension, and whose partial results can be joined, becomes a reduction
    of each of several parts of that dimension and one of the parts' results. Without it few blocks would read everything.
    - A dimension of at least 2^18 elements that is reduced to single ones (a global norm) becomes up to 512 parts. Their
      number is a power of two that divides the size; where fewer than 16 do, or, of fewer than 2^22 elements, an operand is not read
      element by element or is computed before, the operation stays as it is.
    - Where several dimensions are reduced to few results, the innermost of them in memory too (the mean of a group of
      channels), that one is left to a second reduction, so that the first reads memory side by side.
    - A dimension that is outside of others in memory (a mean over the batch, the gradient of a bias) becomes parts of at
      least 256 elements where its results are fewer than 128 lines of 32; row kernels share elements side by side.
    - Of several dimensions that are not neighbours in memory, or of windows (the gradient of a depthwise convolution's weights),
      those outside of others become parts, the outer ones first, until there are 2^18 partial results of at least 256
      elements each. Products with rows and columns are left to matrix units.

    ```mlir
    %rows = tensor.expand_shape %x [[0, 1]] output_shape [512, 2048] : tensor<1048576xf32> into tensor<512x2048xf32>
    %sums = linalg.generic {... ["parallel", "reduction"]} ins(%rows) outs(%neutral : tensor<512xf32>)
    %sum = linalg.generic {... ["reduction"]} ins(%sums : tensor<512xf32>) outs(%zero : tensor<f32>)
    ```

    Numerics: sums and products are reassociated, in a fixed order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CODEGEN_ROWKERNELSPASSES
