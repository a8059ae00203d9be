// What one thread of a kernel of plain loops computes at once: neighbouring elements, and elements
// whose windows overlap.
#ifndef FORGE_LIB_CODEGEN_GENERIC_THREADTILE_H
#define FORGE_LIB_CODEGEN_GENERIC_THREADTILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Threads that access memory together, and bytes that it moves at least: a sector of the first
/// cache.
inline constexpr int64_t kWarpThreads = 32, kSectorBytes = 32;

/// Bytes that a thread reads or stores at once, at most.
inline constexpr int64_t kLaneBytes = 16;

/// What a thread takes for a term of a sum that it adds up alone: two loads and a dependent
/// addition (an estimate; it decides only where few threads have long sums).
inline constexpr double kSecondsOfTerm = 10e-9;

/// Times as long as costOfProducts says that threads with several positions of windows take: a
/// depthwise convolution of 7 x 7 with features innermost does 9e12 products a second on the H200
/// (docs/gpu-h200.md, tuned schedules), others 3e12 and more.
inline constexpr double kPositionsBesides = 1.5;

/// Bytes of an element of `type`, a shaped type or an element's; 0 where they are not whole.
int64_t bytesOfElement(mlir::Type type);

/// Whether `type` has a static shape, and elements of its last dimension of more than one element
/// are side by side, those of each row from a multiple of kLaneBytes on if the number of elements
/// allows it.
bool isContiguous(mlir::ShapedType type);

/// An operand of a kernel: a buffer or tensor, and which element of it each iteration of the loops
/// of the kernel's main operation reads or writes.
struct Access {
  mlir::Value operand;
  mlir::AffineMap map;
  bool isOutput = false;

  /// Whether iterations of `loop` differ in the element.
  bool differsAlong(unsigned loop) const;
  /// Whether steps of `loop` side by side are elements side by side of an operand of static shape,
  /// where loops have `sizes`.
  bool isInnermost(unsigned loop, llvm::ArrayRef<int64_t> sizes) const;
};

/// The operands of `op` that are buffers or tensors, inputs first.
llvm::SmallVector<Access> accessesOf(mlir::linalg::LinalgOp op);

/// The results of one thread are a tile of `positions` by `lanes`.
struct ThreadTile {
  /// Results along `laneLoop`, a loop that is innermost in memory of all operands that have it.
  int64_t lanes = 1;
  unsigned laneLoop = 0;
  /// Results along `positionLoop`. Each of their windows is that of the one before it, further by a
  /// step of `stepLoop`, or an input is the same for all of them: what they share is read once.
  /// Where they do not divide the loop, the last tile ends with it, computes some of the one before
  /// again, and stores only its own.
  int64_t positions = 1;
  unsigned positionLoop = 0;
  /// Steps of `stepLoop` that an iteration does: the reduction loop that is innermost in the code,
  /// which is the operation's innermost one or, where there are several positions, another.
  int64_t steps = 1;
  unsigned stepLoop = 0;

  int64_t results() const { return lanes * positions; }
};

/// The last reduction loop of `op` that does not have one iteration; if all have, the last.
unsigned innermostReduction(mlir::linalg::LinalgOp op);

/// The tile of a thread that computes `op`, whose kernel has `accesses`: as many lanes as are 16
/// bytes of the narrowest operand, and of a reduction up to eight positions, if enough threads are
/// left, along the loop with which products cost least. Positions that do not divide their loop
/// only if results `mayRepeat`: if nothing that is read is written. One result where sizes are not
/// known.
ThreadTile chooseThreadTile(mlir::linalg::LinalgOp op, llvm::ArrayRef<Access> accesses,
                            bool mayRepeat);

/// How many neighbouring results along the parallel `loop` make up a word, 4 bytes, of the
/// narrowest operand. 1 if elements are words or larger, if an operand does not have `loop`
/// innermost in memory, or if sizes are not known.
int64_t lanesOfWord(mlir::linalg::LinalgOp op, unsigned loop);

/// How many times as long as the multiplications of a thread with `tile` take alone it takes with
/// what it reads for them and the conversions to their type (an estimate).
double costOfProducts(mlir::linalg::LinalgOp op, const ThreadTile &tile);

/// Steps of `loop`, a reduction loop of `op`, of which inputs are read at once: as many as are 16
/// bytes of the narrowest input that has them side by side, if they divide the loop; one where
/// there is none.
int64_t chooseSteps(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_THREADTILE_H
