#include "forge/Target/ROCDL/HSACO.h"

#include "Metadata.h"

#include "forge/Target/ROCDL/Link.h"

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

Result<std::string> forge::emitAMDAssembly(mlir::gpu::GPUModuleOp module, const GPUChip &chip) {
  return emit(module, chip, llvm::CodeGenFileType::AssemblyFile);
}

Result<std::string> forge::emitHSACO(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                                     std::vector<KernelResources> &resources) {
  Result<std::string> object = emit(module, chip, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object;
  Result<std::string> linked = linkCodeObject(*object);
  if (linked)
    readMetadata(*linked, resources);
  return linked;
}
