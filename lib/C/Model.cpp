#include "forge/C/Model.h"

#include "Values.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Loader/LoadedModule.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>

using namespace forge;
using namespace forge::capi;

struct forge_model {
  explicit forge_model(LoadedModule loaded) : module(std::move(loaded)) {}
  ~forge_model() { module.close(); }

  LoadedModule module;
  /// What the caller passes.
  FunctionSignature given;
  /// Per argument of the function its elements, if it is a weight.
  std::vector<std::optional<HostTensor>> weights;
  std::mutex running;
};

struct forge_results {
  std::vector<HostTensor> tensors;
};

static Result<void> load(const char *path, const char *weightsFolder, int64_t device,
                         forge_model **result) {
  if (!path || !*path)
    return Error{"expected the path of a compiled model, but got none"};
  Result<LoadedModule> module = LoadedModule::load(path);
  if (!module)
    return module.error();
  auto model = std::make_unique<forge_model>(std::move(*module));
  const ModuleSignature &signature = model->module.signature();
  model->given = withoutWeights(signature.function, signature.weights);
  model->weights.resize(signature.function.arguments.size());
  WeightFiles files(
      {std::filesystem::path(path).parent_path(), weightsFolder ? weightsFolder : ""});
  for (size_t i = 0; i < signature.weights.size(); ++i) {
    if (!signature.weights[i])
      continue;
    Result<HostTensor> weight = files.load(*signature.weights[i], signature.function.arguments[i]);
    if (!weight)
      return weight.error();
    model->weights[i] = std::move(*weight);
  }
  if (Result<void> opened = model->module.openDevice(device); !opened)
    return opened;
  *result = model.release();
  return {};
}

static Result<void> run(forge_model &model, std::span<const forge_tensor> inputs,
                        forge_results **result) {
  const std::vector<TensorSpec> &specs = model.given.arguments;
  if (inputs.size() != specs.size())
    return Error{"expected " + std::to_string(specs.size()) + " inputs for @" + model.given.name +
                 ", but got " + std::to_string(inputs.size())};
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Result<void> fits = check(specs[i], inputs[i], "argument " + std::to_string(i)); !fits)
      return fits;
  std::vector<forge_tensor> arguments;
  std::deque<Parts> parts;
  size_t next = 0;
  for (const std::optional<HostTensor> &weight : model.weights)
    arguments.push_back(weight ? describe(weight->type(), weight->dims(), weight->data())
                               : parts.emplace_back(inputs[next++]).tensor);
  auto results = std::make_unique<forge_results>();
  std::lock_guard<std::mutex> lock(model.running);
  if (Result<void> done = model.module.run(arguments); !done)
    return done;
  Result<std::vector<HostTensor>> tensors = model.module.results();
  if (!tensors)
    return tensors.error();
  results->tensors = std::move(*tensors);
  *result = results.release();
  return {};
}

int forge_model_api_version(void) { return FORGE_MODEL_API_VERSION; }

forge_error *forge_model_load(const char *path, const char *weightsFolder, int64_t device,
                              forge_model **model) {
  *model = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&] { return load(path, weightsFolder, device, model); });
}

void forge_model_destroy(forge_model *model) { delete model; }

const char *forge_model_function(const forge_model *model) { return model->given.name.c_str(); }

const char *forge_model_target(const forge_model *model) {
  return model->module.signature().target.c_str();
}

int64_t forge_model_num_arguments(const forge_model *model) {
  return static_cast<int64_t>(model->given.arguments.size());
}

int64_t forge_model_num_results(const forge_model *model) {
  return static_cast<int64_t>(model->given.results.size());
}

forge_tensor forge_model_argument(const forge_model *model, int64_t index) {
  return describe(model->given.arguments, index);
}

forge_tensor forge_model_result(const forge_model *model, int64_t index) {
  return describe(model->given.results, index);
}

forge_error *forge_model_run(forge_model *model, const forge_tensor *inputs, int64_t numInputs,
                             forge_results **results) {
  *results = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&]() -> Result<void> {
    if (numInputs < 0 || (numInputs > 0 && !inputs))
      return Error{"expected an array of inputs, but got " + std::to_string(numInputs) +
                   (inputs ? "" : " at a null pointer")};
    return run(*model, {inputs, static_cast<size_t>(numInputs)}, results);
  });
}

int64_t forge_results_count(const forge_results *results) {
  return static_cast<int64_t>(results->tensors.size());
}

forge_tensor forge_results_get(const forge_results *results, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(results->tensors.size()))
    return {};
  const HostTensor &tensor = results->tensors[static_cast<size_t>(index)];
  return describe(tensor.type(), tensor.dims(), tensor.data());
}

void forge_results_destroy(forge_results *results) { delete results; }
