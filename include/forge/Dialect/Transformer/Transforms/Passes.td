// Passes of ForgeTransformerTransforms, alphabetical.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TransformerDecomposePass : Pass<"transformer-decompose"> {
  let summary = "Rewrites operations that are made of others as those";
  let description = [{
    `mlp` and `gated_mlp` become products; `linear` a `dequantize` and a product; the activation and the residual of a
    product operations of their own (its bias stays). What is written for the simpler operations, as gradients are, then
    need not know the others. Where the types are narrower than the accumulation, `arith.extf` and `arith.truncf` stand
    between the parts, so that the result is still rounded once. `transformer-fuse-epilogues` goes the other way.

    ```mlir
    %y = transformer.matmul %x, %w residual %r {activation = #transformer.activation<relu>}
        : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    // becomes
    %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %1 = transformer.activation relu %0 : tensor<4x2xf32>
    %y = transformer.add %1, %r : tensor<4x2xf32>
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::forge::transformer::TransformerDialect"];
}

def TransformerDifferentiatePass : Pass<"transformer-differentiate", "::mlir::ModuleOp"> {
  let summary = "Adds the backward function of a function, by reverse-mode differentiation";
  let description = [{
    The new function takes the arguments of `function`, then one cotangent per float result (a tensor of the result's
    type: how much the loss changes with each of its elements). It returns, with `primal-results`, what `function`
    returns, then one gradient per argument in `arguments`, each of the argument's type. What the gradients need of the
    forward pass is computed again inside; calls are inlined first.

    Gradients of a value that is used several times are added up, in the reverse order of the uses. An argument that no
    float result depends on has the gradient zero. An operation that has no gradient is an error at the operation, if
    a chosen argument reaches a result through it. See docs/gradients.md for the formulas.

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
      %y = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    // with arguments=1, adds
    func.func @f_grad(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %dy: tensor<4x2xf32>) -> tensor<8x2xf32> {
      %dw = transformer.matmul %x, %dy {transpose_lhs} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
      return %dw : tensor<8x2xf32>
    }
    ```

    Numerics: every gradient and every partial sum of gradients is rounded to the type of the value it belongs to;
    products and reductions are accumulated as the operations they are made of say.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to differentiate; absent: main, or the only public one">,
    ListOption<"arguments", "arguments", "int64_t",
               "The arguments whose gradients are wanted, by number; absent: all of floats">,
    Option<"resultName", "name", "std::string", /*default=*/"\"\"",
           "The name of the new function; absent: that of the function with _grad">,
    Option<"primalResults", "primal-results", "bool", /*default=*/"false",
           "Return the results of the function before the gradients">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
                           "::forge::transformer::TransformerDialect"];
}

def TransformerFuseEpiloguesPass : Pass<"transformer-fuse-epilogues"> {
  let summary = "Moves biases, activations and residuals into the product before them";
  let description = [{
    What is added to a product nothing else uses, or applied to it, becomes its epilogue: an added `linalg.broadcast` of a
    row its bias, an `activation` its activation, any other `add` its residual. An `arith.truncf` of a product in the
    type of its accumulation becomes the product's own rounding.

    ```mlir
    %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %1 = transformer.activation relu %0 : tensor<4x2xf32>
    %y = transformer.add %1, %r : tensor<4x2xf32>
    // becomes
    %y = transformer.matmul %x, %w residual %r {activation = #transformer.activation<relu>}
        : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    ```

    Numerics: bit-exact where the product has the type of its accumulation (f32, f64); for f16 and bf16 products, drops
    the roundings between product, activation and sum.
  }];
  let dependentDialects = ["::forge::transformer::TransformerDialect"];
}

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD
