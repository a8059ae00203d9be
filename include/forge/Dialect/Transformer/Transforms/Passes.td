// Passes of ForgeTransformerTransforms, alphabetical.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_TD
