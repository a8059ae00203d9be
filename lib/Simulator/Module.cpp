#include "forge/Simulator/Module.h"

#include "Lowering/Calls.h"

#include "forge/DeviceMath/Symbols.h"
#include "forge/Runtime/Symbols.h"
#include "forge/Simulator/Passes.h"
#include "forge/Simulator/Symbols.h"
#include "forge/Target/CPU/CodeGen.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"

using namespace forge;
using namespace forge::sim;
using namespace mlir;

sim::Module::Module() = default;
sim::Module::~Module() = default;

const Kernel *sim::Module::find(StringRef name) const {
  auto it = byName.find(name);
  return it == byName.end() ? nullptr : &it->second;
}

static int64_t integer(DictionaryAttr dictionary, StringRef key, int64_t otherwise) {
  auto attribute = dictionary.getAs<IntegerAttr>(key);
  return attribute ? attribute.getInt() : otherwise;
}

static std::string string(DictionaryAttr dictionary, StringRef key) {
  auto attribute = dictionary.getAs<StringAttr>(key);
  return attribute ? attribute.str() : "";
}

/// What forge-instrument-accesses has written down.
static std::vector<SiteInfo> readSites(ModuleOp module) {
  std::vector<SiteInfo> sites;
  for (Attribute each : module->getAttrOfType<ArrayAttr>(kSites)) {
    auto dictionary = cast<DictionaryAttr>(each);
    SiteInfo site;
    site.operation = string(dictionary, "operation");
    site.location = string(dictionary, "location");
    site.bytes = integer(dictionary, "bytes", 0);
    site.alignment = integer(dictionary, "alignment", 1);
    site.root = integer(dictionary, "root", -1);
    sites.push_back(std::move(site));
  }
  return sites;
}

/// What forge-simulate-gpu has written down.
static Kernel readKernel(LLVM::LLVMFuncOp function, DictionaryAttr description) {
  Kernel kernel;
  kernel.name = function.getName().str();
  kernel.staticShared = integer(description, "shared", 0);
  kernel.privateBytes = integer(description, "private", 0);
  if (auto block = description.getAs<DenseI32ArrayAttr>("block"))
    kernel.blockSize = Dim3{uint32_t(block[0]), uint32_t(block[1]), uint32_t(block[2])};
  if (auto cluster = description.getAs<DenseI32ArrayAttr>("cluster"))
    kernel.clusterSize = Dim3{uint32_t(cluster[0]), uint32_t(cluster[1]), uint32_t(cluster[2])};
  for (Attribute each : description.getAs<ArrayAttr>("arguments")) {
    auto dictionary = cast<DictionaryAttr>(each);
    KernelArgument argument;
    argument.isPointer = dictionary.contains("pointer");
    argument.bytes = integer(dictionary, "bytes", 8);
    argument.elementBytes = integer(dictionary, "element", 0);
    if (auto extent = dictionary.getAs<IntegerAttr>("extent"))
      argument.extent = extent.getInt();
    kernel.arguments.push_back(argument);
  }
  return kernel;
}

static Error toError(llvm::Error error) {
  return Error{"compiling for the simulator: " + llvm::toString(std::move(error))};
}

static Result<std::unique_ptr<llvm::orc::LLJIT>> link(std::unique_ptr<llvm::MemoryBuffer> object) {
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> created = llvm::orc::LLJITBuilder().create();
  if (!created)
    return toError(created.takeError());
  llvm::orc::LLJIT &jit = **created;
  llvm::orc::SymbolMap symbols;
  for (const auto &table : {sim::runtimeSymbols(), rt::runtimeSymbols(), devicemath::symbols()})
    for (const auto &[name, address] : table)
      symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                            llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return toError(std::move(error));
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return toError(process.takeError());
  jit.getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = jit.addObjectFile(std::move(object)))
    return toError(std::move(error));
  return std::move(*created);
}

/// Runs the passes; the first diagnostic of an error is the message.
static Result<void> lower(ModuleOp module, unsigned warpSize) {
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && message.empty()) {
      llvm::raw_string_ostream stream(message);
      stream << diagnostic.getLocation() << ": " << diagnostic.str();
    }
    return failure();
  });
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  buildSimulationPipeline(pm, warpSize);
  if (failed(pm.run(module)))
    return Error{message.empty() ? "lowering for the simulator failed" : message};
  return {};
}

Result<std::unique_ptr<sim::Module>> sim::Module::compile(ModuleOp module, unsigned warpSize) {
  if (Result<void> lowered = lower(module, warpSize); !lowered)
    return lowered.error();
  auto compiled = std::unique_ptr<Module>(new Module);
  compiled->sites = readSites(module);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto description = function->getAttrOfType<DictionaryAttr>(kKernel)) {
      Kernel kernel = readKernel(function, description);
      compiled->byName[function.getName()] = std::move(kernel);
    }
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createHostMachine(Effort::Quick);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translateToLLVM(module, context, **machine);
  if (!translated)
    return translated.error();
  optimize(**translated, **machine, Effort::Quick);
  Result<std::unique_ptr<llvm::MemoryBuffer>> object = emitObject(**translated, **machine);
  if (!object)
    return object.error();
  Result<std::unique_ptr<llvm::orc::LLJIT>> jit = link(std::move(*object));
  if (!jit)
    return jit.error();
  compiled->jit = std::move(*jit);
  for (auto &entry : compiled->byName) {
    llvm::Expected<llvm::orc::ExecutorAddr> address = compiled->jit->lookup(entry.getKey());
    if (!address)
      return toError(address.takeError());
    entry.second.entry = address->toPtr<void (*)(void **)>();
    entry.second.sites = &compiled->sites;
  }
  return compiled;
}
