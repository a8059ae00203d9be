// Products of every order of dimensions: none large enough falls to strategy "generic" for where
// its operands are in memory.
#include "forge/Codegen/Strategy.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

using namespace forge;

namespace {

/// "bmk,bkn->bmn": a letter for each dimension, and the size of each letter.
struct Einsum {
  std::string left, right, out;
  std::map<char, int64_t> sizes;
  std::string type = "bf16";
  /// Elements before the part of the last dimension of the left factor that is read, of as many
  /// again behind; 0: all of it is.
  int64_t sliced = 0;

  std::string name() const {
    return left + "," + right + "->" + out + " " + type + (sliced ? " sliced" : "");
  }
};

std::string tensorOf(const Einsum &einsum, const std::string &letters, int64_t extra = 0) {
  std::string text = "tensor<";
  for (size_t at = 0; at < letters.size(); ++at)
    text +=
        std::to_string(einsum.sizes.at(letters[at]) + (at + 1 == letters.size() ? extra : 0)) + "x";
  return text + einsum.type + ">";
}

bool has(const std::string &letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return "[" + text + "]";
}

/// What jax.numpy.einsum writes: a product as [batch, rows, columns], and a transposition.
std::string functionOf(const Einsum &einsum, const std::string &name) {
  std::vector<std::string> batch[2], terms[2];
  std::string natural, rows, columns;
  for (size_t at = 0; at < einsum.left.size(); ++at) {
    char letter = einsum.left[at];
    if (!has(einsum.right, letter)) {
      rows += letter;
      continue;
    }
    auto *lists = has(einsum.out, letter) ? batch : terms;
    lists[0].push_back(std::to_string(at));
    lists[1].push_back(std::to_string(einsum.right.find(letter)));
    if (has(einsum.out, letter))
      natural += letter;
  }
  for (char letter : einsum.right)
    if (!has(einsum.left, letter))
      columns += letter;
  natural += rows + columns;
  std::vector<std::string> order;
  for (char letter : einsum.out)
    order.push_back(std::to_string(natural.find(letter)));
  std::string whole = tensorOf(einsum, einsum.left, 2 * einsum.sliced);
  std::string left = tensorOf(einsum, einsum.left), right = tensorOf(einsum, einsum.right);
  std::string sums = tensorOf(einsum, natural), out = tensorOf(einsum, einsum.out);
  std::string text =
      "func.func @" + name + "(%x: " + whole + ", %w: " + right + ") -> " + out + " {\n";
  std::string factor = "%x";
  if (einsum.sliced) {
    std::vector<std::string> ranges;
    for (size_t at = 0; at < einsum.left.size(); ++at) {
      int64_t size = einsum.sizes.at(einsum.left[at]);
      int64_t from = at + 1 == einsum.left.size() ? einsum.sliced : 0;
      ranges.push_back(std::to_string(from) + ":" + std::to_string(from + size));
    }
    text += "  %s = stablehlo.slice %x " + join(ranges) + " : (" + whole + ") -> " + left + "\n";
    factor = "%s";
  }
  text += "  %p = stablehlo.dot_general " + factor + ", %w, ";
  if (!batch[0].empty())
    text += "batching_dims = " + join(batch[0]) + " x " + join(batch[1]) + ", ";
  text += "contracting_dims = " + join(terms[0]) + " x " + join(terms[1]) + " : (" + left + ", " +
          right + ") -> " + sums + "\n  %y = stablehlo.transpose %p, dims = " + join(order) +
          " : (" + sums + ") -> " + out + "\n  return %y : " + out + "\n}\n";
  return text;
}

/// Compiles the product to kernels, and says by which strategies its contractions are computed.
std::vector<std::string> strategiesOf(const Einsum &einsum, Tier tier, const char *target) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string text = functionOf(einsum, "main");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  if (!module)
    return {};
  PipelineOptions options;
  options.target = *Target::parse(target);
  options.tier = tier;
  options.to = Phase::Kernels;
  mlir::PassManager pm(&context);
  buildPipeline(pm, options);
  EXPECT_TRUE(mlir::succeeded(pm.run(*module))) << text;
  std::vector<std::string> found;
  module->walk([&](mlir::func::FuncOp kernel) {
    bool hasProduct = false;
    kernel.walk([&](mlir::linalg::LinalgOp op) {
      hasProduct |= op.getNumReductionLoops() > 0 && op.getNumDpsInputs() == 2;
    });
    ScheduleAttr schedule = getSchedule(kernel);
    if (hasProduct && schedule)
      found.push_back(schedule.strategy().str());
  });
  return found;
}

void expectNotGeneric(const Einsum &einsum, std::initializer_list<Tier> tiers,
                      const char *target = "cuda:sm_90a") {
  for (Tier tier : tiers) {
    std::vector<std::string> strategies = strategiesOf(einsum, tier, target);
    EXPECT_EQ(strategies.size(), 1u) << einsum.name();
    for (const std::string &strategy : strategies)
      EXPECT_NE(strategy, "generic")
          << einsum.name() << " in tier " << (tier == Tier::Hybrid ? "hybrid" : "optimized");
  }
}

void forOrders(std::string letters, const std::function<void(const std::string &)> &body) {
  std::sort(letters.begin(), letters.end());
  do
    body(letters);
  while (std::next_permutation(letters.begin(), letters.end()));
}

void forOrders(const Einsum &einsum, const std::function<void(const Einsum &)> &body) {
  forOrders(einsum.left, [&](const std::string &left) {
    forOrders(einsum.right, [&](const std::string &right) {
      forOrders(einsum.out, [&](const std::string &out) {
        Einsum ordered = einsum;
        ordered.left = left;
        ordered.right = right;
        ordered.out = out;
        body(ordered);
      });
    });
  });
}

TEST(ProductLayoutsTest, EveryOrderOfABatch) {
  Einsum einsum{"bmk", "bkn", "bmn", {{'b', 8}, {'m', 72}, {'k', 64}, {'n', 80}}};
  forOrders(einsum, [](const Einsum &ordered) {
    expectNotGeneric(ordered, {Tier::Hybrid, Tier::Optimized});
  });
}

TEST(ProductLayoutsTest, EveryOrderWithoutABatch) {
  Einsum einsum{"mk", "kn", "mn", {{'m', 128}, {'k', 136}, {'n', 80}}};
  forOrders(einsum, [](const Einsum &ordered) {
    expectNotGeneric(ordered, {Tier::Hybrid, Tier::Optimized});
  });
}

TEST(ProductLayoutsTest, EveryOrderOfASlice) {
  Einsum einsum{"bmk", "bkn", "bmn", {{'b', 8}, {'m', 72}, {'k', 64}, {'n', 80}}};
  einsum.sliced = 8;
  forOrders(einsum, [](const Einsum &ordered) {
    expectNotGeneric(ordered, {Tier::Hybrid, Tier::Optimized});
  });
  // A slice that begins at no multiple of 16 bytes.
  einsum.sliced = 3;
  expectNotGeneric(einsum, {Tier::Hybrid, Tier::Optimized});
}

TEST(ProductLayoutsTest, TwoSumsAndHeads) {
  // A layer behind attention, and attention with heads inside, grouped, in both orders.
  std::map<char, int64_t> sizes{{'b', 2},  {'t', 64}, {'s', 72}, {'h', 4}, {'g', 2},
                                {'d', 64}, {'o', 72}, {'e', 16}, {'f', 80}};
  for (const char *text :
       {"bthd,hdo->bto", "bhtd,hdo->bto", "bthd,dho->bto", "bhtd,ohd->bto", "bthd,bshd->bhts",
        "bthgd,bshd->bhgts", "bhgts,bshd->bthgd", "bhgtd,bhsd->bhgts", "bhts,bhsd->bthd",
        "tbhd,sbhd->bhts", "thbd,shbd->hbts", "ted,edf->tef", "btd,dhe->bhte", "btd,dhe->bthe",
        "tde,edf->fte", "btd,bte->de", "thd,the->hde"}) {
    std::string all = text;
    size_t comma = all.find(','), arrow = all.find("->");
    Einsum einsum{all.substr(0, comma), all.substr(comma + 1, arrow - comma - 1),
                  all.substr(arrow + 2), sizes};
    // Enough multiplications, whatever the letters are.
    einsum.sizes['t'] = has(all, 'e') ? 512 : 128;
    einsum.sizes['s'] = 136;
    expectNotGeneric(einsum, {Tier::Hybrid, Tier::Optimized});
  }
}

TEST(ProductLayoutsTest, UnitDimensions) {
  Einsum einsum{"bmuk", "kbn", "ubmn", {{'b', 8}, {'m', 72}, {'u', 1}, {'k', 64}, {'n', 80}}};
  forOrders(einsum.left, [&](const std::string &left) {
    Einsum ordered = einsum;
    ordered.left = left;
    expectNotGeneric(ordered, {Tier::Hybrid, Tier::Optimized});
  });
}

TEST(ProductLayoutsTest, OtherTypesAndChipsByTheLibrary) {
  Einsum einsum{"bmk", "bkn", "bmn", {{'b', 8}, {'m', 72}, {'k', 64}, {'n', 80}}};
  einsum.type = "f32";
  forOrders(einsum, [](const Einsum &ordered) { expectNotGeneric(ordered, {Tier::Hybrid}); });
  einsum.type = "bf16";
  forOrders(einsum,
            [](const Einsum &ordered) { expectNotGeneric(ordered, {Tier::Hybrid}, "hip:gfx942"); });
}

TEST(ProductLayoutsTest, SmallProductsStay) {
  // 2^20 multiplications less some: copying would not pay.
  Einsum einsum{"mkb", "knb", "mnb", {{'b', 4}, {'m', 64}, {'k', 64}, {'n', 56}}};
  std::vector<std::string> strategies = strategiesOf(einsum, Tier::Hybrid, "cuda:sm_90a");
  ASSERT_EQ(strategies.size(), 1u);
  EXPECT_EQ(strategies.front(), "generic");
}

} // namespace
