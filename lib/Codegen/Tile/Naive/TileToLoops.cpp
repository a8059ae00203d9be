#include "NaiveEmitter.h"

#include "../LowerTileProgram.h"

#include "forge/Codegen/Passes.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_TILETOLOOPSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-tile-to-loops"

using namespace mlir;

FailureOr<forge::LaunchShape> forge::lowerTileProgramNaively(func::FuncOp kernel) {
  auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::kGridAttr);
  if (failed(NaiveEmitter(kernel, /*onDevice=*/true).emit()))
    return failure();
  LaunchShape shape;
  Builder b(kernel.getContext());
  shape.grid = {b.getIndexAttr(1), b.getIndexAttr(1), b.getIndexAttr(1)};
  for (auto [dim, blocks] : llvm::enumerate(grid.asArrayRef()))
    shape.grid[dim] = b.getIndexAttr(blocks);
  shape.dynamicSharedBytes = b.getIndexAttr(0);
  return shape;
}

namespace {
/// 1. The body is rewritten by NaiveEmitter: the blocks of the grid are loops around it.
/// 2. The function is one of the host.
struct TileToLoopsPass : public forge::impl::TileToLoopsPassBase<TileToLoopsPass> {
  void runOnOperation() override {
    // Tile programs are written by hand: what is wrong with one is the user's mistake.
    forge::UserErrorScope scope(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (kernel.isExternal() || !forge::isTileProgram(kernel))
        continue;
      if (failed(forge::NaiveEmitter(kernel, /*onDevice=*/false).emit()))
        return signalPassFailure();
      kernel->removeAttr(forge::kKernelAttr);
    }
  }
};
} // namespace
