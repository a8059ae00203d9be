// When a product that runs asynchronously has to have ended.
#ifndef FORGE_LIB_CODEGEN_TILE_DOTWAITS_H
#define FORGE_LIB_CODEGEN_TILE_DOTWAITS_H

#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge {

/// Whether products by wgmma add to `value`, an accumulator of f32.
bool isAccumulator(mlir::Value value);

/// The waits that products by wgmma need in a region of a tile program.
///
/// Each such product is one group of instructions; groups end in the order they are issued. For
/// each result that is not known to have ended, and each slot that products read, the analysis
/// holds its age: the fewest groups issued after the last one it is of, over all ways to get here.
/// To wait until it has ended is to wait until at most so many groups are in flight.
///
/// 1. A product makes everything else older by one; its result and the slots it reads have age 0.
///    Its accumulator needs no wait: groups on one accumulator are ordered.
/// 2. Every other use of a result, the drop of a slot, and what writes the registers of a left
/// factor
///    again in a loop, waits. A loop hands an accumulator on
///    without a wait.
/// 3. Loops are gone through until nothing changes; where ways join, the lesser age counts.
class DotWaits {
public:
  explicit DotWaits(mlir::Region &region);

  /// How many groups may be in flight when `op` begins; nothing if it needs no wait.
  std::optional<unsigned> before(mlir::Operation *op) const;

private:
  using Ages = llvm::DenseMap<mlir::Value, unsigned>;

  void visit(mlir::Block &block, Ages &ages);
  void visit(tile::DotOp dot, Ages &ages);
  void visitLoop(mlir::Operation *op, Ages &ages);
  void visitBranches(mlir::Operation *op, Ages &ages);
  void need(mlir::Operation *op, mlir::Value value, Ages &ages);

  llvm::DenseMap<mlir::Operation *, unsigned> waits;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_DOTWAITS_H
