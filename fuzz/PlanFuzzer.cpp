// For any text: it is read as a plan whose schedules, written again, are read as the same, or it is
// refused with one error.
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"

#include <cstdlib>

using namespace forge;

static constexpr const char *kCompiler = "forge 1";

/// The lines that writePlan takes of what was read.
static std::vector<PlanLine> linesOf(mlir::DictionaryAttr kernels) {
  std::vector<PlanLine> lines;
  for (mlir::NamedAttribute kernel : kernels) {
    std::string hash = kernel.getName().str();
    std::optional<PlannedSchedule> planned = findPlanned(kernels, hash);
    if (!planned)
      std::abort();
    lines.push_back({hash, "kernel", planned->schedule});
  }
  return lines;
}

static std::string textOf(llvm::StringRef chip, llvm::ArrayRef<PlanLine> lines) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(os, kCompiler, chip, lines);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  int errors = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &) {
    ++errors;
    return mlir::success();
  });
  mlir::FailureOr<mlir::DictionaryAttr> plan =
      parsePlan({reinterpret_cast<const char *>(data), size}, "plan", kCompiler, &context);
  if (failed(plan) != (errors == 1) || errors > 1)
    std::abort();
  if (failed(plan))
    return 0;
  for (mlir::NamedAttribute chip : *plan) {
    std::string text = textOf(chip.getName(), linesOf(planFor(*plan, chip.getName())));
    mlir::FailureOr<mlir::DictionaryAttr> again = parsePlan(text, "plan", kCompiler, &context);
    if (failed(again) || textOf(chip.getName(), linesOf(planFor(*again, chip.getName()))) != text)
      std::abort();
  }
  return 0;
}
