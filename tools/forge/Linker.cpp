#include "Linker.h"

#include "forge/Runtime/ModuleABI.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include "llvm/ADT/StringExtras.h"
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

/// Bytes as literals of C, a line for a thousand of them. What is no plain letter is octal, with
/// three digits: what follows is never taken for one.
static std::string literalOf(llvm::StringRef bytes) {
  constexpr size_t line = 1024;
  std::string text = "\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (i > 0 && i % line == 0)
      text += "\"\n\"";
    if (llvm::isAlnum(bytes[i]) || c == ' ')
      text += bytes[i];
    else
      text += {'\\', static_cast<char>('0' + (c >> 6)), static_cast<char>('0' + ((c >> 3) & 7)),
               static_cast<char>('0' + (c & 7))};
  }
  return text + "\"";
}

/// C text that defines what the functions and files are found by.
static std::string infoSource(const std::vector<LinkedFunction> &functions,
                              const std::vector<std::pair<std::string, std::string>> &files) {
  std::string text, names;
  for (const LinkedFunction &function : functions) {
    const std::string &name = function.signature.function.name;
    names += '"' + name + "\", ";
    std::string number = std::to_string(&function - functions.data());
    text += "extern void entry" + number + "(void **) __asm__(\"" + name +
            "__packed\");\nconst struct { long long version; const char *signature; void "
            "(*entry)(void **); } forge_module_" +
            (functions.size() == 1 ? "info" : name) + " = {" +
            std::to_string(FORGE_MODULE_VERSION) + ", " +
            literalOf(writeSignature(function.signature)) + ", entry" + number + "};\n";
  }
  if (functions.size() > 1)
    text += "const char *const forge_module_functions[] = {" + names + "0};\n";
  if (files.empty())
    return text;
  text += "const struct { const char *name, *bytes; long long size; } forge_module_files[] = {\n";
  for (const auto &[name, bytes] : files)
    text += "{" + literalOf(name) + ", " + literalOf(bytes) + ", " + std::to_string(bytes.size()) +
            "},\n";
  return text + "{0, 0, 0}};\n";
}

static Result<std::string> runDriver(const std::string &driver, const std::string &runtime,
                                     const std::vector<std::string> &objects,
                                     ScratchFolder &folder) {
  std::string log = folder.file("log");
  // The runtime's C functions are wanted though nothing here calls them; nothing else is seen from
  // outside; the C++ library is inside, because a bare machine has none.
  std::vector<std::string> args = {driver, "-shared", "-fPIC", "-O1", "-o", folder.file("code.so")};
  args.insert(args.end(), objects.begin(), objects.end());
  args.insert(args.end(),
              {"-x", "c", folder.file("info.c"), "-x", "none", "-L" + runtime,
               "-Wl,-u,forge_module_open", "-Wl,--gc-sections,-s",
               "-Wl,--version-script=" + folder.file("exports"), "-lForgeRuntime", "-lForgeSupport",
               "-static-libstdc++", "-static-libgcc", "-pthread", "-ldl", "-lm"});
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

Result<std::string>
tool::linkSharedObject(const std::vector<LinkedFunction> &functions,
                       const std::vector<std::pair<std::string, std::string>> &files) {
  Result<std::string> driver = findDriver(), runtime = findRuntime();
  if (!driver || !runtime)
    return driver ? runtime : driver;
  Result<ScratchFolder> folder = ScratchFolder::create("forge-link");
  if (!folder)
    return folder.error();
  std::vector<std::pair<std::string, std::string>> written = {
      {"info.c", infoSource(functions, files)},
      {"exports", "{ global: forge_module_*; local: *; };\n"}};
  std::vector<std::string> objects;
  for (const LinkedFunction &function : functions) {
    std::string name = "code" + std::to_string(objects.size()) + ".o";
    objects.push_back(folder->file(name));
    written.emplace_back(name, function.object);
  }
  for (const auto &[name, text] : written)
    if (Result<void> done = writeFileAtomically(folder->file(name), text); !done)
      return done.error();
  return runDriver(*driver, *runtime, objects, *folder);
}
