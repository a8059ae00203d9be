// Kernel functions as text: what two of them are compared by.
#ifndef FORGE_KERNELS_KERNELTEXT_H
#define FORGE_KERNELS_KERNELTEXT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace forge {

/// Type, attributes and body of `kernel`, a kernel function, without its name and locations, and
/// without those of its discardable attributes that `leftOut` names.
std::string kernelText(mlir::func::FuncOp kernel, llvm::ArrayRef<llvm::StringRef> leftOut = {});

} // namespace forge

#endif // FORGE_KERNELS_KERNELTEXT_H
