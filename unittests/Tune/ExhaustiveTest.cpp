// The search on the schedules that kernels really have, with costs that are written down, beside
// trying all of them.
#include "TestModule.h"

#include "forge/Codegen/Alternatives.h"
#include "forge/Codegen/Explain.h"
#include "forge/Execution/Lowering.h"
#include "forge/Tune/Search.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace forge;

namespace {

struct Example {
  const char *name, *text;
};

class Exhaustive : public ::testing::TestWithParam<Example> {
protected:
  Exhaustive() : test(GetParam().text), chip(*Target::parse("sim:sm_90a")->chip) {
    CompileOptions options;
    options.target = "sim:sm_90a";
    Result<void> lowered = lowerTo(test.get(), options, Phase::Kernels);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    std::vector<KernelExplanation> kernels = explainKernels(test.get(), chip, {});
    EXPECT_EQ(kernels.size(), 1u);
    kernel = test.function(kernels.front().name);
    for (const Offer &offer : kernels.front().offers)
      if (offer)
        starts.push_back(offer.schedule);
  }

  /// Each schedule that steps lead to.
  llvm::SetVector<ScheduleAttr> allSchedules() {
    llvm::SetVector<ScheduleAttr> all(starts.begin(), starts.end());
    for (size_t i = 0; i < all.size(); ++i)
      for (ScheduleAttr neighbour : neighboursOf(kernel, all[i], chip))
        all.insert(neighbour);
    return all;
  }

  TestModule test;
  const GPUChip &chip;
  mlir::func::FuncOp kernel;
  std::vector<ScheduleAttr> starts;
};

/// A cost with its valley somewhere else for each `shape`: of every field how far it is from a size
/// of that shape, with 1 % of noise; another one for each strategy.
double costOf(ScheduleAttr schedule, unsigned shape) {
  double cost = 10 + double((schedule.strategy().size() + shape) % 3);
  for (mlir::NamedAttribute field : schedule.getFields()) {
    std::optional<int64_t> size = schedule.findSize(field.getName());
    if (!size || field.getName() == "min_macs")
      continue;
    double wanted = 1 + double((field.getName().size() * 7 + shape * 3) % 8);
    cost += std::pow(std::log2(double(*size) + 1) - wanted, 2);
  }
  uint64_t noise = llvm::xxh3_64bits(schedule.describe() + std::to_string(shape));
  return cost * (1 + 0.01 * double(noise % 1000) / 1000);
}

/// From nine of ten random schedules the search ends within 3 % of the best of all.
TEST_P(Exhaustive, TenRandomStarts) {
  const llvm::SetVector<ScheduleAttr> all = allSchedules();
  EXPECT_GT(all.size(), 10u);
  size_t tried = 0;
  int missed = 0;
  for (unsigned shape = 0; shape < 10; ++shape) {
    double best = costOf(all.front(), shape);
    for (ScheduleAttr schedule : all)
      best = std::min(best, costOf(schedule, shape));
    SearchSpace space;
    space.starts = {all[(shape * 7919) % all.size()]};
    llvm::append_range(space.starts, starts);
    space.neighbours = [&](ScheduleAttr at) { return neighboursOf(kernel, at, chip); };
    space.pairs = [&](ScheduleAttr at) { return pairNeighboursOf(kernel, at, chip); };
    SearchQuestions questions;
    questions.costs = [&](llvm::ArrayRef<ScheduleAttr> schedules) {
      std::vector<std::optional<double>> costs;
      for (ScheduleAttr schedule : schedules)
        costs.push_back(costOf(schedule, shape));
      return costs;
    };
    questions.isRight = [](ScheduleAttr) { return true; };
    questions.isOver = [] { return false; };
    SearchResult found = searchSchedules(space, questions, {.seed = shape});
    if (*found.bestCost > 1.03 * best) {
      ++missed;
      std::printf("%s %u: %s, %.3g of the best\n", GetParam().name, shape,
                  found.best.describe().c_str(), *found.bestCost / best);
    }
    tried += found.tried.size();
  }
  // Where three fields have to change at once it may miss it.
  EXPECT_LE(missed, 1);
  EXPECT_LT(tried / 10, all.size());
  std::printf("%s: %zu schedules, %zu tried\n", GetParam().name, all.size(), tried / 10);
}

/// A loop over the row is one step from accesses that a thread has at once, and back.
TEST_P(Exhaustive, LoopsOverRowsAreOneStepAway) {
  size_t loops = 0, pairs = 0;
  for (ScheduleAttr schedule : allSchedules()) {
    std::optional<int64_t> loads = schedule.findSize("loads");
    loops += loads == 0;
    if (!loads || *loads == 0)
      continue;
    mlir::NamedAttrList fields(schedule.getFields());
    fields.set("loads", mlir::Builder(schedule.getContext()).getI64IntegerAttr(0));
    auto loop =
        ScheduleAttr::get(schedule.getContext(), fields.getDictionary(schedule.getContext()));
    llvm::SmallVector<ScheduleAttr> from = neighboursOf(kernel, schedule, chip);
    if (!llvm::is_contained(from, loop))
      continue;
    llvm::SmallVector<ScheduleAttr> back = neighboursOf(kernel, loop, chip);
    EXPECT_TRUE(llvm::is_contained(back, schedule)) << schedule.describe();
    ++pairs;
  }
  EXPECT_EQ(pairs > 0, loops > 0);
}

/// Legal ones, with two other fields each.
TEST_P(Exhaustive, PairsChangeTwoFields) {
  size_t pairs = 0;
  for (ScheduleAttr start : starts)
    for (ScheduleAttr pair : pairNeighboursOf(kernel, start, chip)) {
      ++pairs;
      size_t others = llvm::count_if(pair.getFields(), [&](mlir::NamedAttribute field) {
        return start.getFields().get(field.getName()) != field.getValue();
      });
      EXPECT_EQ(others, 2u) << pair.describe() << " of " << start.describe();
      EXPECT_TRUE(succeeded(verifyKernelSchedule(kernel, pair, chip))) << pair.describe();
    }
  EXPECT_GT(pairs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Exhaustive,
                         ::testing::Values(Example{"Softmax", R"(
func.func @main(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<64x4096xbf16>
  return %0 : tensor<64x4096xbf16>
})"},
                                           Example{"Elementwise", R"(
func.func @main(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %0 = stablehlo.tanh %x : tensor<64x4096xf32>
  return %0 : tensor<64x4096xf32>
})"},
                                           Example{"Product", R"(
func.func @main(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %0 : tensor<512x512xbf16>
})"},
                                           Example{"ProductOfARow", R"(
func.func @main(%x: tensor<1x4096xbf16>, %w: tensor<1024x4096xbf16>) -> tensor<1x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x4096xbf16>, tensor<1024x4096xbf16>) -> tensor<1x1024xbf16>
  return %0 : tensor<1x1024xbf16>
})"},
                                           Example{"AttentionOfARow", R"(
func.func @main(%q: tensor<1x8x1x64xbf16>, %k: tensor<1x8x1024x64xbf16>, %v: tensor<1x8x1024x64xbf16>) -> tensor<1x8x1x64xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x8x1x64xbf16>, tensor<1x8x1024x64xbf16>, tensor<1x8x1024x64xbf16>) -> tensor<1x8x1x64xbf16>
  return %0 : tensor<1x8x1x64xbf16>
})"}),
                         [](const auto &example) { return example.param.name; });

} // namespace
