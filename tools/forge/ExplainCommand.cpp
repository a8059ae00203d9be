// forge explain: how each kernel is computed, what it costs at the least, and why not otherwise.
#include "ExplainCPU.h"
#include "ExplainJson.h"
#include "ExplainPage.h"
#include "Progress.h"
#include "Session.h"

#include "forge/Codegen/CostModel.h"
#include "forge/Codegen/Explain.h"
#include "forge/Codegen/Target.h"
#include "forge/Execution/Lowering.h"
#include "forge/Support/AtomicFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

namespace {
struct ExplainOptions {
  ModuleOptions module;
  bool asJson = false;
  bool alternatives = false;
  bool measure = false;
  bool occupancy = false;
  /// Where the schedules are written as a plan, and a page of all; empty: nowhere.
  std::string planFile, pageFile;
};
} // namespace

static void printWork(const KernelExplanation &kernel, const GPUChip &chip) {
  if (!kernel.work) {
    llvm::outs() << "  sizes or numbers of iterations are not known: nothing is predicted\n";
    return;
  }
  const KernelWork &work = *kernel.work;
  llvm::outs() << "  reads " << work.bytesRead << " bytes, writes " << work.bytesWritten
               << " bytes, " << work.flops << " operations: at least "
               << microseconds(floorSeconds(kernel, chip)) << " of "
               << (isBoundByMemory(work, chip) ? "memory" : "arithmetic") << "\n";
}

/// What each strategy offers or why it does not, and what it took where that was measured.
static void printOffers(const KernelExplanation &kernel, const KernelMeasurement *measurement) {
  for (auto [number, offer] : llvm::enumerate(kernel.offers)) {
    bool isChosen = offer.strategy->name == kernel.schedule.strategy();
    llvm::outs() << (isChosen ? "  * " : "    ") << offer.strategy->name << ": ";
    if (!offer)
      llvm::outs() << offer.whyNot;
    else
      llvm::outs() << (offer.seconds ? "predicted " + microseconds(*offer.seconds)
                                     : std::string("not predicted"));
    if (measurement && measurement->offerSeconds[number])
      llvm::outs() << ", measured " << microseconds(*measurement->offerSeconds[number]);
    llvm::outs() << "\n";
  }
}

/// Why this tile and not one a step from it.
static void printChoice(const KernelExplanation &kernel, const GPUChip &chip) {
  const ScheduleChoice &choice = kernel.choice;
  if (choice.fit)
    llvm::outs() << "  takes " << choice.fit->describe(chip) << "\n";
  if (!choice.rule.empty() && !choice.steps.empty())
    llvm::outs() << "  chosen by: " << choice.rule << "\n";
  for (const ScheduleStep &step : choice.steps) {
    llvm::outs() << "    " << step.change << ": " << judge(step, choice);
    if (step.fit)
      llvm::outs() << "; " << step.fit->describe(chip);
    llvm::outs() << "\n";
  }
}

/// Kernels of the machine code that are several of these, launched together.
static void printJoined(const std::vector<KernelExplanation> &kernels, const Findings &findings) {
  for (const KernelOccupancy &joined : findings.occupancies)
    if (llvm::none_of(kernels,
                      [&](const KernelExplanation &kernel) { return kernel.name == joined.name; }))
      llvm::outs() << joined.name << ", one launch of several kernels: " << describe(joined)
                   << "\n";
}

static void printKernelsText(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                             bool alternatives, const Findings &findings) {
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    const KernelMeasurement *measurement = findings.measurement(number);
    llvm::outs() << kernel.name << ", " << kernel.launches
                 << (kernel.launches == 1 ? " launch: " : " launches: ")
                 << kernel.schedule.describe() << "\n";
    if (!kernel.planned.empty() || kernel.byDefault)
      llvm::outs() << "  set in " << (kernel.planned.empty() ? "the file" : kernel.planned)
                   << "; by default: "
                   << (kernel.byDefault ? kernel.byDefault : kernel.schedule).describe() << "\n";
    if (kernel.byDefault)
      llvm::outs() << (kernel.otherBits ? "  bits may differ from the default's, within the error "
                                          "model: " +
                                              *kernel.otherBits
                                        : std::string("  bits are the default's"))
                   << "\n";
    if (kernel.fallback)
      llvm::outs() << "  without the library: " << kernel.fallback.describe() << "\n";
    if (kernel.fallbackByDefault)
      llvm::outs() << "  set in the file; by default without the library: "
                   << kernel.fallbackByDefault.describe() << "\n";
    if (kernel.isJoined)
      llvm::outs() << "  instead of the library, to be one launch with others\n";
    if (!kernel.places.empty())
      llvm::outs() << "  from " << llvm::join(kernel.places, ", ") << "\n";
    llvm::outs() << "  hash " << kernel.hash << "\n";
    printWork(kernel, chip);
    if (const KernelOccupancy *occupancy = findings.occupancy(kernel.name))
      llvm::outs() << (kernel.fallback ? "  without the library " : "  ") << describe(*occupancy)
                   << "\n";
    if (measurement)
      printMeasurement(kernel, *measurement, chip);
    printOffers(kernel, measurement);
    printChoice(kernel, chip);
    if (alternatives)
      for (ScheduleAttr other : kernel.alternatives)
        llvm::outs() << "    or " << other << "\n";
  }
  printJoined(kernels, findings);
  llvm::outs() << kernels.size() << (kernels.size() == 1 ? " kernel" : " kernels")
               << "; ceilings of " << chip.name
               << (chip.hasMeasuredCeilings ? " are measured\n" : " are estimated\n");
  if (!findings.measurements.empty())
    printMeasuredSum(kernels, findings.measurements, chip);
}

static void printKernelsJson(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                             bool alternatives, const Findings &findings) {
  llvm::outs() << explainJson(kernels, chip, alternatives, findings)
                      .dump(2, ' ', false, Json::error_handler_t::replace)
               << "\n";
}

/// What a phase left of the kernels, whose names these are.
static void addCode(Json &data, const std::vector<std::string> &names, llvm::StringRef phase,
                    const std::map<std::string, std::string> &texts) {
  for (auto [json, name] : llvm::zip_equal(data["kernels"], names))
    if (auto text = texts.find(name); text != texts.end())
      json["code"][phase.str()] = text->second;
}

/// The heading of a page: what of the module it is, and of a checkpoint at which sizes.
static std::string headingOf(const ModuleOptions &module) {
  std::string text = module.path;
  if (!module.function.empty() && module.function != "main")
    text += ", @" + module.function;
  if (module.cache)
    text += ", " + std::to_string(module.batch) + " x " + std::to_string(*module.cache) +
            " tokens in caches";
  else if (module.hasStaticSizes && isCheckpoint(module.path))
    text += ", " + std::to_string(module.batch) + " x " + std::to_string(module.length) + " tokens";
  return text;
}

/// Writes a page with what is explained, the launches, the times of phases, and each kernel's code
/// at every phase from `kernels` on, and as a tile program, to which the module is taken.
static Result<void> writePage(Session &session, const std::vector<KernelExplanation> &kernels,
                              const Target &target, CompileOptions compileOptions,
                              CompileReport report, const ExplainOptions &options,
                              const Findings &findings) {
  Json data = explainJson(kernels, *target.chip, /*alternatives=*/false, findings);
  data["module"] = headingOf(options.module);
  data["target"] = target.text();
  data["version"] = versionText();
  data["launch_us"] = kLaunchSeconds * 1e6;
  data["ceilings"] = {{"copy_bandwidth", target.chip->copyBandwidth},
                      {"matrix_flops", target.chip->matrixFlops},
                      {"vector_flops", target.chip->vectorFlops}};
  std::vector<std::string> names;
  for (const KernelExplanation &kernel : kernels)
    names.push_back(kernel.name);
  data["launches"] = launchesOf(session.module(), names);
  for (Json &kernel : data["kernels"])
    kernel["code"] = Json::object();
  Phase before = Phase::Kernels;
  for (Phase phase : targetPhases(target)) {
    if (phase < Phase::Kernels)
      continue;
    if (phase != before) {
      compileOptions.from = before;
      if (Result<void> lowered = lowerTo(session.module(), compileOptions, phase, &report);
          !lowered)
        return lowered;
    }
    before = phase;
    addCode(data, names, phaseName(phase), kernelTexts(session.module()));
  }
  for (const PhaseTime &phase : report.phases)
    data["phases"].push_back({{"name", phase.name}, {"ms", phase.ms}});
  return writeFileAtomically(options.pageFile, explainPage(data));
}

/// How many schedules of the plan are of kernels of the module.
static void printPlanUse(const std::vector<KernelExplanation> &kernels,
                         const ExplainOptions &options, mlir::DictionaryAttr plan) {
  size_t used = llvm::count_if(kernels, [&](const KernelExplanation &kernel) {
    return llvm::StringRef(kernel.planned).starts_with(options.module.plan + ":");
  });
  llvm::outs() << used << " of " << plan.size() << " schedules of " << options.module.plan
               << " used\n";
}

static Result<void> savePlan(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                             const std::string &path) {
  std::vector<PlanLine> lines;
  for (const KernelExplanation &kernel : kernels)
    lines.push_back({kernel.hash, kernel.name, kernel.schedule});
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(os, versionText(), chip.name, lines);
  return writeFileAtomically(path, text);
}

/// What the CPU, which has no kernel functions, does not do is a wrong call.
static int explainCPU(const ExplainOptions &options) {
  for (auto [isGiven, name] : {std::pair(!options.pageFile.empty(), "--html"),
                               {!options.planFile.empty(), "--save-plan"},
                               {!options.module.plan.empty(), "--plan"},
                               {options.alternatives, "--alternatives"},
                               {options.occupancy, "--occupancy"}})
    if (isGiven)
      return badCall("expected a GPU as --target with " + std::string(name) +
                     ", as cuda:sm_90a: the CPU has no kernel functions");
  if (options.module.parsedFrom() > Phase::Fuse)
    return badCall("expected --from fuse or before on the CPU, but got " + options.module.from);
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  return explainOnCPU(session, options.module, {options.asJson, options.measure});
}

/// What `options` ask for; with `machine` of --measure.
static Result<Findings> find(Session &session, const std::vector<KernelExplanation> &kernels,
                             const Target &target, const std::optional<TargetDevice> &machine,
                             const CompileOptions &compileOptions, const ExplainOptions &options) {
  Findings findings;
  if (machine)
    findings.measurements =
        measureKernels(session.module(), kernels, *machine, options.module.parsedTier());
  if (options.occupancy) {
    Result<std::vector<KernelOccupancy>> occupancies =
        findOccupancies(session.module(), target, compileOptions);
    if (!occupancies)
      return Error{"--occupancy: " + occupancies.error().message};
    findings.occupancies = std::move(*occupancies);
  }
  return findings;
}

static int explain(ExplainOptions options) {
  if (std::optional<int> status = rejectTarget(options.module.target))
    return *status;
  if (std::optional<int> status = options.module.chooseDecode())
    return *status;
  Target target = *Target::parse(options.module.target);
  if (!target.isGPU())
    return explainCPU(options);
  if (std::optional<int> status = rejectPhase(target, options.module.from))
    return *status;
  if (options.occupancy && target.driver == "sim")
    return badCall("expected a target with machine code for --occupancy, as " +
                   std::string(target.chip->dialect == DeviceDialect::NVVM ? "cuda:" : "hip:") +
                   target.chip->name.str() + ", but got " + target.text());
  if (options.module.parsedFrom() > Phase::Kernels)
    return badCall("expected --from kernels or before, but got " + options.module.from);
  // Before the module is read, which may take long.
  std::optional<TargetDevice> machine;
  if (options.measure) {
    Result<TargetDevice> opened = openMeasuredTarget(options.module.target);
    if (!opened)
      return fail(opened.error().message);
    machine = std::move(*opened);
  }
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  if (!options.module.function.empty())
    if (std::optional<int> status = session.findFunction(options.module, function))
      return *status;
  CompileOptions compileOptions;
  compileOptions.function = options.module.function;
  compileOptions.target = options.module.target;
  compileOptions.tier = options.module.parsedTier();
  compileOptions.reproducerDir = options.module.reproducerDir;
  compileOptions.from = options.module.parsedFrom();
  // Scheduling takes it away.
  auto plan = session.module()->getAttrOfType<mlir::DictionaryAttr>(kPlanAttr);
  if (plan)
    plan = planFor(plan, target.chip->name);
  session.holdErrors();
  Progress progress("explaining " + options.module.path);
  CompileReport report;
  Result<void> lowered = lowerTo(session.module(), compileOptions, Phase::Kernels, &report);
  progress.finish();
  if (!lowered)
    return session.reportCompileError(lowered.error().message);
  // A module at phase kernels has its schedules as they are written in the file.
  if (compileOptions.from == Phase::Kernels &&
      mlir::failed(verifyKernelSchedules(session.module(), *target.chip)))
    return session.reportCompileError("");
  bool genericOnly = options.module.parsedTier() == Tier::Correctness;
  std::vector<KernelExplanation> kernels = explainKernels(
      session.module(), *target.chip, {genericOnly, plan, options.alternatives, /*choices=*/true});
  Result<Findings> findings = find(session, kernels, target, machine, compileOptions, options);
  if (!findings)
    return session.reportCompileError(findings.error().message);
  (options.asJson ? printKernelsJson : printKernelsText)(kernels, *target.chip,
                                                         options.alternatives, *findings);
  if (plan && !options.asJson)
    printPlanUse(kernels, options, plan);
  if (!options.planFile.empty())
    if (Result<void> saved = savePlan(kernels, *target.chip, options.planFile); !saved)
      return fail(saved.error().message);
  if (!options.pageFile.empty())
    if (Result<void> written =
            writePage(session, kernels, target, compileOptions, report, options, *findings);
        !written)
      return session.reportCompileError(written.error().message);
  return kSuccess;
}

Command tool::addExplainCommand(CLI::App &app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App *sub =
      app.add_subcommand("explain", "How each kernel is computed, and why not otherwise");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addReproducerDir(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  options->module.addRandomWeights(*sub);
  options->module.addSizes(*sub, "any, or 1 with --length or --cache", "any, or 64 with --batch");
  sub->add_option("--save-plan", options->planFile, "Write the schedules as a plan")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_option("--html", options->pageFile,
                  "Write a page for a browser: times, a roofline, launches, each kernel's code at "
                  "every phase")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_flag("--alternatives", options->alternatives,
                "Print other schedules that a plan could have, too");
  sub->add_flag("--occupancy", options->occupancy,
                "Compile the kernels, too, and say what each takes of a multiprocessor and how "
                "many blocks run there at once");
  sub->add_flag("--measure", options->measure,
                "Time each kernel on the device, too, and say where the time goes");
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return explain(*options); }};
}
