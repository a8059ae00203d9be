// The values of a row kernel: what one thread computes of rows and elements.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWVALUES_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWVALUES_H

#include "OnlineSum.h"
#include "RowLevels.h"
#include "RowMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// Emits bodies of stages where their values are first asked for.
class RowValues {
public:
  RowValues(mlir::ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
            RowMemory &memory, const RowLevels &levels, bool approximates);

  /// What an operand is at lane `at` of the slot, or, without a slot, for the row.
  mlir::Value valueOf(const RowRead &read, RowSlot *slot, int64_t at);

  /// The body of a stage at one element (or, without a slot, for the row); of a reduction the part
  /// that depends on the element alone.
  mlir::IRMapping cloneBody(unsigned index, RowSlot *slot, int64_t at);

  /// Result `result` of stage `stage` has one value for the row, and this is it.
  void setRowValue(int stage, unsigned result, mlir::Value value);
  /// Computes a stage that has one value per row.
  void emitPerRow(unsigned stage);

  /// The maximum so far, `maximum`, grew from `before` to `now`: scales the `sum` of
  /// exponentials so far, and lets those that follow be taken below the new one, until endOnline().
  void beginOnline(OnlineMaximum maximum, mlir::Value before, mlir::Value now, mlir::Value &sum);
  void endOnline() { runningMaximum = -1; }

  OnlineSum online;

private:
  mlir::Value stageElement(int stage, unsigned result, RowSlot &slot, int64_t at);
  bool readsAlongColumn(const RowStage &stage, mlir::memref::LoadOp load) const;
  mlir::Value gather(mlir::memref::LoadOp load, mlir::IRMapping &mapping, RowSlot &slot,
                     int64_t at);
  mlir::Value approximate(unsigned index, mlir::Operation &op, mlir::IRMapping &mapping);
  mlir::Value divideByRowValue(mlir::Operation &op, mlir::IRMapping &mapping);
  mlir::Value reciprocalOfRow(mlir::Value y);

  mlir::ImplicitLocOpBuilder &b;
  const RowProgram &program;
  const RowPlan &plan;
  RowMemory &memory;
  const RowLevels &levels;
  /// Operations of the bodies that need no more than 16 bits of precision.
  llvm::DenseSet<mlir::Operation *> rounded;
  /// Results of stages, by stage and number.
  std::map<std::pair<int, unsigned>, mlir::Value> perRow;
  llvm::DenseSet<mlir::Value> rowValues;
  llvm::DenseMap<mlir::Value, mlir::Value> reciprocals;
  /// The maximum that is not known yet, or -1, and what stands for it.
  int runningMaximum = -1;
  mlir::Value runningShift;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWVALUES_H
