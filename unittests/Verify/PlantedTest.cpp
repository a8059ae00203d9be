// The compiler itself, made wrong after one phase: every phase's output is executed, and the wrong
// one is named.
#include "TestModule.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Verify/Verify.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace forge;

// The difference of the two cannot be taken for rounding, and subtractions have no place in
// addresses.
static constexpr const char *kModule = R"(
  func.func @main(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.subtract %x, %y : tensor<4x16xf32>
    %1 = stablehlo.multiply %0, %x : tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  })";

template <typename From, typename To> static void replace(mlir::ModuleOp module) {
  module.walk([](From op) {
    mlir::OpBuilder builder(op);
    auto wrong = To::create(builder, op.getLoc(), op->getResult(0).getType(), op->getOperand(0),
                            op->getOperand(1));
    op->getResult(0).replaceAllUsesWith(wrong->getResult(0));
    op->erase();
  });
}

/// Subtractions become additions, whatever the level.
static void plant(mlir::ModuleOp module) {
  replace<stablehlo::SubtractOp, stablehlo::AddOp>(module);
  replace<mlir::arith::SubFOp, mlir::arith::AddFOp>(module);
  replace<mlir::LLVM::FSubOp, mlir::LLVM::FAddOp>(module);
}

static mlir::LogicalResult runPhases(mlir::ModuleOp module, Phase from, Phase to) {
  if (from == to)
    return mlir::success();
  PipelineOptions options;
  options.from = from;
  options.to = to;
  mlir::PassManager pm(module.getContext());
  buildPipeline(pm, options);
  return pm.run(module);
}

/// Compiles with the error planted after phase `planted`, if that is among the phases run.
static Executor plantedAfter(Phase planted) {
  return [planted](mlir::ModuleOp module, llvm::StringRef function, llvm::StringRef name,
                   const std::vector<HostTensor> &inputs) -> Result<std::vector<HostTensor>> {
    Phase last = name.empty() ? lastPhase : *parsePhase(name);
    CompileOptions options;
    options.function = function.str();
    Result<FunctionSignature> signature = signatureOf(module, function);
    if (!signature)
      return signature.error();
    options.signature = *signature;
    if (last >= planted) {
      if (failed(runPhases(module, Phase::Import, planted)))
        return Error{"phases failed"};
      plant(module);
      options.from = planted;
    }
    if (!name.empty())
      options.naiveAfter = last;
    Result<Executable> executable = Executable::compile(module, options);
    if (!executable)
      return executable.error();
    Result<RunResult> run = executable->run(inputs);
    if (!run)
      return run.error();
    return std::move(run->results);
  };
}

class Planted : public testing::TestWithParam<Phase> {};

/// A new folder that goes with its owner.
class TemporaryFolder {
public:
  TemporaryFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("forge-planted", path)); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
  std::string name() const { return std::string(path); }

private:
  llvm::SmallString<128> path;
};

TEST_P(Planted, IsNamed) {
  TestModule module(kModule);
  TemporaryFolder folder;
  VerifyOptions options;
  options.eachStage = true;
  options.reproducerDir = folder.name();
  options.executor = plantedAfter(GetParam());
  auto report = verify(module.get(), options);
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_EQ(report->firstDiffering, phaseName(GetParam()).str())
      << describe(*report) << module.messages;
  for (const StageReport &stage : report->stages)
    EXPECT_EQ(stage.error, "");
  // The difference alone is cut out, and written with what it was computed from.
  auto written = llvm::MemoryBuffer::getFile(report->reproducer);
  ASSERT_TRUE(static_cast<bool>(written)) << report->reproducer;
  TestModule smallest((*written)->getBuffer());
  EXPECT_TRUE(smallest.function()) << (*written)->getBuffer().str();
  EXPECT_NE((*written)->getBuffer().find("stablehlo.subtract"), llvm::StringRef::npos);
  EXPECT_EQ((*written)->getBuffer().find("stablehlo.multiply"), llvm::StringRef::npos);
  for (const char *file : {"/in0.npy", "/in1.npy", "/expected0.npy"})
    EXPECT_TRUE(llvm::sys::fs::exists(folder.name() + file)) << file;
}

INSTANTIATE_TEST_SUITE_P(Phases, Planted,
                         testing::Values(Phase::Simplify, Phase::Linalg, Phase::Fuse, Phase::Tile,
                                         Phase::Bufferize, Phase::Lower, Phase::LLVM),
                         [](const auto &info) { return phaseName(info.param).str(); });
