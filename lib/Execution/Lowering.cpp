#include "forge/Execution/Lowering.h"

#include "DeviceImage.h"
#include "HostEffort.h"
#include "RunPhases.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Target/CPU/CodeGen.h"
#include "forge/Target/Device/HostCode.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace forge;

/// Makes every function but the entry private. A module whose entry is not clear stays as it is:
/// all its public functions are compiled.
static Result<void> keepOnlyEntryPublic(mlir::ModuleOp module, llvm::StringRef name) {
  Result<mlir::func::FuncOp> entry = findEntry(module, name);
  // In the LLVM dialect the entries are what the module was compiled for.
  if (!entry && (name.empty() || signatureOf(module, name)))
    return {};
  if (!entry)
    return entry.error();
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function == *entry)
      function.setPublic();
    else
      function.setPrivate();
  return {};
}

Result<void> forge::lowerTo(mlir::ModuleOp module, const CompileOptions &options, Phase to,
                            CompileReport *report) {
  if (Result<void> kept = keepOnlyEntryPublic(module, options.function); !kept)
    return kept;
  CompileReport unread;
  CompileReport &out = report ? *report : unread;
  return runPhases(module, options, to, out);
}

static Result<std::string> emitAssembly(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager pm;
  if (machine.addPassesToEmitFile(pm, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return Error{"this LLVM cannot write assembly for the host"};
  pm.run(module);
  return text.str().str();
}

static bool isDeviceForm(CodeForm form) {
  return form == CodeForm::PTX || form == CodeForm::Cubin || form == CodeForm::ISA ||
         form == CodeForm::HSACO;
}

Result<std::string> forge::emitCode(mlir::ModuleOp module, CodeForm form, Tier tier,
                                    const std::string &targetText, CompileReport *report) {
  Result<Target> target = Target::parse(targetText);
  if (!target)
    return target.error();
  bool onlyDevice = isDeviceForm(form);
  if (onlyDevice || target->isGPU()) {
    std::vector<KernelResources> resources;
    Result<std::string> device = onlyDevice ? emitDeviceForm(module, *target, form, resources)
                                            : compileDevice(module, *target, resources);
    if (report)
      addResources(resources, report->kernels);
    if (onlyDevice || !device)
      return device;
    embedDeviceCode(module, *device);
  }
  Effort effort = hostEffort(tier, *target);
  Result<std::unique_ptr<llvm::TargetMachine>> machine = createHostMachine(effort);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> translated = translateToLLVM(module, context, **machine);
  if (!translated)
    return translated.error();
  optimize(**translated, **machine, effort);
  if (form == CodeForm::Assembly)
    return emitAssembly(**translated, **machine);
  if (form == CodeForm::LLVMText) {
    std::string text;
    llvm::raw_string_ostream os(text);
    (*translated)->print(os, nullptr);
    return text;
  }
  Result<std::unique_ptr<llvm::MemoryBuffer>> object = emitObject(**translated, **machine);
  if (!object)
    return object.error();
  return (*object)->getBuffer().str();
}
