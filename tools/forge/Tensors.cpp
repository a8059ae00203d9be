#include "Tensors.h"

#include "Session.h"

#include "forge/Support/Npy.h"

#include "llvm/ADT/STLExtras.h"

using namespace forge;
using namespace forge::tool;

static std::string listTypes(const std::vector<TensorSpec> &specs) {
  std::string text;
  for (const TensorSpec &spec : specs)
    text += (text.empty() ? "" : ", ") + typeString(spec);
  return text;
}

static std::string count(size_t number, const char *noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// Reads one file as an element type; `what` names its place: "input 2".
static std::optional<int> readAs(const std::string &path, const std::string &what, DType type,
                                 std::vector<HostTensor> &tensors) {
  if (std::optional<int> status = rejectMissingFile(path))
    return status;
  Result<HostTensor> tensor = readNpy(path == "-" ? "/dev/stdin" : path);
  if (!tensor)
    return fail(tensor.error().message);
  Result<HostTensor> converted = convertNpy(std::move(*tensor), type);
  if (!converted)
    return badCall(what + " (" + path + "): " + converted.error().message);
  tensors.push_back(std::move(*converted));
  return std::nullopt;
}

std::optional<int> tool::rejectSharedInput(const std::string &module,
                                           const std::vector<std::string> &inputs,
                                           const std::vector<std::string> &expected) {
  auto readers = (module == "-") + llvm::count(inputs, "-") + llvm::count(expected, "-");
  if (readers <= 1)
    return std::nullopt;
  return badCall("expected '-', which is standard input, once, but got it " +
                 std::to_string(readers) + " times");
}

std::optional<int> tool::readInputs(const std::vector<std::string> &paths,
                                    const FunctionSignature &signature,
                                    std::vector<HostTensor> &inputs) {
  if (paths.size() != signature.arguments.size()) {
    std::string types = listTypes(signature.arguments);
    return badCall("expected " + count(signature.arguments.size(), "input") + " for @" +
                   signature.name + (types.empty() ? "" : " (" + types + ")") + ", but got " +
                   std::to_string(paths.size()));
  }
  for (size_t i = 0; i < paths.size(); ++i)
    if (auto status =
            readAs(paths[i], "input " + std::to_string(i), signature.arguments[i].type, inputs))
      return status;
  if (Result<void> fit = checkInputs(signature, inputs); !fit)
    return badCall(fit.error().message);
  return std::nullopt;
}

std::optional<int> tool::readExpected(const std::vector<std::string> &paths,
                                      const FunctionSignature &signature,
                                      std::vector<HostTensor> &expected) {
  if (paths.size() > signature.results.size())
    return badCall("expected at most " + count(signature.results.size(), "--expect file") +
                   " for @" + signature.name + ", but got " + std::to_string(paths.size()));
  for (size_t i = 0; i < paths.size(); ++i)
    if (auto status = readAs(paths[i], "expected result " + std::to_string(i),
                             signature.results[i].type, expected))
      return status;
  return std::nullopt;
}
