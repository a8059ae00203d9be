// What a kernel is to the vendor's libraries: a product of matrices, an attention, gradients of
// one, a convolution.
#ifndef FORGE_CODEGEN_VENDORWORK_H
#define FORGE_CODEGEN_VENDORWORK_H

#include "forge/Codegen/Target.h"
#include "forge/Runtime/DnnCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <variant>

namespace forge {

/// A product, and what is added to it.
struct VendorProduct {
  forge_rt_matmul product{};
  bool hasBias = false, hasResidual = false;
};

/// Those of the gradients of an attention that a kernel computes: the library computes all three.
/// Strides of values are 0 where the kernel does not read them.
struct VendorGradient {
  rt::AttentionGradientCall call;
  bool ofQueries = false, ofKeys = false, ofValues = false;
};

using VendorWork =
    std::variant<VendorProduct, rt::AttentionCall, VendorGradient, rt::ConvolutionCall>;

/// `kernel`, a kernel function on tensors of known sizes, as one call of a library that computes
/// all of it, or as a part of one; else says why there is none. What a kernel computes of an
/// attention's result counts as part of neither.
std::optional<VendorWork> vendorWorkOf(mlir::func::FuncOp kernel, const GPUChip &chip,
                                       llvm::function_ref<void(const llvm::Twine &)> whyNot);

/// Whether `kernel`, on tensors, computes the sum of the products of two tensors along their last
/// dimension, and nothing else: of a result and its cotangent, what gradients of attention need of
/// a row.
bool sumsRowsOfProducts(mlir::func::FuncOp kernel);

/// The argument of `kernel`, a convolution, that its windows are of.
std::optional<unsigned> imageArgument(mlir::func::FuncOp kernel);
/// `call`, of an image that `kernel`, on tensors, surrounds with zeros, as a call on the image
/// before that. Nothing if `kernel` does anything else.
std::optional<rt::ConvolutionCall> withPadding(const rt::ConvolutionCall &call,
                                               mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_CODEGEN_VENDORWORK_H
