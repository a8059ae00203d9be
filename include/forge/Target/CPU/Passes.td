// Passes of the CPU target, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_TARGET_CPU_PASSES
#define FORGE_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def ConvertToLLVMPass : Pass<"forge-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts functions on memrefs, scalars and vectors to the LLVM dialect";
  let description = [{
    One dialect conversion for everything below structured control flow. Memory comes from the runtime's arena
    (`forge_rt_alloc`; dynamic sizes are multiplied with overflow checks), assertions end the run through
    `forge_rt_assert`, and every public function gets an entry `NAME__packed(void **args)`: args[0] points to the
    descriptors of the results, one after the other, args[1 + i] to the descriptor of argument i.

    A private function without a body and with an attribute `forge.assert_message` becomes an assertion: its first
    argument is the condition, the others, integers, replace "{0}", "{1}" ... in the message.

    ```mlir
    func.func private @assert_0(i1, i64) attributes {forge.assert_message = "expected a multiple of 8, but got {0}"}
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MarkArgumentsPass : Pass<"forge-mark-arguments", "::mlir::ModuleOp"> {
  let summary = "Says which arguments bufferization may overwrite";
  let description = [{
    Arguments of public functions belong to the caller: they are read-only unless given away, by `tf.aliasing_output`
    or `jax.buffer_donor` as JAX prints them. A donated argument may be updated in place.

    ```mlir
    func.func @step(%cache: tensor<8x128xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x128xf32>)
    ```

    Numerics: bit-exact.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def MathToLibmPass : Pass<"forge-math-to-libm", "::mlir::ModuleOp"> {
  let summary = "Calls libm for the math functions that LLVM has no accurate intrinsic for";
  let description = [{
    tanh, erf, expm1, log1p, the inverse and hyperbolic functions: scalar calls, on f32 and f64; narrower floats are
    widened to f32, vectors taken apart. What has an LLVM intrinsic (exp, log, sqrt, sin ...) is left.

    Numerics: as accurate as the C library, within 1 ulp or 2.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

#endif // FORGE_TARGET_CPU_PASSES
