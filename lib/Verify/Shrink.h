// From a function that differs to the smallest part of it that still does.
#ifndef FORGE_LIB_VERIFY_SHRINK_H
#define FORGE_LIB_VERIFY_SHRINK_H

#include "CutOut.h"

#include "forge/Verify/Verify.h"

namespace forge {

/// A function that differs on these inputs, and what its results should be.
struct Failure {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> expected;
};

/// Runs @main of a module through `phase` on `target` and compares with the reference under the
/// error model. The reference's results if they differ or if it does not compile; nothing when they
/// agree, or when there is no reference for it.
std::optional<std::vector<HostTensor>> differs(mlir::ModuleOp module, llvm::StringRef phase,
                                               const Executor &executor, llvm::StringRef target,
                                               const std::vector<HostTensor> &inputs);

/// Finds the smallest part of `function` that differs from the reference when executed through
/// `phase`:
/// 1. every op alone, on the values it gets in the reference; of a call that differs, the same
///    within its callee;
/// 2. if no op alone differs, the shortest backward slice of the first value that does. Falls back
///    to the whole function.
Failure shrink(mlir::func::FuncOp function, const std::vector<HostTensor> &inputs,
               llvm::StringRef phase, const Executor &executor, llvm::StringRef target,
               const std::function<void(llvm::StringRef)> &progress);

/// Writes `failure` to a new folder in `options.reproducerDir`: failure.mlir, with the command that
/// repeats it in its first line, in<i>.npy and expected<i>.npy. Returns the module's path and the
/// command; fails when a file cannot be written.
struct Reproducer {
  std::string module;
  std::string command;
};
Result<Reproducer> writeReproducer(const Failure &failure, const VerifyOptions &options);

} // namespace forge

#endif // FORGE_LIB_VERIFY_SHRINK_H
