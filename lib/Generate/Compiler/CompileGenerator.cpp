#include "forge/Generate/Compiler/CompileGenerator.h"

#include "CompilingText.h"
#include "TakeWeights.h"

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Generate/Compiler/PrefillLengths.h"
#include "forge/Runtime/MemoryRate.h"
#include "forge/Runtime/PendingRun.h"
#include "forge/Support/Trace.h"

#include <deque>

using namespace forge;
using rt::PendingRun;
using rt::Resident;

namespace {
/// The functions as executables of this process.
class CompiledDecoder : public DecoderCode {
public:
  Result<void> compile(mlir::ModuleOp module, const CompileGeneratorOptions &options);

  size_t numFunctions() const override { return functions.size(); }
  const ModuleSignature &signature(Function function) const override {
    return signatures[function];
  }
  Result<size_t> keep(const TensorSource &source) override;
  Result<void> write(size_t tensor, HostTensor elements) override {
    return functions.front().write(*tensors[tensor], std::move(elements));
  }
  Result<void> begin(Function function, std::span<const size_t> arguments,
                     std::span<const std::optional<size_t>> kept) override;
  Result<std::vector<HostTensor>> finish() override;
  bool runsBehind() const override { return functions.front().machine().device != nullptr; }
  double memoryRate(uint64_t bytes) override {
    return rt::memoryRate(functions.front().machine().device.get(), bytes);
  }

private:
  /// By number: `@decode` comes first.
  std::vector<Executable> functions;
  std::vector<ModuleSignature> signatures;
  /// Go before the code.
  std::vector<std::unique_ptr<Resident>> tensors;
  /// Runs under way, the first one first, and their functions; they go before the tensors.
  std::deque<std::pair<Function, PendingRun>> pending;
};
} // namespace

Result<void> CompiledDecoder::compile(mlir::ModuleOp module,
                                      const CompileGeneratorOptions &options) {
  Result<TargetDevice> machine = openTarget(options.target);
  if (!machine)
    return machine.error();
  std::vector<CompileJob> jobs;
  for (const std::string &name : decoderFunctionsIn(module)) {
    Result<ModuleSignature> signature = takeWeights(module.lookupSymbol<mlir::func::FuncOp>(name));
    if (!signature)
      return signature.error();
    signatures.push_back(std::move(*signature));
    CompileJob &job = jobs.emplace_back(CompileJob{module, {}});
    job.options.function = name;
    job.options.tier = tierOfFunction(name, options.tier);
    job.options.reproducerDir = options.reproducerDir;
    job.options.cache = options.cache;
    job.options.stamps = options.stamps;
  }
  options.progress(compilingText(jobs));
  Result<std::vector<ObjectCode>> codes = compileSideBySide(jobs, machine->target);
  if (!codes)
    return codes.error();
  for (auto [code, signature] : llvm::zip_equal(*codes, signatures)) {
    Result<Executable> loaded = Executable::load(std::move(code), *machine);
    if (!loaded)
      return loaded.error();
    signature.function = loaded->signature();
    signature.target = machine->target.text();
    functions.push_back(std::move(*loaded));
  }
  return {};
}

Result<size_t> CompiledDecoder::keep(const TensorSource &source) {
  Result<Resident> made = functions.front().keep(source);
  if (!made)
    return made.error();
  tensors.push_back(std::make_unique<Resident>(std::move(*made)));
  return tensors.size() - 1;
}

Result<void> CompiledDecoder::begin(Function function, std::span<const size_t> arguments,
                                    std::span<const std::optional<size_t>> kept) {
  std::vector<Resident *> given;
  for (size_t argument : arguments)
    given.push_back(tensors[argument].get());
  Result<PendingRun> begun = functions[function].begin(given, kept);
  if (!begun)
    return begun.error();
  pending.emplace_back(function, std::move(*begun));
  return {};
}

Result<std::vector<HostTensor>> CompiledDecoder::finish() {
  auto [function, run] = std::move(pending.front());
  pending.pop_front();
  return functions[function].finish(std::move(run));
}

Result<Generator> forge::compileGenerator(const std::string &folder, mlir::MLIRContext &context,
                                          const CompileGeneratorOptions &options) {
  Result<Target> target = Target::parse(options.target);
  if (!target)
    return target.error();
  bool paged = options.pageSize.has_value();
  PrefillLengths lengths = options.lengths;
  if (lengths.together.empty() && lengths.alone.empty())
    lengths = options.prompts.empty()
                  ? prefillLengths(*target, options.batch, paged)
                  : prefillLengthsFor(*target, options.batch, paged, options.prompts);
  options.progress("importing " + folder);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = [&] {
    TraceScope scope("import", "import " + folder);
    DecoderOptions model;
    model.batch = options.batch;
    model.prefills = lengths.together;
    model.alone = lengths.alone;
    model.capacity = options.capacity;
    model.capacityMultiple = options.capacityMultiple;
    model.pageSize = options.pageSize;
    model.pages = options.pages;
    model.sampled = options.sampling.has_value();
    model.withoutWeights = options.randomWeights.has_value();
    model.matrices = options.matrices;
    return importDecoder(folder, context, model);
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
