#include "Command.h"

#include "../StandardOutput.h"

#include "forge/Codegen/ShippedPlans.h"
#include "forge/Support/Crash.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Interrupt.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <new>

#include <unistd.h>

using namespace forge;

static std::string runningCommand = "command line";

const std::string &tool::commandName() { return runningCommand; }

/// Where errors are held.
static std::string *heldError = nullptr;

tool::HeldErrors::HeldErrors() { heldError = &message; }
tool::HeldErrors::~HeldErrors() { heldError = nullptr; }

static void print(const DiagnosticText &text) {
  llvm::outs().flush(); // in the order things happened, when both go to one file
  llvm::errs() << formatDiagnostic(text);
}

/// With what is known of the error besides its message.
static void print(Severity severity, const std::string &message, const std::string &stage) {
  if (heldError && severity == Severity::Error && lastCrashSignal().empty()) {
    if (heldError->empty())
      *heldError = message;
    return;
  }
  DiagnosticText text{severity, message, knownDetails(message), {}};
  text.details.fillFrom({.stage = stage});
  print(text);
}

int tool::fail(const std::string &message) {
  print(Severity::Error, message, runningCommand);
  // What a pass has left behind when it crashed is not taken apart.
  if (!lastCrashSignal().empty()) {
    removeTemporaries();
    _exit(kFailed);
  }
  return kFailed;
}

int tool::failWith(DiagnosticText error) {
  error.severity = Severity::Error;
  print(error);
  return kFailed;
}

void tool::warnWith(DiagnosticText warning) {
  warning.severity = Severity::Warning;
  print(warning);
}

int tool::badCall(const std::string &message) {
  print(Severity::Error, message, "command line");
  return kBadCall;
}

void tool::warn(const std::string &message) { print(Severity::Warning, message, runningCommand); }

std::string tool::versionText() { return compilerText(); }

/// LLVM calls these where it cannot go on; it is built without exceptions, so the process ends
/// here.
static void endOnFatalError(void *, const char *reason, bool) {
  llvm::errs() << formatDiagnostic({Severity::Error, reason, {}, {}});
  _exit(tool::kFailed);
}

static void endOutOfMemory(void *, const char *, bool) {
  // Nothing here may allocate.
  constexpr char text[] = "error: out of memory\n",
                 json[] =
                     "{\"severity\": \"error\", \"message\": \"out of memory\", \"stage\": null, "
                     "\"kernel\": null, \"location\": null, \"shape\": null, \"schedule\": "
                     "null, \"try\": null, \"notes\": []}\n";
  const bool asJson = areJsonDiagnostics();
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, asJson ? json : text, (asJson ? sizeof(json) : sizeof(text)) - 1);
  _exit(tool::kFailed);
}

int tool::finishOutput(int status) {
  Result<void> arrived = finishStandardOutput();
  return arrived ? status : fail(arrived.error().message);
}

int tool::runGuarded(const Command &command) {
  llvm::install_fatal_error_handler(endOnFatalError);
  llvm::install_bad_alloc_error_handler(endOutOfMemory);
  CrashNote note("forge " + command.app->get_name());
  runningCommand = command.app->get_name();
  try {
    return finishOutput(command.run());
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  }
}
