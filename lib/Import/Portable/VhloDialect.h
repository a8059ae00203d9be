// The vhlo dialect: StableHLO as portable artifacts hold it.
#ifndef FORGE_LIB_IMPORT_PORTABLE_VHLODIALECT_H
#define FORGE_LIB_IMPORT_PORTABLE_VHLODIALECT_H

#include "mlir/IR/ExtensibleDialect.h"

namespace forge {

/// Every version of every operation, for the bytecode reader alone: the operations have no verifier
/// and no text. Types and attributes of the dialect never come to be: the bytecode's are read as
/// those of StableHLO and of the builtin dialect that they stand for.
class VhloDialect : public mlir::ExtensibleDialect {
public:
  static constexpr llvm::StringLiteral getDialectNamespace() { return "vhlo"; }

private:
  explicit VhloDialect(mlir::MLIRContext *context);
  friend class mlir::MLIRContext;
};

/// Reads types and attributes of the dialect from bytecode.
std::unique_ptr<mlir::DialectInterface> createVhloBytecodeInterface(mlir::Dialect *dialect);

} // namespace forge

MLIR_DECLARE_EXPLICIT_TYPE_ID(forge::VhloDialect)

#endif // FORGE_LIB_IMPORT_PORTABLE_VHLODIALECT_H
