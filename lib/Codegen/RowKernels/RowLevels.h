// The order of a row kernel: passes over the row, each ended by reductions.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWLEVELS_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWLEVELS_H

#include "OnlineSum.h"
#include "RowProgram.h"

namespace forge {

/// What depends on no reduction is at level 0, a reduction is one above what it reads. Pass p over
/// the row folds the reductions of level p + 1; the last one writes.
struct RowLevels {
  /// `online`: the sum of exponentials below a maximum is found in the pass of that maximum.
  RowLevels(const RowProgram &program, bool online);

  /// One per stage.
  std::vector<int> levels;
  /// Sums that are found in one pass with the maximum they are taken below, and that maximum.
  llvm::DenseMap<unsigned, OnlineMaximum> onlineMaximum;

  int last() const { return *llvm::max_element(levels); }
  /// The reductions that pass `pass` folds.
  llvm::SmallVector<unsigned> reductionsOf(const RowProgram &program, int pass) const;
};

/// True for an operand that has an element of its own for every row and column, side by side along
/// the column.
bool isWholeRow(const RowProgram &program, const RowRead &read);

/// The operands of whole rows that pass `pass` reads; the one after the last level writes.
llvm::SmallVector<RowRead> wholeRowsOf(const RowProgram &program, const RowLevels &levels,
                                       int pass);

/// The operands of whole rows that more than one pass reads.
llvm::SmallVector<RowRead> readAgain(const RowProgram &program, const RowLevels &levels);

/// The most operands of whole rows that are needed at once: those that a pass reads, and those that
/// passes before it and behind it do.
int64_t rowsAtOnce(const RowProgram &program, const RowLevels &levels);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWLEVELS_H
