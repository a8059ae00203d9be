// A convolution as a call of the vendor's library.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H
#define FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H

#include "forge/Codegen/Schedule.h"
#include "forge/Runtime/DnnCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// The sum of products that reads an operand by windows, where `kernel`, a kernel function on
/// tensors, is one and an elementwise operation at most; else null.
mlir::linalg::LinalgOp convolutionOf(mlir::func::FuncOp kernel);

/// `kernel` as a call. Its image is the one in memory, with its padding. Nothing, with what was
/// expected, where the library's interface has no words for it.
std::optional<rt::ConvolutionCall> convolutionCallOf(mlir::func::FuncOp kernel, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H
