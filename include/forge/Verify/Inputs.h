// Inputs made from a seed, for functions nobody gave any.
#ifndef FORGE_VERIFY_INPUTS_H
#define FORGE_VERIFY_INPUTS_H

#include "forge/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

struct InputOptions {
  uint64_t seed = 0;
  /// The size every dynamic dimension gets.
  int64_t dynamicSize = 5;
};

/// One tensor per argument of `function`, the same for the same seed on every machine (a
/// counter-based generator, so an element depends only on seed, argument and index). Floats are
/// spread over [-1, 1]; an argument used as an index (gather, scatter, dynamic_slice) lies within
/// what it indexes; other integers are small.
mlir::FailureOr<std::vector<HostTensor>> makeInputs(mlir::func::FuncOp function,
                                                    const InputOptions &options);

} // namespace forge

#endif // FORGE_VERIFY_INPUTS_H
