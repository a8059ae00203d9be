// The operations of the vhlo dialect, as portable artifacts name them.
#ifndef FORGE_LIB_IMPORT_PORTABLE_VHLOOPS_H
#define FORGE_LIB_IMPORT_PORTABLE_VHLOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace forge {

/// One version of an operation.
struct VhloOp {
  /// Without the dialect: "all_reduce_v2".
  llvm::StringLiteral name;
  /// What the operation has as properties, in the order of the bytecode, which is alphabetical. No
  /// attribute is optional.
  llvm::StringLiteral attributes;

  /// The operation of StableHLO: "all_reduce".
  llvm::StringRef baseName() const { return name.rsplit("_v").first; }
};

/// Every version of every operation, sorted by name.
llvm::ArrayRef<VhloOp> vhloOps();

/// The one that is called `name`, with the dialect ("vhlo.all_reduce_v2"); null if there is none.
const VhloOp *findVhloOp(llvm::StringRef name);

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_VHLOOPS_H
