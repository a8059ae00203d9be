// The error model: how far apart two correct executions of a function on the same inputs may be.
// See docs/numerics.md.
#ifndef FORGE_VERIFY_ERRORMODEL_H
#define FORGE_VERIFY_ERRORMODEL_H

#include "forge/Verify/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

struct ErrorModelOptions {
  /// Of the random roundings: the same for the same seed on every machine.
  uint64_t seed = 1;
  /// Executions that round at random; 0: between 4 and 16, fewer for more work.
  int64_t samples = 0;
  /// Element operations beyond which nothing is executed and the tolerance is estimated from the
  /// module alone. About 50 million take a second.
  double mostWork = 2e9;
  /// The chip that what is compared ran on ("sm_90a"): its matrix unit may cut products and sums.
  /// Empty: a processor that rounds each addition to nearest.
  std::string chip;
};

/// Options for what runs on `target` ("cpu", "cuda:sm_90a").
ErrorModelOptions errorModelOf(llvm::StringRef target);

/// One tolerance per result of `function` on `inputs`. The interpreter executes it without rounding
/// and several times rounding at random; every float element may be off by six standard deviations
/// of what that does to it, and half a unit in its last place. Integers and truth values are exact
/// unless a float within its error of a threshold decides them; then what it may decide is tried,
/// and so is what follows from it in floats. Where the reference cannot execute the function, or it
/// is too large, the tolerance is an estimate relative to the largest value, and its basis says so;
/// of a function on memrefs, of which nothing can be estimated, withoutErrorModel.
std::vector<Tolerance> measureTolerances(mlir::func::FuncOp function,
                                         const std::vector<HostTensor> &inputs,
                                         const ErrorModelOptions &options = {});

/// Compares what an execution of `function` gave with what is expected, by `tolerances` that
/// measureTolerances gave for `inputs` and `options`. The tolerance of a result that is off by a
/// few times what is allowed is measured again before, by 256 random executions: errors that are
/// seldom large, as those of a sum of terms which cancel, show in few of them.
std::vector<Comparison>
compareResults(mlir::func::FuncOp function, const std::vector<HostTensor> &inputs,
               const std::vector<HostTensor> &actual, const std::vector<HostTensor> &expected,
               std::vector<Tolerance> &tolerances, const ErrorModelOptions &options = {});

/// The tolerances of `count` results of a function that the reference does not read: equal bits.
std::vector<Tolerance> withoutErrorModel(size_t count);

} // namespace forge

#endif // FORGE_VERIFY_ERRORMODEL_H
