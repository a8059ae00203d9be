// Verification with an executor that is itself an interpreter, of a module that was made wrong from
// some phase on: what is found, named and cut out does not depend on the compiler under test.
#include "TestModule.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Support/Npy.h"
#include "forge/Support/ScratchFolder.h"
#include "forge/Verify/Interpreter.h"
#include "forge/Verify/Verify.h"

#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>

using namespace forge;

static constexpr const char *kModule = R"(
  func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = func.call @activation(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %1, %x : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
  func.func private @activation(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.negate %x : tensor<4x8xf32>
    %1 = stablehlo.exponential %0 : tensor<4x8xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4x8xf32>
    %2 = stablehlo.add %1, %one : tensor<4x8xf32>
    %3 = stablehlo.divide %x, %2 : tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  })";

static const std::vector<std::string> kPhases = {"simplify", "linalg", "fuse", "loops"};

/// Interprets; from phase `from` on, after `spoil` changed the module.
static Executor spoiledFrom(const std::string &from, std::function<void(mlir::ModuleOp)> spoil) {
  return [=](mlir::ModuleOp module, llvm::StringRef function, llvm::StringRef phase,
             const std::vector<HostTensor> &inputs) -> Result<std::vector<HostTensor>> {
    auto place = [](llvm::StringRef name) { return llvm::find(kPhases, name) - kPhases.begin(); };
    if (phase.empty() || place(phase) >= place(from))
      spoil(module);
    auto results =
        Interpreter(module).run(module.lookupSymbol<mlir::func::FuncOp>(function), inputs);
    if (failed(results))
      return Error{"does not run"};
    return std::move(*results);
  };
}

/// Divisions become multiplications.
static void spoilDivision(mlir::ModuleOp module) {
  module.walk([](stablehlo::DivOp op) {
    mlir::OpBuilder builder(op);
    op.replaceAllUsesWith(
        stablehlo::MulOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs()).getResult());
    op.erase();
  });
}

/// An exponential of a negation forgets the negation: wrong only where both stand together.
static void spoilPair(mlir::ModuleOp module) {
  module.walk([](stablehlo::ExpOp op) {
    if (auto negate = op.getOperand().getDefiningOp<stablehlo::NegOp>())
      op->setOperand(0, negate.getOperand());
  });
}

static VerifyOptions optionsFor(Executor executor, const std::string &folder = "") {
  VerifyOptions options;
  options.eachStage = true;
  options.phases = kPhases;
  options.executor = std::move(executor);
  options.reproducerDir = folder;
  return options;
}

static std::string contents(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(static_cast<bool>(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST(Verify, AgreesWhenNothingIsWrong) {
  TestModule module(kModule);
  auto report = verify(module.get(), optionsFor(spoiledFrom("loops", [](mlir::ModuleOp) {})));
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_TRUE(report->agree()) << describe(*report);
  EXPECT_EQ(report->stages.size(), 5u);
  EXPECT_EQ(report->firstDiffering, "");
}

TEST(Verify, NamesThePhase) {
  for (const std::string &phase : kPhases) {
    TestModule module(kModule);
    auto report = verify(module.get(), optionsFor(spoiledFrom(phase, spoilDivision)));
    ASSERT_TRUE(succeeded(report)) << module.messages;
    EXPECT_FALSE(report->agree());
    EXPECT_EQ(report->firstDiffering, phase);
  }
}

TEST(Verify, CutsOutTheSingleOpInsideACallee) {
  TestModule module(kModule);
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-verify");
  ASSERT_TRUE(scratch) << scratch.error().message;
  auto report =
      verify(module.get(), optionsFor(spoiledFrom("fuse", spoilDivision), scratch->path()));
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_EQ(report->firstDiffering, "fuse");
  std::string folder = scratch->path() + "/1";
  EXPECT_EQ(report->reproducer, folder + "/failure.mlir");
  std::string text = contents(report->reproducer);
  EXPECT_NE(text.find("stablehlo.divide"), std::string::npos) << text;
  EXPECT_EQ(text.find("stablehlo.exponential"), std::string::npos) << text;
  EXPECT_NE(report->rerun.find("--each-stage --input " + folder + "/in0.npy"), std::string::npos)
      << report->rerun;
  // What was written fails again.
  TestModule again(text);
  VerifyOptions options = optionsFor(spoiledFrom("fuse", spoilDivision));
  for (const char *name : {"/in0.npy", "/in1.npy"})
    options.inputs.push_back(*readNpy(folder + name));
  auto second = verify(again.get(), options);
  ASSERT_TRUE(succeeded(second)) << again.messages;
  EXPECT_EQ(second->firstDiffering, "fuse");
  EXPECT_TRUE(static_cast<bool>(readNpy(folder + "/expected0.npy")));
}

TEST(Verify, CutsOutThePairThatFailsOnlyTogether) {
  TestModule module(kModule);
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-verify");
  ASSERT_TRUE(scratch) << scratch.error().message;
  auto report = verify(module.get(), optionsFor(spoiledFrom("linalg", spoilPair), scratch->path()));
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_EQ(report->firstDiffering, "linalg");
  std::string text = contents(report->reproducer);
  EXPECT_NE(text.find("stablehlo.negate"), std::string::npos) << text;
  EXPECT_NE(text.find("stablehlo.exponential"), std::string::npos) << text;
  EXPECT_EQ(text.find("stablehlo.dot_general"), std::string::npos) << text;
  EXPECT_EQ(text.find("stablehlo.divide"), std::string::npos) << text;
}

TEST(Verify, CompileErrorsAreReportedAsSuch) {
  TestModule module(kModule);
  auto failing = [](mlir::ModuleOp, llvm::StringRef, llvm::StringRef phase,
                    const std::vector<HostTensor> &) -> Result<std::vector<HostTensor>> {
    return Error{"no lowering for " + phase.str()};
  };
  auto report = verify(module.get(), optionsFor(failing));
  ASSERT_TRUE(succeeded(report));
  EXPECT_EQ(report->firstDiffering, "simplify");
  EXPECT_NE(describe(*report).find("simplify: failed: no lowering for simplify"),
            std::string::npos);
  EXPECT_NE(describe(*report).find("by way of the lowering to linalg"), std::string::npos);
}

TEST(Verify, EveryFailureHasAFolderOfItsOwn) {
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-verify");
  ASSERT_TRUE(scratch) << scratch.error().message;
  std::string parent = scratch->path() + "/it's new";
  for (const char *number : {"/1", "/2"}) {
    TestModule module(kModule);
    auto report = verify(module.get(), optionsFor(spoiledFrom("fuse", spoilDivision), parent));
    ASSERT_TRUE(succeeded(report)) << module.messages;
    EXPECT_EQ(report->reproducer, parent + number + "/failure.mlir");
    std::string quoted = "'" + scratch->path() + "/it'\\''s new" + number + "/in0.npy'";
    EXPECT_NE(report->rerun.find(" --input " + quoted), std::string::npos) << report->rerun;
  }
}

TEST(Verify, UsersMistakesLeaveNoReproducer) {
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-verify");
  ASSERT_TRUE(scratch) << scratch.error().message;
  TestModule module(kModule);
  auto failing = [](mlir::ModuleOp module, llvm::StringRef, llvm::StringRef,
                    const std::vector<HostTensor> &) -> Result<std::vector<HostTensor>> {
    emitUserError(module) << "unsupported element type";
    return Error{"m.mlir:1:1: unsupported element type"};
  };
  auto report = verify(module.get(), optionsFor(failing, scratch->path()));
  ASSERT_TRUE(succeeded(report));
  EXPECT_FALSE(report->agree());
  EXPECT_EQ(report->reproducer, "");
  EXPECT_TRUE(std::filesystem::is_empty(scratch->path()));
}

TEST(Verify, FolderThatCannotBeMadeIsSaid) {
  TestModule module(kModule);
  auto report =
      verify(module.get(), optionsFor(spoiledFrom("fuse", spoilDivision), "/proc/nothing"));
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_NE(describe(*report).find("no reproducer: /proc/nothing: cannot make this folder: "),
            std::string::npos)
      << describe(*report);
}

TEST(Verify, NothingToCompareWith) {
  TestModule module(kModule);
  VerifyOptions options = optionsFor(spoiledFrom("loops", [](mlir::ModuleOp) {}));
  options.function = "absent";
  EXPECT_TRUE(failed(verify(module.get(), options)));
  EXPECT_NE(module.messages.find("no function 'absent'"), std::string::npos);
}
