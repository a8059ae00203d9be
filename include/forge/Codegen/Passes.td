// Passes of code generation, in alphabetical order. Each description ends with what the pass does to numerics.
#ifndef FORGE_CODEGEN_PASSES
#define FORGE_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def FuseElementwisePass : Pass<"forge-fuse-elementwise"> {
  let summary = "Fuses chains of elementwise operations, and elementwise producers of reductions";
  let description = [{
    Makes one `linalg.generic` of a chain of elementwise operations, so that what is between them stays in
    registers. A producer is computed inside its consumer when this repeats no expensive work: it has one
    consumer, which reads each of its elements once, or it is cheap (a constant, an iota, a broadcast, a cast).
    Reshapes are moved out of chains; transposes become indexing maps; unit dimensions are folded away;
    reductions of the same tensor over the same dimensions become one operation with several results.

    ```mlir
    %0 = linalg.generic {...} ins(%x) outs(%e) { math.tanh }
    %1 = linalg.generic {...} ins(%0, %b) outs(%e) { arith.addf }
    // becomes
    %1 = linalg.generic {...} ins(%x, %b) outs(%e) { math.tanh, arith.addf }
    ```

    Numerics: bit-exact; the same operations in the same order on every element.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FORGE_CODEGEN_PASSES
