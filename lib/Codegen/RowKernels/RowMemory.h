// Memory as a row kernel sees it: a thread's row, its columns, loads and stores.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H

#include "RowPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace forge {

/// An access that shared memory has yet to keep: where, and what.
struct RowKeep {
  mlir::Value buffer, place;
  mlir::Value loaded;
};

/// `plan.vector` neighbouring columns of one thread, and what has been loaded or computed of them.
struct RowSlot {
  /// The first of them; held inside the row for a slot that is behind its end.
  mlir::Value column;
  /// Whether the slot is inside the row, and the row exists; null if that is sure.
  mlir::Value valid;
  /// (stage, result) to one value per lane; null while not computed.
  std::map<std::pair<int, unsigned>, llvm::SmallVector<mlir::Value>> computed;
  llvm::SmallVector<
      std::pair<std::pair<mlir::Value, mlir::AffineMap>, llvm::SmallVector<mlir::Value>>>
      loaded;
  /// What loads of bodies read at this slot, by load: one value per lane.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> gathered;
  /// What this slot has loaded first of all passes.
  llvm::SmallVector<RowKeep> keeps;
};

class RowMemory {
public:
  RowMemory(mlir::ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan)
      : b(b), program(program), plan(plan) {}

  /// Row number `row` (rows counted through all their dimensions); blocks of `rowsPerBlock` may end
  /// behind the last. `piece` is the block's number among those of the row; null if it is alone.
  void locateRow(mlir::Value row, int64_t rowsPerBlock, mlir::Value piece);

  /// Keeps these operands of whole rows in shared memory: what one pass over the row loads, the
  /// passes after it read there. Threads of the row meet at a barrier between passes.
  void keep(llvm::ArrayRef<RowRead> reads);
  /// Stores what `slot` has loaded and is kept: after the loads of all slots, which then are in
  /// flight together.
  void storeKept(RowSlot &slot);
  /// The pass over the row that is being emitted ends.
  void endPass();

  /// The columns of this block: from begin() to end().
  mlir::Value begin();
  mlir::Value end();

  /// The slot that begins at `column`; `guarded` if it may lie behind the end of the row.
  RowSlot slotAt(mlir::Value column, bool guarded);

  mlir::Value columnSize();

  /// Index of dimension `axis` of the row space, for lane `at` of the slot (null: for the row).
  mlir::Value coordinate(RowSlot *slot, unsigned axis, int64_t at);

  mlir::Value load(RowSlot &slot, const RowRead &read, int64_t at);
  mlir::Value loadOfRow(const RowRead &read);
  void store(RowSlot &slot, const RowWrite &write, llvm::ArrayRef<mlir::Value> values);
  /// By the first of the row's threads; `lane` is the number among those of the block.
  void storeOfRow(const RowWrite &write, mlir::Value value, mlir::Value lane);
  /// What `emit` gives for the first of the row's threads, which is the one that stores what is of
  /// a row, and `otherwise` for the others.
  mlir::Value byFirst(mlir::Value lane, mlir::TypedAttr otherwise,
                      llvm::function_ref<mlir::Value()> emit);
  /// As it is in memory, for threads that may read there.
  mlir::Value loadPlainly(const RowRead &read);
  bool isWritten(mlir::Value memref) const;

private:
  /// An operand in shared memory: the columns of this block.
  struct Kept {
    mlir::Value memref;
    mlir::AffineMap map;
    mlir::Value buffer;
    /// Loaded by the pass that is being emitted, or by one before it.
    bool begun = false, full = false;
  };

  mlir::Value sizeOf(const RowProgram::Extent &extent);
  llvm::SmallVector<mlir::Value> indices(mlir::AffineMap map, RowSlot *slot, int64_t at);
  bool alongColumn(mlir::Value memref, mlir::AffineMap map) const;
  mlir::Value isFirstOfRow(mlir::Value lane);
  Kept *keptOf(const RowRead &read);
  llvm::SmallVector<mlir::Value> loadVector(RowSlot &slot, const RowRead &read);
  mlir::Value loadElement(RowSlot &slot, const RowRead &read, int64_t at);
  /// `emit` inside of an scf.if on the slot's validity where the memory is also written, so that
  /// nothing reads what another thread writes; plainly elsewhere.
  llvm::SmallVector<mlir::Value> guarded(mlir::Value valid, bool needed,
                                         llvm::ArrayRef<mlir::Type> types,
                                         llvm::function_ref<llvm::SmallVector<mlir::Value>()> emit);

  mlir::ImplicitLocOpBuilder &b;
  const RowProgram &program;
  const RowPlan &plan;
  llvm::SmallVector<mlir::Value> rowIndices;
  llvm::SmallVector<Kept> keeps;
  mlir::Value rowValid, size, piece, first, last;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H
