// Whatever legal schedule a plan gives a kernel, it computes what the reference says.
#include "TestModule.h"

#include "forge/Codegen/Explain.h"
#include "forge/Codegen/SameBits.h"
#include "forge/Execution/Executable.h"
#include "forge/Execution/Lowering.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Verify.h"

#include "mlir/IR/Builders.h"

#include <cstring>

using namespace forge;

namespace {

struct Example {
  const char *name;
  /// Of the simulator.
  const char *chip;
  const char *text;
};

constexpr const char *kSoftmax = R"(
func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<6x300xf32>
  return %0 : tensor<6x300xf32>
})";
constexpr const char *kElementwise = R"(
func.func @main(%x: tensor<6x320xf32>) -> tensor<6x320xf32> {
  %0 = stablehlo.tanh %x : tensor<6x320xf32>
  %1 = stablehlo.multiply %0, %x : tensor<6x320xf32>
  return %1 : tensor<6x320xf32>
})";
constexpr const char *kProduct = R"(
func.func @main(%x: tensor<72x96xbf16>, %w: tensor<96x80xbf16>) -> tensor<72x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<72x96xbf16>, tensor<96x80xbf16>) -> tensor<72x80xbf16>
  return %0 : tensor<72x80xbf16>
})";
constexpr const char *kProductOfARow = R"(
func.func @main(%x: tensor<2x256xbf16>, %w: tensor<80x256xbf16>) -> tensor<2x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x256xbf16>, tensor<80x256xbf16>) -> tensor<2x80xbf16>
  return %0 : tensor<2x80xbf16>
})";

constexpr const char *kAttention = R"(
func.func @main(%q: tensor<1x2x72x64xbf16>, %k: tensor<1x2x130x64xbf16>, %v: tensor<1x2x130x64xbf16>) -> tensor<1x2x72x64xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x2x72x64xbf16>, tensor<1x2x130x64xbf16>, tensor<1x2x130x64xbf16>) -> tensor<1x2x72x64xbf16>
  return %0 : tensor<1x2x72x64xbf16>
})";
constexpr const char *kAttentionOfARow = R"(
func.func @main(%q: tensor<1x2x1x64xbf16>, %k: tensor<1x2x130x64xbf16>, %v: tensor<1x2x130x64xbf16>) -> tensor<1x2x1x64xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x2x1x64xbf16>, tensor<1x2x130x64xbf16>, tensor<1x2x130x64xbf16>) -> tensor<1x2x1x64xbf16>
  return %0 : tensor<1x2x1x64xbf16>
})";

class Alternatives : public ::testing::TestWithParam<Example> {};

/// The kernels of a module with their alternatives.
std::vector<KernelExplanation> kernelsOf(mlir::ModuleOp module, const Target &target) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  CompileOptions options;
  options.target = target.text();
  Result<void> lowered = lowerTo(*copy, options, Phase::Kernels);
  EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
  return explainKernels(*copy, *target.chip, {.alternatives = true});
}

/// A plan of one schedule.
mlir::DictionaryAttr planOf(llvm::StringRef chip, llvm::StringRef hash, ScheduleAttr schedule) {
  mlir::Builder b(schedule.getContext());
  auto place = mlir::FileLineColLoc::get(schedule.getContext(), "plan", 1, 1);
  mlir::Attribute entry =
      b.getDictionaryAttr({b.getNamedAttr("place", place), b.getNamedAttr("schedule", schedule)});
  mlir::Attribute kernels = b.getDictionaryAttr(b.getNamedAttr(hash, entry));
  return b.getDictionaryAttr(b.getNamedAttr(chip, kernels));
}

TEST_P(Alternatives, AgreeWithTheReference) {
  TestModule test(GetParam().text);
  Target target = *Target::parse(std::string("sim:") + GetParam().chip);
  int tried = 0;
  for (const KernelExplanation &kernel : kernelsOf(test.get(), target))
    for (ScheduleAttr schedule : kernel.alternatives) {
      test.get()->setDiscardableAttr(kPlanAttr, planOf(target.chip->name, kernel.hash, schedule));
      VerifyOptions options;
      options.target = target.text();
      mlir::FailureOr<VerifyReport> report = verify(test.get(), options);
      ASSERT_TRUE(succeeded(report));
      EXPECT_TRUE(report->agree()) << schedule.describe() << "\n" << describe(*report);
      // No warning of a plan that is not used.
      EXPECT_EQ(test.messages, "") << schedule.describe();
      ++tried;
    }
  // Another strategy, and neighbours.
  EXPECT_GT(tried, 2);
}

/// Results where one kernel has `schedule`, and others those by default.
std::vector<HostTensor> resultsOf(TestModule &test, const Target &target,
                                  const KernelExplanation &kernel, ScheduleAttr schedule,
                                  const std::vector<HostTensor> &inputs) {
  test.get()->setDiscardableAttr(kPlanAttr, planOf(target.chip->name, kernel.hash, schedule));
  CompileOptions options;
  options.target = target.text();
  Result<Executable> compiled = Executable::compile(test.get(), options);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message);
  if (!compiled)
    return {};
  Result<RunResult> run = compiled->run(inputs);
  EXPECT_TRUE(run) << (run ? "" : run.error().message);
  return run ? std::move(run->results) : std::vector<HostTensor>();
}

bool haveSameBits(const std::vector<HostTensor> &a, const std::vector<HostTensor> &b) {
  return llvm::equal(a, b, [](const HostTensor &x, const HostTensor &y) {
    return x.numBytes() == y.numBytes() && std::memcmp(x.data(), y.data(), x.numBytes()) == 0;
  });
}

/// Where two schedules are said to give the same bits they do.
TEST_P(Alternatives, KeepBitsWhereTheySaySo) {
  TestModule test(GetParam().text);
  Target target = *Target::parse(std::string("sim:") + GetParam().chip);
  mlir::OwningOpRef<mlir::ModuleOp> lowered(test.get().clone());
  CompileOptions options;
  options.target = target.text();
  ASSERT_TRUE(lowerTo(*lowered, options, Phase::Kernels));
  mlir::FailureOr<std::vector<HostTensor>> inputs = makeInputs(test.function(), {.seed = 3});
  ASSERT_TRUE(succeeded(inputs));
  std::vector<KernelExplanation> kernels =
      explainKernels(*lowered, *target.chip, {.alternatives = true});
  int compared = 0;
  size_t numClasses = 0;
  for (const KernelExplanation &explanation : kernels) {
    auto kernel = lowered->lookupSymbol<mlir::func::FuncOp>(explanation.name);
    // One schedule of each class, with its results.
    std::vector<std::pair<ScheduleAttr, std::vector<HostTensor>>> classes;
    std::vector<ScheduleAttr> schedules = {explanation.schedule};
    llvm::append_range(schedules, explanation.alternatives);
    for (ScheduleAttr schedule : schedules) {
      std::vector<HostTensor> results = resultsOf(test, target, explanation, schedule, *inputs);
      bool isKnown = false;
      for (const auto &[other, expected] : classes)
        if (!whyOtherBits(kernel, schedule, other)) {
          isKnown = true;
          ++compared;
          EXPECT_TRUE(haveSameBits(results, expected))
              << schedule.describe() << " gives other bits than " << other.describe();
        }
      if (!isKnown)
        classes.emplace_back(schedule, std::move(results));
    }
    numClasses += classes.size();
  }
  EXPECT_GT(compared, 0);
  // Not all are said to be the same: there are several strategies.
  EXPECT_GT(numClasses, kernels.size());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Alternatives,
    ::testing::Values(Example{"SoftmaxOnSm90a", "sm_90a", kSoftmax},
                      Example{"SoftmaxOnGfx942", "gfx942", kSoftmax},
                      Example{"ElementwiseOnSm90a", "sm_90a", kElementwise},
                      Example{"ElementwiseOnGfx942", "gfx942", kElementwise},
                      Example{"ProductOnSm90a", "sm_90a", kProduct},
                      Example{"ProductOnSm80", "sm_80", kProduct},
                      Example{"ProductOnGfx942", "gfx942", kProduct},
                      Example{"ProductOfARowOnSm90a", "sm_90a", kProductOfARow},
                      Example{"AttentionOnSm90a", "sm_90a", kAttention},
                      Example{"AttentionOfARowOnSm90a", "sm_90a", kAttentionOfARow},
                      Example{"AttentionOfARowOnGfx942", "gfx942", kAttentionOfARow}),
    [](const auto &example) { return example.param.name; });

} // namespace
