// Which kernels of gradients of attention strategy flash_backward takes, and why not others.
#include "../../../lib/Codegen/FlashBackward/BackwardStrategy.h"

#include "../ParsedFunction.h"

#include "forge/Codegen/TargetInfo.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

/// 1. Scores of 4 heads of 128 rows and 256 keys, and the gradients of their weights.
/// 2. The weights, rounded to f16, and the scores' gradients.
/// 3. What `sums` makes of these.
std::string textOf(StringRef sums) {
  return R"(
#row = affine_map<(h, m, t, d) -> (h, m, d)>
#key = affine_map<(h, m, t, d) -> (h, t, d)>
#out = affine_map<(h, m, t, d) -> (h, m, t)>
#e = affine_map<(h, m, t) -> (h, m, t)>
#r = affine_map<(h, m, t) -> (h, m)>
#number = affine_map<(h, i, d, s) -> (h, i, s)>
#turned = affine_map<(h, i, d, s) -> (h, s, i)>
#factor = affine_map<(h, i, d, s) -> (h, s, d)>
#sum = affine_map<(h, i, d, s) -> (h, i, d)>
!Q = tensor<4x128x64xf16>
!K = tensor<4x256x64xf16>
!S = tensor<4x128x256xf32>
!H = tensor<4x128x256xf16>
!R = tensor<4x128xf32>
func.func @f(%q: !Q, %k: !K, %v: !K, %do: !Q, %lse: !R, %delta: !R, %se: !S, %he: !H,
    %qe: tensor<4x128x64xf32>, %ke: tensor<4x256x64xf32>, %wide: tensor<4x256x64xf32>,
    %mine: tensor<4x128x256x64xf16>, %re: !R) -> (tensor<4x128x64xf32>, tensor<4x256x64xf32>, tensor<4x256x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant 0.125 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%se : !S) -> !S
  %scores = linalg.generic {indexing_maps = [#row, #key, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !Q, !K) outs(%s0 : !S) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> !S
  %dp = linalg.generic {indexing_maps = [#row, #key, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%do, %v : !Q, !K) outs(%s0 : !S) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> !S
  %p = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %lse : !S, !R) outs(%se : !S) {
  ^bb0(%s: f32, %l: f32, %u: f32):
    %logit = arith.mulf %s, %eighth : f32
    %below = arith.subf %logit, %l : f32
    %n = math.exp %below : f32
    linalg.yield %n : f32
  } -> !S
  %ph = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : !S) outs(%he : !H) {
  ^bb0(%w: f32, %u: f16):
    %n = arith.truncf %w : f32 to f16
    linalg.yield %n : f16
  } -> !H
  %ds = linalg.generic {indexing_maps = [#e, #e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %dp, %delta : !S, !S, !R) outs(%he : !H) {
  ^bb0(%w: f32, %g: f32, %l: f32, %u: f16):
    %above = arith.subf %g, %l : f32
    %x = arith.mulf %w, %above : f32
    %y = arith.mulf %x, %eighth : f32
    %n = arith.truncf %y : f32 to f16
    linalg.yield %n : f16
  } -> !H
  %q0 = linalg.fill ins(%zero : f32) outs(%qe : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %k0 = linalg.fill ins(%zero : f32) outs(%ke : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
)" + sums.str() +
         "}\n";
}

std::string sum(StringRef name, StringRef map, StringRef number, StringRef factor, StringRef type,
                StringRef start, StringRef result) {
  return ("  %" + name + " = linalg.generic {indexing_maps = [" + map +
          ", #factor, #sum], iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
          "\"reduction\"]}\n      ins(%" +
          number + ", %" + factor + " : !H, " + type + ") outs(%" + start + " : " + result +
          R"() {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %n = arith.addf %c, %m : f32
    linalg.yield %n : f32
  } -> )" +
          result + "\n")
      .str();
}

constexpr const char *kOfRows = "tensor<4x128x64xf32>", *kOfKeys = "tensor<4x256x64xf32>";

std::string sumsOverKeys() {
  return sum("dq", "#number", "ds", "k", "!K", "q0", kOfRows) +
         "  return %dq, %wide, %wide : tensor<4x128x64xf32>, tensor<4x256x64xf32>, "
         "tensor<4x256x64xf32>\n";
}

std::string sumsOverRows() {
  return sum("dv", "#turned", "ph", "do", "!Q", "k0", kOfKeys) +
         sum("dk", "#turned", "ds", "q", "!Q", "k0", kOfKeys) +
         "  return %qe, %dk, %dv : tensor<4x128x64xf32>, tensor<4x256x64xf32>, "
         "tensor<4x256x64xf32>\n";
}

/// "taken", or why not, for the operations of `text` in which each of these is replaced.
std::string describe(std::string text, ArrayRef<std::pair<const char *, const char *>> changes,
                     const char *chip) {
  for (auto [from, to] : changes) {
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    for (; at != std::string::npos; at = text.find(from, at + StringRef(to).size()))
      text.replace(at, StringRef(from).size(), to);
  }
  ParsedFunction parsed(text);
  if (!parsed.messages.empty())
    return parsed.messages;
  SmallVector<Operation *> ops;
  Block &body = parsed.function().getBody().front();
  // What only other sums need would be a result, which matrices of weights cannot be.
  auto all = llvm::map_to_vector(body.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty())
      op->erase();
  for (Operation &op : body)
    if (isa<linalg::LinalgOp>(op))
      ops.push_back(&op);
  std::string why = "taken";
  bool isTaken =
      isFlashBackward(ops, *findChip(chip), [&](const Twine &reason) { why = reason.str(); });
  EXPECT_EQ(isTaken, why == "taken");
  return why;
}

struct MatchCase {
  const char *name;
  std::vector<std::pair<const char *, const char *>> changes;
  const char *expected;
  const char *chip = "sm_90a";
};
void PrintTo(const MatchCase &each, std::ostream *os) { *os << each.name; }

class FlashBackwardMatchTest : public testing::TestWithParam<MatchCase> {
protected:
  std::string describe(const std::string &sums) {
    return ::describe(textOf(sums), GetParam().changes, GetParam().chip);
  }
};
class OverKeysTest : public FlashBackwardMatchTest {};
class OverRowsTest : public FlashBackwardMatchTest {};

TEST_P(OverKeysTest, IsTakenOrSaysWhyNot) {
  EXPECT_EQ(describe(sumsOverKeys()), GetParam().expected);
}
TEST_P(OverRowsTest, IsTakenOrSaysWhyNot) {
  EXPECT_EQ(describe(sumsOverRows()), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, OverKeysTest,
    testing::Values(
        MatchCase{"plain", {}, "taken"},
        MatchCase{"ofOtherDepth", {{"x64xf16", "x40xf16"}, {"x64xf32", "x40xf32"}}, "taken"},
        MatchCase{"ofWideDepth", {{"x64xf16", "x256xf16"}, {"x64xf32", "x256xf32"}}, "taken"},
        // A number of the row that the operations compute themselves.
        MatchCase{
            "ofScaledLse",
            {{"%below = arith.subf %logit, %l : f32",
              "%half = arith.mulf %l, %eighth : f32\n%below = arith.subf %logit, %half : f32"}},
            "taken"},
        MatchCase{"onAnotherChip", {}, "it needs a chip with products of warpgroups", "gfx942"},
        MatchCase{"ofTooWideDepth",
                  {{"x64xf16", "x320xf16"}, {"x64xf32", "x320xf32"}},
                  "it needs depth and columns that fit into registers and shared memory"},
        MatchCase{"ofOddDepth",
                  {{"x64xf16", "x36xf16"}, {"x64xf32", "x36xf32"}},
                  "it needs factors that begin at multiples of 16 bytes, at strides of multiples "
                  "of 16 bytes, of five dimensions or fewer"},
        MatchCase{"withoutWeights",
                  {{"%n = math.exp %below : f32", "%n = math.tanh %below : f32"}},
                  "it needs weights that are exponentials of scores less a number of their row"},
        MatchCase{"ofBaseOfKeys",
                  {{"ins(%scores, %lse : !S, !R) outs(%se : !S) {\n  ^bb0(%s: f32, %l: f32,",
                    "ins(%scores, %scores : !S, !S) outs(%se : !S) {\n  ^bb0(%s: f32, %l: f32,"},
                   {"%p = linalg.generic {indexing_maps = [#e, #r, #e]",
                    "%p = linalg.generic {indexing_maps = [#e, #e, #e]"}},
                  "it needs weights that are exponentials of scores less a number of their row"},
        MatchCase{"ofTwoExponentials",
                  {{"%below = arith.subf %logit, %l : f32",
                    "%near = arith.subf %s, %l : f32\n%first = math.exp %near : f32\n"
                    "%logit2 = arith.addf %logit, %first : f32\n%below = arith.subf %logit2, %l : "
                    "f32"}},
                  "it needs one exponential"},
        MatchCase{"ofUnknownSize",
                  {{"4x128", "?x128"}, {"4x256", "?x256"}},
                  "it takes gradients of attention, but found axes of other than one known size"}),
    [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Kernels, OverRowsTest,
    testing::Values(
        MatchCase{"plain", {}, "taken"},
        MatchCase{"ofOtherDepth", {{"x64xf16", "x72xf16"}, {"x64xf32", "x72xf32"}}, "taken"},
        // Of both sums a thread would hold 256 numbers.
        MatchCase{"ofWideDepth",
                  {{"x64xf16", "x256xf16"}, {"x64xf32", "x256xf32"}},
                  "it needs depth and columns that fit into registers and shared memory"},
        MatchCase{"ofWeightsInF32",
                  {{"ins(%ph, %do : !H, !Q) outs(%k0 : tensor<4x256x64xf32>) {\n  ^bb0(%a: f16, "
                    "%b: f16, %c: f32):\n    %x = arith.extf %a : f16 to f32\n",
                    "ins(%p, %do : !S, !Q) outs(%k0 : tensor<4x256x64xf32>) {\n  ^bb0(%x: f32, "
                    "%b: f16, %c: f32):\n"}},
                  "it needs numbers that are rounded to the type of what they are multiplied by"},
        MatchCase{"ofBothSums",
                  {{"return %qe, %dk, %dv",
                    "%dq = linalg.generic {indexing_maps = [#number, #factor, #sum], "
                    "iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"reduction\"]}\n"
                    "ins(%ds, %k : !H, !K) outs(%q0 : tensor<4x128x64xf32>) {\n^bb0(%a: f16, %b: "
                    "f16, %c: f32):\n%x = arith.extf %a : f16 to f32\n%y = arith.extf %b : f16 to "
                    "f32\n%m = arith.mulf %x, %y : f32\n%n = arith.addf %c, %m : f32\n"
                    "linalg.yield %n : f32\n} -> tensor<4x128x64xf32>\nreturn %dq, %dk, %dv"}},
                  "it needs sums over keys alone, or over rows alone"}),
    [](const auto &info) { return info.param.name; });

} // namespace
