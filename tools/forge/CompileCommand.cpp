// forge compile: runs the pipeline up to a phase and writes what it left.
#include "Progress.h"
#include "Session.h"

#include "forge/Support/AtomicFile.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

namespace {
struct CompileCommandOptions {
  ModuleOptions module;
  std::string to = "llvm";
  std::string output;
  bool debugInfo = false;
};
} // namespace

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

static int compile(const CompileCommandOptions &options) {
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  PipelineOptions pipeline;
  pipeline.target = options.module.target;
  pipeline.tier = options.module.parsedTier();
  pipeline.to = *parsePhase(options.to);
  mlir::PassManager pm(session.context());
  buildPipeline(pm, pipeline);
  Progress progress("compiling " + options.module.path);
  bool compiled = succeeded(pm.run(session.module()));
  progress.finish();
  if (!compiled)
    return session.reportFailure(options.module.path + ": compilation failed");
  std::string text = printModule(session.module(), options.debugInfo);
  if (options.output == "-") {
    llvm::outs() << text;
    return kSuccess;
  }
  if (Result<void> written = writeFileAtomically(options.output, text); !written)
    return fail(written.error().message);
  return kSuccess;
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
  sub->add_option("-o,--output", options->output, "Where to write; - is standard output")
      ->required()
      ->option_text("FILE");
  sub->add_flag("--debug-info", options->debugInfo, "Print locations too");
  return {sub, [options] { return compile(*options); }};
}
