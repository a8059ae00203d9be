// What each strategy offers for a kernel, and which offer is taken.
#ifndef FORGE_CODEGEN_OFFERS_H
#define FORGE_CODEGEN_OFFERS_H

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Strategy.h"

namespace forge {

/// A way to compute a kernel, or why it is none.
struct Offer {
  const Strategy *strategy = nullptr;
  /// Complete; null if the strategy does not take the kernel.
  ScheduleAttr schedule;
  std::string whyNot;
  /// Predicted, and before what was fitted for the chip (CostModel.h); nothing if sizes are not
  /// known.
  std::optional<double> seconds, workSeconds;

  explicit operator bool() const { return bool(schedule); }
};

/// One for each strategy, in the table's order, for a kernel on tensors. `given` says `library`,
/// which decides whether the library offers anything; a strategy that does not know a field of
/// `given` offers nothing.
llvm::SmallVector<Offer> offersFor(mlir::func::FuncOp kernel, const GPUChip &chip,
                                   ScheduleAttr given);

/// 1. With `library = prefer` the library's, if there is one.
/// 2. The one with the least predicted time: of equal ones the first of the table, the library's
/// last.
/// 3. Where a prediction is missing, the first.
/// Null if there is none.
const Offer *bestOffer(llvm::ArrayRef<Offer> offers, const LibraryUse &use);

} // namespace forge

#endif // FORGE_CODEGEN_OFFERS_H
