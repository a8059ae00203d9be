#include "forge/Import/Diagnostics.h"

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

void LineDiagnostics::print(mlir::Diagnostic &diagnostic, llvm::StringRef severity,
                            const std::string &message, llvm::raw_ostream &to) {
  std::string place = locationString(diagnostic.getLocation());
  if (!place.empty())
    to << place << ": ";
  to << severity << ": " << message << "\n";
}

void LineDiagnostics::printHeldError() {
  os << held;
  held.clear();
}

static constexpr size_t maxMessages = 1000;

void LineDiagnostics::handle(mlir::Diagnostic &diagnostic) {
  std::string message = messageOf(diagnostic);
  llvm::raw_string_ostream heldStream(held);
  bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  llvm::raw_ostream &to = isError && holding ? heldStream : os;
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Note:
    return; // printed with what it belongs to
  case mlir::DiagnosticSeverity::Warning:
    print(diagnostic, "warning", message, to);
    break;
  case mlir::DiagnosticSeverity::Remark:
    print(diagnostic, "remark", message, to);
    break;
  case mlir::DiagnosticSeverity::Error:
    if (messages.size() < maxMessages)
      messages.push_back(message);
    if (errors++ > 0)
      return;
    first = message;
    firstKind = errorKindOf(diagnostic);
    firstLocation = locationString(diagnostic.getLocation());
    print(diagnostic, "error", message, to);
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note, "note", messageOf(note), to);
}
