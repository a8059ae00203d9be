// What a diagnostic is about, besides its message and place: stage, kernel, shape, schedule, and what
// to try. As metadata of the diagnostic, so that whoever emits an error says what it knows, and one
// handler writes it.
#ifndef FORGE_DIAGNOSTICS_ERRORCONTEXT_H
#define FORGE_DIAGNOSTICS_ERRORCONTEXT_H

#include "forge/Support/ErrorDetails.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace forge {

/// Details are not printed. What is set stays; `location` is the diagnostic's own.
void addErrorDetails(mlir::Diagnostic &diagnostic, const ErrorDetails &details);
/// What was added, and the diagnostic's place.
ErrorDetails errorDetailsOf(mlir::Diagnostic &diagnostic);

/// Of a kernel function its name, type and schedule; of another operation with a schedule its name,
/// the types of its operands and the schedule; else nothing.
ErrorDetails detailsOf(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIAGNOSTICS_ERRORCONTEXT_H
