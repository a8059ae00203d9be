#include "Weights.h"

#include "forge/Import/WeightAttribute.h"

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

std::optional<int> Weights::insertInto(std::vector<HostTensor> &arguments) {
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
