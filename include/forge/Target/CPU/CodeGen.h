// From the LLVM dialect to machine code for the processor we run on.
#ifndef FORGE_TARGET_CPU_CODEGEN_H
#define FORGE_TARGET_CPU_CODEGEN_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace forge {

/// How much LLVM does: `Quick` for one pass of cleaning up, `Full` for the pipeline of -O2 with the
/// vectorisers. `Least` is `Quick` without optimisation in the code generator, for code that does
/// nothing but call.
enum class Effort { Least, Quick, Full };

/// Makes this host known to LLVM, which a JIT needs; once, from any thread.
void registerHost();

/// A machine for this host's processor, with the features it has; position-independent code.
Result<std::unique_ptr<llvm::TargetMachine>> createHostMachine(Effort effort);

/// The processor's name and the features code generation uses, in LLVM's spelling ("znver5",
/// "+avx512f,+avx512bf16").
std::string hostProcessor();
std::string hostFeatures();

/// Translates a module in the LLVM dialect. Only the packed entries stay visible from outside.
Result<std::unique_ptr<llvm::Module>> translateToLLVM(mlir::ModuleOp module,
                                                      llvm::LLVMContext &context,
                                                      const llvm::TargetMachine &machine);

/// Runs LLVM's optimisation pipeline. No fast-math: only what the IR's own flags allow.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, Effort effort);

/// Loads, stores and rearranges vectors of bf16 whose length is not a power of two as vectors of
/// i16; part of `optimize`. LLVM's SLP vectoriser makes such loads, and where the processor has
/// AVX512-BF16 its code generation has no way to split them ("Do not know how to soft promote this
/// operator's operand!").
void moveVectorsAsBits(llvm::Module &module);

/// An ELF object of `module`.
Result<std::unique_ptr<llvm::MemoryBuffer>> emitObject(llvm::Module &module,
                                                       llvm::TargetMachine &machine);

} // namespace forge

#endif // FORGE_TARGET_CPU_CODEGEN_H
