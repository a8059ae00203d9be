// Writing what failed so that it can be run again.
#include "Shrink.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/Npy.h"
#include "forge/Support/StagedFolder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace forge;

static std::string inFolder(const std::string &folder, const std::string &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

/// `path` as a word of the shell.
static std::string shellWord(const std::string &path) {
  bool isPlain = llvm::all_of(
      path, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("/._-+,:@").contains(c); });
  if (isPlain)
    return path;
  std::string quoted = "'";
  for (char c : path)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The command that repeats the failure: only phases before the last need --each-stage to be seen.
static std::string commandFor(const Failure &failure, const std::string &folder,
                              const VerifyOptions &options) {
  std::string command = options.command + " " + shellWord(inFolder(folder, "failure.mlir")) +
                        " --target " + options.target + " --tier " + options.tier;
  if (options.from != Phase::Import)
    command += " --from " + phaseName(options.from).str();
  if (options.eachStage)
    command += " --each-stage";
  for (size_t i = 0; i < failure.inputs.size(); ++i)
    command += " --input " + shellWord(inFolder(folder, "in" + std::to_string(i) + ".npy"));
  return command;
}

Result<Reproducer> forge::writeReproducer(const Failure &failure, const VerifyOptions &options) {
  Result<StagedFolder> staged = StagedFolder::createNumbered(options.reproducerDir);
  if (!staged)
    return staged.error();
  std::string folder = staged->path();
  Reproducer reproducer{inFolder(folder, "failure.mlir"), commandFor(failure, folder, options)};
  std::string text = "// " + reproducer.command + "\n";
  llvm::raw_string_ostream os(text);
  failure.module.get().print(os, OpPrintingFlags().elideLargeResourceString(-1));
  os << "\n";
  if (Result<void> ok = writeNpyFiles(*staged, "in", failure.inputs); !ok)
    return ok.error();
  if (Result<void> ok = writeNpyFiles(*staged, "expected", failure.expected); !ok)
    return ok.error();
  if (Result<void> ok = writeFileAtomically(staged->pathOf("failure.mlir"), text); !ok)
    return staged->inFolder(ok.error());
  if (Result<void> ok = staged->commit(); !ok)
    return ok.error();
  return reproducer;
}
