// What layouts of register tiles are made of: entries and places. The attribute itself,
// #tile.layout, is in TileAttributes.td.
#ifndef FORGE_DIALECT_TILE_IR_LAYOUT_H
#define FORGE_DIALECT_TILE_IR_LAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace forge::tile {

/// The most dimensions of a tile; they are called x, y, z and w.
constexpr int64_t kMaxTileRank = 4;
/// The most elements of one tile that a thread holds.
constexpr int64_t kMaxTileRegisters = 1024;

/// What one bit of a register, lane or warp number adds to the coordinates: 2^bit in dimension
/// `dim`, or nothing.
struct LayoutEntry {
  static constexpr int8_t kReplicated = -1;

  int8_t dim = kReplicated;
  uint8_t bit = 0;

  static LayoutEntry replicated() { return {}; }
  bool isReplicated() const { return dim == kReplicated; }
  int64_t step() const { return int64_t(1) << bit; }
  bool operator==(const LayoutEntry &other) const { return dim == other.dim && bit == other.bit; }
};

inline llvm::hash_code hash_value(const LayoutEntry &entry) {
  return llvm::hash_combine(entry.dim, entry.bit);
}

/// A register of a thread.
struct LayoutPlace {
  int64_t reg = 0, lane = 0, warp = 0;
};

/// `reg` without the entries at its end that continue the enumeration of atoms in the last
/// dimension.
llvm::ArrayRef<LayoutEntry> dropRepeats(int64_t rank, llvm::ArrayRef<LayoutEntry> reg,
                                        llvm::ArrayRef<LayoutEntry> lane,
                                        llvm::ArrayRef<LayoutEntry> warp);

} // namespace forge::tile

#endif // FORGE_DIALECT_TILE_IR_LAYOUT_H
