// Passes of lib/Codegen/Generic: what a thread for each element computes together.
#ifndef FORGE_CODEGEN_GENERICPASSES
#define FORGE_CODEGEN_GENERICPASSES

include "mlir/Pass/PassBase.td"

def ClusterColumnsPass : Pass<"forge-cluster-columns", "::mlir::func::FuncOp"> {
  let summary = "Marks reductions along columns with what is done to their results";
  let description = [{
    A reduction whose neighbouring results are neighbours in memory, each of which a thread computes, and the elementwise operation
    that alone reads it get the same number in `forge.cluster`; forge-form-kernels makes one kernel of them: the mean of images
    with features innermost, with its division and rounding.

    ```mlir
    %sum = linalg.generic {... ["parallel", "reduction", "parallel"]} ins(%x : tensor<16x49x1536xbf16>) ... {forge.cluster = 0}
    %mean = linalg.generic {... ["parallel", "parallel"]} ins(%sum : tensor<16x1536xf32>) ... {forge.cluster = 0}
    ```

    Numerics: bit-exact; only attributes are written.
  }];
  let options = [
    Option<"chipName", "chip", "std::string", /*default=*/"\"\"", "Chip, as --target names it; without one nothing is marked">
  ];
}

#endif // FORGE_CODEGEN_GENERICPASSES
