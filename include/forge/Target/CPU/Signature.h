// What an entry takes and gives, as its source has it: lowering drops signs, and at last tensors.
#ifndef FORGE_TARGET_CPU_SIGNATURE_H
#define FORGE_TARGET_CPU_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// On an entry function, and later on its packed form (forge-record-signatures):
///   forge.signature = {type = (tensor<4xui8>) -> tensor<4xf32>, donated = array<i64: 0>}
inline constexpr llvm::StringLiteral kSignatureAttr = "forge.signature";
inline constexpr llvm::StringLiteral kSignatureTypeKey = "type";
/// The numbers of the arguments whose buffers the caller gives away.
inline constexpr llvm::StringLiteral kSignatureDonatedKey = "donated";

/// What the name of the packed form of an entry ends with (see forge/Runtime/CABI.h).
inline constexpr llvm::StringLiteral kPackedSuffix = "__packed";

/// Whether the caller gives the buffer of an argument away, as frameworks write it.
inline bool isDonated(mlir::func::FuncOp function, unsigned argument) {
  return function.getArgAttr(argument, "tf.aliasing_output") ||
         function.getArgAttr(argument, "jax.buffer_donor");
}

} // namespace forge

#endif // FORGE_TARGET_CPU_SIGNATURE_H
