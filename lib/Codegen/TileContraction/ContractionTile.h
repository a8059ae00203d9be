// What one block computes of a contraction at a time, and layouts of it.
#ifndef FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H
#define FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H

#include "TileContraction.h"

#include "../Tile/WarpProduct.h"

namespace forge {

/// A tile of the result, and the terms of a step. Only sizes: schedules are planned where the tile
/// dialect need not be loaded.
struct ContractionTile : WarpProduct {
  int64_t rows = 0, columns = 0, terms = 0;
  /// Slots of shared memory that cp.async fills ahead; 1: factors go through registers to one.
  int64_t stages = 1;
};

/// The tile of `given`, and what it leaves out chosen: as many rows, columns and terms as the
/// chip's registers and shared memory hold, as few as there are.
ScheduleAttr planContraction(const TileContraction &contraction, const GPUChip &chip,
                             ScheduleAttr given);

/// The tile that a complete schedule says; nothing, with the reason, if the chip cannot have it.
mlir::FailureOr<ContractionTile> tileOf(const TileContraction &contraction, const GPUChip &chip,
                                        ScheduleAttr schedule, WhyNot whyNot);

/// What tiles are taken to reach on all multiprocessors, by matrix instructions or by f32's.
double operationsPerSecond(const GPUChip &chip, bool isMatrix);

/// What strategy `tiles` takes for `contraction`, or the library of a batch, by the arithmetic of
/// its busiest multiprocessor; nothing for few rows or columns, and where sizes are not known.
std::optional<double> secondsOfBlocks(mlir::linalg::LinalgOp contraction, const GPUChip &chip);

/// Of 32 bits, that a thread needs at once.
int64_t registersOf(const TileContraction &contraction, const ContractionTile &tile,
                    const GPUChip &chip);

/// The axis along which cp.async copies 16 bytes of a factor at a time: its terms or its rows;
/// nothing if it has neither side by side at multiples of 16 bytes.
std::optional<unsigned> asyncAxis(const TileContraction &contraction, const AxisAccess &factor,
                                  std::optional<unsigned> rows);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILECONTRACTION_CONTRACTIONTILE_H
