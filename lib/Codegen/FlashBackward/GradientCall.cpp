// A kernel is a part of the library's call where its sums are of weights, or of weights times what
// the gradients of weights are above the row's number, times the scale of the scores.
#include "GradientCall.h"

#include "../FlashAttention/CallAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace forge;

namespace {
/// What a number is the product of.
struct Factors {
  double constant = 1;
  int weights = 0, differences = 0;
};

class VendorMatcher {
public:
  VendorMatcher(const FlashBackward &flash, VendorGradient &found)
      : flash(flash), program(flash.program), graph(program.graph), values(graph), found(found),
        call(found.call.attention) {}

  /// Null if all of it holds, otherwise what was expected.
  const char *run() {
    if (!flash.isPlain())
      return "scores of which nothing but a multiple is computed";
    std::optional<bool> causal = isCausal(flash.conditions);
    if (!causal)
      return "no mask but a causal one, by which row r sees the keys up to r";
    call.causal = *causal;
    // Of the exponential's base 2, or e.
    call.scale = flash.scale * flash.power / std::numbers::log2e;
    call.type = flash.factorType().isF16() ? FORGE_RT_F16 : FORGE_RT_BF16;
    if (const char *why = findStrides())
      return why;
    for (auto [sum, term] : llvm::zip_equal(program.sums, flash.terms))
      if (const char *why = addSum(sum, term))
        return why;
    return nullptr;
  }

private:
  const char *findStrides();
  const char *addSum(const ScoreProgram::Sum &sum, const FlashBackward::Term &term);
  AttentionGraph::Place withoutGuard(AttentionGraph::Place place) const;
  bool collect(AttentionGraph::Place place, Factors &factors) const;
  bool isDifference(AttentionGraph::Place place) const;

  /// The factor of the rows, or of the keys, of product `number`.
  const AxisAccess &factorOf(size_t number, bool ofRows) const {
    return ofRows == flash.overKeys ? flash.owned[number].access
                                    : flash.copied[flash.ofProduct[number]].access;
  }

  const FlashBackward &flash;
  const ScoreProgram &program;
  const AttentionProgram &graph;
  AttentionGraph values;
  VendorGradient &found;
  rt::AttentionCall &call;
};
} // namespace

const char *VendorMatcher::findStrides() {
  std::optional<CallAxes> axes = CallAxes::of(graph, flash.rowAxis, /*isGroup=*/false);
  if (!axes)
    return "a batch, heads and rows";
  axes->setSizes(graph, call);
  // Without a product of cotangents and values, sums over rows read the cotangents.
  bool hasTwo = program.products.size() == 2;
  const AxisAccess &cotangent =
      hasTwo ? factorOf(1, /*ofRows=*/true) : flash.copied[flash.ofSum.front()].access;
  std::optional<rt::AttentionCall::Strides> ofQuery =
                                                axes->ofRows(graph, factorOf(0, /*ofRows=*/true)),
                                            ofCotangent = axes->ofRows(graph, cotangent);
  if (!ofQuery || !ofCotangent)
    return "query heads at one stride";
  call.queryStrides = *ofQuery;
  call.keyStrides = axes->ofKeys(graph, factorOf(0, /*ofRows=*/false));
  found.call.cotangentStrides = *ofCotangent;
  fillStrides(call.queryStrides, call.heads, call.rows, call.depth);
  fillStrides(call.keyStrides, call.keyHeads, call.keys, call.depth);
  fillStrides(found.call.cotangentStrides, call.heads, call.rows, call.columns);
  if (hasTwo) {
    call.valueStrides = axes->ofKeys(graph, factorOf(1, /*ofRows=*/false));
    fillStrides(call.valueStrides, call.keyHeads, call.keys, call.columns);
  }
  return nullptr;
}

/// The gradient of a weight less a number of its row.
bool VendorMatcher::isDifference(AttentionGraph::Place place) const {
  auto less = place.value.getDefiningOp<arith::SubFOp>();
  if (!less || program.products.size() != 2)
    return false;
  int gradients = program.products[1].stage;
  return values.isResultOf(values.unrounded({place.stage, less.getLhs()}), gradients) &&
         !values.dependsOn({place.stage, less.getRhs()}, program.productStages()) &&
         !values.dependsOnAxis({place.stage, less.getRhs()}, graph.keyAxis());
}

/// Of a choice of 0 where the weight is 0, the other one: infinite gradients do not make NaN of it.
AttentionGraph::Place VendorMatcher::withoutGuard(AttentionGraph::Place place) const {
  auto choice = place.value.getDefiningOp<arith::SelectOp>();
  auto isNone = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  bool isGuard = isNone && isNone.getPredicate() == arith::CmpFPredicate::OEQ &&
                 matchPattern(choice.getTrueValue(), m_AnyZeroFloat()) &&
                 matchPattern(isNone.getRhs(), m_AnyZeroFloat()) &&
                 values.unrounded({place.stage, isNone.getLhs()}).value == flash.exponential;
  return isGuard ? values.unrounded({place.stage, choice.getFalseValue()}) : place;
}

bool VendorMatcher::collect(AttentionGraph::Place place, Factors &factors) const {
  place = withoutGuard(values.unrounded(place));
  APFloat constant(0.0f);
  if (place.value == flash.exponential) {
    ++factors.weights;
    return true;
  }
  if (isDifference(place)) {
    ++factors.differences;
    return true;
  }
  if (matchPattern(place.value, m_ConstantFloat(&constant))) {
    factors.constant *= constant.convertToDouble();
    return true;
  }
  Operation *op = place.value.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp>(op))
    return collect({place.stage, op->getOperand(0)}, factors) &&
           collect({place.stage, op->getOperand(1)}, factors);
  Factors divisor;
  if (!isa_and_nonnull<arith::DivFOp>(op) || !collect({place.stage, op->getOperand(1)}, divisor) ||
      divisor.weights + divisor.differences != 0)
    return false;
  factors.constant /= divisor.constant;
  return collect({place.stage, op->getOperand(0)}, factors);
}

const char *VendorMatcher::addSum(const ScoreProgram::Sum &sum, const FlashBackward::Term &term) {
  Factors factors;
  factors.constant = term.scale;
  bool isKnown = collect(term.number, factors) && factors.weights == 1;
  auto isNear = [](double a, double b) { return std::abs(a - b) <= 0x1p-10 * std::abs(b); };
  bool isOfValues = !sum.overKeys && factors.differences == 0;
  if (!isKnown || !isNear(factors.constant, isOfValues ? 1 : call.scale) ||
      factors.differences != (isOfValues ? 0 : 1))
    return "gradients of queries, keys and values, and of nothing computed between";
  (isOfValues ? found.ofValues : sum.overKeys ? found.ofQueries : found.ofKeys) = true;
  return nullptr;
}

std::optional<VendorGradient> forge::gradientCallOf(const FlashBackward &flash, WhyNot whyNot) {
  VendorGradient found;
  if (const char *why = VendorMatcher(flash, found).run()) {
    whyNot(Twine("the library takes ") + why);
    return std::nullopt;
  }
  return found;
}
