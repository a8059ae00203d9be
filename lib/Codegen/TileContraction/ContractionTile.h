// What one block computes of a contraction at a time, and layouts of it.
#ifndef FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H
#define FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H

#include "TileContraction.h"

#include "forge/Codegen/Target.h"
#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge {

/// A tile of the result, and the terms of a step. Only sizes: schedules are planned where the tile
/// dialect need not be loaded.
struct ContractionTile {
  int64_t rows = 0, columns = 0, terms = 0;
  /// Slots of shared memory that cp.async fills ahead; 1: factors go through registers to one.
  int64_t stages = 1;
  /// For each bit of the warp number, the dimension of the accumulator along which warps go on.
  llvm::SmallVector<int8_t, 4> warpDims;
  /// By a matrix instruction; else by fma.
  tile::DotKind kind = tile::DotKind::Fma;
  llvm::SmallVector<int64_t, 3> instruction;
  /// Bytes of neighbouring terms that a thread has of a factor.
  int64_t factorBytes = 0;

  bool isMatrix() const { return kind != tile::DotKind::Fma; }
  int64_t warps() const { return int64_t(1) << warpDims.size(); }
};

/// Of the accumulator, and of the factors in registers, which only matrix instructions have.
struct ContractionLayouts {
  tile::LayoutAttr sums, left, right;
};

/// The tile of `given`, and what it leaves out chosen: as many rows, columns and terms as the
/// chip's registers and shared memory hold, as few as there are.
ScheduleAttr planContraction(const TileContraction &contraction, const GPUChip &chip,
                             ScheduleAttr given);

/// The tile that a complete schedule says; nothing, with the reason, if the chip cannot have it.
mlir::FailureOr<ContractionTile> tileOf(const TileContraction &contraction, const GPUChip &chip,
                                        ScheduleAttr schedule, WhyNot whyNot);

ContractionLayouts layoutsOf(mlir::MLIRContext *context, const ContractionTile &tile,
                             const GPUChip &chip);

/// The axis along which cp.async copies 16 bytes of a factor at a time: its terms or its rows;
/// nothing if it has neither side by side at multiples of 16 bytes.
std::optional<unsigned> asyncAxis(const TileContraction &contraction, const AxisAccess &factor,
                                  std::optional<unsigned> rows);

/// For a copy of [rows, columns] to shared memory: neighbours of the last dimension in a thread;
/// lanes along the last dimension or, where that is not the contiguous one in memory, along the
/// first.
tile::LayoutAttr copyLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                            int64_t elements, const GPUChip &chip, int64_t warps, bool alongLast);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H
