#include "GeneratorImpl.h"

#include "forge/Support/Trace.h"

#include <charconv>

using namespace forge;
using Function = DecoderCode::Function;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static bool isOf(const TensorSpec &spec, DType type, const std::vector<int64_t> &dims) {
  return spec.type == type && spec.dims == dims;
}

/// Fails unless results are next tokens, logits, and what the donated arguments become, in order;
/// with `leavesLogits` the first of these are the logits.
static Result<void> checkResults(const FunctionSignature &signature, int64_t batch,
                                 bool leavesLogits) {
  Error wrong{"expected @" + signature.name +
              " to give next tokens, logits and the arguments it updates"};
  const std::vector<TensorSpec> &results = signature.results;
  if (results.size() < 2 || !isOf(results[0], DType::I32, {batch, 1}) ||
      results[1].dims.size() != 2 || results[1].dims[0] != batch || results[1].dims[1] < 1)
    return wrong;
  size_t next = leavesLogits ? 1 : 2;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.donated[i])
      continue;
    if (next == results.size() ||
        !isOf(results[next], signature.arguments[i].type, signature.arguments[i].dims))
      return wrong;
    ++next;
  }
  return next == results.size() ? Result<void>() : wrong;
}

/// Whether keys are in a cache [B, heads, T, D], or in pages [P, heads, R, D] by a table [B, M].
static bool areCaches(const TensorSpec *keys, const TensorSpec *table, int64_t batch) {
  if (!keys || keys->dims.size() != 4 || keys->dims[0] < 1 || keys->dims[2] < 1 ||
      keys->dims[0] > INT32_MAX || keys->dims[2] > INT32_MAX)
    return false;
  if (!table)
    return keys->dims[0] == batch;
  return table->dims.size() == 2 && table->dims[1] > 0 &&
         isOf(*table, DType::I32, {batch, table->dims[1]}) &&
         table->dims[1] <= INT32_MAX / keys->dims[2];
}

/// Tokens of a sequence that such caches have places for.
static int64_t capacityOf(const TensorSpec &keys, const TensorSpec *table) {
  return keys.dims[2] * (table ? table->dims[1] : 1);
}

/// Bytes of the keys and values of a token.
static uint64_t bytesOfToken(const ModuleSignature &signature) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < signature.names.size(); ++i) {
    const TensorSpec &spec = signature.function.arguments[i];
    bool isCache =
        signature.names[i].starts_with("keys.") || signature.names[i].starts_with("values.");
    if (isCache && spec.dims.size() == 4)
      bytes += static_cast<uint64_t>(spec.dims[1] * spec.dims[3]) * byteWidth(spec.type);
  }
  return bytes;
}

/// Takes batch, lengths of prefills, capacity and vocabulary from the signatures, which are
/// checked.
Result<void> Generator::Impl::readSizes() {
  if (code->numFunctions() <= DecoderCode::FirstPrefill)
    return Error{"expected a prefill and a decode step"};
  const ModuleSignature &decoding = code->signature(DecoderCode::Decode);
  int64_t batch = 0;
  std::vector<int64_t> cacheDims;
  for (Function function = 0; function < code->numFunctions(); ++function) {
    const FunctionSignature &signature = code->signature(function).function;
    if (function >= DecoderCode::FirstPrefill && signature.name.starts_with("sample")) {
      if (Result<void> known = readSampler(function, batch); !known)
        return known;
      continue;
    }
    auto argument = [&](const char *name) -> const TensorSpec * {
      std::optional<size_t> found = find(function, name);
      return found ? &signature.arguments[*found] : nullptr;
    };
    for (const TensorSpec &spec : signature.arguments)
      if (!spec.hasStaticShape())
        return Error{"expected @" + signature.name + " to take tensors of static sizes, but got " +
                     typeString(spec)};
    const TensorSpec *ids = argument("input_ids"), *lengths = argument("lengths"),
                     *counts = argument("counts"), *keys = argument("keys.0"),
                     *table = argument("table");
    bool isPrefill = function != DecoderCode::Decode;
    if (!isPrefill && ids && !ids->dims.empty())
      batch = ids->dims[0];
    // A prefill may take one sequence alone, where all share pages.
    bool isAlone =
        isPrefill && pages && batch > 1 && ids && !ids->dims.empty() && ids->dims[0] == 1;
    int64_t sequences = isAlone ? 1 : batch;
    bool fits =
        sequences > 0 && ids && ids->type == DType::I32 && ids->dims.size() == 2 &&
        ids->dims[0] == sequences && ids->dims[1] > 0 && (isPrefill || ids->dims[1] == 1) &&
        lengths && isOf(*lengths, DType::I32, {sequences}) && isPrefill == (counts != nullptr) &&
        (!counts || isOf(*counts, DType::I32, {sequences})) && areCaches(keys, table, sequences) &&
        (!isPrefill || (keys->dims == cacheDims && (table != nullptr) == pages.has_value() &&
                        capacity == capacityOf(*keys, table)));
    if (!fits)
      return Error{"expected @" + signature.name +
                   " to take tokens, lengths and caches of keys and values"};
    bool leavesLogits = argument("logits") != nullptr;
    if (Result<void> checked = checkResults(signature, sequences, leavesLogits); !checked)
      return checked;
    cacheDims = keys->dims;
    capacity = capacityOf(*keys, table);
    if (table && !pages)
      pages.emplace(batch, table->dims[1], keys->dims[2], keys->dims[0]);
    const TensorSpec &rows = signature.results[1];
    if (!isPrefill) {
      Result<HostTensor> made = HostTensor::create(rows.type, rows.dims);
      if (!made)
        return made.error();
      logits = std::move(*made);
      vocabulary = rows.dims[1];
      continue;
    }
    if (!isOf(rows, logits.type(), {sequences, vocabulary}))
      return Error{"expected @" + signature.name +
                   " and @decode to give the same logits, but got " + typeString(rows) + " and " +
                   typeString(TensorSpec{logits.type(), logits.dims()})};
    (isAlone ? alone : prefills).push_back({function, ids->dims[1]});
  }
  if (sampler && !alone.empty() && !samplerOfOne)
    return Error{"expected @sample_alone to draw the tokens of prefills of one sequence"};
  for (std::vector<GeneratorStep> *steps : {&prefills, &alone})
    std::ranges::stable_sort(*steps, std::greater(), &GeneratorStep::length);
  tokenBytes = bytesOfToken(decoding);
  isCPU = decoding.target == "cpu";
  sizes.resize(static_cast<size_t>(batch));
  sizesOfCode = sizes;
  return {};
}

/// A function behind those that it draws the tokens of.
Result<void> Generator::Impl::readSampler(Function function, int64_t batch) {
  const FunctionSignature &signature = code->signature(function).function;
  bool isOfAll = signature.name == "sample";
  int64_t sequences = isOfAll ? batch : 1;
  // 1. It takes what the others leave, and what tokens are drawn by, and gives tokens.
  auto takes = [&](const char *name, DType type, const std::vector<int64_t> &dims) {
    std::optional<size_t> found = find(function, name);
    return found && isOf(signature.arguments[*found], type, dims);
  };
  bool fits =
      takes("input_ids", DType::I32, {sequences, 1}) &&
      takes("logits", logits.type(), {sequences, vocabulary}) &&
      takes("lengths", DType::I32, {sequences}) && takes("seeds", DType::I64, {sequences}) &&
      takes("temperature", DType::F32, {sequences}) && takes("top_k", DType::I32, {sequences}) &&
      takes("top_p", DType::F32, {sequences}) && signature.results.size() == 1 &&
      isOf(signature.results[0], DType::I32, {sequences, 1});
  // 2. They leave their logits.
  for (Function other = 0; fits && other < function; ++other) {
    const FunctionSignature &leaving = code->signature(other).function;
    bool isDrawnFrom =
        leaving.results.size() > 1 && leaving.results[0].dims == std::vector<int64_t>{sequences, 1};
    std::optional<size_t> left = find(other, "logits");
    fits = !isDrawnFrom || (left && leaving.donated[*left]);
  }
  if (!fits)
    return Error{"expected @" + signature.name +
                 " to draw tokens by the logits that @decode leaves"};
  (isOfAll ? sampler : samplerOfOne) = GeneratorStep{function};
  return {};
}

/// "contexts" or "contexts.N" among the prefill's arguments.
void Generator::Impl::readContexts() {
  constexpr std::string_view prefix = "contexts";
  for (const std::string &name : code->signature(DecoderCode::FirstPrefill).names) {
    if (!name.starts_with(prefix))
      continue;
    contexts = name;
    int64_t number = 0;
    const char *begin = name.data() + prefix.size(), *end = name.data() + name.size();
    if (begin != end && *begin == '.' && std::from_chars(begin + 1, end, number).ptr == end)
      computedAgainAfter = number;
  }
  history.resize(sizes.size());
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// What an input is at first: what tokens are sampled by, or zeros.
Result<TensorSource> Generator::Impl::initial(const std::string &name,
                                              const TensorSpec &spec) const {
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor.error();
  double value = name == "temperature" ? sampling.temperature
                 : name == "top_k"     ? sampling.topK
                 : name == "top_p"     ? sampling.topP
                                       : 0;
  for (int64_t i = 0; name == "seeds" && i < tensor->numElements(); ++i)
    tensor->setBits(i, sampling.seed);
  for (int64_t i = 0; value != 0 && i < tensor->numElements(); ++i)
    tensor->setDouble(i, value);
  return TensorSource::of(std::move(*tensor));
}

Result<size_t> Generator::Impl::load(Function function, size_t argument, WeightFiles &files) {
  const ModuleSignature &signature = code->signature(function);
  const TensorSpec &spec = signature.function.arguments[argument];
  const std::optional<WeightSource> &weight = signature.weights[argument];
  Result<TensorSource> source =
      weight ? files.open(*weight, spec) : initial(signature.names[argument], spec);
  if (!source)
    return source.error();
  if (weight)
    weightBytes += source->numBytes();
  return code->keep(*source);
}

/// What an argument is, for all functions: they share what is the same.
static std::string identity(const ModuleSignature &signature, size_t argument) {
  const std::optional<WeightSource> &weight = signature.weights[argument];
  std::string type = "\n" + typeString(signature.function.arguments[argument]);
  if (!weight)
    return signature.names[argument] + type;
  return weight->tensor + "\n" + weight->file + type +
         (weight->quantized ? "\n" + quantizedText(*weight->quantized) : "");
}

/// Two arguments are the same tensor where both are one weight, or of one name: but for the tokens,
/// whose numbers differ.
Result<void> Generator::Impl::load(GeneratorStep &step, WeightFiles &files,
                                   const GeneratorOptions &options) {
  const ModuleSignature &signature = code->signature(step.function);
  for (size_t i = 0; i < signature.function.arguments.size(); ++i) {
    const std::string &name =
        signature.weights[i] ? signature.weights[i]->tensor : signature.names[i];
    auto [known, isNew] = inputs.emplace(identity(signature, i), 0);
    if (isNew) {
      options.progress("loading " + name);
      TraceScope argumentScope("copy", "load " + name);
      Result<size_t> made = load(step.function, i, files);
      if (!made)
        return Error{name + ": " + made.error().message};
      known->second = *made;
    }
    step.arguments.push_back(known->second);
    bool isWanted = options.logits && name == "logits";
    if (signature.function.donated[i])
      step.kept.push_back(isWanted ? i | kAlsoGiven : i);
  }
  return {};
}

Result<Generator> Generator::create(std::unique_ptr<DecoderCode> code,
                                    const GeneratorOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->code = std::move(code);
  impl->sampling = options.sampling;
  for (Function function = 0; function < impl->code->numFunctions(); ++function) {
    const ModuleSignature &signature = impl->code->signature(function);
    size_t count = signature.function.arguments.size();
    if (signature.names.size() != count || signature.weights.size() != count ||
        signature.function.donated.size() != count)
      return Error{"expected @" + signature.function.name + " to name its arguments"};
  }
  if (Result<void> known = impl->readSizes(); !known)
    return known.error();
  impl->readContexts();
  TraceScope scope("copy", "load weights");
  WeightFiles files(options.weights);
  std::vector<GeneratorStep *> steps = {&impl->decode};
  for (std::vector<GeneratorStep> *prefills : {&impl->prefills, &impl->alone})
    for (GeneratorStep &prefill : *prefills)
      steps.push_back(&prefill);
  for (GeneratorStep *step : steps) {
    step->kept = {std::nullopt};
    if (!impl->find(step->function, "logits"))
      step->kept.push_back(options.logits ? std::nullopt : std::optional(kDroppedResult));
    if (Result<void> done = impl->load(*step, files, options); !done)
      return done.error();
  }
  for (std::optional<GeneratorStep> *sampler : {&impl->sampler, &impl->samplerOfOne})
    if (*sampler)
      if (Result<void> done = impl->load(**sampler, files, options); !done)
        return done.error();
  // Tokens are where the next step reads them, whoever made them.
  impl->canRunAhead = impl->code->runsBehind() && !options.logits && !impl->computedAgainAfter;
  if (impl->canRunAhead)
    impl->decode.kept[0] = *impl->find(DecoderCode::Decode, "input_ids") | kAlsoGiven;
  for (std::optional<GeneratorStep> *sampler : {&impl->sampler, &impl->samplerOfOne})
    if (*sampler)
      (*sampler)->kept = {*impl->find((*sampler)->function, "input_ids") | kAlsoGiven};
  return Generator(std::move(impl));
}
