// From tile programs to threads.
#ifndef FORGE_LIB_CODEGEN_TILE_LOWERTILEPROGRAM_H
#define FORGE_LIB_CODEGEN_TILE_LOWERTILEPROGRAM_H

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {

/// Whether `kernel` is a tile program: it has a grid of its own, or operations of the tile dialect.
bool isTileProgram(mlir::func::FuncOp kernel);

/// Rewrites the body of `kernel`, a tile program, to what one thread does, with the gpu dialect.
///
/// 1. Roles get their warps; rings and buffers get shared memory, rings their mbarriers.
/// 2. A tile becomes a scalar for each register of its layout, an elementwise operation on tiles
/// one
///    on scalars for each of them. Loops carry registers.
/// 3. Reductions and conversions move registers within a thread, between lanes by shuffles, between
///    warps through shared memory, with barriers of the role.
/// 4. Copies by the tensor memory accelerator are issued by one thread, from tensor maps that the
///    host makes; a product by wgmma is one group of instructions, and whoever needs it to have
///    ended waits (DotWaits).
mlir::FailureOr<LaunchShape> lowerTileProgram(mlir::func::FuncOp kernel, const GPUChip &chip);

/// The naive form (Naive/NaiveEmitter.h): one thread a block, with arrays in global memory.
mlir::FailureOr<LaunchShape> lowerTileProgramNaively(mlir::func::FuncOp kernel);

/// Has LLVM not unroll the loop of a tile program: addresses of all its steps would be live at
/// once.
void keepRolled(mlir::scf::ForOp loop);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_LOWERTILEPROGRAM_H
