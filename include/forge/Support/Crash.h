// What a process that crashes says: one line, and what it was doing. No MLIR.
#ifndef FORGE_SUPPORT_CRASH_H
#define FORGE_SUPPORT_CRASH_H

#include <string>
#include <string_view>

namespace forge {

/// From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) removes what removeOnInterrupt
/// names and ends the process with status 1 and one line, "error: crashed in NOTE (SIGSEGV)". With
/// FORGE_BACKTRACE set in the environment the calls follow. For programs, not for libraries.
void installCrashHandler();

/// Gives the signals back to the system, as a child needs whose parent asks how it ended.
void removeCrashHandler();

/// What this thread does, for that line; at most 255 characters are kept.
void setCrashNote(std::string_view note);
std::string crashNote();

/// The note for as long as it lives; then the one before.
class CrashNote {
public:
  explicit CrashNote(std::string_view note);
  CrashNote(const CrashNote &) = delete;
  CrashNote &operator=(const CrashNote &) = delete;
  ~CrashNote();

private:
  std::string before;
};

/// For work whose crashes a handler that is installed by now turns into failures (LLVM's
/// CrashRecoveryContext): it then finds a stack although that of this thread is full, and
/// lastCrashSignal() knows what it caught.
void watchCrashes();

/// The name of the signal that was last caught in a thread that watches, "SIGSEGV"; empty: none.
std::string lastCrashSignal();

} // namespace forge

#endif // FORGE_SUPPORT_CRASH_H
