// A model's line is read as a plan's is, by the same parser and the same checks.
#include "Proposer.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace forge;
using mlir::func::FuncOp;

/// The compiler that the line's plan is of.
static constexpr llvm::StringLiteral kHere = "here";

namespace {
/// While alive keeps diagnostics back: the first is why a line is rejected.
class HeldMessages {
public:
  explicit HeldMessages(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (first.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            first = diagnostic.str();
          return mlir::success();
        }) {}
  std::string first;

private:
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

/// The plan that has only this line; null, with a diagnostic, where it is none.
static mlir::DictionaryAttr planOf(llvm::StringRef line, const GPUChip &chip,
                                   mlir::MLIRContext *context) {
  std::string text =
      ("forge-plan 1\ncompiler " + kHere + "\nchip " + chip.name + "\n" + line + "\n").str();
  mlir::FailureOr<mlir::DictionaryAttr> plan = parsePlan(text, "proposal", kHere, context);
  return succeeded(plan) ? *plan : mlir::DictionaryAttr();
}

Result<ScheduleAttr> forge::readProposal(llvm::StringRef line, FuncOp kernel, llvm::StringRef hash,
                                         const GPUChip &chip) {
  mlir::MLIRContext *context = kernel->getContext();
  HeldMessages held(context);
  mlir::DictionaryAttr plan = planOf(line, chip, context);
  if (!plan)
    return Error{held.first};
  mlir::DictionaryAttr kernels = planFor(plan, chip.name);
  if (!findPlanned(kernels, hash))
    return Error{"expected a schedule of kernel " + hash.str() + ", but got one of " +
                 kernels.begin()->getName().str()};
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(kernel.getLoc());
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto copy = llvm::cast<FuncOp>(b.clone(*kernel));
  copy->removeDiscardableAttr(kScheduleAttr);
  copy->removeDiscardableAttr(kFallbackScheduleAttr);
  (*module)->setDiscardableAttr(kPlanAttr, plan);
  ScheduleKernelsPassOptions options;
  options.chipName = chip.name.str();
  options.library = getSchedule(kernel).findWord("library").str();
  mlir::PassManager schedule(context);
  schedule.addPass(createScheduleKernelsPass(options));
  if (failed(schedule.run(*module)))
    return Error{held.first};
  return getSchedule(copy);
}
