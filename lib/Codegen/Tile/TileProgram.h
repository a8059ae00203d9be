// What a tile program consists of: roles, rings and shared memory.
#ifndef FORGE_LIB_CODEGEN_TILE_TILEPROGRAM_H
#define FORGE_LIB_CODEGEN_TILE_TILEPROGRAM_H

#include "forge/Codegen/Target.h"
#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace forge {

/// Warps that run one region: a role, or, of a program without roles, the function's body.
struct TileRole {
  tile::RoleOp op;
  mlir::Region *region = nullptr;
  int64_t firstWarp = 0, warps = 0;
  /// Nothing but copies by the tensor memory accelerator: one thread does it.
  bool onlyCopies = false;
};

/// A ring in shared memory: the first buffer of all slots, then the second, ...; full barriers of
/// all slots, empty ones of all.
struct TileRing {
  llvm::SmallVector<int64_t> offsets, strides;
  int64_t barriers = 0;
  int64_t slots = 0, slotBytes = 0;
  /// What fills it; by cp.async there are no barriers, since the role that fills it reads it.
  tile::CopyEngine engine = tile::CopyEngine::Tma;
  /// That drop each slot.
  int64_t readerWarps = 0;
};

/// Numbers of tile.work that the first role hands to the others: two slots of them, as a ring's.
struct TileWork {
  static constexpr int64_t kSlots = 2;
  int64_t numbers = 0, barriers = 0;
  int64_t readerWarps = 0;
  /// The role that takes them.
  tile::RoleOp taker;
};

/// What the blocks of a cluster hand to the first of them: a thread's registers, by number, of all
/// threads of the block.
struct TileSplit {
  tile::SplitOp op;
  /// That run parts; 1 where one block runs all.
  int64_t blocks = 1;
  int64_t registers = 0, offset = 0;
};

/// Facts about a kernel function that is a tile program, which must be one that `chip` can run.
class TileProgram {
public:
  static mlir::FailureOr<TileProgram> create(mlir::func::FuncOp kernel, const GPUChip &chip);

  const GPUChip *chip = nullptr;
  llvm::SmallVector<TileRole> roles;
  llvm::MapVector<mlir::Operation *, TileRing> rings;
  std::optional<TileWork> work;
  std::optional<TileSplit> split;
  /// Offsets of tile.alloc.
  llvm::DenseMap<mlir::Operation *, int64_t> buffers;
  int64_t threads = 0;
  /// Whether shared memory begins at a multiple of 1024 bytes.
  bool isAligned = false;

  /// Takes shared memory, and gives its offset.
  int64_t take(int64_t bytes, int64_t alignment);
  /// All of it, with what alignment costs.
  int64_t sharedBytes() const { return used == 0 ? 0 : used + (isAligned ? 1024 : 0); }

private:
  mlir::LogicalResult findRoles(mlir::func::FuncOp kernel);
  mlir::LogicalResult findEngine(tile::RingOp op, TileRing &ring);
  mlir::LogicalResult placeRings(mlir::func::FuncOp kernel);
  mlir::LogicalResult placeWork();
  void placeSplit(mlir::func::FuncOp kernel);
  mlir::LogicalResult checkLayouts();

  int64_t used = 0;
};

/// The ring that the slot `slot` is of; null where it is not one ring's.
tile::RingOp ringOf(mlir::Value slot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_TILEPROGRAM_H
