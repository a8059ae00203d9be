// Memory as a row kernel sees it: a thread's row, its columns, loads and stores.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H

#include "RowPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace forge {

/// `plan.vector` neighbouring columns of one thread, and what has been loaded or computed of them.
struct RowSlot {
  /// The first of them; held inside the row for a slot that lies behind its end.
  mlir::Value column;
  /// Whether the slot lies inside the row, and the row exists; null if that is sure.
  mlir::Value valid;
  /// (stage, result) to one value per lane; null while not computed.
  std::map<std::pair<int, unsigned>, llvm::SmallVector<mlir::Value>> computed;
  llvm::SmallVector<
      std::pair<std::pair<mlir::Value, mlir::AffineMap>, llvm::SmallVector<mlir::Value>>>
      loaded;
};

class RowMemory {
public:
  RowMemory(mlir::ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan)
      : b(b), program(program), plan(plan) {}

  /// Row number `row` (rows counted through all their dimensions); blocks of `rowsPerBlock` may end
  /// behind the last.
  void locateRow(mlir::Value row, int64_t rowsPerBlock);

  /// The slot that begins at `column`; `guarded` if it may lie behind the end of the row.
  RowSlot slotAt(mlir::Value column, bool guarded);

  mlir::Value columnSize();

  /// Index of dimension `axis` of the row space, for lane `at` of the slot (null: for the row).
  mlir::Value coordinate(RowSlot *slot, unsigned axis, int64_t at);

  /// True for an operand that has an element of its own for every row and column, side by side
  /// along the column.
  bool isWholeRow(const RowRead &read) const;

  mlir::Value load(RowSlot &slot, const RowRead &read, int64_t at);
  mlir::Value loadOfRow(const RowRead &read);
  void store(RowSlot &slot, const RowWrite &write, llvm::ArrayRef<mlir::Value> values);
  /// By the first of the row's threads, whose number is `lane`.
  void storeOfRow(const RowWrite &write, mlir::Value value, mlir::Value lane);

private:
  mlir::Value sizeOf(const RowProgram::Extent &extent);
  llvm::SmallVector<mlir::Value> indices(mlir::AffineMap map, RowSlot *slot, int64_t at);
  bool alongColumn(mlir::Value memref, mlir::AffineMap map) const;
  bool isWritten(mlir::Value memref) const;
  llvm::SmallVector<mlir::Value> loadVector(RowSlot &slot, const RowRead &read);
  /// `emit` inside of an scf.if on the slot's validity where the memory is also written, so that
  /// nobody reads what another thread writes; plainly elsewhere.
  llvm::SmallVector<mlir::Value> guarded(mlir::Value valid, bool needed,
                                         llvm::ArrayRef<mlir::Type> types,
                                         llvm::function_ref<llvm::SmallVector<mlir::Value>()> emit);

  mlir::ImplicitLocOpBuilder &b;
  const RowProgram &program;
  const RowPlan &plan;
  llvm::SmallVector<mlir::Value> rowIndices;
  mlir::Value rowValid, size;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWMEMORY_H
