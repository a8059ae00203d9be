#include "forge/Generate/Generator.h"

#include "forge/Support/Trace.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

using namespace forge;
using Function = DecoderCode::Function;

namespace {
/// One of the two functions.
struct Step {
  Function function;
  std::vector<size_t> arguments; ///< tensors of the code
  /// Per result the argument it becomes; none for the next tokens, and for logits if they are
  /// wanted.
  std::vector<std::optional<size_t>> kept = {std::nullopt, kDroppedResult};
};
} // namespace

struct Generator::Impl {
  std::unique_ptr<DecoderCode> code;
  Sampling sampling;
  int64_t chunk = 0, capacity = 0, vocabulary = 0;
  uint64_t weightBytes = 0;
  Step prefill{DecoderCode::Prefill, {}}, decode{DecoderCode::Decode, {}};
  std::map<std::string, size_t> inputs; ///< tensors of the code that are no weights, by their names
  std::vector<int64_t> sizes;           ///< tokens of each sequence
  /// What the prefill calls the number of tokens of each sequence, where it wants that.
  std::string contexts;
  /// All keys of a sequence are computed again once it has more tokens than this, which are kept
  /// for it.
  std::optional<int64_t> computedAgainAfter;
  std::vector<std::vector<int32_t>> history;
  HostTensor logits;

  Result<void> readSizes();
  Result<void> load(Step &step, WeightFiles &files, const GeneratorOptions &options);
  Result<size_t> load(Function function, size_t argument, WeightFiles &files);
  Result<TensorSource> initial(const std::string &name, const TensorSpec &spec) const;
  Result<void> write(Step &step, const char *name, const std::vector<int32_t> &values);
  Result<void> check(size_t sequence, std::span<const int32_t> tokens) const;
  Result<void> run(Step &step, const std::vector<int32_t> &counts, std::vector<int32_t> &next);
  void readContexts();
  bool grewLong(size_t sequence, size_t more) const {
    return computedAgainAfter && sizes[sequence] <= *computedAgainAfter &&
           sizes[sequence] + static_cast<int64_t>(more) > *computedAgainAfter;
  }
  Result<void> setSizes(const std::vector<int64_t> &tokens);
  Result<void> fill(const std::vector<std::vector<int32_t>> &tokens, std::vector<int32_t> &next);

  std::optional<size_t> find(Function function, std::string_view name) const {
    const std::vector<std::string> &names = code->signature(function).names;
    auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<size_t>(found - names.begin()));
  }
};

Generator::Generator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Generator::Generator(Generator &&) noexcept = default;
Generator &Generator::operator=(Generator &&) noexcept = default;
Generator::~Generator() = default;

const HostTensor &Generator::logits() const { return impl->logits; }
int64_t Generator::vocabulary() const { return impl->vocabulary; }
int64_t Generator::batch() const { return static_cast<int64_t>(impl->sizes.size()); }
int64_t Generator::capacity() const { return impl->capacity; }
int64_t Generator::length() const { return *std::ranges::max_element(impl->sizes); }
uint64_t Generator::weightBytes() const { return impl->weightBytes; }

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static bool isOf(const TensorSpec &spec, DType type, const std::vector<int64_t> &dims) {
  return spec.type == type && spec.dims == dims;
}

/// Fails unless results are next tokens, logits, and what the donated arguments become, in order.
static Result<void> checkResults(const FunctionSignature &signature, int64_t batch) {
  Error wrong{"expected @" + signature.name +
              " to give next tokens, logits and the arguments it updates"};
  const std::vector<TensorSpec> &results = signature.results;
  if (results.size() < 2 || !isOf(results[0], DType::I32, {batch, 1}) ||
      results[1].dims.size() != 2 || results[1].dims[0] != batch || results[1].dims[1] < 1)
    return wrong;
  size_t next = 2;
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

/// Takes batch, prefill's size, capacity and vocabulary from the signatures, which are checked.
Result<void> Generator::Impl::readSizes() {
  int64_t batch = 0;
  for (Function function : {DecoderCode::Decode, DecoderCode::Prefill}) {
    const FunctionSignature &signature = code->signature(function).function;
    auto argument = [&](const char *name) -> const TensorSpec * {
      std::optional<size_t> found = find(function, name);
      return found ? &signature.arguments[*found] : nullptr;
    };
    for (const TensorSpec &spec : signature.arguments)
      if (!spec.hasStaticShape())
        return Error{"expected @" + signature.name + " to take tensors of static sizes, but got " +
                     typeString(spec)};
    const TensorSpec *ids = argument("input_ids"), *lengths = argument("lengths"),
                     *counts = argument("counts"), *keys = argument("keys.0");
    bool isPrefill = function == DecoderCode::Prefill;
    if (!isPrefill && ids && !ids->dims.empty())
      batch = ids->dims[0];
    bool fits = batch > 0 && ids && ids->type == DType::I32 && ids->dims.size() == 2 &&
                ids->dims[0] == batch && ids->dims[1] > 0 && (isPrefill || ids->dims[1] == 1) &&
                lengths && isOf(*lengths, DType::I32, {batch}) &&
                isPrefill == (counts != nullptr) &&
                (!counts || isOf(*counts, DType::I32, {batch})) && keys && keys->dims.size() == 4 &&
                keys->dims[0] == batch && keys->dims[2] > 0 && keys->dims[2] <= INT32_MAX &&
                (!isPrefill || keys->dims[2] == capacity);
    if (!fits)
      return Error{"expected @" + signature.name +
                   " to take tokens, lengths and caches of keys and values"};
    if (Result<void> checked = checkResults(signature, batch); !checked)
      return checked;
    capacity = keys->dims[2];
    (isPrefill ? chunk : vocabulary) = isPrefill ? ids->dims[1] : signature.results[1].dims[1];
  }
  const TensorSpec &rows = code->signature(DecoderCode::Decode).function.results[1];
  const TensorSpec &first = code->signature(DecoderCode::Prefill).function.results[1];
  if (!isOf(first, rows.type, rows.dims))
    return Error{"expected @prefill and @decode to give the same logits, but got " +
                 typeString(first) + " and " + typeString(rows)};
  Result<HostTensor> made = HostTensor::create(rows.type, rows.dims);
  if (!made)
    return made.error();
  logits = std::move(*made);
  sizes.resize(static_cast<size_t>(batch));
  return {};
}

/// "contexts" or "contexts.N" among the prefill's arguments.
void Generator::Impl::readContexts() {
  constexpr std::string_view prefix = "contexts";
  for (const std::string &name : code->signature(DecoderCode::Prefill).names) {
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

/// What an argument is, for both functions: they share what is the same.
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
Result<void> Generator::Impl::load(Step &step, WeightFiles &files,
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
    if (signature.function.donated[i])
      step.kept.push_back(i);
  }
  return {};
}

Result<Generator> Generator::create(std::unique_ptr<DecoderCode> code,
                                    const GeneratorOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->code = std::move(code);
  impl->sampling = options.sampling;
  for (Function function : {DecoderCode::Prefill, DecoderCode::Decode}) {
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
  for (Step *step : {&impl->prefill, &impl->decode}) {
    if (options.logits)
      step->kept[1] = std::nullopt;
    if (Result<void> done = impl->load(*step, files, options); !done)
      return done.error();
  }
  return Generator(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<void> Generator::Impl::write(Step &step, const char *name,
                                    const std::vector<int32_t> &values) {
  size_t argument = *find(step.function, name);
  const TensorSpec &spec = code->signature(step.function).function.arguments[argument];
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor.error();
  std::memcpy(tensor->data(), values.data(), tensor->numBytes());
  return code->write(step.arguments[argument], std::move(*tensor));
}

Result<void> Generator::Impl::check(size_t sequence, std::span<const int32_t> tokens) const {
  std::string which = sizes.size() > 1 ? "sequence " + std::to_string(sequence) + ": " : "";
  if (tokens.empty())
    return Error{which + "expected one token or more"};
  int64_t free = capacity - sizes[sequence];
  if (static_cast<int64_t>(tokens.size()) > free)
    return Error{which + "expected at most " + std::to_string(free) + " more tokens, but got " +
                 std::to_string(tokens.size())};
  for (int32_t token : tokens)
    if (token < 0 || token >= vocabulary)
      return Error{which + "expected tokens from 0 to " + std::to_string(vocabulary - 1) +
                   ", but got " + std::to_string(token)};
  return {};
}

/// Runs a function whose tokens are written. Sequences of which some count get their next token,
/// and their logits.
Result<void> Generator::Impl::run(Step &step, const std::vector<int32_t> &counts,
                                  std::vector<int32_t> &next) {
  Result<std::vector<HostTensor>> done = code->run(step.function, step.arguments, step.kept);
  if (!done)
    return done.error();
  const HostTensor &ids = (*done)[0];
  const HostTensor *rows = step.kept[1] ? nullptr : &(*done)[1];
  size_t rowBytes = logits.numBytes() / sizes.size();
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (counts[b] == 0)
      continue;
    sizes[b] += counts[b];
    next[b] = ids.dataAs<int32_t>()[b];
    if (rows)
      std::memcpy(logits.dataAs<char>() + b * rowBytes, rows->dataAs<char>() + b * rowBytes,
                  rowBytes);
  }
  return {};
}

/// Puts tokens behind those of each sequence, perhaps none.
Result<void> Generator::Impl::fill(const std::vector<std::vector<int32_t>> &tokens,
                                   std::vector<int32_t> &next) {
  size_t batch = sizes.size(), piece = static_cast<size_t>(chunk), longest = 0;
  std::vector<int32_t> lengths;
  for (size_t b = 0; b < batch; ++b) {
    longest = std::max(longest, tokens[b].size());
    lengths.push_back(static_cast<int32_t>(sizes[b] + static_cast<int64_t>(tokens[b].size())));
  }
  if (!contexts.empty())
    if (Result<void> done = write(prefill, contexts.c_str(), lengths); !done)
      return done;
  for (size_t begin = 0; begin < longest; begin += piece) {
    std::vector<int32_t> ids(batch * piece), counts(batch);
    for (size_t b = 0; b < batch; ++b) {
      size_t first = std::min(begin, tokens[b].size()),
             last = std::min(begin + piece, tokens[b].size());
      counts[b] = static_cast<int32_t>(last - first);
      std::copy(tokens[b].begin() + static_cast<ptrdiff_t>(first),
                tokens[b].begin() + static_cast<ptrdiff_t>(last),
                ids.begin() + static_cast<ptrdiff_t>(b * piece));
    }
    if (Result<void> done = write(prefill, "input_ids", ids); !done)
      return done;
    if (Result<void> done = write(prefill, "counts", counts); !done)
      return done;
    if (Result<void> done = run(prefill, counts, next); !done)
      return done;
  }
  return {};
}

Result<std::vector<int32_t>> Generator::prefill(const std::vector<std::vector<int32_t>> &tokens) {
  TraceScope scope("run", "prefill");
  size_t batch = impl->sizes.size();
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  for (size_t b = 0; b < batch; ++b)
    if (Result<void> fit = impl->check(b, tokens[b]); !fit)
      return fit.error();
  std::vector<int32_t> next(batch);
  if (!impl->computedAgainAfter) {
    if (Result<void> done = impl->fill(tokens, next); !done)
      return done.error();
    return next;
  }
  // Keys that are there are of no use for a sequence that has grown long.
  std::vector<std::vector<int32_t>> given = tokens;
  std::vector<int64_t> sizes = impl->sizes;
  for (size_t b = 0; b < batch; ++b) {
    std::vector<int32_t> &all = impl->history[b];
    bool again = impl->grewLong(b, tokens[b].size());
    all.insert(all.end(), tokens[b].begin(), tokens[b].end());
    if (!again)
      continue;
    given[b] = all;
    sizes[b] = 0;
  }
  if (Result<void> done = impl->setSizes(sizes); !done)
    return done.error();
  if (Result<void> done = impl->fill(given, next); !done)
    return done.error();
  return next;
}

Result<std::vector<int32_t>> Generator::decode(const std::vector<int32_t> &tokens) {
  TraceScope scope("run", "decode");
  size_t batch = impl->sizes.size();
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  for (size_t b = 0; b < batch; ++b)
    if (Result<void> fit = impl->check(b, std::span(&tokens[b], 1)); !fit)
      return fit.error();
  // Sequences that have grown long begin again, behind the step of the others.
  std::vector<int64_t> sizes = impl->sizes;
  std::vector<std::vector<int32_t>> again(batch);
  size_t numAgain = 0;
  for (size_t b = 0; impl->computedAgainAfter && b < batch; ++b) {
    impl->history[b].push_back(tokens[b]);
    if (impl->grewLong(b, 1)) {
      again[b] = impl->history[b];
      sizes[b] = -1;
      ++numAgain;
    }
  }
  std::vector<int32_t> next(batch);
  if (numAgain < batch) {
    if (Result<void> done = impl->write(impl->decode, "input_ids", tokens); !done)
      return done.error();
    if (Result<void> done = impl->run(impl->decode, std::vector<int32_t>(batch, 1), next); !done)
      return done.error();
  }
  if (numAgain == 0)
    return next;
  for (size_t b = 0; b < batch; ++b)
    sizes[b] = sizes[b] < 0 ? 0 : impl->sizes[b];
  if (Result<void> done = impl->setSizes(sizes); !done)
    return done.error();
  if (Result<void> done = impl->fill(again, next); !done)
    return done.error();
  return next;
}

Result<void> Generator::setSampling(const Sampling &sampling) {
  if (!impl->find(DecoderCode::Decode, "seeds"))
    return Error{"expected a generator that samples"};
  impl->sampling = sampling;
  const ModuleSignature &signature = impl->code->signature(DecoderCode::Decode);
  for (const char *name : {"seeds", "temperature", "top_k", "top_p"}) {
    std::optional<size_t> argument = impl->find(DecoderCode::Decode, name);
    if (!argument)
      continue;
    Result<TensorSource> values = impl->initial(name, signature.function.arguments[*argument]);
    Result<HostTensor> elements = values ? values->tensor() : values.error();
    if (!elements)
      return elements.error();
    if (Result<void> done =
            impl->code->write(impl->decode.arguments[*argument], std::move(*elements));
        !done)
      return done;
  }
  return {};
}

Result<void> Generator::Impl::setSizes(const std::vector<int64_t> &tokens) {
  sizes = tokens;
  return write(decode, "lengths", std::vector<int32_t>(tokens.begin(), tokens.end()));
}

Result<void> Generator::truncate(const std::vector<int64_t> &sizes) {
  if (sizes.size() != impl->sizes.size())
    return Error{"expected sizes of " + std::to_string(impl->sizes.size()) +
                 " sequences, but got " + std::to_string(sizes.size())};
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (sizes[b] < 0 || sizes[b] > impl->sizes[b])
      return Error{"expected 0 to " + std::to_string(impl->sizes[b]) + " tokens to keep, but got " +
                   std::to_string(sizes[b])};
    if (impl->computedAgainAfter)
      impl->history[b].resize(static_cast<size_t>(sizes[b]));
  }
  return impl->setSizes(sizes);
}

Result<void> Generator::reset() { return truncate(std::vector<int64_t>(impl->sizes.size())); }
