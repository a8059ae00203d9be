// Diagnostics as a person at a terminal reads them, a line each with notes behind it, or a program.
#ifndef FORGE_IMPORT_DIAGNOSTICS_H
#define FORGE_IMPORT_DIAGNOSTICS_H

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Diagnostics/Location.h"
#include "forge/Support/ErrorDetails.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace forge {

/// While alive, prints the context's diagnostics to a stream, as formatDiagnostic writes them:
/// "file:line:col: error: message", without the text of the operation, or JSON. Only the first
/// error is printed, with its notes: those that follow are its consequences, and are counted.
/// Warnings and remarks are printed. A parse error about an operation of StableHLO or CHLO that
/// Forge does not know becomes "unsupported stablehlo op 'stablehlo.fft'".
class LineDiagnostics {
public:
  explicit LineDiagnostics(mlir::MLIRContext *context, llvm::raw_ostream &os = llvm::errs());

  /// Of errors that do not name one: what the process is doing from now on.
  void setStage(std::string name) { stage = std::move(name); }
  /// From now on errors are kept back; printHeldError prints the first of them.
  void holdErrors() { holding = true; }
  void printHeldError();

  /// Errors so far, printed or not.
  int numErrors() const { return errors; }
  /// The first error's message, without its place; empty when there was none.
  const std::string &firstError() const { return firstText.message; }
  ErrorKind firstErrorKind() const { return firstKind; }
  /// The first error's place, as locationString gives it.
  const std::string &firstErrorLocation() const { return firstText.details.location; }
  /// All of the first error, as it is or would be printed.
  const DiagnosticText &firstDiagnostic() const { return firstText; }
  /// The messages of the errors so far, of at most the first thousand.
  const std::vector<std::string> &errorMessages() const { return messages; }

private:
  void handle(mlir::Diagnostic &diagnostic);

  llvm::raw_ostream &os;
  bool holding = false;
  bool isHeld = false;
  std::string stage;
  int errors = 0;
  ErrorKind firstKind = ErrorKind::Other;
  DiagnosticText firstText;
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace forge

#endif // FORGE_IMPORT_DIAGNOSTICS_H
