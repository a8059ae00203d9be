#include "forge/Import/Diagnostics.h"

#include "forge/Diagnostics/ErrorContext.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge;

/// The operation a parse error says is unknown, if it is one of the dialects Forge reads; else "".
static std::string unknownOperation(llvm::StringRef message) {
  bool isKnown = message.starts_with("custom op '") && !message.contains("' is unknown");
  if (isKnown ||
      (!message.consume_front("custom op '") && !message.consume_front("unregistered operation '")))
    return "";
  llvm::StringRef name = message.split('\'').first;
  llvm::StringRef dialect = name.split('.').first;
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "check" ||
                 dialect == "transformer" || dialect == "register"
             ? name.str()
             : "";
}

/// The message on one line, in the project's voice.
static std::string messageOf(mlir::Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  if (std::string op = unknownOperation(message); !op.empty())
    return "unsupported " + llvm::StringRef(op).split('.').first.str() + " op '" + op + "'";
  for (char &c : message)
    if (c == '\n' || c == '\r')
      c = ' ';
  return llvm::StringRef(message).trim().str();
}

LineDiagnostics::LineDiagnostics(mlir::MLIRContext *context, llvm::raw_ostream &os)
    : os(os), handler(context, [this](mlir::Diagnostic &diagnostic) { handle(diagnostic); }) {
  context->printOpOnDiagnostic(false);
}

static DiagnosticText textOf(mlir::Diagnostic &diagnostic, Severity severity) {
  DiagnosticText text;
  text.severity = severity;
  text.message = messageOf(diagnostic);
  text.details = errorDetailsOf(diagnostic);
  llvm::StringRef message = text.message;
  if (message.starts_with("unsupported ") &&
      (message.contains(" op '") || message.starts_with("unsupported custom_call ")))
    text.details.fillFrom(
        {.advice = "forge coverage, which lists all operations of a module that there are not"});
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    text.notes.push_back({messageOf(note), locationString(note.getLocation())});
  return text;
}

void LineDiagnostics::printHeldError() {
  if (isHeld)
    os << formatDiagnostic(firstText);
  isHeld = false;
}

static constexpr size_t maxMessages = 1000;

void LineDiagnostics::handle(mlir::Diagnostic &diagnostic) {
  Severity severity = Severity::Error;
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Note:
    return; // printed with what it belongs to
  case mlir::DiagnosticSeverity::Warning:
    severity = Severity::Warning;
    break;
  case mlir::DiagnosticSeverity::Remark:
    severity = Severity::Remark;
    break;
  case mlir::DiagnosticSeverity::Error:
    break;
  }
  DiagnosticText text = textOf(diagnostic, severity);
  if (severity != Severity::Error) {
    os << formatDiagnostic(text);
    return;
  }
  if (messages.size() < maxMessages)
    messages.push_back(text.message);
  if (errors++ > 0)
    return;
  firstKind = errorKindOf(diagnostic);
  if (text.details.stage.empty())
    text.details.stage = stage;
  firstText = std::move(text);
  isHeld = holding;
  if (!holding)
    os << formatDiagnostic(firstText);
}
