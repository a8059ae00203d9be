#include "Jit.h"

#include "forge/Codegen/Passes.h"
#include "forge/Runtime/Symbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <ctime>

using namespace llvm;

namespace forge::test {

static constexpr const char *toLLVM =
    "func.func(convert-linalg-to-loops),canonicalize,lower-affine,expand-strided-metadata,"
    "lower-affine,convert-scf-to-cf,convert-vector-to-llvm,convert-math-to-llvm,"
    "convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts";

Jit::Jit() {
  static bool once = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    mlir::registerAllPasses();
    forge::registerForgeCodegenPasses();
    return true;
  }();
  (void)once;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<forge::ForgeDialect>();
  mlir::registerAllToLLVMIRTranslations(registry);
  context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
}

Jit::~Jit() = default;

/// Milliseconds of processor time: other programs on the machine do not count.
static double now() { return 1e3 * std::clock() / CLOCKS_PER_SEC; }

static void optimize(llvm::Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);
}

bool Jit::compile(const std::string &source, const std::string &pipeline) {
  double start = now();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, context.get());
  if (!module)
    return false;
  auto run = [&](const std::string &passes) {
    mlir::PassManager pm(context.get());
    return succeeded(mlir::parsePassPipeline(passes, pm)) && succeeded(pm.run(*module));
  };
  if (!run(pipeline))
    return false;
  loweredText.clear();
  llvm::raw_string_ostream(loweredText) << *module;
  if (!run(toLLVM))
    return false;
  mlirMs = now() - start;
  start = now();
  auto llvmContext = std::make_unique<LLVMContext>();
  auto llvmModule = mlir::translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    return false;
  auto host = cantFail(orc::JITTargetMachineBuilder::detectHost());
  host.setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  auto machine = cantFail(host.createTargetMachine());
  llvmModule->setDataLayout(machine->createDataLayout());
  llvmModule->setTargetTriple(machine->getTargetTriple());
  optimize(*llvmModule, *machine);
  jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(host).create());
  // Where the processor has no instruction for it, a conversion between floats is a call.
  orc::SymbolMap symbols;
  for (const auto &[name, address] : rt::runtimeSymbols())
    symbols[jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                           JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
  cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(llvmModule), std::move(llvmContext))));
  // Code generation happens on the first look-up.
  bool found = true;
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (!function.isExternal() && function.getLinkage() == mlir::LLVM::Linkage::External)
      found &= lookup(function.getName().str()) != nullptr;
  llvmMs = now() - start;
  return found;
}

void *Jit::lookup(const std::string &name) {
  auto address = jit->lookup(name);
  if (!address) {
    errs() << toString(address.takeError()) << "\n";
    return nullptr;
  }
  return address->toPtr<void *>();
}

} // namespace forge::test
