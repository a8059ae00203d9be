// What can be said of rounding errors from a module alone.
#ifndef FORGE_LIB_VERIFY_STATICESTIMATE_H
#define FORGE_LIB_VERIFY_STATICESTIMATE_H

#include "SeenSizes.h"

#include "forge/Verify/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Taken by walking a function, calls included; a `while` counts as often as its trip count is
/// known to be, else as a fixed number.
struct StaticEstimate {
  /// Per result, relative to the largest value: the variances of RoundingProfile, added up along
  /// the worst path. Used where nothing can be executed.
  std::vector<Tolerance> tolerances;
  /// Per result, the most terms in a sum on the way to it.
  std::vector<int64_t> terms;
  /// Element operations of one execution by the reference.
  double work = 0;
};

/// Dimensions that the module leaves open have the sizes that were seen, or else `dynamicSize`.
/// Products are added up by the matrix unit of `chip`, if it has one.
StaticEstimate estimateFromModule(mlir::func::FuncOp function, const SeenSizes &sizes,
                                  int64_t dynamicSize, llvm::StringRef chip = "");

} // namespace forge

#endif // FORGE_LIB_VERIFY_STATICESTIMATE_H
