// The compiler itself, made wrong after one phase: every phase's output is executed, and the wrong
// one is named. For every phase of every kind of target, on both dialects a module may come in.
#include "TestModule.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Support/ScratchFolder.h"
#include "forge/Verify/Verify.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace forge;

// The difference of the two cannot be taken for rounding, and subtractions have no place in
// addresses.
static constexpr const char *kStableHLO = R"(
  func.func @main(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.subtract %x, %y : tensor<4x16xf32>
    %1 = stablehlo.multiply %0, %x : tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  })";

// The mean is subtracted; added, the variance is another. The activation has nothing to spoil.
static constexpr const char *kTransformer = R"(
  func.func @main(%x: tensor<4x16xf32>, %w: tensor<16xf32>) -> tensor<4x16xf32> {
    %0 = transformer.layer_norm %x scale %w {epsilon = 1.0e-05 : f32}
        : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %1 = transformer.activation relu %0 : tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  })";

namespace {
/// A phase of a target, and the dialect of the module compiled for it.
struct Place {
  const char *target;
  bool isTransformer;
  Phase phase;

  const char *source() const { return isTransformer ? kTransformer : kStableHLO; }
  /// The operation that goes wrong, and the one that must not be in the smallest failing part.
  const char *wrong() const {
    return isTransformer ? "transformer.layer_norm" : "stablehlo.subtract";
  }
  const char *sound() const {
    return isTransformer ? "transformer.activation" : "stablehlo.multiply";
  }
};
} // namespace

template <typename From, typename To> static void replace(mlir::ModuleOp module) {
  module.walk([](From op) {
    mlir::OpBuilder builder(op);
    auto wrong = To::create(builder, op.getLoc(), op->getResult(0).getType(), op->getOperand(0),
                            op->getOperand(1));
    op->getResult(0).replaceAllUsesWith(wrong->getResult(0));
    op->erase();
  });
}

/// Subtractions become additions, whatever the level; a layer norm, which has one inside, gets
/// another epsilon.
static void plant(mlir::ModuleOp module) {
  module.walk([](transformer::LayerNormOp op) { op.setEpsilon(llvm::APFloat(1.0F)); });
  replace<stablehlo::SubtractOp, stablehlo::AddOp>(module);
  replace<mlir::arith::SubFOp, mlir::arith::AddFOp>(module);
  replace<mlir::LLVM::FSubOp, mlir::LLVM::FAddOp>(module);
}

static mlir::LogicalResult runPhases(mlir::ModuleOp module, const std::string &target, Phase to) {
  PipelineOptions options;
  options.target = *Target::parse(target);
  options.to = to;
  mlir::PassManager pm(module.getContext());
  buildPipeline(pm, options);
  return pm.run(module);
}

/// Compiles with the error planted after a phase, if that is among the phases run.
static Executor plantedAfter(const Place &place) {
  return [place](mlir::ModuleOp module, llvm::StringRef function, llvm::StringRef name,
                 const std::vector<HostTensor> &inputs) -> Result<std::vector<HostTensor>> {
    Phase last = name.empty() ? lastPhase : *parsePhase(name);
    CompileOptions options;
    options.target = place.target;
    options.function = function.str();
    Result<FunctionSignature> signature = signatureOf(module, function);
    if (!signature)
      return signature.error();
    options.signature = *signature;
    if (last >= place.phase) {
      if (failed(runPhases(module, place.target, place.phase)))
        return Error{"phases failed"};
      plant(module);
      options.from = place.phase;
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

class Planted : public testing::TestWithParam<Place> {};

TEST_P(Planted, IsNamed) {
  Place place = GetParam();
  TestModule module(place.source());
  Result<ScratchFolder> folder = ScratchFolder::create("forge-planted");
  ASSERT_TRUE(folder) << folder.error().message;
  VerifyOptions options;
  options.target = place.target;
  options.eachStage = true;
  options.reproducerDir = folder->path();
  options.executor = plantedAfter(place);
  auto report = verify(module.get(), options);
  ASSERT_TRUE(succeeded(report)) << module.messages;
  EXPECT_EQ(report->firstDiffering, phaseName(place.phase).str())
      << describe(*report) << module.messages;
  for (const StageReport &stage : report->stages)
    EXPECT_EQ(stage.error, "");
  // The difference alone is cut out, and written with what it was computed from.
  auto written = llvm::MemoryBuffer::getFile(report->reproducer);
  ASSERT_TRUE(static_cast<bool>(written)) << report->reproducer;
  TestModule smallest((*written)->getBuffer());
  EXPECT_TRUE(smallest.function()) << (*written)->getBuffer().str();
  EXPECT_TRUE((*written)->getBuffer().contains(place.wrong()));
  EXPECT_FALSE((*written)->getBuffer().contains(place.sound()));
  for (const char *file : {"/in0.npy", "/in1.npy", "/expected0.npy"})
    EXPECT_TRUE(llvm::sys::fs::exists(folder->path() + "/1" + file)) << file;
}

/// Every phase that leaves something of its own: all but import.
static std::vector<Place> allPlaces() {
  std::vector<Place> places;
  for (const char *target : {"cpu", "sim:sm_90a", "sim:gfx942"})
    for (Phase phase : targetPhases(*Target::parse(target)))
      for (bool isTransformer : {false, true})
        if (phase != Phase::Import)
          places.push_back({target, isTransformer, phase});
  return places;
}

INSTANTIATE_TEST_SUITE_P(Phases, Planted, testing::ValuesIn(allPlaces()), [](const auto &info) {
  llvm::StringRef chip = llvm::StringRef(info.param.target).split(':').second;
  return (chip.empty() ? "cpu" : chip.str()) +
         (info.param.isTransformer ? "_transformer_" : "_stablehlo_") +
         phaseName(info.param.phase).str();
});
