#include "forge/Target/ROCDL/HSACO.h"

#include "Metadata.h"

#include "forge/Target/ROCDL/Link.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace forge;

/// Code object version 5, which every HIP runtime since ROCm 5.3 loads.
static Result<std::unique_ptr<llvm::Module>>
translate(mlir::gpu::GPUModuleOp module, llvm::LLVMContext &context, llvm::TargetMachine &machine) {
  Result<std::unique_ptr<llvm::Module>> translated = translateDevice(module, context, machine);
  if (translated)
    (*translated)->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 500);
  return translated;
}

static Result<std::string> emit(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                                llvm::CodeGenFileType type) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createDeviceMachine(chip);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translate(module, context, **machine);
  if (!translated)
    return translated.error();
  return emitDevice(**translated, **machine, type);
}

/// HIP refuses to launch a block of more threads than the code object says its kernel was compiled
/// for: every kernel's must be those of the block that it requires.
static Result<void> checkBlockSizes(mlir::gpu::GPUModuleOp module,
                                    const std::vector<KernelResources> &kernels) {
  mlir::ROCDL::ROCDLDialect::ReqdWorkGroupSizeAttrHelper required(module.getContext());
  for (const KernelResources &kernel : kernels) {
    auto function = module.lookupSymbol<mlir::LLVM::LLVMFuncOp>(kernel.name);
    if (!function || !required.isAttrPresent(function))
      continue;
    int64_t threads = 1;
    for (int32_t size : required.getAttr(function).asArrayRef())
      threads *= size;
    if (kernel.maxThreads != threads)
      return Error{"expected code of kernel @" + kernel.name + " for blocks of " +
                   std::to_string(threads) + " threads, but got it for " +
                   std::to_string(kernel.maxThreads)};
  }
  return {};
}

Result<std::string> forge::emitAMDAssembly(mlir::gpu::GPUModuleOp module, const GPUChip &chip) {
  return emit(module, chip, llvm::CodeGenFileType::AssemblyFile);
}

Result<std::string> forge::emitHSACO(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                                     std::vector<KernelResources> &resources) {
  Result<std::string> object = emit(module, chip, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object;
  Result<std::string> linked = linkCodeObject(*object);
  if (!linked)
    return linked;
  std::vector<KernelResources> found;
  readMetadata(*linked, found);
  if (Result<void> checked = checkBlockSizes(module, found); !checked)
    return checked.error();
  llvm::append_range(resources, found);
  return linked;
}
