// Passes of lib/Codegen/Tile: tile programs.
#ifndef FORGE_CODEGEN_TILEPASSES
#define FORGE_CODEGEN_TILEPASSES

include "mlir/Pass/PassBase.td"

def TileToLoopsPass : Pass<"forge-tile-to-loops", "::mlir::ModuleOp"> {
  let summary = "Makes loops of tile programs: their naive form, for the CPU";
  let description = [{
    Every kernel function that is a tile program becomes loops over its blocks and, in them, over the elements of tiles,
    which are arrays. Reductions add in the order that the layout of their operand gives, products k ascending, so that
    a program computes the same bits as its threads do, but for matrix instructions and approximate math. A role of
    copies alone is run again for each slot that another role reads; the others follow each other.

    ```mlir
    %s = tile.reduce add %x dims [0] : tensor<8xf32, #tile.layout<reg = [x1], lane = [x2, x4], warp = []>> -> f32
    // becomes, for each of four threads,
    %part = scf.for %i = %c1 to %c2 step %c1 iter_args(%sum = %first) -> (f32) { ... }
    // and then (p0 + p1) + (p2 + p3)
    ```

    Numerics: as the layouts say; each operation is rounded as on the device.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // FORGE_CODEGEN_TILEPASSES
