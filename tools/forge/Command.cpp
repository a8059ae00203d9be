#include "Command.h"

#include "../StandardOutput.h"

#include "forge/Support/Crash.h"
#include "forge/Support/Interrupt.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <new>

#include <unistd.h>

using namespace forge;

static void printError(const std::string &message) {
  std::string line = message;
  for (char &c : line)
    c = c == '\n' ? ' ' : c;
  llvm::outs().flush(); // in the order things happened, when both go to one file
  llvm::errs() << "error: " << line << "\n";
}

int tool::fail(const std::string &message) {
  printError(message);
  // What a pass has left behind when it crashed is not taken apart.
  if (!lastCrashSignal().empty()) {
    removeTemporaries();
    _exit(kFailed);
  }
  return kFailed;
}

int tool::badCall(const std::string &message) {
  printError(message);
  return kBadCall;
}

std::string tool::versionText() { return "forge " FORGE_VERSION " (MLIR " LLVM_VERSION_STRING ")"; }

/// LLVM calls these where it cannot go on; it is built without exceptions, so the process ends
/// here.
static void endOnFatalError(void *, const char *reason, bool) {
  llvm::errs() << "error: " << reason << "\n";
  _exit(tool::kFailed);
}

static void endOutOfMemory(void *, const char *, bool) {
  constexpr char message[] = "error: out of memory\n"; // nothing here may allocate
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
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
  try {
    return finishOutput(command.run());
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  }
}
