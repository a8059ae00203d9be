#include "forge/Target/ROCDL/Link.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace forge;

Result<std::string> forge::findDeviceLinker() {
  if (const char *path = std::getenv("FORGE_LLD"))
    return std::string(path);
  for (const char *name : {"ld.lld-22", "ld.lld"})
    if (auto path = llvm::sys::findProgramByName(
            name, {"/usr/lib/llvm-22/bin", "/usr/bin", "/opt/rocm/llvm/bin"}))
      return *path;
  return Error{"no ld.lld (in FORGE_LLD, PATH or /usr/lib/llvm-22/bin; apt install lld-22): code "
               "objects need it"};
}

static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static Result<void> linkByProgram(const std::string &source, const std::string &target,
                                  const std::string &log) {
  Result<std::string> linker = findDeviceLinker();
  if (!linker)
    return linker.error();
  llvm::StringRef args[] = {*linker, "-shared", "--no-undefined", source, "-o", target};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*linker, args, std::nullopt, redirects, 0, 0, &message);
  if (status != 0)
    return Error{*linker + " failed: " + message +
                 llvm::StringRef(readFile(log)).split('\n').first.str()};
  return {};
}

Result<std::string> forge::linkCodeObject(const std::string &object) {
  Result<ScratchFolder> folder = ScratchFolder::create("forge-lld");
  if (!folder)
    return folder.error();
  std::string source = folder->file("kernels.o"), target = folder->file("kernels.hsaco");
  if (Result<void> written = writeFileAtomically(source, object); !written)
    return written.error();
  std::optional<Result<void>> linked;
  if (!std::getenv("FORGE_LLD"))
    linked = linkInProcess(source, target);
  if (!linked)
    linked = linkByProgram(source, target, folder->file("log"));
  if (!*linked)
    return linked->error();
  return readFile(target);
}
