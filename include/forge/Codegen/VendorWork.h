// What a kernel is to the vendor's libraries: a product of matrices, or an attention.
#ifndef FORGE_CODEGEN_VENDORWORK_H
#define FORGE_CODEGEN_VENDORWORK_H

#include "forge/Codegen/Target.h"
#include "forge/Runtime/VendorAttention.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <variant>

namespace forge {

/// A product, and what is added to it.
struct VendorProduct {
  forge_rt_matmul product{};
  bool hasBias = false, hasResidual = false;
};

using VendorWork = std::variant<VendorProduct, rt::AttentionCall>;

/// `kernel`, a kernel function on tensors of known sizes, as one call of a library that computes
/// all of it; else says why there is none. What a kernel computes of an attention's result counts
/// as part of neither.
std::optional<VendorWork> vendorWorkOf(mlir::func::FuncOp kernel, const GPUChip &chip,
                                       llvm::function_ref<void(const llvm::Twine &)> whyNot);

} // namespace forge

#endif // FORGE_CODEGEN_VENDORWORK_H
