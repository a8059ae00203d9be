#include "forge/Target/CPU/CodeGen.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using namespace forge;

std::string forge::hostProcessor() { return llvm::sys::getHostCPUName().str(); }

std::string forge::hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

void forge::registerHost() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

Result<std::unique_ptr<llvm::TargetMachine>> forge::createHostMachine(Effort effort) {
  registerHost();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return Error{"no code generator for this host: " + message};
  llvm::TargetOptions options;
  // A multiplication and an addition become one operation only where the IR says so (contract).
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  auto level = effort == Effort::Full    ? llvm::CodeGenOptLevel::Default
               : effort == Effort::Quick ? llvm::CodeGenOptLevel::Less
                                         : llvm::CodeGenOptLevel::None;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, hostProcessor(), hostFeatures(), options, llvm::Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return Error{"no code generator for " + triple.str()};
  return machine;
}
