// A convolution as a call of the vendor's library.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H
#define FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H

#include "../Strategy/FactorPadding.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Runtime/DnnCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// The sum of products that reads an operand by windows, where `kernel`, a kernel function on
/// tensors, is one, perhaps of factors that it surrounds with zeros, and an elementwise operation
/// at most; else null.
mlir::linalg::LinalgOp convolutionOf(mlir::func::FuncOp kernel);

/// `kernel` as a call. Its image is the one in memory. Nothing, with what was
/// expected, where the library's interface has no words for it.
std::optional<rt::ConvolutionCall> convolutionCallOf(mlir::func::FuncOp kernel, WhyNot whyNot);

/// `call`, of an image with zeros around it, as a call on the image without. Nothing if zeros are
/// around anything but its places.
std::optional<rt::ConvolutionCall> withPadding(const rt::ConvolutionCall &call,
                                               const FactorPadding &padding);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_CONVOLUTIONCALL_H
