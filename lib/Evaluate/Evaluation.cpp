#include "forge/Evaluate/Evaluation.h"

#include "forge/Bench/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace forge;
namespace json = llvm::json;

const ModuleEvaluation *Evaluation::find(llvm::StringRef module, llvm::StringRef function) const {
  for (const ModuleEvaluation &one : modules)
    // One that failed early has no function.
    if (one.module == module &&
        (one.function == function || one.function.empty() || function.empty()))
      return &one;
  return nullptr;
}

std::optional<double> Evaluation::mutationScore() const {
  MutationScore all;
  for (const ModuleEvaluation &one : modules)
    if (one.mutation) {
      all.killed += one.mutation->killed;
      all.counted += one.mutation->counted;
    }
  return all.counted > 0 ? std::optional(all.score()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Of reports
//===----------------------------------------------------------------------===//

std::vector<ResultError> forge::resultErrors(const VerifyReport &report) {
  std::vector<ResultError> errors;
  if (report.stages.empty())
    return errors;
  for (const Comparison &one : report.stages.back().results)
    errors.push_back({one.maxAbs, one.maxRel, one.relativeNorm(), one.maxOfAllowed, one.differing,
                      one.elements});
  return errors;
}

ModuleTime forge::timeOf(const BenchReport &report) {
  return {report.rows.front().ms, report.work.front().flops, report.work.front().bytes};
}

MutationScore forge::scoreOf(const MutationReport &report) {
  size_t counted =
      report.mutants.size() - report.count(Verdict::Unreached) - report.count(Verdict::SameCode);
  return {int64_t(report.possible), int64_t(report.mutants.size()), int64_t(counted),
          int64_t(report.killed())};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// JSON has no infinities.
static json::Value number(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Value resultJson(const ResultError &result) {
  return json::Object{{"max_abs", number(result.maxAbs)},
                      {"max_rel", number(result.maxRel)},
                      {"relative_norm", number(result.relativeNorm)},
                      {"of_allowed", number(result.ofAllowed)},
                      {"differing", result.differing},
                      {"elements", result.elements}};
}

static json::Value timeJson(const ModuleTime &time) {
  json::Object object{
      {"ms", json::Array(time.ms)}, {"flops", time.flops}, {"bytes", time.bytes}};
  if (std::optional<MedianInterval> interval = medianInterval(time.ms)) {
    object["latency_ms"] = interval->median;
    object["low_ms"] = interval->low;
    object["high_ms"] = interval->high;
    object["gflops"] = time.flops / interval->median * 1e-6;
    object["gbytes_per_s"] = time.bytes / interval->median * 1e-6;
  }
  return object;
}

static json::Value mutationJson(const MutationScore &score) {
  return json::Object{{"possible", score.possible}, {"planted", score.planted},
                      {"counted", score.counted},   {"killed", score.killed},
                      {"score", score.score()}};
}

static json::Value moduleJson(const ModuleEvaluation &module) {
  json::Array results;
  for (const ResultError &result : module.results)
    results.push_back(resultJson(result));
  return json::Object{
      {"module", module.module},
      {"function", module.function},
      {"error", module.error},
      {"results", std::move(results)},
      {"time", module.time ? timeJson(*module.time) : json::Value(nullptr)},
      {"mutation", module.mutation ? mutationJson(*module.mutation) : json::Value(nullptr)}};
}

std::string forge::writeEvaluation(const Evaluation &evaluation) {
  json::Array modules;
  for (const ModuleEvaluation &module : evaluation.modules)
    modules.push_back(moduleJson(module));
  std::optional<double> score = evaluation.mutationScore();
  json::Value document =
      json::Object{{"forge_evaluation", 1},
                   {"compiler", evaluation.compiler},
                   {"target", evaluation.target},
                   {"tier", evaluation.tier},
                   {"mutation_score", score ? json::Value(*score) : json::Value(nullptr)},
                   {"modules", std::move(modules)}};
  return llvm::formatv("{0:2}\n", document).str();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// null is what has no number: infinite.
static bool mapNumber(json::ObjectMapper &map, llvm::StringLiteral name, double &value) {
  std::optional<double> read;
  if (!map.map(name, read))
    return false;
  value = read.value_or(std::numeric_limits<double>::infinity());
  return true;
}

// Found by llvm::json::ObjectMapper.
namespace forge {
static bool fromJSON(const json::Value &value, ResultError &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && mapNumber(map, "max_abs", result.maxAbs) &&
         mapNumber(map, "max_rel", result.maxRel) &&
         mapNumber(map, "relative_norm", result.relativeNorm) &&
         mapNumber(map, "of_allowed", result.ofAllowed) &&
         map.map("differing", result.differing) && map.map("elements", result.elements);
}

static bool fromJSON(const json::Value &value, ModuleTime &time, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("ms", time.ms) || !map.map("flops", time.flops) ||
      !map.map("bytes", time.bytes))
    return false;
  for (double ms : time.ms)
    if (!std::isfinite(ms) || ms < 0) {
      path.field("ms").report("expected milliseconds, finite and not below 0");
      return false;
    }
  return true;
}

static bool fromJSON(const json::Value &value, MutationScore &score, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("possible", score.possible) && map.map("planted", score.planted) &&
         map.map("counted", score.counted) && map.map("killed", score.killed);
}

static bool fromJSON(const json::Value &value, ModuleEvaluation &module, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("module", module.module) && map.map("function", module.function) &&
         map.map("error", module.error) && map.map("results", module.results) &&
         map.map("time", module.time) && map.map("mutation", module.mutation);
}

static bool fromJSON(const json::Value &value, Evaluation &evaluation, json::Path path) {
  json::ObjectMapper map(value, path);
  int version = 0;
  if (!map || !map.map("forge_evaluation", version))
    return false;
  if (version != 1) {
    path.field("forge_evaluation").report("expected 1");
    return false;
  }
  return map.map("compiler", evaluation.compiler) && map.map("target", evaluation.target) &&
         map.map("tier", evaluation.tier) && map.map("modules", evaluation.modules);
}
} // namespace forge

Result<Evaluation> forge::readEvaluation(llvm::StringRef text, llvm::StringRef file) {
  llvm::Expected<Evaluation> evaluation = json::parse<Evaluation>(text, "evaluation");
  if (evaluation)
    return std::move(*evaluation);
  return Error{file.str() + ": not what forge evaluate --output wrote: " +
               llvm::toString(evaluation.takeError())};
}
