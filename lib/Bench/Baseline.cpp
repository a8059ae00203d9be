#include "forge/Bench/Baseline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace forge;
namespace json = llvm::json;

const FunctionTimes *Baseline::find(llvm::StringRef module, llvm::StringRef function) const {
  auto it = llvm::find_if(functions, [&](const FunctionTimes &one) {
    return one.module == module && one.function == function;
  });
  return it == functions.end() ? nullptr : &*it;
}

static json::Value rowsJson(const std::vector<BenchRow> &rows) {
  json::Array list;
  for (const BenchRow &row : rows)
    list.push_back(json::Object{{"name", row.name}, {"ms", json::Array(row.ms)}});
  return list;
}

std::string forge::writeBaseline(const Baseline &baseline) {
  json::Array functions;
  for (const FunctionTimes &one : baseline.functions)
    functions.push_back(json::Object{
        {"module", one.module}, {"function", one.function}, {"rows", rowsJson(one.rows)}});
  json::Value document = json::Object{
      {"forge_bench", 1}, {"target", baseline.target}, {"functions", std::move(functions)}};
  return llvm::formatv("{0:2}\n", document).str();
}

// Found by llvm::json::ObjectMapper.
namespace forge {
static bool fromJSON(const json::Value &value, BenchRow &row, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("name", row.name) || !map.map("ms", row.ms))
    return false;
  for (double ms : row.ms)
    if (!std::isfinite(ms) || ms < 0) {
      path.field("ms").report("expected milliseconds, finite and not below 0");
      return false;
    }
  return true;
}

static bool fromJSON(const json::Value &value, FunctionTimes &times, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("module", times.module) && map.map("function", times.function) &&
         map.map("rows", times.rows);
}

static bool fromJSON(const json::Value &value, Baseline &baseline, json::Path path) {
  json::ObjectMapper map(value, path);
  int version = 0;
  if (!map || !map.map("forge_bench", version))
    return false;
  if (version != 1) {
    path.field("forge_bench").report("expected 1");
    return false;
  }
  return map.map("target", baseline.target) && map.map("functions", baseline.functions);
}
} // namespace forge

Result<Baseline> forge::readBaseline(llvm::StringRef text, llvm::StringRef file) {
  llvm::Expected<Baseline> baseline = json::parse<Baseline>(text, "baseline");
  if (baseline)
    return std::move(*baseline);
  return Error{file.str() +
               ": not what forge bench --save wrote: " + llvm::toString(baseline.takeError())};
}
