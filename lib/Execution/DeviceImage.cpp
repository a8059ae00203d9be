#include "DeviceImage.h"

#include "forge/Target/NVVM/PTX.h"
#include "forge/Target/ROCDL/HSACO.h"

#include "mlir/Bytecode/BytecodeWriter.h"

using namespace forge;

static Result<mlir::gpu::GPUModuleOp> deviceModule(mlir::ModuleOp module) {
  auto modules = module.getOps<mlir::gpu::GPUModuleOp>();
  if (modules.empty())
    return Error{"no device code: the module has no gpu.module"};
  return *modules.begin();
}

static Result<std::string> compileNVVM(mlir::gpu::GPUModuleOp device, const GPUChip &chip,
                                       std::vector<KernelResources> &resources) {
  Result<std::string> ptx = emitPTX(device, chip);
  if (!ptx || !findPtxas())
    return ptx;
  return assemblePTX(*ptx, chip, resources);
}

static Result<std::string> writeBytecode(mlir::gpu::GPUModuleOp device) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(device, stream)))
    return Error{"cannot write device code as bytecode"};
  return bytes;
}

Result<std::string> forge::compileDevice(mlir::ModuleOp module, const Target &target,
                                         std::vector<KernelResources> &resources) {
  Result<mlir::gpu::GPUModuleOp> device = deviceModule(module);
  if (!device)
    return device.error();
  if (target.driver == "sim")
    return writeBytecode(*device);
  return target.chip->dialect == DeviceDialect::NVVM ? compileNVVM(*device, *target.chip, resources)
                                                     : emitHSACO(*device, *target.chip, resources);
}

/// The forms a target has, for messages.
static std::string formsOf(const Target &target) {
  if (!target.isGPU() || target.driver == "sim")
    return "no device code of its own";
  return target.chip->dialect == DeviceDialect::NVVM ? "ptx and cubin" : "isa and hsaco";
}

Result<void> forge::checkForm(const Target &target, CodeForm form) {
  bool wantsNVVM = form == CodeForm::PTX || form == CodeForm::Cubin;
  bool wantsROCDL = form == CodeForm::ISA || form == CodeForm::HSACO;
  if (!wantsNVVM && !wantsROCDL)
    return {};
  bool hasDevice = target.isGPU() && target.driver != "sim";
  bool isNVVM = hasDevice && target.chip->dialect == DeviceDialect::NVVM;
  if (hasDevice && isNVVM == wantsNVVM)
    return {};
  return Error{"target " + target.text() + " has " + formsOf(target)};
}

Result<std::string> forge::emitDeviceForm(mlir::ModuleOp module, const Target &target,
                                          CodeForm form, std::vector<KernelResources> &resources) {
  if (Result<void> has = checkForm(target, form); !has)
    return has.error();
  Result<mlir::gpu::GPUModuleOp> device = deviceModule(module);
  if (!device)
    return device.error();
  switch (form) {
  case CodeForm::PTX:
    return emitPTX(*device, *target.chip);
  case CodeForm::Cubin: {
    Result<std::string> ptx = emitPTX(*device, *target.chip);
    return ptx ? assemblePTX(*ptx, *target.chip, resources) : ptx;
  }
  case CodeForm::ISA:
    return emitAMDAssembly(*device, *target.chip);
  default:
    return emitHSACO(*device, *target.chip, resources);
  }
}
