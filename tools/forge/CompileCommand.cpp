// forge compile: compiles up to a phase, or into a file to link with, and writes the result.
#include "Linker.h"
#include "Progress.h"
#include "Session.h"

#include "forge/Execution/Lowering.h"
#include "forge/Support/AtomicFile.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

namespace {
struct CompileCommandOptions {
  ModuleOptions module;
  std::string to;
  std::string output;
  bool debugInfo = false;
};

/// What the name of the output asks for.
enum class OutputKind { MLIR, LLVMText, Assembly, Object, SharedObject };
} // namespace

static OutputKind kindOf(llvm::StringRef path) {
  llvm::StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".ll")
    return OutputKind::LLVMText;
  if (extension == ".s")
    return OutputKind::Assembly;
  if (extension == ".o")
    return OutputKind::Object;
  return extension == ".so" ? OutputKind::SharedObject : OutputKind::MLIR;
}

/// The module as text; locations only when asked for, so that texts can be compared.
static std::string printModule(mlir::ModuleOp module, bool debugInfo) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (debugInfo)
    flags.enableDebugInfo();
  module.print(os, flags);
  os << "\n";
  return text;
}

/// The bytes to write for a module that is where `--to` wants it.
static Result<std::string> outputOf(mlir::ModuleOp module, OutputKind kind,
                                    const CompileCommandOptions &options) {
  if (kind == OutputKind::MLIR)
    return printModule(module, options.debugInfo);
  CodeForm form = kind == OutputKind::LLVMText   ? CodeForm::LLVMText
                  : kind == OutputKind::Assembly ? CodeForm::Assembly
                                                 : CodeForm::Object;
  Result<std::string> code = emitCode(module, form, options.module.parsedTier());
  if (!code || kind != OutputKind::SharedObject)
    return code;
  return linkSharedObject(*code);
}

static int compile(const CompileCommandOptions &options) {
  OutputKind kind = kindOf(options.output);
  Phase to = options.to.empty() ? lastPhase : *parsePhase(options.to);
  if (kind != OutputKind::MLIR && to != lastPhase)
    return badCall("--to " + options.to + " gives MLIR, but " + options.output +
                   " is to hold code");
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  CompileOptions compileOptions;
  compileOptions.function = options.module.function;
  compileOptions.target = options.module.target;
  compileOptions.tier = options.module.parsedTier();
  session.holdErrors();
  Progress progress("compiling " + options.module.path);
  Result<void> lowered = lowerTo(session.module(), compileOptions, to);
  if (!lowered) {
    progress.finish();
    return session.reportCompileError(lowered.error().message);
  }
  Result<std::string> output = outputOf(session.module(), kind, options);
  progress.finish();
  if (!output)
    return session.reportCompileError(output.error().message);
  if (options.output == "-") {
    llvm::outs() << *output;
    return kSuccess;
  }
  Result<void> written = writeFileAtomically(options.output, *output);
  return written ? kSuccess : fail(written.error().message);
}

Command tool::addCompileCommand(CLI::App &app) {
  auto options = std::make_shared<CompileCommandOptions>();
  CLI::App *sub = app.add_subcommand("compile", "Compile up to a phase and write the result");
  options->module.addTo(*sub);
  std::vector<std::string> phases;
  for (int i = 0; i <= static_cast<int>(lastPhase); ++i)
    phases.push_back(phaseName(static_cast<Phase>(i)).str());
  sub->add_option("--to", options->to, "The last phase run: " + phaseNames())
      ->check(CLI::IsMember(phases))
      ->option_text("PHASE");
  sub->add_option("-o,--output", options->output,
                  "Where to write: code for .ll .s .o .so, otherwise MLIR; - is standard output")
      ->required()
      ->option_text("FILE");
  sub->add_flag("--debug-info", options->debugInfo, "Print locations too");
  return {sub, [options] { return compile(*options); }};
}
