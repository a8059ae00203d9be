#include "Linker.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <array>

using namespace forge;
using namespace forge::tool;

static Result<std::string> findDriver() {
  for (const char *name : {"clang++-22", "clang++", "g++", "c++"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return Error{"writing a .so needs clang++ or g++ (apt install g++); write a .o instead"};
}

/// The folder that holds libForgeRuntime.a: of the build or of the install tree.
static Result<std::string> findRuntime() {
  static int anchor;
  llvm::SmallString<256> folder(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "..", "lib");
  for (const char *sub : {"", "x86_64-linux-gnu", "aarch64-linux-gnu"}) {
    llvm::SmallString<256> library(folder);
    llvm::sys::path::append(library, sub, "libForgeRuntime.a");
    if (llvm::sys::fs::exists(library))
      return llvm::sys::path::parent_path(library).str();
  }
  return Error{"no libForgeRuntime.a beside " + folder.str().str()};
}

static Result<std::string> runDriver(llvm::StringRef driver, llvm::StringRef runtime,
                                     llvm::StringRef object, llvm::StringRef output,
                                     llvm::StringRef log) {
  std::string libraries = ("-L" + runtime).str();
  llvm::StringRef args[] = {
      driver,           "-shared",        "-o",       output, object, libraries,
      "-lForgeRuntime", "-lForgeSupport", "-pthread", "-lm"};
  std::array<std::optional<llvm::StringRef>, 3> redirects{llvm::StringRef(""), log, log};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(driver, args, std::nullopt, redirects, 0, 0, &message);
  if (status == 0) {
    auto bytes = llvm::MemoryBuffer::getFile(output);
    return bytes ? Result<std::string>((*bytes)->getBuffer().str())
                 : Result<std::string>(Error{"no output of " + driver.str()});
  }
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().split('\n').first;
  return Error{"linking with " + driver.str() + " failed: " + message};
}

Result<std::string> tool::linkSharedObject(const std::string &object) {
  Result<std::string> driver = findDriver(), runtime = findRuntime();
  if (!driver || !runtime)
    return driver ? runtime : driver;
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("forge-link", folder))
    return Error{"no folder for temporary files: " + error.message()};
  auto inFolder = [&](const char *name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  Result<std::string> linked = Error{"cannot write " + inFolder("code.o")};
  if (writeFileAtomically(inFolder("code.o"), object))
    linked = runDriver(*driver, *runtime, inFolder("code.o"), inFolder("code.so"), inFolder("log"));
  llvm::sys::fs::remove_directories(folder);
  return linked;
}
