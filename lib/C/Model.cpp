#include "forge/C/Model.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Loader/LoadedModule.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <new>

using namespace forge;

struct forge_error {
  std::string message;
};

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

/// What is left to say when there is no memory for a message.
static forge_error *outOfMemory() {
  static forge_error error{"out of memory"};
  return &error;
}

/// Calls what may fail or throw, and gives its error to C.
template <typename Function> static forge_error *guarded(Function function) {
  try {
    Result<void> done = function();
    return done ? nullptr : new forge_error{done.error().message};
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::exception &exception) {
    auto *error = new (std::nothrow) forge_error;
    if (!error)
      return outOfMemory();
    error->message = exception.what(); // short: no memory is taken for most
    return error;
  }
}

/// Names of types are literals: they end in a NUL.
static forge_tensor describe(DType type, const std::vector<int64_t> &dims, const void *data) {
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
  return {dtypeName(type).data(), static_cast<int64_t>(dims.size()), dims.data(),
          const_cast<void *>(data)};
}

static forge_tensor describe(const std::vector<TensorSpec> &specs, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(specs.size()))
    return {};
  const TensorSpec &spec = specs[static_cast<size_t>(index)];
  return describe(spec.type, spec.dims, nullptr);
}

/// Before anything of the tensor is read that may not be there.
static Result<void> check(const TensorSpec &spec, const forge_tensor &tensor,
                          const std::string &what) {
  std::optional<DType> type = parseDType(tensor.type ? tensor.type : "");
  if (type != spec.type)
    return Error{what + ": expected " + std::string(dtypeName(spec.type)) + ", but got " +
                 (tensor.type ? tensor.type : "no type")};
  if (tensor.rank != static_cast<int64_t>(spec.dims.size()))
    return Error{what + ": expected rank " + std::to_string(spec.dims.size()) + ", but got " +
                 std::to_string(tensor.rank)};
  if (tensor.rank > 0 && !tensor.sizes)
    return Error{what + ": expected sizes, but got a null pointer"};
  bool empty = false;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    int64_t size = tensor.sizes[d];
    empty |= size == 0;
    bool open = spec.dims[d] == TensorSpec::dynamic;
    if (open ? size < 0 : size != spec.dims[d])
      return Error{what + ", dimension " + std::to_string(d) + ": expected size " +
                   (open ? "0 or more" : std::to_string(spec.dims[d])) + ", but got " +
                   std::to_string(size)};
  }
  if (!tensor.data && !empty)
    return Error{what + ": expected elements, but got a null pointer"};
  return {};
}

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
  size_t next = 0;
  for (const std::optional<HostTensor> &weight : model.weights)
    arguments.push_back(weight ? describe(weight->type(), weight->dims(), weight->data())
                               : inputs[next++]);
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

const char *forge_error_message(const forge_error *error) { return error->message.c_str(); }

void forge_error_destroy(forge_error *error) {
  if (error != outOfMemory())
    delete error;
}

forge_error *forge_model_load(const char *path, const char *weightsFolder, int64_t device,
                              forge_model **model) {
  *model = nullptr;
  return guarded([&] { return load(path, weightsFolder, device, model); });
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
  return guarded([&]() -> Result<void> {
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
