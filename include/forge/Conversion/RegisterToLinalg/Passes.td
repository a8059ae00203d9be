// Conversion of the register dialect.
#ifndef FORGE_CONVERSION_REGISTERTOLINALG_PASSES
#define FORGE_CONVERSION_REGISTERTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertRegisterToLinalgPass : Pass<"convert-register-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Raises register programs to linalg on tensors";
  let description = [{
    A program becomes one `linalg.generic` over the buffers' elements: registers become values, and loops become
    `scf.for` which carry what they write. So it reads each buffer once, computes in registers and writes once, and is one
    kernel on a GPU. Sizes that differ end the run.

    ```mlir
    %r = register.program(%b = %x, %n = %k) : (tensor<?xf32>, index) -> tensor<?xf32> {
      load r0, %b
      loop %n {
        mul r0, r0, r0
      }
      store r0, %b
      end %b
    }
    // becomes a linalg.generic whose body is an scf.for with one f32
    ```

    Numerics: every operation is one of arith or math, in f32 (f64 for f64), in the program's order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CONVERSION_REGISTERTOLINALG_PASSES
