// Host code in the LLVM dialect: the conversion, and the calls of the runtime in it.
#ifndef FORGE_TARGET_CPU_RUNTIMECALLS_H
#define FORGE_TARGET_CPU_RUNTIMECALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// On a cf.assert: the global that holds its message.
constexpr llvm::StringLiteral messageAttrName = "forge.message";
/// On a private function without a body: it is an assertion with this message.
constexpr llvm::StringLiteral assertMessageAttrName = "forge.assert_message";

/// On a private function without a body: it runs the named function on all threads
/// (forge-outline-parallel).
constexpr llvm::StringLiteral parallelBodyAttrName = "forge.parallel_body";

/// Converts the functions of `module` to the LLVM dialect, with packed entries for the public ones
/// (forge-convert-to-llvm). `addPatterns` adds patterns that win over those of the CPU. Device code
/// in gpu.module stays as it is.
mlir::LogicalResult convertHostModule(
    mlir::ModuleOp module,
    llvm::function_ref<void(const mlir::LLVMTypeConverter &, mlir::RewritePatternSet &)>
        addPatterns);

/// The upstream patterns for all dialects that code on the host is left in: arith, cf, func, index,
/// math, memref, ub and vector to the LLVM dialect.
void populateHostToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// Declares the function `name` in the LLVM dialect where no symbol has its name.
void declareFunction(mlir::OpBuilder &builder, mlir::ModuleOp module, llvm::StringRef name,
                     mlir::Type result, llvm::ArrayRef<mlir::Type> arguments);

/// Declares the functions the patterns of populateRuntimeCallPatterns call.
void declareRuntime(mlir::ModuleOp module);

/// Adds a global constant that holds `text`; `number` makes its name unique.
mlir::StringAttr addMessage(mlir::ModuleOp module, llvm::StringRef text, unsigned number);

/// The address of such a global.
mlir::Value createMessage(mlir::OpBuilder &builder, mlir::Location loc, mlir::StringAttr symbol);

/// Gives every function with `assertMessageAttrName` (by now an llvm.func) its body.
void defineAssertions(mlir::ModuleOp module, unsigned &numMessages);

/// Gives every function with `parallelBodyAttrName` (by now an llvm.func) its body: a call of
/// forge_rt_parallel_for.
void defineLaunchers(mlir::ModuleOp module);

/// A function that gets a packed form, and its forge.signature, if it has one.
struct PackedEntry {
  std::string name;
  mlir::Attribute signature;
};

/// Adds `NAME__packed(ptr)` for each of `entries`, which the conversion gave a C interface. The
/// signature goes there.
void addPackedEntries(mlir::ModuleOp module, llvm::ArrayRef<PackedEntry> entries);

} // namespace forge

#endif // FORGE_TARGET_CPU_RUNTIMECALLS_H
