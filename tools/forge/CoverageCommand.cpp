// forge coverage: how much of some modules Forge can compile, and which operations it lacks.
#include "Progress.h"
#include "Session.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Import/OpCensus.h"
#include "forge/Import/TorchXla.h"
#include "forge/Pipelines/InitAll.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;

namespace {
struct CoverageOptions {
  std::vector<std::string> files;
  std::string target = "cpu";
  bool asJson = false;
};

/// What one file holds.
struct FileCoverage {
  std::string path;
  int64_t ops = 0;
  OpCensus unsupported;
  /// Why it does not compile, with the place; empty when it does.
  std::string reason;
  /// Whether it is not a module, whatever operations there were.
  bool isMalformed = false;

  int64_t numUnsupported() const {
    int64_t sum = 0;
    for (const auto &[name, count] : unsupported)
      sum += count;
    return sum;
  }
};
} // namespace

static std::string reasonOf(const LineDiagnostics &lines) {
  std::string place = lines.firstErrorLocation();
  return (place.empty() ? "" : place + ": ") + lines.firstError();
}

/// The operation an error message is about, as the census calls it: the target of a custom call,
/// else the first name in quotes that has a dialect.
static std::string opNamedIn(llvm::StringRef message) {
  auto [before, target] = message.split("custom_call target '@");
  if (!target.empty())
    return "stablehlo.custom_call @" + target.split('\'').first.str();
  while (true) {
    message = message.split('\'').second;
    if (message.empty())
      return "";
    auto [name, rest] = message.split('\'');
    if (name.contains('.') && !name.contains(' '))
      return name.str();
    message = rest;
  }
}

/// Counts what the errors name as unsupported: of a custom call's target every one, of an op (some
/// of which may be supported, by their types) one per error.
static void countRefused(const LineDiagnostics &lines, const OpCensus &census,
                         FileCoverage &coverage) {
  for (const std::string &message : lines.errorMessages()) {
    std::string op = opNamedIn(message);
    auto entry = census.find(op);
    if (entry == census.end())
      continue;
    int64_t &count = coverage.unsupported[op];
    bool isTarget = op.find(" @") != std::string::npos;
    count = isTarget ? entry->second : std::min(count + 1, entry->second);
  }
}

/// False, with a diagnostic, when an entry takes or gives what no caller can pass.
static bool haveSignatures(mlir::ModuleOp module) {
  bool known = true;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (Result<FunctionSignature> signature = signatureOf(module, function.getSymName());
        !signature) {
      function.emitError(signature.error().message);
      known = false;
    }
  }
  return known;
}

/// Compiles the module; on failure notes why.
static void tryToCompile(mlir::ModuleOp module, const LineDiagnostics &lines,
                         const std::string &target, FileCoverage &coverage) {
  PipelineOptions pipeline;
  pipeline.target = *Target::parse(target);
  pipeline.to = lastPhaseOf(pipeline.target);
  mlir::PassManager pm(module.getContext());
  buildPipeline(pm, pipeline);
  if (failed(normalizeFrameworkAttributes(module)) ||
      failed(splitComplex(module, pipeline.target.isGPU())) ||
      failed(selectPlatform(module, platformOf(target))) || !haveSignatures(module) ||
      failed(pm.run(module)))
    coverage.reason = lines.numErrors() ? reasonOf(lines) : "compilation failed";
}

static FileCoverage coverFile(const std::string &path, const std::string &target) {
  FileCoverage coverage;
  coverage.path = path;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  LineDiagnostics lines(&context, llvm::nulls());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      isTorchXlaFolder(path) ? importTorchXla(path, context) : loadModule(path, &context);
  OpCensus census = module ? countOps(*module) : countOpsInFile(path, &context);
  for (const auto &[name, count] : census) {
    coverage.ops += count;
    if (!isKnownOp(name, &context))
      coverage.unsupported[name] = count;
  }
  if (!module)
    coverage.reason = reasonOf(lines);
  else if (!coverage.unsupported.empty())
    coverage.reason = "unsupported op '" + coverage.unsupported.begin()->first + "'";
  else
    tryToCompile(*module, lines, target, coverage);
  if (coverage.unsupported.empty())
    countRefused(lines, census, coverage);
  coverage.isMalformed = !module && coverage.unsupported.empty();
  return coverage;
}

static std::string share(int64_t part, int64_t whole) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.1f %%", whole ? 100.0 * double(part) / double(whole) : 100.0) << " ("
     << part << " of " << whole << ")";
  return text;
}

static void printCoverageText(const std::vector<FileCoverage> &files, int64_t ops,
                              int64_t supportedOps, int64_t supportedModules) {
  for (const FileCoverage &file : files) {
    if (file.reason.empty()) {
      llvm::outs() << file.path << ": supported, " << file.ops << " ops\n";
      continue;
    }
    llvm::outs() << file.path << (file.isMalformed ? ": not read: " : ": not supported: ")
                 << file.reason << "\n";
    for (const auto &[name, count] : file.unsupported)
      llvm::outs() << "  " << count << " x " << name << "\n";
  }
  llvm::outs() << "ops supported: " << share(supportedOps, ops) << "\n"
               << "modules supported: " << share(supportedModules, int64_t(files.size())) << "\n";
}

static void printCoverageJson(const std::vector<FileCoverage> &files, int64_t ops,
                              int64_t supportedOps, int64_t supportedModules) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FileCoverage &file : files)
    list.push_back({{"file", file.path},
                    {"supported", file.reason.empty()},
                    {"reason", file.reason},
                    {"ops", file.ops},
                    {"unsupported", file.unsupported}});
  nlohmann::ordered_json document = {{"ops", ops},
                                     {"ops_supported", supportedOps},
                                     {"modules", files.size()},
                                     {"modules_supported", supportedModules},
                                     {"files", list}};
  auto handler = nlohmann::ordered_json::error_handler_t::replace;
  llvm::outs() << document.dump(2, ' ', false, handler) << "\n";
}

static int cover(const CoverageOptions &options) {
  if (std::optional<int> status = rejectTarget(options.target))
    return *status;
  for (const std::string &path : options.files)
    if (std::optional<int> status = isTorchXlaFolder(path) ? std::nullopt : rejectMissingFile(path))
      return *status;
  std::vector<FileCoverage> files;
  int64_t ops = 0, supportedOps = 0, supportedModules = 0;
  Progress progress("coverage");
  for (const std::string &path : options.files) {
    progress.step("coverage: file " + std::to_string(files.size() + 1) + " of " +
                  std::to_string(options.files.size()));
    files.push_back(coverFile(path, options.target));
    ops += files.back().ops;
    supportedOps += files.back().ops - files.back().numUnsupported();
    supportedModules += files.back().reason.empty();
  }
  progress.finish();
  (options.asJson ? printCoverageJson : printCoverageText)(files, ops, supportedOps,
                                                           supportedModules);
  bool isAnyMalformed =
      llvm::any_of(files, [](const FileCoverage &file) { return file.isMalformed; });
  return isAnyMalformed ? kFailed : kSuccess;
}

Command tool::addCoverageCommand(CLI::App &app) {
  auto options = std::make_shared<CoverageOptions>();
  CLI::App *sub = app.add_subcommand("coverage", "Share of operations and modules supported");
  sub->add_option("FILE", options->files, "Modules to look at")->required()->option_text("...");
  sub->add_option("--target", options->target, "What to compile for")->option_text("TARGET");
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return cover(*options); }};
}
