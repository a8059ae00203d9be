// forge explain: how each kernel is computed, what it costs at the least, and why not otherwise.
#include "ExplainPage.h"
#include "Progress.h"
#include "Session.h"

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
  /// Where the schedules are written as a plan, and a page of all; empty: nowhere.
  std::string planFile, pageFile;
};
} // namespace

/// "12.3 us".
static std::string microseconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g us", seconds * 1e6);
  return text;
}

static bool isBoundByMemory(const KernelWork &work, const GPUChip &chip) {
  return memorySeconds(work, chip) >= arithmeticSeconds(work, chip);
}

static void printWork(const KernelExplanation &kernel, const GPUChip &chip) {
  if (!kernel.work) {
    llvm::outs() << "  sizes or numbers of iterations are not known: nothing is predicted\n";
    return;
  }
  const KernelWork &work = *kernel.work;
  llvm::outs() << "  reads " << work.bytesRead << " bytes, writes " << work.bytesWritten
               << " bytes, " << work.flops << " operations: at least "
               << microseconds(floorSeconds(work, chip)) << " of "
               << (isBoundByMemory(work, chip) ? "memory" : "arithmetic") << "\n";
}

static void printText(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                      bool alternatives) {
  for (const KernelExplanation &kernel : kernels) {
    llvm::outs() << kernel.name << ", " << kernel.launches
                 << (kernel.launches == 1 ? " launch: " : " launches: ")
                 << kernel.schedule.describe() << "\n";
    if (!kernel.planned.empty() || kernel.byDefault)
      llvm::outs() << "  set in " << (kernel.planned.empty() ? "the file" : kernel.planned)
                   << "; by default: "
                   << (kernel.byDefault ? kernel.byDefault : kernel.schedule).describe() << "\n";
    if (kernel.fallback)
      llvm::outs() << "  without the library: " << kernel.fallback.describe() << "\n";
    if (kernel.fallbackByDefault)
      llvm::outs() << "  set in the file; by default without the library: "
                   << kernel.fallbackByDefault.describe() << "\n";
    if (!kernel.places.empty())
      llvm::outs() << "  from " << llvm::join(kernel.places, ", ") << "\n";
    llvm::outs() << "  hash " << kernel.hash << "\n";
    printWork(kernel, chip);
    for (const Offer &offer : kernel.offers) {
      bool isChosen = offer.strategy->name == kernel.schedule.strategy();
      llvm::outs() << (isChosen ? "  * " : "    ") << offer.strategy->name << ": ";
      if (!offer)
        llvm::outs() << offer.whyNot << "\n";
      else
        llvm::outs() << (offer.seconds ? "predicted " + microseconds(*offer.seconds)
                                       : std::string("not predicted"))
                     << "\n";
    }
    if (alternatives)
      for (ScheduleAttr other : kernel.alternatives)
        llvm::outs() << "    or " << other << "\n";
  }
  llvm::outs() << kernels.size() << (kernels.size() == 1 ? " kernel" : " kernels")
               << "; ceilings of " << chip.name
               << (chip.hasMeasuredCeilings ? " are measured\n" : " are estimated\n");
}

/// Fields with their values.
static Json scheduleJson(ScheduleAttr schedule) {
  Json fields = Json::object();
  for (mlir::NamedAttribute entry : schedule.getFields()) {
    std::string name = entry.getName().str();
    if (std::optional<int64_t> size = schedule.findSize(name);
        size && !llvm::isa<mlir::BoolAttr>(entry.getValue()))
      fields[name] = *size;
    else
      fields[name] = schedule.findWord(name).str();
  }
  return fields;
}

static Json workJson(const KernelWork &work, const GPUChip &chip) {
  return {{"bytes_read", work.bytesRead},
          {"bytes_written", work.bytesWritten},
          {"flops", work.flops},
          {"floor_us", floorSeconds(work, chip) * 1e6},
          {"bound_by", isBoundByMemory(work, chip) ? "memory" : "arithmetic"}};
}

static Json offerJson(const Offer &offer, const KernelExplanation &kernel) {
  Json json = {{"strategy", offer.strategy->name.str()},
               {"chosen", offer.strategy->name == kernel.schedule.strategy()}};
  if (!offer)
    json["why_not"] = offer.whyNot;
  else
    json["schedule"] = scheduleJson(offer.schedule);
  if (offer.seconds)
    json["predicted_us"] = *offer.seconds * 1e6;
  return json;
}

static Json document(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                     bool alternatives) {
  Json list = Json::array();
  for (const KernelExplanation &kernel : kernels) {
    Json json = {{"name", kernel.name},
                 {"hash", kernel.hash},
                 {"launches", kernel.launches},
                 {"schedule", scheduleJson(kernel.schedule)}};
    if (!kernel.planned.empty())
      json["planned_in"] = kernel.planned;
    if (kernel.byDefault)
      json["default_schedule"] = scheduleJson(kernel.byDefault);
    if (kernel.fallback)
      json["fallback_schedule"] = scheduleJson(kernel.fallback);
    if (kernel.fallbackByDefault)
      json["default_fallback_schedule"] = scheduleJson(kernel.fallbackByDefault);
    json["places"] = kernel.places;
    json["work"] = kernel.work ? workJson(*kernel.work, chip) : Json();
    json["ways"] = Json::array();
    for (const Offer &offer : kernel.offers)
      json["ways"].push_back(offerJson(offer, kernel));
    if (alternatives) {
      json["alternatives"] = Json::array();
      for (ScheduleAttr other : kernel.alternatives)
        json["alternatives"].push_back(scheduleJson(other));
    }
    list.push_back(json);
  }
  return {{"chip", chip.name.str()},
          {"measured_ceilings", chip.hasMeasuredCeilings},
          {"kernels", list}};
}

static void printJson(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                      bool alternatives) {
  llvm::outs()
      << document(kernels, chip, alternatives).dump(2, ' ', false, Json::error_handler_t::replace)
      << "\n";
}

/// Writes a page with what is explained, the launches, and each kernel's code at every phase from
/// `kernels` on, to which the module is taken.
static Result<void> writePage(Session &session, const std::vector<KernelExplanation> &kernels,
                              const Target &target, CompileOptions compileOptions,
                              const ExplainOptions &options) {
  Json data = document(kernels, *target.chip, /*alternatives=*/false);
  data["module"] = options.module.path;
  data["target"] = target.text();
  data["version"] = versionText();
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
      if (Result<void> lowered = lowerTo(session.module(), compileOptions, phase); !lowered)
        return lowered;
    }
    before = phase;
    std::map<std::string, std::string> texts = kernelTexts(session.module());
    for (auto [json, name] : llvm::zip_equal(data["kernels"], names))
      if (auto text = texts.find(name); text != texts.end())
        json["code"][phaseName(phase).str()] = text->second;
  }
  return writeFileAtomically(options.pageFile, explainPage(data));
}

/// How many schedules of the plan are of kernels of the module.
static void printPlanUse(const std::vector<KernelExplanation> &kernels,
                         const ExplainOptions &options, mlir::DictionaryAttr plan) {
  size_t used = llvm::count_if(
      kernels, [](const KernelExplanation &kernel) { return !kernel.planned.empty(); });
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

static int explain(const ExplainOptions &options) {
  if (std::optional<int> status = rejectTarget(options.module.target))
    return *status;
  Target target = *Target::parse(options.module.target);
  if (!target.isGPU())
    return badCall(
        "expected a GPU as --target, as cuda:sm_90a: the CPU's schedules are in --stats of "
        "forge compile");
  if (std::optional<int> status = rejectPhase(target, options.module.from))
    return *status;
  if (options.module.parsedFrom() > Phase::Kernels)
    return badCall("expected --from kernels or before, but got " + options.module.from);
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
  bool genericOnly = options.module.parsedTier() == Tier::Correctness;
  std::vector<KernelExplanation> kernels =
      explainKernels(session.module(), *target.chip, {genericOnly, plan, options.alternatives});
  (options.asJson ? printJson : printText)(kernels, *target.chip, options.alternatives);
  if (plan && !options.asJson)
    printPlanUse(kernels, options, plan);
  if (!options.planFile.empty())
    if (Result<void> saved = savePlan(kernels, *target.chip, options.planFile); !saved)
      return fail(saved.error().message);
  if (!options.pageFile.empty())
    if (Result<void> written = writePage(session, kernels, target, compileOptions, options);
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
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return explain(*options); }};
}
