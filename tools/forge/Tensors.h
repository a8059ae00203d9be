// Tensors on the command line: .npy files as the arguments and results of a function.
#ifndef FORGE_TOOLS_FORGE_TENSORS_H
#define FORGE_TOOLS_FORGE_TENSORS_H

#include "forge/Support/HostTensor.h"
#include "forge/Support/TensorSpec.h"

#include <optional>
#include <string>
#include <vector>

namespace forge::tool {

/// Exit status when more than one of the files is standard input.
std::optional<int> rejectSharedInput(const std::string &module,
                                     const std::vector<std::string> &inputs,
                                     const std::vector<std::string> &expected);

/// Reads `paths` as the arguments of `signature`, converted to their element types. Otherwise the
/// exit status, and what was wrong is printed: number, dtype, rank or size of an input, a file
/// missing (kBadCall), or broken (kFailed).
std::optional<int> readInputs(const std::vector<std::string> &paths,
                              const FunctionSignature &signature, std::vector<HostTensor> &inputs);

/// Reads `paths` as what the first results of `signature` should be; the same way. Shapes are left
/// to the comparison.
std::optional<int> readExpected(const std::vector<std::string> &paths,
                                const FunctionSignature &signature,
                                std::vector<HostTensor> &expected);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_TENSORS_H
