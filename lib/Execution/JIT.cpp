#include "JIT.h"
#include "PhaseWatch.h"

#include "forge/Runtime/Symbols.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/xxhash.h"

using namespace forge;

CompiledCode::CompiledCode() = default;
CompiledCode::~CompiledCode() = default;

static Error toError(llvm::Error error, const char *what) {
  return Error{std::string(what) + ": " + llvm::toString(std::move(error))};
}

/// Makes the runtime's functions, and what else the process has (libm), known to the code.
static llvm::Error defineSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  for (const auto &[name, address] : rt::runtimeSymbols())
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                          llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  return llvm::Error::success();
}

Result<std::unique_ptr<llvm::MemoryBuffer>>
forge::compileObject(mlir::ModuleOp module, Effort effort, std::vector<PhaseTime> &times) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createHostMachine(effort);
  if (!machine)
    return machine.error();
  PhaseWatch watch(times);
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translateToLLVM(module, context, **machine);
  if (!translated)
    return translated.error();
  watch.lap("translate");
  optimize(**translated, **machine, effort);
  watch.lap("optimize");
  Result<std::unique_ptr<llvm::MemoryBuffer>> object = emitObject(**translated, **machine);
  watch.lap("codegen");
  return object;
}

Result<std::unique_ptr<CompiledCode>> CompiledCode::load(std::unique_ptr<llvm::MemoryBuffer> object,
                                                         const std::string &entry) {
  TraceScope scope("compile", "link");
  auto code = std::unique_ptr<CompiledCode>(new CompiledCode);
  registerHost();
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return toError(jit.takeError(), "no JIT");
  code->jit = std::move(*jit);
  if (llvm::Error error = defineSymbols(*code->jit))
    return toError(std::move(error), "the runtime's symbols");
  code->objectHash = llvm::xxh3_64bits(object->getBuffer());
  if (llvm::Error error = code->jit->addObjectFile(std::move(object)))
    return toError(std::move(error), "linking compiled code");
  llvm::Expected<llvm::orc::ExecutorAddr> address = code->jit->lookup(entry);
  if (!address)
    return toError(address.takeError(), "linking compiled code");
  code->function = address->toPtr<rt::Context::Entry>();
  return code;
}
