// Kernel functions: private functions that the host calls, each to run on a device.
#ifndef FORGE_KERNELS_KERNEL_H
#define FORGE_KERNELS_KERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// A unit attribute of kernel functions.
inline constexpr llvm::StringLiteral kKernelAttr = "forge.kernel";

/// Names, on a tile program, the function of the same type that says what it computes: what
/// verification runs instead.
inline constexpr llvm::StringLiteral kReferenceAttr = "forge.reference";

inline bool isKernel(mlir::func::FuncOp function) { return function->hasAttr(kKernelAttr); }

/// The function that `kernel`, which has the attribute, names. An error there if there is none.
mlir::FailureOr<mlir::func::FuncOp> referenceOf(mlir::func::FuncOp kernel);

/// True for operations on tensors that become kernels of their own: they compute or move elements.
bool isKernelRoot(mlir::Operation *op);

/// Puts operations on tensors in the forms that kernels are made of: concatenations as insertions,
/// reshapes without tensors of sizes, packed scalars as insertions, slices that the host itself
/// uses as copies.
mlir::LogicalResult normalizeForKernels(mlir::func::FuncOp host);

/// Replaces `members`, in program order, by a call of a new kernel function, placed before `host`.
/// The call is where the last of them stood: what the others compute must not be used before.
/// Several members must be linalg operations.
void outlineKernel(llvm::ArrayRef<mlir::Operation *> members, mlir::func::FuncOp host,
                   mlir::SymbolTable &symbols);

} // namespace forge

#endif // FORGE_KERNELS_KERNEL_H
