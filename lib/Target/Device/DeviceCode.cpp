#include "forge/Target/Device/DeviceCode.h"

#include "forge/DeviceMath/Symbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace forge;

static void initializeOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
}

Result<std::unique_ptr<llvm::TargetMachine>> forge::createDeviceMachine(const GPUChip &chip) {
  initializeOnce();
  llvm::Triple triple(chip.triple);
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return Error{"no code generator for " + chip.triple.str() + ": " + message};
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, chip.name, chip.features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return Error{"no code generator for " + chip.name.str()};
  return machine;
}

static void optimizeDevice(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// Links what is called of lib/DeviceMath. Only kernels stay visible.
static Result<void> linkMath(llvm::Module &module, const llvm::TargetMachine &machine) {
  bool isNVPTX = machine.getTargetTriple().isNVPTX();
  std::string_view bitcode =
      isNVPTX ? devicemath::bitcodeForNVPTX() : devicemath::bitcodeForAMDGPU();
  auto library =
      llvm::parseBitcodeFile({llvm::StringRef(bitcode), "forge_math"}, module.getContext());
  if (!library)
    return Error{"device math: " + llvm::toString(library.takeError())};
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  // Flags of the bitcode's own compilation say nothing about ours.
  if (llvm::NamedMDNode *flags = (*library)->getModuleFlagsMetadata())
    flags->eraseFromParent();
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return Error{"device math cannot be linked"};
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::PTX_Kernel &&
        function.getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return {};
}

/// An undefined function would be found only by the driver, on another machine.
static Result<void> checkDefined(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      return Error{"device code calls @" + function.getName().str() + ", which nothing defines"};
  return {};
}

Result<std::unique_ptr<llvm::Module>> forge::translateDevice(mlir::gpu::GPUModuleOp module,
                                                             llvm::LLVMContext &context,
                                                             llvm::TargetMachine &machine) {
  mlir::MLIRContext *mlirContext = module.getContext();
  mlir::registerBuiltinDialectTranslation(*mlirContext);
  mlir::registerLLVMDialectTranslation(*mlirContext);
  mlir::registerGPUDialectTranslation(*mlirContext);
  mlir::registerNVVMDialectTranslation(*mlirContext);
  mlir::registerROCDLDialectTranslation(*mlirContext);
  // Loads and stores are aligned by it as they are made: i64 by four bytes only without one.
  llvm::StringRef layout = mlir::LLVM::LLVMDialect::getDataLayoutAttrName();
  module->setAttr(layout, mlir::StringAttr::get(
                              mlirContext, machine.createDataLayout().getStringRepresentation()));
  std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(
      module, context, module.getName(), /*disableVerification=*/true);
  module->removeAttr(layout);
  if (!translated)
    return Error{"translation of device code to LLVM IR failed"};
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  // LLVM takes buffers in shared memory to have this alignment, and joins accesses by it, but
  // writes PTX with that of their elements where they do not say.
  constexpr unsigned kSharedSpace = 3;
  for (llvm::GlobalVariable &buffer : translated->globals())
    if (buffer.getAddressSpace() == kSharedSpace && !buffer.getAlign())
      buffer.setAlignment(translated->getDataLayout().getPreferredAlign(&buffer));
  if (Result<void> linked = linkMath(*translated, machine); !linked)
    return linked.error();
  for (llvm::Function &function : *translated) {
    function.setDoesNotThrow();
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    }
  }
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*translated, &stream))
    return Error{"invalid LLVM IR of device code: " + message};
  optimizeDevice(*translated, machine);
  if (Result<void> defined = checkDefined(*translated); !defined)
    return defined.error();
  return translated;
}

Result<std::string> forge::emitDevice(llvm::Module &module, llvm::TargetMachine &machine,
                                      llvm::CodeGenFileType type) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return Error{"no code of this form for " + machine.getTargetTriple().str()};
  passes.run(module);
  return bytes.str().str();
}
