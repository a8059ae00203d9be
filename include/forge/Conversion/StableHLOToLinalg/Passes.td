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

    A dot_general of rows with matrices that a gather looked up for each row, or with rows that are
    zero for all groups but one, is made in tiles of rows of one group
    (`forge/Conversion/Utils/RowTiles.h`).

    A cholesky or triangular_solve with matrices of 8 to 128 rows is, where `block-bytes` is enough memory, a
    loop over blocks (`forge.independent`) with loops that the threads of a block share
    (`forge.shared`): a block factors a matrix by panels of 8 columns, or solves up to 32 systems, a
    thread each.

    Numerics: bit-exact as StableHLO specifies, ops on f16, bf16 and f8 computed in f32 and rounded
    once per op; except that sums and products inside reduce and dot_general accumulate in f32 for
    these types and may be reassociated (`fastmath<reassoc>`). Blocks of threads that factor and solve
    multiply by reciprocals of the diagonal, and round products and sums at once; narrow floats are
    rounded where the result is written.
  }];
  let options = [
    Option<"blockBytes", "block-bytes", "int64_t", /*default=*/"0",
           "Bytes of memory of a block of threads that factors matrices and solves systems; 0: one thread does">,
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

def RaiseScansPass : Pass<"forge-raise-scans", "::mlir::ModuleOp"> {
  let summary = "Running reductions that are written as trees become a loop along each line";
  let description = [{
    `jax.lax.associative_scan` is printed as what it does level by level: neighbours are combined,
    every second result is the running reduction of these, and the results in between are combined
    once more. Each level is read from memory and written to it. This pass finds such trees, of any
    number of arrays and any elementwise combination, and writes them as loops for devices:
    independent ones over the lines, and one along each, whose thread combines the same operands as
    the tree does. It takes 32 elements at a time, of which it makes all sums of 2, 4, 8 ...
    neighbours in registers; of groups of 32 it keeps the sums that wait for their other half, and the
    running reductions, one for each power of two. So the inputs are read once and the results
    written once.

    A tree is left alone if something else reads what its levels make (a gradient does), and if its
    lines are so few and long that steps one after the other would take longer. Then its lower levels
    may still be a loop.

    ```mlir
    %h = stablehlo.add %even, %odd : tensor<1024x64xf32>  // each padded to every second place
    // becomes
    %h = scf.for %j = %c0 to %c64 step %c1 iter_args(%t = %empty) -> (tensor<1024x64xf32>) {
      %line:4 = scf.for %group = %c0 to %c32 step %c1 iter_args(...) {
        // 32 elements of each input, their sums, 32 elements of the result
      } {forge.scan}
    } {forge.independent}
    ```

    Numerics: bit-exact, but that a result that is -0 stays -0 where the tree adds 0 to it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_TD
