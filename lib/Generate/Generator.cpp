#include "forge/Generate/Generator.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Import/WeightAttribute.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <map>

using namespace forge;
using rt::Resident;

namespace {
/// One of the two functions: its code, and its arguments where it reads them.
struct Step {
  std::optional<Executable> code;
  std::vector<Resident *> arguments;
  /// Per result the argument it becomes; none for the next tokens and the logits.
  std::vector<std::optional<size_t>> kept = {std::nullopt, std::nullopt};
};

/// An argument of a function of importDecoder.
struct Argument {
  std::string name;
  std::optional<WeightSource> weight;
  bool isDonated;
};
} // namespace

struct Generator::Impl {
  GeneratorOptions options;
  int64_t chunk = 0, vocabulary = 0;
  uint64_t weightBytes = 0;
  Step prefill, decode;
  /// What the arguments of both point to. Goes before the code.
  std::vector<std::unique_ptr<Resident>> tensors;
  std::map<std::string, Resident *> samplingInputs;
  std::vector<int64_t> sizes; ///< tokens of each sequence
  HostTensor logits;

  Result<void> compile(mlir::ModuleOp module);
  Result<void> load(const std::string &folder, const std::vector<Argument> &prefillArguments,
                    const std::vector<Argument> &decodeArguments);
  Result<Resident *> keep(Result<TensorSource> source);
  Result<TensorSource> initial(llvm::StringRef name, const TensorSpec &spec) const;
  Result<void> write(Step &step, size_t argument, const std::vector<int32_t> &values);
  Result<void> check(size_t sequence, llvm::ArrayRef<int32_t> tokens) const;
  Result<void> run(Step &step, const std::vector<int32_t> &counts, std::vector<int32_t> &next);
};

Generator::Generator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Generator::Generator(Generator &&) noexcept = default;
Generator &Generator::operator=(Generator &&) noexcept = default;
Generator::~Generator() = default;

const HostTensor &Generator::logits() const { return impl->logits; }
int64_t Generator::vocabulary() const { return impl->vocabulary; }
int64_t Generator::capacity() const { return impl->options.capacity; }
int64_t Generator::length() const { return *llvm::max_element(impl->sizes); }
uint64_t Generator::weightBytes() const { return impl->weightBytes; }

//===----------------------------------------------------------------------===//
// Compiling and loading
//===----------------------------------------------------------------------===//

/// The arguments of a function, whose weights become plain ones.
static Result<std::vector<Argument>> takeArguments(mlir::func::FuncOp function) {
  Result<std::vector<std::optional<WeightSource>>> weights = weightsOf(function);
  if (!weights)
    return weights.error();
  dropWeights(function);
  std::vector<Argument> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto loc = mlir::cast<mlir::NameLoc>(function.getArgument(i).getLoc());
    arguments.push_back({loc.getName().str(), (*weights)[i],
                         function.getArgAttr(i, "tf.aliasing_output") != nullptr});
  }
  return arguments;
}

Result<void> Generator::Impl::compile(mlir::ModuleOp module) {
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.tier = options.tier;
  compileOptions.reproducerDir = options.reproducerDir;
  compileOptions.cache = options.cache;
  compileOptions.stamps = options.stamps;
  for (auto [step, name] : {std::pair(&prefill, "prefill"), std::pair(&decode, "decode")}) {
    options.progress(std::string("compiling @") + name);
    compileOptions.function = name;
    Result<Executable> code = Executable::compile(
        module, compileOptions, prefill.code ? &prefill.code->machine() : nullptr);
    if (!code)
      return code.error();
    step->code.emplace(std::move(*code));
  }
  vocabulary = decode.code->signature().results[1].dims[1];
  return {};
}

Result<Resident *> Generator::Impl::keep(Result<TensorSource> source) {
  if (!source)
    return source.error();
  Result<Resident> made = prefill.code->keep(*source);
  if (!made)
    return made.error();
  tensors.push_back(std::make_unique<Resident>(std::move(*made)));
  return tensors.back().get();
}

static bool isSamplingInput(llvm::StringRef name) {
  return llvm::is_contained({"seeds", "temperature", "top_k", "top_p"}, name);
}

/// What an input is at first: what tokens are sampled by, or zeros.
Result<TensorSource> Generator::Impl::initial(llvm::StringRef name, const TensorSpec &spec) const {
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor.error();
  for (int64_t i = 0; options.sampling && i < tensor->numElements(); ++i) {
    if (name == "seeds")
      tensor->setBits(i, options.sampling->seed);
    else
      tensor->setDouble(i, llvm::StringSwitch<double>(name)
                               .Case("temperature", options.sampling->temperature)
                               .Case("top_k", options.sampling->topK)
                               .Case("top_p", options.sampling->topP)
                               .Default(0));
  }
  return TensorSource::of(std::move(*tensor));
}

/// The functions share what they call by one name, but for the tokens, whose numbers differ.
Result<void> Generator::Impl::load(const std::string &folder,
                                   const std::vector<Argument> &prefillArguments,
                                   const std::vector<Argument> &decodeArguments) {
  TraceScope scope("copy", "load weights");
  WeightFiles files({checkpointFolder(folder), "", options.randomWeights});
  std::map<std::string, Resident *> shared;
  for (auto [step, arguments] :
       {std::pair(&prefill, &prefillArguments), std::pair(&decode, &decodeArguments)}) {
    shared.erase("input_ids");
    for (size_t i = 0; i < arguments->size(); ++i) {
      const Argument &argument = (*arguments)[i];
      const TensorSpec &spec = step->code->signature().arguments[i];
      auto [known, isNew] = shared.emplace(argument.name, nullptr);
      if (isNew) {
        options.progress("loading " + argument.name);
        TraceScope argumentScope("copy", "load " + argument.name);
        Result<TensorSource> source =
            argument.weight ? files.open(*argument.weight, spec) : initial(argument.name, spec);
        if (source && argument.weight)
          weightBytes += source->numBytes();
        Result<Resident *> made = keep(std::move(source));
        if (!made)
          return Error{argument.name + ": " + made.error().message};
        known->second = *made;
        if (isSamplingInput(argument.name))
          samplingInputs.emplace(argument.name, *made);
      }
      step->arguments.push_back(known->second);
      if (argument.isDonated)
        step->kept.push_back(i);
    }
  }
  return {};
}

/// Tokens of each sequence that one run of the prefill takes: the longest prompt in equal pieces.
/// 1. Rows of a product's tiles are worth filling up to some thousand, over all sequences. Scores
///    of more than 256 are a large matrix where no kernel keeps them out of memory.
/// 2. Pieces are of a few sizes, so that code in the cache serves other prompts: a power of two,
///    or, above 64, an eighth of one, by which a piece is at most an eighth too long.
static Result<int64_t> chunkOf(const GeneratorOptions &options) {
  constexpr int64_t least = 256, rows = 2048;
  Result<Target> target = Target::parse(options.target);
  if (!target)
    return target.error();
  bool isFlash = target->isGPU() && target->chip->warpgroupProducts;
  int64_t most = isFlash ? std::clamp<int64_t>(rows / options.batch, least, rows) : least;
  int64_t prompt = std::max<int64_t>(options.prompt, 1);
  auto piece =
      static_cast<uint64_t>(llvm::divideCeilSigned(prompt, llvm::divideCeilSigned(prompt, most)));
  uint64_t power = llvm::PowerOf2Ceil(piece);
  return static_cast<int64_t>(llvm::alignTo(piece, power <= 64 ? power : power / 8));
}

Result<Generator> Generator::create(const std::string &folder, mlir::MLIRContext &context,
                                    const GeneratorOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  Result<int64_t> chunk = chunkOf(options);
  if (!chunk)
    return chunk.error();
  impl->chunk = *chunk;
  options.progress("importing " + folder);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = [&] {
    TraceScope scope("import", "import " + folder);
    return importDecoder(folder, context,
                         {options.batch, impl->chunk, options.capacity,
                          options.sampling.has_value(), /*relativeTo=*/std::nullopt,
                          options.capacityMultiple, options.randomWeights.has_value(),
                          options.matrices});
  }();
  if (!module)
    return module.error();
  std::vector<Argument> arguments[2];
  for (auto [name, place] : {std::pair("prefill", 0), std::pair("decode", 1)}) {
    Result<std::vector<Argument>> taken =
        takeArguments((*module)->lookupSymbol<mlir::func::FuncOp>(name));
    if (!taken)
      return taken.error();
    arguments[place] = std::move(*taken);
  }
  if (options.plan)
    (**module)->setDiscardableAttr(kPlanAttr, options.plan);
  if (Result<void> done = impl->compile(**module); !done)
    return done.error();
  if (Result<void> done = impl->load(folder, arguments[0], arguments[1]); !done)
    return done.error();
  Result<HostTensor> logits = HostTensor::create(impl->decode.code->signature().results[1].type,
                                                 {options.batch, impl->vocabulary});
  if (!logits)
    return logits.error();
  impl->logits = std::move(*logits);
  impl->sizes.resize(static_cast<size_t>(options.batch));
  return Generator(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<void> Generator::Impl::write(Step &step, size_t argument,
                                    const std::vector<int32_t> &values) {
  const TensorSpec &spec = step.arguments[argument]->spec();
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor.error();
  std::memcpy(tensor->data(), values.data(), tensor->numBytes());
  return step.code->write(*step.arguments[argument], std::move(*tensor));
}

Result<void> Generator::Impl::check(size_t sequence, llvm::ArrayRef<int32_t> tokens) const {
  std::string which = options.batch > 1 ? "sequence " + std::to_string(sequence) + ": " : "";
  if (tokens.empty())
    return Error{which + "expected one token or more"};
  int64_t free = options.capacity - sizes[sequence];
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
  Result<RunResult> done = step.code->run(step.arguments, step.kept);
  if (!done)
    return done.error();
  const HostTensor &ids = done->results[0], &rows = done->results[1];
  size_t rowBytes = logits.numBytes() / sizes.size();
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (counts[b] == 0)
      continue;
    sizes[b] += counts[b];
    next[b] = ids.dataAs<int32_t>()[b];
    std::memcpy(logits.dataAs<char>() + b * rowBytes, rows.dataAs<char>() + b * rowBytes, rowBytes);
  }
  return {};
}

Result<std::vector<int32_t>> Generator::prefill(const std::vector<std::vector<int32_t>> &tokens) {
  TraceScope scope("run", "prefill");
  size_t batch = impl->sizes.size(), chunk = static_cast<size_t>(impl->chunk), longest = 0;
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  for (size_t b = 0; b < batch; ++b) {
    if (Result<void> fit = impl->check(b, tokens[b]); !fit)
      return fit.error();
    longest = std::max(longest, tokens[b].size());
  }
  std::vector<int32_t> next(batch);
  for (size_t begin = 0; begin < longest; begin += chunk) {
    std::vector<int32_t> ids(batch * chunk), counts(batch);
    for (size_t b = 0; b < batch; ++b) {
      size_t first = std::min(begin, tokens[b].size()),
             last = std::min(begin + chunk, tokens[b].size());
      counts[b] = static_cast<int32_t>(last - first);
      std::copy(tokens[b].begin() + static_cast<ptrdiff_t>(first),
                tokens[b].begin() + static_cast<ptrdiff_t>(last),
                ids.begin() + static_cast<ptrdiff_t>(b * chunk));
    }
    if (Result<void> done = impl->write(impl->prefill, /*argument=*/0, ids); !done)
      return done.error();
    if (Result<void> done = impl->write(impl->prefill, /*argument=*/1, counts); !done)
      return done.error();
    if (Result<void> done = impl->run(impl->prefill, counts, next); !done)
      return done.error();
  }
  return next;
}

Result<std::vector<int32_t>> Generator::decode(const std::vector<int32_t> &tokens) {
  TraceScope scope("run", "decode");
  size_t batch = impl->sizes.size();
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  for (size_t b = 0; b < batch; ++b)
    if (Result<void> fit = impl->check(b, tokens[b]); !fit)
      return fit.error();
  if (Result<void> done = impl->write(impl->decode, /*argument=*/0, tokens); !done)
    return done.error();
  std::vector<int32_t> next(batch);
  if (Result<void> done = impl->run(impl->decode, std::vector<int32_t>(batch, 1), next); !done)
    return done.error();
  return next;
}

Result<void> Generator::setSampling(const Sampling &sampling) {
  if (!impl->options.sampling)
    return Error{"expected a generator that samples"};
  impl->options.sampling = sampling;
  for (auto [name, tensor] : impl->samplingInputs) {
    Result<TensorSource> values = impl->initial(name, tensor->spec());
    Result<HostTensor> elements = values ? values->tensor() : values.error();
    if (!elements)
      return elements.error();
    if (Result<void> done = impl->decode.code->write(*tensor, std::move(*elements)); !done)
      return done;
  }
  return {};
}

Result<void> Generator::reset() {
  std::fill(impl->sizes.begin(), impl->sizes.end(), 0);
  // The argument behind the tokens.
  return impl->write(impl->decode, /*argument=*/1, std::vector<int32_t>(impl->sizes.size()));
}
