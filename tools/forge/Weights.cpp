#include "Weights.h"

#include "forge/Import/WeightAttribute.h"
#include "forge/Support/AvailableMemory.h"

#include "llvm/Support/FormatVariadic.h"

using namespace forge;
using namespace forge::tool;

std::optional<int> Weights::open(const ModuleOptions &module, mlir::func::FuncOp function,
                                 const FunctionSignature &signature) {
  files.emplace(WeightFiles::Options{module.folder(), module.weightsFolder, module.randomSeed()});
  all = signature;
  sources.resize(all.arguments.size());
  if (!function) { // in the LLVM dialect, where all arguments are inputs
    rest = all;
    return std::nullopt;
  }
  Result<std::vector<std::optional<WeightSource>>> named = weightsOf(function);
  if (!named) {
    function.emitError(named.error().message);
    return kFailed;
  }
  dropWeights(function);
  sources = std::move(*named);
  rest = withoutWeights(all, sources);
  return std::nullopt;
}

/// Bytes of all weights: each is in memory by itself.
double Weights::numBytes() const {
  double bytes = 0;
  for (auto [source, spec] : llvm::zip_equal(sources, all.arguments)) {
    double size = source ? double(byteWidth(spec.type)) : 0;
    for (int64_t dim : spec.dims)
      size *= double(dim);
    bytes += size;
  }
  return bytes;
}

std::optional<int> Weights::insertInto(std::vector<HostTensor> &arguments) {
  // Taken one by one there would be memory for each, until the system ends the process.
  if (double bytes = numBytes(), available = double(availableMemory()); bytes > available)
    return fail(llvm::formatv("the weights take {0:f1} GB of memory, of which {1:f1} are available",
                              bytes * 1e-9, available * 1e-9)
                    .str());
  Result<std::vector<HostTensor>> complete =
      withWeights(all, sources, std::move(arguments), *files);
  if (!complete)
    return fail(complete.error().message);
  arguments = std::move(*complete);
  return std::nullopt;
}

std::vector<bool> Weights::given() const {
  std::vector<bool> given;
  for (const std::optional<WeightSource> &source : sources)
    given.push_back(source.has_value());
  return given;
}

std::optional<int> tool::makeArguments(Session &session, const ModuleOptions &module,
                                       const InputOptions &options, mlir::func::FuncOp function,
                                       const FunctionSignature &signature,
                                       std::vector<HostTensor> &inputs) {
  Weights weights;
  if (std::optional<int> status = weights.open(module, function, signature))
    return status;
  InputOptions others = options;
  others.given = weights.given();
  mlir::FailureOr<std::vector<HostTensor>> made = makeInputs(function, others);
  if (failed(made))
    return session.reportFailure(module.path + ": no inputs can be made");
  inputs = std::move(*made);
  return weights.any() ? weights.insertInto(inputs) : std::nullopt;
}
