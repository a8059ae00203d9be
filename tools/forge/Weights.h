// The arguments of a function that are weights: mapped from checkpoint files, not given by --input.
#ifndef FORGE_TOOLS_FORGE_WEIGHTS_H
#define FORGE_TOOLS_FORGE_WEIGHTS_H

#include "Session.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Verify/Inputs.h"

namespace forge::tool {

class Weights {
public:
  /// Takes forge.weight off the arguments of a function: what runs it gets all of them. A
  /// null function is one of the LLVM dialect, which has no weights. An exit status where the
  /// attribute is malformed.
  std::optional<int> open(const ModuleOptions &module, mlir::func::FuncOp function,
                          const FunctionSignature &signature);

  bool any() const { return rest.arguments.size() < all.arguments.size(); }
  /// What the function takes besides weights.
  const FunctionSignature &others() const { return rest; }
  /// Makes the other arguments all of the function's; an exit status where a weight is not as the
  /// function wants it.
  std::optional<int> insertInto(std::vector<HostTensor> &arguments);
  /// Of each argument whether it is a weight: of 16 GB of them no inputs are made.
  std::vector<bool> given() const;

private:
  double numBytes() const;

  FunctionSignature all, rest;
  std::vector<std::optional<WeightSource>> sources;
  std::optional<WeightFiles> files;
};

/// Arguments for `function`: made up, and weights from their files. An exit status where that is
/// not possible.
std::optional<int> makeArguments(Session &session, const ModuleOptions &module,
                                 const InputOptions &options, mlir::func::FuncOp function,
                                 const FunctionSignature &signature,
                                 std::vector<HostTensor> &inputs);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_WEIGHTS_H
