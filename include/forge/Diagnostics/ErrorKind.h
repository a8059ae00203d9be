// Whose mistake an error is: part of the diagnostic, so that its text need not be searched for it.
#ifndef FORGE_DIAGNOSTICS_ERRORKIND_H
#define FORGE_DIAGNOSTICS_ERRORKIND_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <cstdint>

namespace forge {

enum class ErrorKind {
  /// Not marked.
  Other,
  /// The module is wrong, or asks for what Forge does not have: reported where it is.
  User,
  /// A phase failed on a module that it should have compiled: reported with a reproducer.
  Compiler,
};

/// Kinds are metadata of a diagnostic, which are not printed. The first kind that is set stays.
void setErrorKind(mlir::Diagnostic &diagnostic, ErrorKind kind);
ErrorKind errorKindOf(mlir::Diagnostic &diagnostic);

/// As mlir::emitError, of kind User.
mlir::InFlightDiagnostic emitUserError(mlir::Location location);
/// As Operation::emitError, of kind User.
mlir::InFlightDiagnostic emitUserError(mlir::Operation *op);
/// As Operation::emitOpError, of kind User.
mlir::InFlightDiagnostic emitUserOpError(mlir::Operation *op);

/// While alive, the errors that this thread emits are of kind User: for code that checks what was
/// written by hand by means that check the compiler's own work too.
class UserErrorScope {
public:
  explicit UserErrorScope(mlir::MLIRContext *context);

private:
  uint64_t thread;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace forge

#endif // FORGE_DIAGNOSTICS_ERRORKIND_H
