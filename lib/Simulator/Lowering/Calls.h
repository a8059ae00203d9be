// Writes calls of the simulator's runtime (forge/Simulator/Calls.def) into the IR.
#ifndef FORGE_LIB_SIMULATOR_LOWERING_CALLS_H
#define FORGE_LIB_SIMULATOR_LOWERING_CALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// On a call: what the simulator calls the operation in a report. Such a call takes a site as its
/// last argument, which numberSites() fills in.
inline constexpr llvm::StringLiteral kSiteOperation = "forge_sim.operation";
/// On such a call: bytes of the access, what the address is a multiple of, the kernel's argument it
/// is computed from.
inline constexpr llvm::StringLiteral kSiteBytes = "forge_sim.bytes";
inline constexpr llvm::StringLiteral kSiteAlignment = "forge_sim.alignment";
inline constexpr llvm::StringLiteral kSiteRoot = "forge_sim.root";
/// On a load of a kernel's argument: its number.
inline constexpr llvm::StringLiteral kArgument = "forge_sim.argument";
/// On a function: it is a kernel, of this description. On the module: the sites.
inline constexpr llvm::StringLiteral kKernel = "forge_sim.kernel";
inline constexpr llvm::StringLiteral kSites = "forge_sim.sites";

/// Emits calls at a place in a function.
class CallBuilder {
public:
  CallBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// Calls `name`; integers are widened to what it takes.
  mlir::LLVM::CallOp call(llvm::StringRef name, mlir::ValueRange arguments);
  /// The same with a site as last argument, reported as `operation`.
  mlir::LLVM::CallOp callSite(llvm::StringRef name, llvm::StringRef operation,
                              llvm::SmallVector<mlir::Value> arguments);
  mlir::Value word(int64_t value);
  mlir::Value quad(int64_t value);
  /// An integer with as many bits, zeros in front. Scalars and vectors of up to 64 bits.
  mlir::Value toQuad(mlir::Value value);
  mlir::Value fromQuad(mlir::Value quad, mlir::Type type);
  /// An integer of `bits` bits of the same value, unsigned.
  mlir::Value resize(mlir::Value value, unsigned bits);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The call touches memory that no code sees, so that what was loaded stays in registers across it.
void markInvisible(mlir::LLVM::CallOp call);

/// Declares the runtime's functions that `module` calls.
void declareCalls(mlir::ModuleOp module);

/// Gives every call that has one a site, and writes down all sites of the module.
void numberSites(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_SIMULATOR_LOWERING_CALLS_H
