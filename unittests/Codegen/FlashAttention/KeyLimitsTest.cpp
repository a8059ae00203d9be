// Which keys a row sees, read from conditions on logits.
#include "../../../lib/Codegen/FlashAttention/KeyLimits.h"

#include "../ParsedFunction.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

/// Attention of 32 rows and 64 keys, whose logits are `logit` of the score %s, the row %m and the
/// key %t.
std::string textOf(StringRef logit) {
  std::string body = R"(
    %m = linalg.index 0 : index
    %t = linalg.index 1 : index
    %mi = arith.index_cast %m : index to i32
    %ti = arith.index_cast %t : index to i32
    %scaled = arith.mulf %s, %half : f32
)" + logit.str();
  return R"(
#q = affine_map<(m, t, d) -> (m, d)>
#k = affine_map<(m, t, d) -> (t, d)>
#s = affine_map<(m, t, d) -> (m, t)>
#e = affine_map<(m, t) -> (m, t)>
#r = affine_map<(m, t) -> (m)>
#p = affine_map<(m, c, t) -> (m, t)>
#v = affine_map<(m, c, t) -> (t, c)>
#o = affine_map<(m, c, t) -> (m, c)>
func.func @f(%q: tensor<32x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x64xf16>, %len: i32, %wide: i64,
    %se: tensor<32x64xf32>, %re: tensor<32xf32>, %oe: tensor<32x64xf32>, %he: tensor<32x64xf16>) -> tensor<32x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %far = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %i7 = arith.constant 7 : i32
  %true = arith.constant true
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<32x64xf32>) -> tensor<32x64xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<32x64xf16>, tensor<64x64xf16>) outs(%s0 : tensor<32x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<32x64xf32>
  %logits = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%scores : tensor<32x64xf32>) outs(%se : tensor<32x64xf32>) {
  ^bb0(%s: f32, %u: f32):
)" + body +
         R"(
    linalg.yield %logit : f32
  } -> tensor<32x64xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%re : tensor<32xf32>) -> tensor<32xf32>
  %largest = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "reduction"]}
      ins(%logits : tensor<32x64xf32>) outs(%m0 : tensor<32xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.maximumf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %exps = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel"]}
      ins(%logits, %largest : tensor<32x64xf32>, tensor<32xf32>) outs(%se : tensor<32x64xf32>) {
  ^bb0(%x: f32, %m: f32, %u: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<32x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<32xf32>) -> tensor<32xf32>
  %sums = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "reduction"]}
      ins(%exps : tensor<32x64xf32>) outs(%z0 : tensor<32xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %weights = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel"]}
      ins(%exps, %sums : tensor<32x64xf32>, tensor<32xf32>) outs(%he : tensor<32x64xf16>) {
  ^bb0(%x: f32, %z: f32, %u: f16):
    %w = arith.divf %x, %z : f32
    %r = arith.truncf %w : f32 to f16
    linalg.yield %r : f16
  } -> tensor<32x64xf16>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<32x64xf32>) -> tensor<32x64xf32>
  %out = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<32x64xf16>, tensor<64x64xf16>) outs(%o0 : tensor<32x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<32x64xf32>
  return %out : tensor<32x64xf32>
}
)";
}

/// "key <= 1 * row + -7 + 1 term" for each limit, the number of other conditions, and whether the
/// number that is left is the scaled score.
std::string describe(StringRef logit) {
  ParsedFunction parsed(textOf(logit));
  parsed.context.loadDialect<math::MathDialect>();
  SmallVector<Operation *> ops =
      llvm::map_to_vector(parsed.function().getBody().front(), [](Operation &op) { return &op; });
  std::string why;
  FailureOr<AttentionProgram> program = AttentionProgram::build(ops, why);
  if (failed(program))
    return "no attention: " + why;
  AttentionGraph::Place number{program->exponentials, program->logit};
  KeyConditions found = takeConditions(*program, /*rowAxis=*/0, number);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const KeyLimit &limit : found.limits) {
    os << "key " << (limit.isUpper ? "<=" : ">=") << " " << limit.perRow << " row + "
       << limit.constant;
    for (auto [place, factor] : limit.terms)
      os << " + " << factor << " x";
    os << "; ";
  }
  for (const KeyCondition &other : found.others)
    os << (other.expected ? "other" : "not other") << "; ";
  os << (isa_and_nonnull<arith::MulFOp>(number.value.getDefiningOp()) ? "score" : "more");
  return text;
}

struct LimitCase {
  const char *name, *logit, *expected;
};
void PrintTo(const LimitCase &each, std::ostream *os) { *os << each.name; }

class KeyLimitsTest : public testing::TestWithParam<LimitCase> {};

TEST_P(KeyLimitsTest, AreReadFromTheLogit) {
  EXPECT_EQ(describe(GetParam().logit), GetParam().expected);
}

#define CHOOSE "%logit = arith.select %c, %scaled, %lowest : f32"
#define CHOOSE_FAR "%logit = arith.select %c, %scaled, %far : f32"

INSTANTIATE_TEST_SUITE_P(
    Conditions, KeyLimitsTest,
    testing::Values(
        LimitCase{"none", "%logit = arith.addf %scaled, %zero : f32", "more"},
        LimitCase{"causal", "%c = arith.cmpi sge, %mi, %ti : i32\n" CHOOSE,
                  "key <= 1 row + 0; score"},
        LimitCase{"strict", "%c = arith.cmpi slt, %t, %m : index\n" CHOOSE,
                  "key <= 1 row + -1; score"},
        LimitCase{"natural", "%c = arith.cmpi ule, %t, %m : index\n" CHOOSE,
                  "key <= 1 row + 0; score"},
        LimitCase{"window",
                  "%d = arith.subi %mi, %ti : i32\n%c = arith.cmpi slt, %d, %i7 : i32\n" CHOOSE,
                  "key >= 1 row + -6; score"},
        LimitCase{"both",
                  "%d = arith.subi %m, %t : index\n%x = arith.cmpi sge, %d, %c0 : index\n"
                  "%y = arith.cmpi sle, %d, %c7 : index\n%c = arith.andi %x, %y : i1\n" CHOOSE,
                  "key <= 1 row + 0; key >= 1 row + -7; score"},
        LimitCase{"length",
                  "%n = arith.index_cast %len : i32 to index\n%c = arith.cmpi slt, %t, %n : "
                  "index\n" CHOOSE,
                  "key <= 0 row + -1 + 1 x; score"},
        LimitCase{"offset",
                  "%n = arith.index_cast %len : i32 to index\n%a = arith.addi %m, %n : index\n"
                  "%c = arith.cmpi sle, %t, %a : index\n" CHOOSE,
                  "key <= 1 row + 0 + 1 x; score"},
        // The other way round, and negated.
        LimitCase{"inverted",
                  "%c = arith.cmpi sgt, %ti, %mi : i32\n%logit = arith.select %c, %lowest, %scaled "
                  ": f32",
                  "key <= 1 row + 0; score"},
        LimitCase{"flipped",
                  "%d = arith.cmpi sgt, %ti, %mi : i32\n%c = arith.xori %d, %true : i1\n" CHOOSE,
                  "key <= 1 row + 0; score"},
        LimitCase{"neither",
                  "%x = arith.cmpi sgt, %t, %m : index\n%y = arith.cmpi eq, %t, %c7 : index\n"
                  "%d = arith.ori %x, %y : i1\n%logit = arith.select %d, %lowest, %scaled : f32",
                  "key <= 1 row + 0; not other; score"},
        LimitCase{"nested",
                  "%x = arith.cmpi sge, %t, %c7 : index\n%a = arith.select %x, %scaled, %lowest : "
                  "f32\n%y = arith.cmpi sge, %m, %t : index\n"
                  "%logit = arith.select %y, %a, %lowest : f32",
                  "key <= 1 row + 0; key >= 0 row + 7; score"},
        // What might wrap, is not monotone, or is of the score is no limit.
        LimitCase{"wraps",
                  "%a = arith.addi %mi, %len : i32\n%c = arith.cmpi sle, %ti, %a : i32\n" CHOOSE,
                  "other; score"},
        LimitCase{"unbounded",
                  "%w = arith.index_cast %wide : i64 to index\n%a = arith.addi %m, %w : index\n"
                  "%c = arith.cmpi sle, %t, %a : index\n" CHOOSE,
                  "other; score"},
        LimitCase{"unsigned",
                  "%d = arith.subi %m, %t : index\n%c = arith.cmpi ult, %d, %c7 : index\n" CHOOSE,
                  "other; score"},
        LimitCase{"equal", "%c = arith.cmpi eq, %t, %m : index\n" CHOOSE, "other; score"},
        LimitCase{"twice",
                  "%d = arith.addi %t, %t : index\n%c = arith.cmpi sle, %d, %m : index\n" CHOOSE,
                  "other; score"},
        LimitCase{"ofRows", "%c = arith.cmpi sle, %m, %c7 : index\n" CHOOSE, "other; score"},
        LimitCase{"ofScores", "%c = arith.cmpf ogt, %scaled, %zero : f32\n" CHOOSE, "more"},
        // Large negative numbers are taken for -inf where each row has a key, whatever memory
        // holds.
        LimitCase{"finite", "%c = arith.cmpi sge, %m, %t : index\n" CHOOSE_FAR,
                  "key <= 1 row + 0; score"},
        LimitCase{"finiteWindow",
                  "%x = arith.cmpi sge, %m, %t : index\n%a = arith.select %x, %scaled, %far : f32\n"
                  "%d = arith.subi %m, %t : index\n%c = arith.cmpi slt, %d, %c7 : index\n"
                  "%logit = arith.select %c, %a, %far : f32",
                  "key >= 1 row + -6; key <= 1 row + 0; score"},
        LimitCase{"finiteButRowWithoutKey", "%c = arith.cmpi slt, %t, %m : index\n" CHOOSE_FAR,
                  "more"},
        LimitCase{"finiteLength",
                  "%n = arith.index_cast %len : i32 to index\n"
                  "%c = arith.cmpi slt, %t, %n : index\n" CHOOSE_FAR,
                  "more"},
        LimitCase{"finiteOther", "%c = arith.cmpi ne, %t, %m : index\n" CHOOSE_FAR, "more"},
        LimitCase{"finiteNear",
                  "%near = arith.constant -1.0e4 : f32\n%c = arith.cmpi sge, %m, %t : index\n"
                  "%logit = arith.select %c, %scaled, %near : f32",
                  "more"}),
    [](const auto &info) { return info.param.name; });

} // namespace
