#include "forge/Target/ROCDL/Link.h"

#ifdef FORGE_LINK_LLD

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

// LLD keeps its state in one global context, which lldMain makes and takes apart: one link at a
// time in a process. What LLD calls a fatal error ends the process, unless it finds a recovery
// context that is enabled; then it comes back, and says whether it can run again.
std::optional<forge::Result<void>> forge::linkInProcess(const std::string &source,
                                                        const std::string &target) {
  static std::mutex mutex;
  static bool canRun = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!canRun)
    return std::nullopt;
  const char *args[] = {"ld.lld",       "-shared", "--no-undefined", "--threads=1",
                        source.c_str(), "-o",      target.c_str()};
  std::string log;
  llvm::raw_string_ostream stream(log);
  llvm::CrashRecoveryContext::Enable();
  lld::Result result = lld::lldMain(args, stream, stream, {{lld::Gnu, &lld::elf::link}});
  llvm::CrashRecoveryContext::Disable();
  canRun = result.canRunAgain;
  if (result.retCode != 0)
    return Error{"linking of device code failed: " + llvm::StringRef(log).split('\n').first.str()};
  return Result<void>();
}

#else

std::optional<forge::Result<void>> forge::linkInProcess(const std::string &, const std::string &) {
  return std::nullopt;
}

#endif
