#include "forge/Generate/Compiler/CompileGenerator.h"

#include "TakeWeights.h"

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Runtime/MemoryRate.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/Trace.h"

#include "llvm/Support/MathExtras.h"

using namespace forge;
using rt::Resident;

namespace {
/// Both functions as executables of this process.
class CompiledDecoder : public DecoderCode {
public:
  Result<void> compile(mlir::ModuleOp module, const CompileGeneratorOptions &options);

  const ModuleSignature &signature(Function function) const override {
    return signatures[function];
  }
  Result<size_t> keep(const TensorSource &source) override;
  Result<void> write(size_t tensor, HostTensor elements) override {
    return functions[Prefill]->write(*tensors[tensor], std::move(elements));
  }
  Result<std::vector<HostTensor>> run(Function function, std::span<const size_t> arguments,
                                      std::span<const std::optional<size_t>> kept) override;
  double memoryRate(uint64_t bytes) override {
    return rt::memoryRate(functions[Prefill]->machine().device.get(), bytes);
  }

private:
  std::optional<Executable> functions[2];
  ModuleSignature signatures[2];
  /// Go before the code.
  std::vector<std::unique_ptr<Resident>> tensors;
};
} // namespace

Result<void> CompiledDecoder::compile(mlir::ModuleOp module,
                                      const CompileGeneratorOptions &options) {
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.tier = options.tier;
  compileOptions.reproducerDir = options.reproducerDir;
  compileOptions.cache = options.cache;
  compileOptions.stamps = options.stamps;
  constexpr const char *names[] = {"prefill", "decode"};
  for (Function which : {Prefill, Decode}) {
    Result<ModuleSignature> signature =
        takeWeights(module.lookupSymbol<mlir::func::FuncOp>(names[which]));
    if (!signature)
      return signature.error();
    signatures[which] = std::move(*signature);
  }
  for (Function which : {Prefill, Decode}) {
    options.progress(std::string("compiling @") + names[which]);
    compileOptions.function = names[which];
    Result<Executable> code = Executable::compile(
        module, compileOptions, functions[Prefill] ? &functions[Prefill]->machine() : nullptr);
    if (!code)
      return code.error();
    functions[which].emplace(std::move(*code));
    signatures[which].function = functions[which]->signature();
    signatures[which].target = functions[which]->machine().target.text();
  }
  return {};
}

Result<size_t> CompiledDecoder::keep(const TensorSource &source) {
  Result<Resident> made = functions[Prefill]->keep(source);
  if (!made)
    return made.error();
  tensors.push_back(std::make_unique<Resident>(std::move(*made)));
  return tensors.size() - 1;
}

Result<std::vector<HostTensor>> CompiledDecoder::run(Function function,
                                                     std::span<const size_t> arguments,
                                                     std::span<const std::optional<size_t>> kept) {
  std::vector<Resident *> given;
  for (size_t argument : arguments)
    given.push_back(tensors[argument].get());
  Result<RunResult> done = functions[function]->run(given, kept);
  if (!done)
    return done.error();
  return std::move(done->results);
}

/// Tokens of each sequence that one run of the prefill takes: the longest prompt in equal pieces.
/// 1. Rows of a product's tiles are worth filling up to some thousand, over all sequences. Scores
///    of more than 256 are a large matrix where no kernel keeps them out of memory.
/// 2. Pieces are of a few sizes, so that code in the cache serves other prompts: a power of two,
///    or, above 64, an eighth of one, by which a piece is at most an eighth too long.
static Result<int64_t> chunkOf(const CompileGeneratorOptions &options) {
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

Result<Generator> forge::compileGenerator(const std::string &folder, mlir::MLIRContext &context,
                                          const CompileGeneratorOptions &options) {
  Result<int64_t> chunk = chunkOf(options);
  if (!chunk)
    return chunk.error();
  options.progress("importing " + folder);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = [&] {
    TraceScope scope("import", "import " + folder);
    return importDecoder(folder, context,
                         {options.batch, *chunk, options.capacity, options.sampling.has_value(),
                          /*relativeTo=*/std::nullopt, options.capacityMultiple,
                          options.randomWeights.has_value(), options.matrices});
  }();
  if (!module)
    return module.error();
  if (options.plan)
    (**module)->setDiscardableAttr(kPlanAttr, options.plan);
  auto code = std::make_unique<CompiledDecoder>();
  if (Result<void> done = code->compile(**module, options); !done)
    return done.error();
  return Generator::create(std::move(code),
                           {.weights = {checkpointFolder(folder), "", options.randomWeights},
                            .logits = options.logits,
                            .sampling = options.sampling.value_or(Sampling::greedy()),
                            .progress = options.progress});
}
