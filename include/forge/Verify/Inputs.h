// Inputs made from a seed, for functions that were given none.
#ifndef FORGE_VERIFY_INPUTS_H
#define FORGE_VERIFY_INPUTS_H

#include "forge/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// How floats are spread. All but the first look for what is forgotten where values are not
/// about 1.
enum class Distribution {
  /// Over [-1, 1].
  Uniform,
  /// Over [-1/256, 1/256]: an epsilon of 1e-5 is added to variances of its own size, and the
  /// weights of a softmax are nearly alike.
  Small,
  /// Over [-128, 128]: exponentials overflow unless a maximum is subtracted first.
  Large,
  /// Over [-h, h], h the smaller of 10,000 and the root of the type's largest number: squares and
  /// products of two still have a place in it, sums of them perhaps not.
  Huge,
  /// Below -127, rising by 128 to the end of each row: one term outweighs all others, and none is
  /// above 0.
  Rising,
  /// The same, falling.
  Falling,
  /// Over [-1, 1], but for one element of each row, anywhere, that is larger by 256: a maximum that
  /// misses it lets exponentials overflow.
  Peaks,
  /// -1, -1/2, 0, 1/2 and 1: of many equal elements, the right one is chosen; slopes are taken at
  /// 0.
  Ties
};
/// All of them, in this order, with their names: "uniform", ...
llvm::ArrayRef<std::pair<llvm::StringRef, Distribution>> allDistributions();
/// The one of this name.
std::optional<Distribution> parseDistribution(llvm::StringRef name);

struct InputOptions {
  uint64_t seed = 0;
  /// The size every dynamic dimension gets.
  int64_t dynamicSize = 5;
  Distribution distribution = Distribution::Uniform;
  /// By the numbers of arguments: those that the caller has tensors for, as weights. None are made
  /// for them.
  std::vector<bool> given = {};
};

/// One tensor per argument of `function` that is not given, the same for the same seed on every
/// machine (a counter-based generator, so an element depends only on seed, argument and index).
/// Floats are spread as the distribution says, but above 0 under a root or logarithm, as a scale,
/// as what a draw is asked for (temperatures, of which every eighth is 0, and shares); an argument
/// used as an index (gather, scatter, dynamic_slice) is within what it indexes; other integers are
/// small.
mlir::FailureOr<std::vector<HostTensor>> makeInputs(mlir::func::FuncOp function,
                                                    const InputOptions &options);

} // namespace forge

#endif // FORGE_VERIFY_INPUTS_H
