// What the operation behind a product reads besides its sums.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAREADS_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAREADS_H

#include "WgmmaKernel.h"

namespace forge {

/// Contiguous memory with one dimension for each axis of a product that it has.
struct AxisMemory {
  mlir::Value memory;
  llvm::SmallVector<unsigned> axes;
};

/// `memory` as such, whose dimensions are of these loops of the product; nothing where an axis is
/// not whole in it.
std::optional<AxisMemory> byAxes(ThreadBuilder &b, const ProductAxes &axes, mlir::Value memory,
                                 llvm::ArrayRef<unsigned> loops);

/// Reads, for one thread and one tile, the operands of what follows a product. A thread has two
/// rows and, of each group of eight columns, two neighbouring ones. A load behind a store waits for
/// it to be issued, and everything behind waits for the load; so what registers can hold is read
/// early:
/// 1. what does not depend on the column, before all else;
/// 2. what depends on the column only, before all else too, or a chunk ahead;
/// 3. the rest a chunk ahead, or, where there are too many operands, with its chunk.
class WgmmaReads {
public:
  /// Groups of columns whose results are stored together.
  static constexpr int64_t kChunkGroups = 4;

  WgmmaReads(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
             const ProductSizes &sizes, const TilePlace &place);

  /// What is read before the sums are there. `rows` of the thread, `column`: its first one.
  void begin(llvm::ArrayRef<RowPlace> rows, mlir::Value column);
  /// What is read before the chunk that begins with this group: for it, and ahead for the next.
  void beginChunk(int64_t group);

  /// The element of `input` in the thread's row `half` and column `number` (0 or 1) of `group`.
  mlir::Value element(mlir::OpOperand &input, int64_t group, unsigned half, unsigned number);
  /// Of each axis, the index of `row` and of `column`.
  llvm::SmallVector<mlir::Value> indicesIn(const AxisMemory &memory, const RowPlace &row,
                                           mlir::Value column);
  /// Of each loop of what follows, its index there.
  llvm::ArrayRef<mlir::Value> indices(int64_t group, unsigned half, unsigned number);

private:
  enum class When { First, Ahead, WithChunk };
  /// Two neighbouring elements, as one access or as two.
  struct Pair {
    mlir::Value access, single[2];
  };
  struct Operand {
    mlir::OpOperand *input;
    bool usesRow = false, usesColumn = false;
    std::optional<AxisMemory> flat;
    bool isPaired = false;
    When when = When::First;
    /// [group][half]; one for all groups or halves where they do not matter.
    llvm::SmallVector<Pair> pairs;
  };

  void addOperand(mlir::OpOperand &input);
  void flatten(Operand &operand);
  void decideWhen();
  static int64_t registersOf(const Operand &operand);
  void readGroups(When when, int64_t group);
  Pair read(Operand &operand, int64_t group, unsigned half);
  Pair &pairOf(Operand &operand, int64_t group, unsigned half) {
    return operand.pairs[(operand.usesColumn ? group : 0) * 2 + (operand.usesRow ? half : 0)];
  }
  mlir::Value columnOf(int64_t group, unsigned number);

  ThreadBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const ProductSizes &sizes;
  const TilePlace &place;
  int64_t groups;
  /// Whether there is a known, even number of columns.
  bool hasPairs;
  /// The loop of the product that each dimension of its sums is of.
  llvm::SmallVector<unsigned> loops;
  llvm::SmallVector<Operand, 4> operands;
  mlir::Value indexOf(unsigned axis, const RowPlace &row, mlir::Value column);

  /// Inside the result.
  RowPlace rows[2];
  mlir::Value column;
  /// Of each element of the thread, [group][half][number].
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> places;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAREADS_H
