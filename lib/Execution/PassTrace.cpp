#include "PassTrace.h"

#include "forge/Diagnostics/ErrorContext.h"
#include "forge/Diagnostics/Location.h"
#include "forge/Support/Crash.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace forge;

std::string forge::locationText(mlir::Location location) {
  std::string text = locationString(location);
  if (!text.empty())
    return text;
  llvm::raw_string_ostream stream(text);
  location->print(stream);
  // loc("file":1:2) reads better without its wrapping.
  llvm::StringRef inner = text;
  if (inner.consume_front("loc("))
    inner.consume_back(")");
  std::string plain = inner.str();
  llvm::erase(plain, '"');
  return plain;
}

/// "func.func @main".
static std::string describe(mlir::Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto symbol = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName()))
    text += " @" + symbol.str();
  return text;
}

/// "pass forge-x on func.func @main"; MLIR's own adaptors between passes have no argument.
static std::string describe(mlir::Pass *pass, mlir::Operation *op) {
  llvm::StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  return "pass " + name.str() + " on " + describe(op);
}

/// Of a pass in the trace that is recorded; MLIR's adaptors have none.
static TraceSpan beginSpan(mlir::Pass *pass, mlir::Operation *op) {
  Trace *recorded = Trace::active();
  if (!recorded || pass->getArgument().empty())
    return {};
  return {pass->getArgument().str(), "pass", recorded->now(), 0, {{"on", describe(op)}}};
}

class PassTrace::Instrumentation : public mlir::PassInstrumentation {
public:
  explicit Instrumentation(PassTrace &trace) : trace(trace) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    watchCrashes();
    std::string text = describe(pass, op);
    std::lock_guard<std::mutex> lock(trace.mutex);
    if (trace.running.empty())
      trace.first = std::this_thread::get_id();
    trace.running[std::this_thread::get_id()].push_back(
        {text, crashNote(), op, beginSpan(pass, op)});
    setCrashNote(text);
  }

  void runAfterPass(mlir::Pass *, mlir::Operation *) override { leave(); }

  void runAfterPassFailed(mlir::Pass *, mlir::Operation *) override {
    std::lock_guard<std::mutex> lock(trace.mutex);
    if (trace.failedPass.empty()) {
      const Running &running = trace.running[std::this_thread::get_id()].back();
      trace.failedPass = running.pass;
      trace.failedDetails = detailsOf(running.op);
    }
    leaveLocked();
  }

private:
  void leave() {
    std::lock_guard<std::mutex> lock(trace.mutex);
    leaveLocked();
  }

  void leaveLocked() {
    std::vector<Running> &passes = trace.running[std::this_thread::get_id()];
    setCrashNote(passes.back().noteBefore);
    endSpan(std::move(passes.back().span));
    passes.pop_back();
  }

  /// MLIR runs a pipeline that is guarded against crashes in a thread of its own, which the maker
  /// of the trace waits for: its passes are shown as the maker's.
  void endSpan(TraceSpan span) {
    Trace *recorded = Trace::active();
    if (!recorded || span.name.empty())
      return;
    span.end = recorded->now();
    std::thread::id thread = std::this_thread::get_id();
    recorded->add(thread == trace.first ? trace.maker : thread, std::move(span));
  }

  PassTrace &trace;
};

std::unique_ptr<mlir::PassInstrumentation> PassTrace::instrumentation() {
  return std::make_unique<Instrumentation>(*this);
}

ErrorDetails PassTrace::runningOn() {
  std::lock_guard<std::mutex> lock(mutex);
  auto passes = running.find(std::this_thread::get_id());
  return passes == running.end() || passes->second.empty() ? ErrorDetails()
                                                           : detailsOf(passes->second.back().op);
}

std::string PassTrace::crashed() const {
  for (const auto &[thread, passes] : running)
    if (!passes.empty())
      return passes.back().pass;
  return "";
}
