#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace forge;

static constexpr llvm::StringLiteral userError = "forge.user_error",
                                     compilerError = "forge.compiler_error";

ErrorKind forge::errorKindOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto text = dyn_cast<StringAttr>(argument.getAsAttribute());
    if (text && text == userError)
      return ErrorKind::User;
    if (text && text == compilerError)
      return ErrorKind::Compiler;
  }
  return ErrorKind::Other;
}

void forge::setErrorKind(Diagnostic &diagnostic, ErrorKind kind) {
  if (kind == ErrorKind::Other || errorKindOf(diagnostic) != ErrorKind::Other)
    return;
  diagnostic.getMetadata().push_back(DiagnosticArgument(StringAttr::get(
      diagnostic.getLocation().getContext(), kind == ErrorKind::User ? userError : compilerError)));
}

static InFlightDiagnostic markedAsUsers(InFlightDiagnostic error) {
  setErrorKind(*error.getUnderlyingDiagnostic(), ErrorKind::User);
  return error;
}

InFlightDiagnostic forge::emitUserError(Location location) {
  return markedAsUsers(emitError(location));
}

InFlightDiagnostic forge::emitUserError(Operation *op) { return markedAsUsers(op->emitError()); }

InFlightDiagnostic forge::emitUserOpError(Operation *op) {
  return markedAsUsers(op->emitOpError());
}

UserErrorScope::UserErrorScope(MLIRContext *context)
    : thread(llvm::get_threadid()), handler(context, [this](Diagnostic &diagnostic) {
        bool isOurs = llvm::get_threadid() == thread;
        if (isOurs && diagnostic.getSeverity() == DiagnosticSeverity::Error)
          setErrorKind(diagnostic, ErrorKind::User);
        return failure(); // another handler reports it
      }) {}
