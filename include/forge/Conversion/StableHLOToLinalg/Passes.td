// Passes of ForgeStableHLOToLinalg, alphabetical.
#ifndef FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_TD
#define FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToLinalgPass : Pass<"convert-stablehlo-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lowers stablehlo, chlo and check to linalg, tensor, scf, arith and math on tensors";
  let description = [{
    Every op of the three dialects is replaced; types become signless (`ui8` -> `i8`), because
    arithmetic carries the sign from here on. Functions keep their names and argument order.

    What cannot be lowered is reported at its own location, one line each:
    `error: unsupported stablehlo op 'stablehlo.fft'`; the pass then fails and leaves the module alone.

    ```mlir
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    // becomes
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
    } -> tensor<4xf32>
    ```

    Numerics: bit-exact as StableHLO specifies, ops on f16, bf16 and f8 computed in f32 and rounded
    once per op; except that sums and products inside reduce and dot_general accumulate in f32 for
    these types and may be reassociated (`fastmath<reassoc>`).
  }];
  let options = [
    Option<"chunkedSorts", "chunked-sorts", "bool", /*default=*/"false",
           "Sorts merge and running sums add in chunks that do not depend on each other, many updates of a scatter are grouped, and windows of a select_and_scatter select side by side, for devices">,
    Option<"patchElements", "patch-elements", "int64_t", /*default=*/"int64_t(1) << 26",
           "Elements of the patches that a convolution cuts at a time, about">,
    Option<"windows", "windows", "bool", /*default=*/"false",
           "Patches that products can read as windows of the input are not cut in parts: they are not made">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_TD
