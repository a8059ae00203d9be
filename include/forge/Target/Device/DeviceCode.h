// From a gpu.module in the LLVM dialect to machine code: what NVVM and ROCDL have in common.
#ifndef FORGE_TARGET_DEVICE_DEVICECODE_H
#define FORGE_TARGET_DEVICE_DEVICECODE_H

#include "forge/Codegen/Target.h"
#include "forge/Support/Result.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace forge {

/// What the machine code of one kernel takes, for statistics; -1 where unknown.
struct KernelResources {
  std::string name;
  int64_t registers = -1;
  /// AMD: scalar registers, and accumulation registers.
  int64_t scalarRegisters = -1;
  /// Bytes of a block's static shared memory, of a thread's stack, and of what was spilled.
  int64_t sharedBytes = -1;
  int64_t stackBytes = -1;
  int64_t spillBytes = -1;
  /// AMD: the threads of the largest block that the kernel may be launched with.
  int64_t maxThreads = -1;
};

/// A machine for `chip`. No fast math, no flushed denormals; a multiplication and an addition
/// become one operation only where the IR says so.
Result<std::unique_ptr<llvm::TargetMachine>> createDeviceMachine(const GPUChip &chip);

/// Translates the body of `module` to LLVM IR for `machine`, and optimises it. Fails if a symbol
/// stays undefined: no device library is linked.
Result<std::unique_ptr<llvm::Module>> translateDevice(mlir::gpu::GPUModuleOp module,
                                                      llvm::LLVMContext &context,
                                                      llvm::TargetMachine &machine);

/// Assembly or object code of `module`.
Result<std::string> emitDevice(llvm::Module &module, llvm::TargetMachine &machine,
                               llvm::CodeGenFileType type);

} // namespace forge

#endif // FORGE_TARGET_DEVICE_DEVICECODE_H
