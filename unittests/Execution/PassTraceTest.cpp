// What is said of a pass that fails, and of one that crashes.
#include "../../lib/Execution/PassTrace.h"

#include "forge/Support/Crash.h"
#include "forge/Support/Sanitizers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <csignal>

using namespace forge;

namespace {

/// A pass on functions that does `work`.
class TestPass : public mlir::PassWrapper<TestPass, mlir::OperationPass<mlir::func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  explicit TestPass(std::function<bool()> work) : work(std::move(work)) {}
  llvm::StringRef getArgument() const override { return "test-pass"; }
  void runOnOperation() override {
    if (!work())
      signalPassFailure();
  }

private:
  std::function<bool()> work;
};

/// Runs a pass on the function @main, as a phase is run.
void runPass(PassTrace &trace, std::function<bool()> work) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>("func.func @main() { return }", &context);
  mlir::PassManager pm(&context);
  pm.addInstrumentation(trace.instrumentation());
  struct Nowhere : mlir::ReproducerStream {
    llvm::StringRef description() override { return ""; }
    llvm::raw_ostream &os() override { return llvm::nulls(); }
  };
  pm.enableCrashReproducerGeneration(
      [](std::string &) { return std::make_unique<Nowhere>(); });
  pm.addNestedPass<mlir::func::FuncOp>(std::make_unique<TestPass>(std::move(work)));
  mlir::ScopedDiagnosticHandler silent(&context,
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  (void)pm.run(*module);
}

int recurse(volatile int *depth) {
  volatile char block[4096];
  block[0] = static_cast<char>(++*depth);
  return recurse(depth) + block[0];
}

TEST(PassTrace, NamesTheInnermostPassThatFails) {
  PassTrace trace;
  runPass(trace, [] { return false; });
  EXPECT_EQ(trace.failed(), "pass test-pass on func.func @main");
  EXPECT_EQ(trace.crashed(), "");
}

TEST(PassTrace, HasNothingToSayOfOneThatSucceeds) {
  PassTrace trace;
  setCrashNote("before");
  runPass(trace, [] { return crashNote() == "pass test-pass on func.func @main"; });
  EXPECT_EQ(trace.failed(), "");
  EXPECT_EQ(trace.crashed(), "");
  EXPECT_EQ(crashNote(), "before");
}

TEST(PassTrace, NamesThePassThatCrashes) {
  for (auto [signal, name] : {std::pair(SIGSEGV, "SIGSEGV"), std::pair(SIGABRT, "SIGABRT")}) {
    PassTrace trace;
    runPass(trace, [signal = signal] { return raise(signal) != 0; });
    EXPECT_EQ(trace.crashed(), "pass test-pass on func.func @main");
    EXPECT_EQ(trace.failed(), "");
    EXPECT_EQ(lastCrashSignal(), name);
  }
}

TEST(PassTrace, NamesThePassThatRunsOutOfStack) {
  if (FORGE_ADDRESS_SANITIZER)
    GTEST_SKIP() << "the sanitizer ends the process";
  PassTrace trace;
  volatile int depth = 0;
  runPass(trace, [&] { return recurse(&depth) == 0; });
  EXPECT_EQ(trace.crashed(), "pass test-pass on func.func @main");
  EXPECT_EQ(lastCrashSignal(), "SIGSEGV");
}

} // namespace
