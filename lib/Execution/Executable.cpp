#include "EntryFunction.h"
#include "JIT.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/Invoke.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

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

Result<RunResult> Executable::run(std::vector<HostTensor> inputs) {
  Result<rt::Invocation> done =
      rt::invoke(impl->context, impl->code->entry(), impl->signature, std::move(inputs));
  if (!done)
    return done.error();
  RunResult run;
  run.results = std::move(done->results);
  run.runMs = done->runMs;
  run.failedChecks = impl->context.failedChecks();
  run.numChecks = impl->context.numChecks();
  run.peakTemporaryBytes = static_cast<int64_t>(impl->context.memory().peakBytes());
  impl->context.reset();
  return run;
}
