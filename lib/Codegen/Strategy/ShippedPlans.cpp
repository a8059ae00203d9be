#include "forge/Codegen/ShippedPlans.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace forge;

namespace {
struct ShippedText {
  StringLiteral name, text;
};
} // namespace

#include "ShippedPlans.inc"

std::string forge::compilerText() {
  return "forge " FORGE_VERSION " (MLIR " LLVM_VERSION_STRING ")";
}

ShippedPlan::ShippedPlan(StringRef name, StringRef text, StringRef compiler, StringRef chip)
    : name(name) {
  bool isForChip = false;
  unsigned number = 0;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    StringRef words = line.split("//").first.rtrim();
    if (words.consume_front("compiler ") && words != compiler)
      return;
    if (words.consume_front("chip "))
      isForChip = words == chip;
    if (!isForChip || !words.consume_front("kernel "))
      continue;
    auto [hash, schedule] = words.split(' ');
    lines[hash] = {schedule, number, static_cast<unsigned>(hash.data() - line.data()) + 1};
  }
}

std::optional<PlannedSchedule> ShippedPlan::find(StringRef hash, MLIRContext *context) const {
  auto found = lines.find(hash);
  if (found == lines.end())
    return std::nullopt;
  const Line &line = found->second;
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) { return success(); });
  auto schedule = dyn_cast_or_null<ScheduleAttr>(parseAttribute(line.schedule, context));
  if (!schedule)
    return std::nullopt;
  return PlannedSchedule{schedule, FileLineColLoc::get(context, name, line.number, line.column)};
}

const ShippedPlan &forge::shippedPlan(StringRef chip) {
  static std::mutex mutex;
  static std::map<std::string, ShippedPlan> plans;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = plans.find(chip.str());
  if (found != plans.end())
    return found->second;
  static const std::string compiler = compilerText();
  for (const ShippedText &shipped : shippedTexts) {
    ShippedPlan plan(shipped.name, shipped.text, compiler, chip);
    if (!plan.empty())
      return plans.emplace(chip.str(), std::move(plan)).first->second;
  }
  return plans.emplace(chip.str(), ShippedPlan("", "", compiler, chip)).first->second;
}

std::optional<PlannedSchedule> forge::findShipped(func::FuncOp kernel, const GPUChip &chip,
                                                  StringRef library) {
  const ShippedPlan &plan = shippedPlan(chip.name);
  if (plan.empty())
    return std::nullopt;
  std::optional<PlannedSchedule> found = plan.find(kernelHash(kernel), kernel.getContext());
  if (!found || found->schedule.findWord("library") != library)
    return std::nullopt;
  ScopedDiagnosticHandler silent(kernel.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verifyKernelSchedule(kernel, found->schedule, chip)) ? found : std::nullopt;
}
