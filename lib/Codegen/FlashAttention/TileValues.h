// The numbers between scores and results, on tiles.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_TILEVALUES_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_TILEVALUES_H

#include "../Attention/AttentionGraph.h"
#include "../Strategy/AxisAccess.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Where operand `operand` of stage `stage` is in memory, by the program's axes; nothing if they do
/// not say so.
std::optional<AxisAccess> accessOf(const AttentionProgram &program, int stage, unsigned operand);

/// The axes that the dimensions of tiles are along.
using TileAxes = std::array<unsigned, 2>;

/// A number for each element of a tile: it differs along these dimensions only. A scalar, a vector
/// or a matrix; all have the matrix' layout, as far as they have its dimensions.
struct TileValue {
  mlir::Value value;
  bool along[2] = {false, false};
};

/// A tile, and what is known there.
struct TilePlace {
  explicit TilePlace(TileAxes axes) : axes(axes) {}

  TileAxes axes;
  /// Of the tile, in elements.
  std::array<int64_t, 2> shape = {1, 1};
  tile::LayoutAttr layout = {};
  /// By axis, as an index: where the tile begins, the place along the others. Null where the axis
  /// is not asked for.
  llvm::SmallVector<mlir::Value> begin = {};
  /// By axis of a tile; what is read at or beyond it does not count.
  std::array<int64_t, 2> limits = {0, 0};
  /// Whether floats that the operations round to narrower types stay in f32, as compilers do where
  /// excess precision is allowed.
  bool staysInF32 = false;
  /// Results of the contractions and reductions, by stage, in f32.
  llvm::SmallDenseMap<int, TileValue> known;
  /// Operands of bodies that have been copied: buffers of one tile, of the dimensions that they
  /// differ along.
  llvm::DenseMap<mlir::Value, TileValue> buffers;
  /// Values of bodies computed so far.
  llvm::DenseMap<mlir::Value, TileValue> computed;
};

/// A stage whose result is known on tiles, and along which dimensions of theirs.
struct KnownStage {
  int stage;
  std::array<bool, 2> along;
};

/// Whether TileValues computes the number on tiles of these axes from what is known there: by
/// elementwise operations, indices, memory at known strides or at places computed of indices, and
/// scalars that are the same for all of a tile.
bool isOnTiles(const AttentionProgram &program, AttentionGraph::Place place, const TileAxes &axes,
               llvm::ArrayRef<KnownStage> known);

/// Elements side by side along `dim` in a thread's registers, up to four.
int64_t neighboursAlong(tile::LayoutAttr layout, unsigned dim);

class TileValues {
public:
  TileValues(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program)
      : b(b), program(program) {}

  /// `value`, of the body of a stage or of outside: only what it follows from is computed.
  TileValue valueOf(AttentionGraph::Place of, TilePlace &place);
  /// A result of `stage`.
  TileValue resultOf(int stage, unsigned result, TilePlace &place);

  /// The type of numbers that differ along these dimensions: a tile, or `element` itself.
  static mlir::Type typeOf(const TilePlace &place, mlir::Type element, bool rows, bool columns);
  /// As a matrix, a vector or a scalar with these dimensions, at least those it has.
  mlir::Value spread(const TileValue &value, const TilePlace &place, bool rows, bool columns);
  /// `value`, of floats, rounded or extended to `type`.
  TileValue castTo(const TileValue &value, mlir::Type type, const TilePlace &place);
  /// The index along an axis.
  TileValue indexOf(unsigned axis, const TilePlace &place, mlir::Type type);

private:
  TileValue argumentOf(int stage, mlir::BlockArgument argument, TilePlace &place);
  TileValue load(int stage, unsigned operand, const TilePlace &place);
  /// What `op` of a body reads of memory at places that it computes.
  TileValue gather(int stage, mlir::Operation *op, TilePlace &place);
  TileValue loadBuffer(const TileValue &buffer, const TilePlace &place);
  TileValue operation(int stage, mlir::Operation *op, mlir::OpResult result, TilePlace &place);

  mlir::ImplicitLocOpBuilder &b;
  const AttentionProgram &program;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_TILEVALUES_H
