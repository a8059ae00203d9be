#include "EntryFunction.h"
#include "JIT.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/MemRef.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <chrono>

using namespace forge;

struct Executable::Impl {
  FunctionSignature signature;
  std::vector<PhaseTime> times;
  std::vector<KernelInfo> kernels;
  std::unique_ptr<CompiledCode> code;
  rt::Context context;
};

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::Executable(Executable &&) = default;
Executable &Executable::operator=(Executable &&) = default;
Executable::~Executable() = default;

const FunctionSignature &Executable::signature() const { return impl->signature; }
const std::vector<PhaseTime> &Executable::phaseTimes() const { return impl->times; }
const std::vector<KernelInfo> &Executable::kernels() const { return impl->kernels; }

mlir::OwningOpRef<mlir::ModuleOp> forge::isolate(mlir::ModuleOp module, llvm::StringRef entry) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  for (auto function : copy->getOps<mlir::func::FuncOp>())
    if (function.getName() == entry)
      function.setPublic();
    else
      function.setPrivate();
  return copy;
}

Result<Executable> Executable::compile(mlir::ModuleOp module, const CompileOptions &options) {
  if (options.target != "cpu")
    return Error{"unsupported target " + options.target + " (targets: cpu)"};
  auto impl = std::make_unique<Impl>();
  Result<FunctionSignature> signature =
      options.signature ? *options.signature : signatureOf(module, options.function);
  if (!signature)
    return signature.error();
  impl->signature = *signature;
  mlir::OwningOpRef<mlir::ModuleOp> copy = isolate(module, signature->name);
  if (Result<void> result = runPhases(*copy, options, lastPhase, impl->times, impl->kernels);
      !result)
    return result.error();
  Effort effort = options.tier == Tier::Correctness ? Effort::Quick : Effort::Full;
  Result<std::unique_ptr<CompiledCode>> code =
      CompiledCode::create(*copy, signature->name + "__packed", effort, impl->times);
  if (!code)
    return code.error();
  impl->code = std::move(*code);
  return Executable(std::move(impl));
}

/// i4 and u4 lie in compiled code's memory zero-extended, in a HostTensor by their sign.
static void foldFourBits(HostTensor &tensor, bool toCode) {
  if (tensor.type() != DType::I4 && tensor.type() != DType::U4)
    return;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    int8_t &value = tensor.dataAs<int8_t>()[i];
    value = static_cast<int8_t>(value & 0xf);
    if (!toCode && tensor.type() == DType::I4 && (value & 8))
      value = static_cast<int8_t>(value | 0xf0);
  }
}

/// The descriptor of a densely packed tensor.
static std::vector<int64_t> describe(HostTensor &tensor) {
  size_t rank = tensor.dims().size();
  std::vector<int64_t> words(rt::MemRef::descriptorWords(tensor.rank()));
  words[0] = words[1] = reinterpret_cast<int64_t>(tensor.data());
  int64_t stride = 1;
  for (size_t dim = rank; dim-- > 0;) {
    words[3 + dim] = tensor.dims()[dim];
    words[3 + rank + dim] = stride;
    stride *= tensor.dims()[dim];
  }
  return words;
}

/// Copies the results, described one after the other in `words`, into tensors of their own.
static Result<std::vector<HostTensor>> takeResults(const FunctionSignature &signature,
                                                   int64_t *words) {
  std::vector<HostTensor> results;
  for (const TensorSpec &spec : signature.results) {
    int64_t rank = static_cast<int64_t>(spec.dims.size());
    rt::MemRef source(rank, words);
    Result<HostTensor> tensor = HostTensor::create(spec.type, source.sizes());
    if (!tensor)
      return tensor.error();
    std::vector<int64_t> target = describe(*tensor);
    rt::copyElements(byteWidth(spec.type), source, rt::MemRef(rank, target.data()));
    foldFourBits(*tensor, /*toCode=*/false);
    results.push_back(std::move(*tensor));
    words += rt::MemRef::descriptorWords(rank);
  }
  return results;
}

Result<RunResult> Executable::run(std::vector<HostTensor> inputs) {
  const FunctionSignature &signature = impl->signature;
  if (Result<void> result = checkInputs(signature, inputs); !result)
    return result.error();
  size_t resultWords = 0;
  for (const TensorSpec &spec : signature.results)
    resultWords += rt::MemRef::descriptorWords(static_cast<int64_t>(spec.dims.size()));
  std::vector<int64_t> resultBlock(resultWords);
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> args{resultBlock.data()};
  for (HostTensor &input : inputs) {
    foldFourBits(input, /*toCode=*/true);
    descriptors.push_back(describe(input));
    args.push_back(descriptors.back().data());
  }

  auto start = std::chrono::steady_clock::now();
  Result<void> done = impl->context.run(impl->code->entry(), args.data());
  std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (!done)
    return done.error();

  RunResult run;
  run.runMs = taken.count();
  run.failedChecks = impl->context.failedChecks();
  run.numChecks = impl->context.numChecks();
  run.peakTemporaryBytes = static_cast<int64_t>(impl->context.memory().peakBytes());
  Result<std::vector<HostTensor>> results = takeResults(signature, resultBlock.data());
  impl->context.reset();
  if (!results)
    return results.error();
  run.results = std::move(*results);
  return run;
}
