// Whether a module is at the phase it is said to be at.
#include "RunPhases.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace forge;

namespace {
/// The phases whose modules may hold an operation.
struct Span {
  Phase first = firstPhase, last = lastPhase;
};
} // namespace

static bool hasArgumentOrResult(mlir::func::FuncOp function,
                                llvm::function_ref<bool(mlir::Type)> is) {
  return llvm::any_of(function.getArgumentTypes(), is) ||
         llvm::any_of(function.getResultTypes(), is);
}

static Span spanOf(mlir::func::FuncOp function) {
  Span span;
  if (hasArgumentOrResult(function, llvm::IsaPred<mlir::TensorType>))
    span.last = Phase::Kernels;
  if (hasArgumentOrResult(function, llvm::IsaPred<mlir::BaseMemRefType>))
    span.first = Phase::Bufferize;
  return span;
}

static Span spanOf(mlir::Operation *op, const Target &target) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "stablehlo" || dialect == "chlo" || dialect == "transformer" ||
      dialect == "check" || dialect == "register")
    return {firstPhase, Phase::Simplify};
  if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op))
    return spanOf(function);
  if (llvm::isa<mlir::gpu::GPUModuleOp>(op))
    return {Phase::GPU, lastPhase};
  if (llvm::isa<mlir::LLVM::LLVMFuncOp>(op))
    return {target.isGPU() ? Phase::Lower : Phase::LLVM, lastPhase};
  if (llvm::isa<mlir::linalg::LinalgOp>(op))
    return {firstPhase, Phase::Blocks};
  if (dialect == "tile")
    return {Phase::Bufferize, Phase::Blocks};
  return {};
}

/// Schedules are for operations of linalg and kernel functions; loops and functions have them for
/// people to read.
static bool mayHaveSchedule(mlir::Operation *op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  return dialect != "stablehlo" && dialect != "chlo" && dialect != "transformer" &&
         dialect != "register";
}

mlir::LogicalResult forge::checkPhase(mlir::ModuleOp module, Phase phase, const Target &target) {
  mlir::WalkResult result = module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    Span span = spanOf(op, target);
    if (phase < span.first || phase > span.last) {
      emitUserError(op->getLoc()) << "expected a module at phase '" << phaseName(phase)
                                  << "', but got '" << op->getName() << "' of phase '"
                                  << phaseName(phase < span.first ? span.first : span.last)
                                  << (phase < span.first ? "' or later" : "' or before");
      return mlir::WalkResult::interrupt();
    }
    if (op->hasAttr(kScheduleAttr) && !mayHaveSchedule(op)) {
      emitScheduleError(op, "expected ")
          << kScheduleAttr << " on linalg operations and kernel functions only, but got it on '"
          << op->getName() << "'";
      return mlir::WalkResult::interrupt();
    }
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op);
        function && isKernel(function) && function->hasAttr(kScheduleAttr) && !target.isGPU())
      mlir::emitWarning(op->getLoc())
          << "target '" << target.text() << "' has no kernel functions: this schedule is not used";
    // What runs on the device is the device's.
    return llvm::isa<mlir::gpu::GPUModuleOp>(op) ? mlir::WalkResult::skip()
                                                 : mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}
