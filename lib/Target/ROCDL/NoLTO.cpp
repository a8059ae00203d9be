// What LLD's link-time optimisation would need, for programs linked from archives: it is never
// asked for, since what is linked is machine code. Empty functions instead of twenty code generators.
#include "llvm/Plugins/PassPlugin.h"

extern "C" {
#define FORGE_ABSENT_TARGET(name)                                                                  \
  void LLVMInitialize##name##TargetInfo() {}                                                       \
  void LLVMInitialize##name##Target() {}                                                           \
  void LLVMInitialize##name##TargetMC() {}                                                         \
  void LLVMInitialize##name##AsmPrinter() {}                                                       \
  void LLVMInitialize##name##AsmParser() {}
#include "forge_absent_targets.def"
#undef FORGE_ABSENT_TARGET
}

/// Polly has no archive among LLVM's.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
