#include "forge/Generate/Compiler/Perplexity.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Import/WeightAttribute.h"
#include "forge/Runtime/Resident.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace forge;
using rt::Resident;

double Perplexity::value() const {
  return std::exp(-logLikelihood / static_cast<double>(predicted));
}

namespace {
/// @main of a decoder for one sequence of a fixed number of tokens, its weights where compiled code
/// reads them.
class WholeModel {
public:
  static Result<WholeModel> create(const std::string &folder, mlir::MLIRContext &context,
                                   int64_t length, const PerplexityOptions &options);

  /// Logits [1, S, V] of S tokens.
  Result<HostTensor> logitsOf(std::span<const int32_t> tokens);
  int64_t vocabulary() const { return code.signature().results[0].dims[2]; }

private:
  explicit WholeModel(Executable code) : code(std::move(code)) {}
  Result<void> load(const std::string &folder,
                    const std::vector<std::optional<WeightSource>> &sources,
                    const PerplexityOptions &options);

  Executable code;
  /// On the code's device: destroyed before the code.
  std::vector<Resident> tensors;
  std::vector<Resident *> arguments;
};
} // namespace

/// Whether tokens are all that the function takes besides its weights.
static bool takesTokensAlone(mlir::func::FuncOp function,
                             const std::vector<std::optional<WeightSource>> &sources) {
  auto type = mlir::cast<mlir::RankedTensorType>(function.getArgumentTypes()[0]);
  auto isInput = [](const std::optional<WeightSource> &source) { return !source; };
  return std::ranges::count_if(sources, isInput) == 1 && type.getElementType().isInteger(32);
}

Result<WholeModel> WholeModel::create(const std::string &folder, mlir::MLIRContext &context,
                                      int64_t length, const PerplexityOptions &options) {
  options.progress("importing " + folder);
  HuggingFaceOptions importOptions;
  importOptions.batch = 1;
  importOptions.length = length;
  importOptions.withoutWeights = options.randomWeights.has_value();
  importOptions.matrices = options.matrices;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      importHuggingFace(folder, context, importOptions);
  if (!module)
    return module.error();
  auto function = (*module)->lookupSymbol<mlir::func::FuncOp>("main");
  Result<std::vector<std::optional<WeightSource>>> sources = weightsOf(function);
  if (!sources)
    return sources.error();
  if (!takesTokensAlone(function, *sources))
    return Error{folder + ": expected a decoder, which has a next token, but got an encoder"};
  dropWeights(function);
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.tier = options.tier;
  compileOptions.reproducerDir = options.reproducerDir;
  compileOptions.cache = options.cache;
  options.progress("compiling @main");
  Result<Executable> compiled = Executable::compile(**module, compileOptions);
  if (!compiled)
    return compiled.error();
  WholeModel model(std::move(*compiled));
  if (Result<void> loaded = model.load(folder, *sources, options); !loaded)
    return loaded.error();
  return model;
}

static Result<TensorSource> zeros(const TensorSpec &spec) {
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  return tensor ? Result<TensorSource>(TensorSource::of(std::move(*tensor))) : tensor.error();
}

Result<void> WholeModel::load(const std::string &folder,
                              const std::vector<std::optional<WeightSource>> &sources,
                              const PerplexityOptions &options) {
  WeightFiles files({checkpointFolder(folder), "", options.randomWeights});
  for (size_t i = 0; i < sources.size(); ++i) {
    const TensorSpec &spec = code.signature().arguments[i];
    if (sources[i])
      options.progress("loading " + sources[i]->tensor);
    Result<TensorSource> source = sources[i] ? files.open(*sources[i], spec) : zeros(spec);
    if (!source)
      return source.error();
    Result<Resident> kept = code.keep(*source);
    if (!kept)
      return kept.error();
    tensors.push_back(std::move(*kept));
  }
  for (Resident &tensor : tensors)
    arguments.push_back(&tensor);
  return {};
}

Result<HostTensor> WholeModel::logitsOf(std::span<const int32_t> tokens) {
  const TensorSpec &spec = arguments[0]->spec();
  Result<HostTensor> ids = HostTensor::create(spec.type, spec.dims);
  if (!ids)
    return ids;
  std::memcpy(ids->data(), tokens.data(), ids->numBytes());
  if (Result<void> written = code.write(*arguments[0], std::move(*ids)); !written)
    return written.error();
  const std::optional<size_t> none[] = {std::nullopt};
  Result<RunResult> done = code.run(arguments, none);
  if (!done)
    return done.error();
  return std::move(done->results[0]);
}

/// The logarithm of the probability of `token` by the logits of a row, in double.
static double logProbability(const HostTensor &logits, int64_t row, int32_t token) {
  int64_t size = logits.dims()[2], first = row * size;
  double largest = -INFINITY;
  for (int64_t i = 0; i < size; ++i)
    largest = std::max(largest, logits.getDouble(first + i));
  double sum = 0;
  for (int64_t i = 0; i < size; ++i)
    sum += std::exp(logits.getDouble(first + i) - largest);
  return logits.getDouble(first + token) - largest - std::log(sum);
}

static Result<void> checkTokens(const std::vector<int32_t> &tokens, int64_t vocabulary) {
  for (int32_t token : tokens)
    if (token < 0 || token >= vocabulary)
      return Error{"expected tokens from 0 to " + std::to_string(vocabulary - 1) + ", but got " +
                   std::to_string(token)};
  return {};
}

Result<Perplexity> forge::measurePerplexity(const std::string &folder, mlir::MLIRContext &context,
                                            const std::vector<int32_t> &tokens,
                                            const PerplexityOptions &options) {
  auto count = static_cast<int64_t>(tokens.size());
  if (count < 2 || options.context < 2)
    return Error{"expected two tokens or more, in the text and in a window, but got " +
                 std::to_string(count) + " and " + std::to_string(options.context)};
  Perplexity result;
  result.context = std::min(options.context, count);
  Result<WholeModel> model = WholeModel::create(folder, context, result.context, options);
  if (!model)
    return model.error();
  if (Result<void> known = checkTokens(tokens, model->vocabulary()); !known)
    return known.error();
  // Tokens up to `last` are predicted.
  for (int64_t last = 0; last < count - 1;) {
    int64_t begin = std::min(last, count - result.context);
    options.progress("window " + std::to_string(++result.windows));
    Result<HostTensor> logits = model->logitsOf(
        std::span(tokens).subspan(static_cast<size_t>(begin), static_cast<size_t>(result.context)));
    if (!logits)
      return logits.error();
    for (int64_t end = begin + result.context; last + 1 < end; ++result.predicted) {
      double log = logProbability(*logits, last - begin, tokens[static_cast<size_t>(last + 1)]);
      if (!std::isfinite(log))
        return Error{"token " + std::to_string(last + 1) +
                     ": expected a probability above 0, but the logits give none"};
      result.logLikelihood += log;
      ++last;
    }
  }
  return result;
}
