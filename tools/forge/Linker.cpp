#include "Linker.h"

#include "forge/Runtime/ModuleABI.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

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
  return Error{"no libForgeRuntime.a in " + folder.str().str()};
}

/// C text that defines forge_module_info.
static std::string infoSource(const ModuleSignature &signature) {
  std::string text = "extern void entry(void **) __asm__(\"" + signature.function.name +
                     "__packed\");\nstatic const char signature[] = {";
  for (unsigned char c : writeSignature(signature))
    text += std::to_string(c) + ",";
  return text +
         "0};\nconst struct { long long version; const char *signature; "
         "void (*entry)(void **); } forge_module_info = {" +
         std::to_string(FORGE_MODULE_VERSION) + ", signature, entry};\n";
}

static Result<std::string> runDriver(const std::string &driver, const std::string &runtime,
                                     ScratchFolder &folder) {
  std::string log = folder.file("log");
  // The runtime's C functions are wanted though nothing here calls them; nothing else is seen from
  // outside; the C++ library is inside, because a bare machine has none.
  std::vector<std::string> args = {driver,
                                   "-shared",
                                   "-fPIC",
                                   "-O1",
                                   "-o",
                                   folder.file("code.so"),
                                   folder.file("code.o"),
                                   "-x",
                                   "c",
                                   folder.file("info.c"),
                                   "-L" + runtime,
                                   "-Wl,-u,forge_module_open",
                                   "-Wl,--gc-sections,-s",
                                   "-Wl,--version-script=" + folder.file("exports"),
                                   "-lForgeRuntime",
                                   "-lForgeSupport",
                                   "-static-libstdc++",
                                   "-static-libgcc",
                                   "-pthread",
                                   "-ldl",
                                   "-lm"};
  llvm::SmallVector<llvm::StringRef> refs(args.begin(), args.end());
  std::array<std::optional<llvm::StringRef>, 3> redirects{llvm::StringRef(""), llvm::StringRef(log),
                                                          llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(driver, refs, std::nullopt, redirects, 0, 0, &message);
  if (status == 0) {
    auto bytes = llvm::MemoryBuffer::getFile(folder.file("code.so"));
    return bytes ? Result<std::string>((*bytes)->getBuffer().str())
                 : Result<std::string>(Error{"no output of " + driver});
  }
  if (auto text = llvm::MemoryBuffer::getFile(log); message.empty() && text)
    message = (*text)->getBuffer().split('\n').first;
  return Error{"linking with " + driver + " failed: " + message};
}

Result<std::string> tool::linkSharedObject(const std::string &object,
                                           const ModuleSignature &signature) {
  Result<std::string> driver = findDriver(), runtime = findRuntime();
  if (!driver || !runtime)
    return driver ? runtime : driver;
  Result<ScratchFolder> folder = ScratchFolder::create("forge-link");
  if (!folder)
    return folder.error();
  const std::pair<const char *, std::string> files[] = {
      {"code.o", object},
      {"info.c", infoSource(signature)},
      {"exports", "{ global: forge_module_*; local: *; };\n"}};
  for (const auto &[name, text] : files)
    if (Result<void> written = writeFileAtomically(folder->file(name), text); !written)
      return written.error();
  return runDriver(*driver, *runtime, *folder);
}
