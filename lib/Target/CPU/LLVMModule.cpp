#include "forge/Target/CPU/CodeGen.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <mutex>

using namespace forge;

/// Says for which processor the functions are, as clang does: inlining and the vectorisers look
/// here.
static void setTargetAttributes(llvm::Module &module, const llvm::TargetMachine &machine) {
  bool wide = machine.getTargetFeatureString().contains("+avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (wide)
      function.addFnAttr("prefer-vector-width", "512");
    // Errors leave by longjmp; nothing ever unwinds.
    function.setDoesNotThrow();
  }
}

Result<std::unique_ptr<llvm::Module>> forge::translateToLLVM(mlir::ModuleOp module,
                                                             llvm::LLVMContext &context,
                                                             const llvm::TargetMachine &machine) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "forge", /*disableVerification=*/true);
  if (!translated)
    return Error{"translation to LLVM IR failed"};
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  setTargetAttributes(*translated, machine);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*translated, &stream))
    return Error{"invalid LLVM IR: " + message};
  return translated;
}

/// Loops of one function after the other make -O1 unroll and rewrite inductions for seconds; this
/// cleans up after the lowering and takes invariants out of loops, in a fifth of the time.
static constexpr llvm::StringLiteral kQuickPasses =
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-"
    "rotate,licm),"
    "simplifycfg)";

void forge::optimize(llvm::Module &module, llvm::TargetMachine &machine, Effort effort) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = true;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (effort == Effort::Full)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  else if (llvm::Error error = builder.parsePassPipeline(passes, kQuickPasses))
    llvm::report_fatal_error(std::move(error));
  passes.run(module, modules);
  moveVectorsAsBits(module);
}

template <typename T> static void setHiddenOption(llvm::StringRef name, T value) {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto option = options.find(name); option != options.end())
    static_cast<llvm::cl::opt<T> *>(option->second)->setValue(value);
}

/// Nests of short loops unroll into blocks of a thousand loads and stores, over which two steps of
/// the DAG combiner take time by the square and more: the search for stores to merge (those of
/// tiles are vectors already) and the flattening of what stores wait for. A block of 1500
/// instructions took 19 s with LLVM's settings, and takes 0.6 s with these; other modules do not
/// change. The list scheduler after register allocation compares every memory access of a block
/// with every other: packing the results of a gradient of 24 layers took it 4 of 10 s. A processor
/// that reorders by itself gains nothing from it.
/// The scheduler before register allocation has tables of accesses, which it empties when they hold
/// 1000 by default: with 100, a convolutional network in bf16 takes 81 s for 224.
static void boundCodeGeneration() {
  static std::once_flag once;
  std::call_once(once, [] {
    setHiddenOption("combiner-store-merging", false);
    setHiddenOption("combiner-tokenfactor-inline-limit", 16u);
    setHiddenOption("disable-post-ra", true);
    setHiddenOption("dag-maps-huge-region", 100u);
  });
}

Result<std::unique_ptr<llvm::MemoryBuffer>> forge::emitObject(llvm::Module &module,
                                                              llvm::TargetMachine &machine) {
  boundCodeGeneration();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  llvm::MCContext *machineCode = nullptr;
  if (machine.addPassesToEmitMC(passes, machineCode, stream, /*DisableVerify=*/true))
    return Error{"no object emission for " + machine.getTargetTriple().str()};
  passes.run(module);
  return std::unique_ptr<llvm::MemoryBuffer>(std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), "forge.o", /*RequiresNullTerminator=*/false));
}
