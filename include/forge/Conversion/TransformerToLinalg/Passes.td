// Conversion of the transformer dialect.
#ifndef FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES
#define FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTransformerToLinalgPass : Pass<"convert-transformer-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lowers the transformer dialect to linalg on tensors";
  let description = [{
    Each operation becomes the linalg operations of its formula: contractions as `linalg.generic` with a multiply-add
    body, reductions along rows, elementwise bodies. Narrow floats are extended inside the bodies, sums are held in f32
    (f64 for f64), and the result is rounded once. The fusion and row passes put them together again.
    Sizes that verifiers cannot know are checked at run time, before loops rely on them.
    `tensor.concat` becomes insertions of slices, since it does not bufferize, and `tensor.splat` becomes `linalg.fill`.

    ```mlir
    %p = transformer.softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
    // becomes a maximum per row, exponentials of differences, their sum, and a division
    ```

    Numerics: defines the order of operations of each formula; sums carry no order (`reassoc` in contractions).
  }];
  let options = [
    Option<"chunkedSorts", "chunked-sorts", "bool", /*default=*/"false",
           "Sorts merge in chunks that do not depend on each other, for devices">,
    Option<"hostLoops", "host-loops", "bool", /*default=*/"true",
           "Loops may depend on the values of tensors, which the host then reads; false where it cannot: on devices">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES
