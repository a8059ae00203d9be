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
  forge_model(LoadedModule loaded, std::string path)
      : module(std::move(loaded)), folder(std::filesystem::path(path).parent_path()),
        text(writeSignature(module.signature())),
        given(withoutWeights(module.signature().function, module.signature().weights)) {}
  ~forge_model() { module.close(); }

  LoadedModule module;
  std::string folder;
  /// Its signature.
  std::string text;
  /// What the caller passes.
  FunctionSignature given;
  bool prepared = false;
  /// Per argument of the function its elements, if it is a weight.
  std::vector<std::optional<HostTensor>> weights;
  /// Of the last run that timed its kernels.
  std::string report;
  std::mutex running;
};

struct forge_results {
  std::vector<HostTensor> tensors;
};

static Result<void> open(const char *path, const char *function, forge_model **result) {
  if (!path || !*path)
    return Error{"expected the path of a compiled model, but got none"};
  Result<LoadedModule> module = LoadedModule::load(path, function ? function : "");
  if (!module)
    return module.error();
  *result = new forge_model(std::move(*module), path);
  return {};
}

static Result<void> prepare(forge_model &model, const char *weightsFolder, int64_t device) {
  std::lock_guard<std::mutex> lock(model.running);
  if (model.prepared)
    return Error{"expected a model that was not prepared before"};
  const ModuleSignature &signature = model.module.signature();
  std::vector<std::optional<HostTensor>> weights(signature.function.arguments.size());
  WeightFiles files({model.folder, weightsFolder ? weightsFolder : ""});
  for (size_t i = 0; i < signature.weights.size(); ++i) {
    if (!signature.weights[i])
      continue;
    Result<HostTensor> weight = files.load(*signature.weights[i], signature.function.arguments[i]);
    if (!weight)
      return weight.error();
    weights[i] = std::move(*weight);
  }
  if (Result<void> opened = model.module.openDevice(device); !opened)
    return opened;
  model.weights = std::move(weights);
  model.prepared = true;
  return {};
}

static Result<void> load(const char *path, const char *weightsFolder, int64_t device,
                         forge_model **result) {
  forge_model *opened = nullptr;
  if (Result<void> done = open(path, nullptr, &opened); !done)
    return done;
  std::unique_ptr<forge_model> model(opened);
  if (Result<void> done = prepare(*model, weightsFolder, device); !done)
    return done;
  *result = model.release();
  return {};
}

namespace {
/// What the function takes: weights and what the caller passed, which it refers to.
struct Arguments {
  std::vector<forge_tensor> tensors;
  std::deque<Parts> parts;
};
} // namespace

static Result<void> checkPrepared(const forge_model &model) {
  return model.prepared ? Result<void>()
                        : Result<void>(Error{"expected a model that forge_model_prepare has made "
                                             "ready to run"});
}

static Result<void> gather(const forge_model &model, const forge_tensor *inputs, int64_t numInputs,
                           Arguments &arguments) {
  if (numInputs < 0 || (numInputs > 0 && !inputs))
    return Error{"expected an array of inputs, but got " + std::to_string(numInputs) +
                 (inputs ? "" : " at a null pointer")};
  const std::vector<TensorSpec> &specs = model.given.arguments;
  if (numInputs != static_cast<int64_t>(specs.size()))
    return Error{"expected " + std::to_string(specs.size()) + " inputs for @" + model.given.name +
                 ", but got " + std::to_string(numInputs)};
  for (size_t i = 0; i < specs.size(); ++i)
    if (Result<void> fits = check(specs[i], inputs[i], "argument " + std::to_string(i)); !fits)
      return fits;
  if (Result<void> ready = checkPrepared(model); !ready)
    return ready;
  size_t next = 0;
  for (const std::optional<HostTensor> &weight : model.weights)
    arguments.tensors.push_back(weight ? describe(weight->type(), weight->dims(), weight->data())
                                       : arguments.parts.emplace_back(inputs[next++]).tensor);
  return {};
}

/// Takes the results of the run that just was.
static Result<void> take(const forge_model &model, forge_results **result) {
  Result<std::vector<HostTensor>> tensors = model.module.results();
  if (!tensors)
    return tensors.error();
  *result = new forge_results{std::move(*tensors)};
  return {};
}

static Result<void> run(forge_model &model, const forge_tensor *inputs, int64_t numInputs,
                        forge_error_kind &kind, forge_results **result) {
  Arguments arguments;
  if (Result<void> fit = gather(model, inputs, numInputs, arguments); !fit)
    return fit;
  kind = FORGE_ERROR_FAILED;
  std::lock_guard<std::mutex> lock(model.running);
  Result<void> done = model.module.run(arguments.tensors);
  return done ? take(model, result) : done;
}

static Result<void> runRandom(forge_model &model, uint64_t seed, forge_error_kind &kind,
                              forge_results **result) {
  if (Result<void> ready = checkPrepared(model); !ready)
    return ready;
  for (const TensorSpec &spec : model.given.arguments)
    if (!spec.hasStaticShape())
      return Error{"random inputs need known sizes, but @" + model.given.name + " takes " +
                   typeString(spec)};
  std::vector<forge_tensor> tensors;
  for (const std::optional<HostTensor> &weight : model.weights)
    // Without data: it is drawn where the code reads it.
    tensors.push_back(weight ? describe(weight->type(), weight->dims(), weight->data())
                             : forge_tensor{});
  kind = FORGE_ERROR_FAILED;
  std::lock_guard<std::mutex> lock(model.running);
  Result<void> done = model.module.runRandom(tensors, seed);
  return done ? take(model, result) : done;
}

static Result<void> runLoaded(forge_model &model, double &ms) {
  if (Result<void> ready = checkPrepared(model); !ready)
    return ready;
  std::lock_guard<std::mutex> lock(model.running);
  if (Result<void> done = model.module.runLoaded(); !done)
    return done;
  ms = model.module.runMs();
  return {};
}

static Result<void> profile(forge_model &model, const char *&report) {
  if (Result<void> ready = checkPrepared(model); !ready)
    return ready;
  std::lock_guard<std::mutex> lock(model.running);
  model.module.setTiming(true);
  Result<void> done = model.module.runLoaded();
  if (done) {
    model.report = model.module.timingReport();
    report = model.report.c_str();
  }
  model.module.setTiming(false);
  return done;
}

int forge_model_api_version(void) { return FORGE_MODEL_API_VERSION; }

forge_error *forge_model_load(const char *path, const char *weightsFolder, int64_t device,
                              forge_model **model) {
  *model = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&] { return load(path, weightsFolder, device, model); });
}

forge_error *forge_model_open(const char *path, const char *function, forge_model **model) {
  *model = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&] { return open(path, function, model); });
}

forge_error *forge_model_prepare(forge_model *model, const char *weightsFolder, int64_t device) {
  return guarded(FORGE_ERROR_INPUT, [&] { return prepare(*model, weightsFolder, device); });
}

int forge_model_is_decoder(const char *path) { return path && !functionsOfDecoder(path).empty(); }

const char *forge_model_decoder_function(const char *path, int64_t index) {
  std::vector<const char *> names;
  if (path)
    names = functionsOfDecoder(path);
  return index >= 0 && static_cast<size_t>(index) < names.size() ? names[static_cast<size_t>(index)]
                                                                 : nullptr;
}

void forge_model_destroy(forge_model *model) { delete model; }

const char *forge_model_function(const forge_model *model) { return model->given.name.c_str(); }

const char *forge_model_target(const forge_model *model) {
  return model->module.signature().target.c_str();
}

const char *forge_model_signature(const forge_model *model) { return model->text.c_str(); }

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
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&] { return run(*model, inputs, numInputs, kind, results); });
}

forge_error *forge_model_run_random(forge_model *model, uint64_t seed, forge_results **results) {
  *results = nullptr;
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&] { return runRandom(*model, seed, kind, results); });
}

forge_error *forge_model_load_inputs(forge_model *model, const forge_tensor *inputs,
                                     int64_t numInputs) {
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&]() -> Result<void> {
    Arguments arguments;
    if (Result<void> fit = gather(*model, inputs, numInputs, arguments); !fit)
      return fit;
    kind = FORGE_ERROR_FAILED;
    std::lock_guard<std::mutex> lock(model->running);
    return model->module.loadInputs(arguments.tensors);
  });
}

forge_error *forge_model_run_loaded(forge_model *model, double *ms) {
  *ms = 0;
  return guarded(FORGE_ERROR_FAILED, [&] { return runLoaded(*model, *ms); });
}

forge_error *forge_model_profile(forge_model *model, const char **report) {
  *report = "";
  return guarded(FORGE_ERROR_FAILED, [&] { return profile(*model, *report); });
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
