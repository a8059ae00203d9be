// What an error is about, besides its message, and how both are written: as text, or as JSON. No
// MLIR.
#ifndef FORGE_SUPPORT_ERRORDETAILS_H
#define FORGE_SUPPORT_ERRORDETAILS_H

#include "forge/Support/Result.h"

#include <string>
#include <vector>

namespace forge {

/// Empty where it is not known, or does not apply.
struct ErrorDetails {
  /// "command line", "import", a phase, "codegen", "run", "verify" ...
  std::string stage = {};
  /// A kernel, or the function that was compiled or run.
  std::string kernel = {};
  /// "model.mlir:3:8".
  std::string location = {};
  /// Of what the kernel takes and gives.
  std::string shape = {};
  /// In force.
  std::string schedule = {};
  /// What to try.
  std::string advice = {};

  /// Takes from `others` what is not known here.
  void fillFrom(const ErrorDetails &others);
};

/// `error`, with those of `details` that it lacks. An Error has only a message: details of recent
/// errors of this process are kept in a table by message, so that callers need not pass them on.
Error withDetails(Error error, const ErrorDetails &details);
/// What is known of the longest such message that `message` is or has in it.
ErrorDetails knownDetails(const std::string &message);

enum class Severity { Error, Warning, Remark };

/// A message with its place, which are the first line of a text.
struct DiagnosticText {
  Severity severity = Severity::Error;
  std::string message;
  ErrorDetails details = {};
  struct Note {
    std::string message, location = {};
  };
  std::vector<Note> notes = {};
};

/// "m.mlir:3:8: error: MESSAGE"; then its notes, one of its kernel, shape and schedule unless the
/// message has them, and one of what to try.
std::string diagnosticLines(const DiagnosticText &diagnostic);

/// One line: {"severity": "error", "message": ..., "stage": ..., "kernel": ..., "location":
/// {"file":
/// ..., "line": 3, "column": 8}, "shape": ..., "schedule": ..., "try": ..., "notes": [{"message":
/// ..., "location": ...}]}. What is not known is null.
std::string diagnosticJson(const DiagnosticText &diagnostic);

/// Whether this process writes diagnostics as JSON; at first it does not.
void setJsonDiagnostics(bool asJson);
bool areJsonDiagnostics();

/// As this process writes diagnostics.
std::string formatDiagnostic(const DiagnosticText &diagnostic);

} // namespace forge

#endif // FORGE_SUPPORT_ERRORDETAILS_H
