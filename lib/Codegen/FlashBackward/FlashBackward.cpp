#include "FlashBackward.h"

#include "../FlashAttention/FlashAttention.h"
#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <numbers>

using namespace mlir;
using namespace forge;

static int64_t numAlong(const FlashBackward &flash, ArrayRef<unsigned> axes) {
  int64_t count = 1;
  for (unsigned axis : axes)
    count *= flash.sizeOf(axis);
  return count;
}

int64_t FlashBackward::numPlaces() const { return numAlong(*this, places); }
int64_t FlashBackward::numTurns() const { return numAlong(*this, turns); }

namespace {
class Matcher {
public:
  Matcher(FlashBackward &flash, const GPUChip &chip)
      : flash(flash), program(flash.program), graph(program.graph), chip(chip) {}

  /// Null if all of it holds, otherwise what was expected.
  const char *run() {
    if (!chip.warpgroupProducts)
      return "a chip with products of warpgroups";
    if (program.sums.empty() || !program.reductions.empty() || program.writes.empty())
      return "sums over keys or rows of what follows from scores, and no other reductions";
    // Sums that need fewer products first: others go on meanwhile.
    llvm::stable_sort(program.sums, [&](const auto &a, const auto &b) {
      return (a.inner == graph.columnAxis()) > (b.inner == graph.columnAxis());
    });
    flash.overKeys = program.sums.front().overKeys;
    if (llvm::any_of(program.sums, [&](const auto &sum) { return sum.overKeys != flash.overKeys; }))
      return "sums over keys alone, or over rows alone";
    if (!chooseAxes())
      return "rows, and axes of sizes below 2^29";
    if (const char *why = matchFactors())
      return why;
    if (const char *why = matchWeights())
      return why;
    if (const char *why = checkNumbers())
      return why;
    findVectors();
    findTerms();
    return planBackward(flash, chip)
               ? nullptr
               : "depth and columns that fit into registers and shared memory";
  }

private:
  /// Indices stay far from the ends of 32 bits.
  static constexpr int64_t kMostOfAxis = int64_t(1) << 29;

  bool chooseAxes() {
    std::optional<unsigned> longest;
    int64_t all = 1;
    for (auto [axis, isRow] : llvm::enumerate(graph.isRow)) {
      if (isRow && (!longest || flash.sizeOf(axis) > flash.sizeOf(*longest)))
        longest = axis;
      all = llvm::SaturatingMultiply<uint64_t>(all, flash.sizeOf(axis));
    }
    if (!longest || all >= kMostOfAxis)
      return false;
    flash.rowAxis = *longest;
    flash.own = flash.overKeys ? flash.rowAxis : graph.keyAxis();
    flash.along = flash.overKeys ? graph.keyAxis() : flash.rowAxis;
    for (auto [axis, isRow] : llvm::enumerate(graph.isRow))
      if (axis != flash.rowAxis)
        (isRow && !flash.overKeys ? flash.turns : flash.places).push_back(axis);
    int64_t tiles = llvm::SaturatingMultiply<uint64_t>(flash.sizeOf(flash.own), flash.numPlaces());
    return tiles < kMostOfAxis &&
           llvm::all_of(
               graph.extents, [](const auto &extent) { return extent.size < kMostOfAxis; });
  }

  static bool isSame(const AxisAccess &a, const AxisAccess &b) {
    return a.root == b.root && a.offset == b.offset && a.strides == b.strides;
  }

  unsigned copiedNumber(BackwardFactor factor) {
    for (auto [number, other] : llvm::enumerate(flash.copied))
      if (isSame(other.access, factor.access) && other.inner == factor.inner)
        return number;
    flash.copied.push_back(std::move(factor));
    return flash.copied.size() - 1;
  }

  const char *matchFactors() {
    for (const ScoreProgram::Product &product : program.products) {
      BackwardFactor own{{}, product.inner}, other{{}, product.inner};
      unsigned ownOperand = flash.overKeys ? product.row : product.key;
      unsigned otherOperand = flash.overKeys ? product.key : product.row;
      for (auto [operand, factor] : {std::pair(ownOperand, &own), std::pair(otherOperand, &other)})
        if (const char *why =
                accessMappedFactor(graph, product.stage, operand, product.inner, factor->access))
          return why;
      flash.owned.push_back(std::move(own));
      flash.ofProduct.push_back(copiedNumber(std::move(other)));
    }
    for (const ScoreProgram::Sum &sum : program.sums) {
      BackwardFactor factor{{}, sum.inner};
      if (const char *why =
              accessMappedFactor(graph, sum.stage, sum.memory, sum.inner, factor.access))
        return why;
      linalg::GenericOp op = graph.stages[sum.stage].op;
      if (getElementTypeOrSelf(op->getOperand(sum.number)) !=
          getElementTypeOrSelf(factor.access.root.getType()))
        return "numbers that are rounded to the type of what they are multiplied by";
      flash.ofSum.push_back(copiedNumber(std::move(factor)));
    }
    Type type = flash.factorType();
    auto isOfType = [&](const BackwardFactor &factor) {
      return getElementTypeOrSelf(factor.access.root.getType()) == type;
    };
    return llvm::all_of(flash.owned, isOfType) && llvm::all_of(flash.copied, isOfType)
               ? nullptr
               : "factors of one type";
  }

  /// 2^(power * (logit - base) - logSum).
  struct Exponential {
    AttentionGraph::Place logit, base, logSum;
    double power = std::numbers::log2e;
  };

  /// exp(logit - base), or that with a power and a sum, of f32.
  std::optional<Exponential> exponentialOf(int stage, Operation *op) const {
    if (!isa<math::ExpOp, math::Exp2Op>(op) || !op->getResult(0).getType().isF32())
      return std::nullopt;
    AttentionGraph values(graph);
    Exponential found;
    AttentionGraph::Place argument = values.unrounded({stage, op->getOperand(0)});
    if (isa<math::Exp2Op>(op)) {
      auto less = argument.value.getDefiningOp<arith::SubFOp>();
      auto product = less ? less.getLhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
      APFloat power(0.0f);
      if (!product || !matchPattern(product.getRhs(), m_ConstantFloat(&power)))
        return std::nullopt;
      found.power = power.convertToDouble();
      found.logSum = {argument.stage, less.getRhs()};
      argument.value = product.getLhs();
    }
    auto difference = argument.value.getDefiningOp<arith::SubFOp>();
    if (!difference || argument.stage != stage)
      return std::nullopt;
    found.logit = {stage, difference.getLhs()};
    found.base = {stage, difference.getRhs()};
    return found;
  }

  bool isOfRows(AttentionGraph::Place place) const {
    AttentionGraph values(graph);
    return !values.dependsOn(place, program.productStages()) &&
           !values.dependsOnAxis(place, graph.keyAxis());
  }

  /// The one exponential of a number that follows from the scores less one of rows.
  const char *matchWeights() {
    AttentionGraph values(graph);
    SmallVector<int> others = program.productStages();
    llvm::erase(others, graph.scores);
    for (auto [number, stage] : llvm::enumerate(graph.stages)) {
      if (!stage.runsOver(graph.keyAxis()) || stage.op.getNumReductionLoops() > 0)
        continue;
      for (Operation &op : *stage.op.getBody()) {
        std::optional<Exponential> found = exponentialOf(static_cast<int>(number), &op);
        if (!found || !values.dependsOn(found->logit, {graph.scores}) ||
            values.dependsOn(found->logit, others) || !isOfRows(found->base) ||
            (found->logSum.value && !isOfRows(found->logSum)))
          continue;
        if (flash.exponential)
          return "one exponential";
        flash.exponential = op.getResult(0);
        flash.number = found->logit;
        flash.base = found->base;
        flash.logSum = found->logSum;
        flash.power = found->power;
      }
    }
    if (!flash.exponential)
      return "weights that are exponentials of scores less a number of their row";
    flash.conditions = takeConditions(graph, flash.rowAxis, flash.number);
    flash.scale = takeScale(graph, flash.number, /*roundsAlike=*/true);
    for (const KeyLimit &limit : flash.conditions.limits)
      for (const auto &[term, factor] : limit.terms)
        for (unsigned axis : flash.turns)
          if (values.dependsOnAxis(term, axis))
            return "limits that are the same for all query heads of a key head";
    return nullptr;
  }

  const char *checkNumbers() {
    SmallVector<KnownStage> products, sums;
    for (int stage : program.productStages())
      products.push_back({stage, {true, true}});
    for (const ScoreProgram::Sum &sum : program.sums)
      sums.push_back({sum.stage, {true, true}});
    bool holds = isOnTiles(graph, flash.number, flash.axes(), products) &&
                 isOnTiles(graph, flash.base, flash.axes(), {}) &&
                 (!flash.logSum.value || isOnTiles(graph, flash.logSum, flash.axes(), {}));
    for (const KeyCondition &condition : flash.conditions.others)
      holds &= isOnTiles(graph, condition.place, flash.axes(), products);
    for (const ScoreProgram::Sum &sum : program.sums)
      holds &= isOnTiles(graph, program.numberOf(sum), flash.axes(), products);
    Type type = flash.number.value.getType();
    if (!holds || !isa<FloatType>(type) || type.getIntOrFloatBitWidth() > 32)
      return "elementwise operations on products, indices and memory at known strides";
    for (const AttentionWrite &write : program.writes)
      if (!isResult(write, sums))
        return "results of elementwise operations on sums and memory at known strides";
    return nullptr;
  }

  bool isMultipleOfWeight(AttentionGraph::Place place) const {
    place = AttentionGraph(graph).unrounded(place);
    Operation *op = place.value.getDefiningOp();
    if (place.value == flash.exponential)
      return true;
    auto isOperand = [&](unsigned i) {
      return isMultipleOfWeight({place.stage, op->getOperand(i)});
    };
    return isa_and_nonnull<arith::MulFOp, arith::DivFOp, arith::NegFOp>(op) &&
           (isOperand(0) || (isa<arith::MulFOp>(op) && isOperand(1)));
  }

  bool isLimited(const KeyLimit &limit) const {
    AttentionGraph values(graph);
    return llvm::any_of(flash.conditions.limits, [&](const KeyLimit &other) {
      return other.isUpper == limit.isUpper && other.perRow == limit.perRow &&
             other.constant == limit.constant && other.terms.size() == limit.terms.size() &&
             llvm::all_of(llvm::zip_equal(other.terms, limit.terms), [&](const auto &pair) {
               const auto &[a, b] = pair;
               return a.second == b.second && values.isSame(a.first, b.first);
             });
    });
  }

  /// What gradients of masks choose between: a multiple of a weight, and 0 where weights are 0.
  void takeMask(AttentionGraph::Place &number) const {
    AttentionGraph::Place chosen = number;
    KeyConditions conditions = takeConditions(graph, flash.rowAxis, chosen, /*otherwise=*/0);
    if (conditions.others.empty() && isMultipleOfWeight(chosen) &&
        llvm::all_of(conditions.limits, [&](const KeyLimit &limit) { return isLimited(limit); }))
      number = chosen;
  }

  /// In the range of f16 a scale matters.
  void findTerms() {
    for (const ScoreProgram::Sum &sum : program.sums) {
      FlashBackward::Term term{program.numberOf(sum)};
      takeMask(term.number);
      if (flash.factorType().isBF16()) {
        term.number = AttentionGraph(graph).unrounded(term.number);
        term.scale = takeScale(graph, term.number);
        takeMask(term.number);
      }
      flash.terms.push_back(term);
    }
  }

  /// Memory that differs along one of a tile's axes: a row's base, logSum, or sum of weights
  /// times their gradients.
  void findVectors() {
    for (auto [number, stage] : llvm::enumerate(graph.stages)) {
      if (!stage.runsOver(flash.own) || !stage.runsOver(flash.along) ||
          stage.op.getNumReductionLoops() > 0)
        continue;
      for (unsigned i = 0; i < stage.op.getNumDpsInputs(); ++i) {
        BlockArgument argument = stage.op.getBody()->getArgument(i);
        Value operand = stage.op->getOperand(i);
        if (stage.operands[i].kind != RowContent::Memory || argument.use_empty() ||
            !isa<ShapedType>(operand.getType()))
          continue;
        std::optional<AxisAccess> access = axisAccessOf(operand, stage.op.getIndexingMapsArray()[i],
                                                        stage.axes, graph.columnAxis() + 1);
        if (!access)
          continue;
        bool isOwn = access->strides[flash.own] != 0, isAlong = access->strides[flash.along] != 0;
        if (isOwn != isAlong && (isOwn || isCopied(*access)))
          addVector(isOwn ? flash.ownedVectors : flash.copiedVectors, std::move(*access),
                    {static_cast<int>(number), argument});
      }
    }
  }

  bool isCopied(const AxisAccess &access) const {
    bool isArgument = isa<TensorType>(access.root.getType()) || isPlainArgument(access.root);
    return isArgument && getElementTypeOrSelf(access.root.getType()).isF32() &&
           access.strides[flash.along] == 1 && isOfTensorMap(access, flash.along);
  }

  static void addVector(SmallVectorImpl<BackwardVector> &vectors, AxisAccess access,
                        AttentionGraph::Place reader) {
    auto *known = llvm::find_if(
        vectors, [&](const BackwardVector &other) { return isSame(other.access, access); });
    if (known == vectors.end())
      known = &vectors.emplace_back(BackwardVector{std::move(access), {}});
    known->readers.push_back(reader);
  }

  bool isResult(const AttentionWrite &write, ArrayRef<KnownStage> sums) {
    const AttentionStage &stage = graph.stages[write.stage];
    bool isSum = llvm::any_of(sums, [&](const auto &sum) { return sum.stage == write.stage; });
    std::optional<unsigned> inner = innerOf(stage);
    if (!inner || stage.op.getNumReductionLoops() > (isSum ? 16u : 0u))
      return false;
    // One element for each of the block's places, rows or keys, and the inner axis.
    for (unsigned axis = 0; axis < graph.keyAxis(); ++axis)
      if (!llvm::is_contained(flash.turns, axis) && axis != flash.along && !stage.runsOver(axis))
        return false;
    if (!stage.runsOver(flash.own) || (!isSum && stage.runsOver(flash.along)))
      return false;
    unsigned operand = stage.op.getNumDpsInputs() + write.result;
    std::optional<AxisAccess> access =
        axisAccessOf(stage.op->getOperand(operand), stage.op.getIndexingMapsArray()[operand],
                     stage.axes, graph.columnAxis() + 1);
    if (!access || !cast<ShapedType>(access->root.getType()).hasStaticShape())
      return false;
    Value yielded = stage.op.getBody()->getTerminator()->getOperand(write.result);
    return isSum || isOnTiles(graph, {write.stage, yielded}, {flash.own, *inner}, sums);
  }

  std::optional<unsigned> innerOf(const AttentionStage &stage) const {
    bool depth = stage.runsOver(graph.depthAxis()), columns = stage.runsOver(graph.columnAxis());
    if (depth == columns)
      return std::nullopt;
    return depth ? graph.depthAxis() : graph.columnAxis();
  }

  FlashBackward &flash;
  ScoreProgram &program;
  AttentionProgram &graph;
  const GPUChip &chip;
};
} // namespace

FailureOr<FlashBackward> forge::matchFlashBackward(ScoreProgram program, const GPUChip &chip,
                                                   WhyNot whyNot) {
  FlashBackward flash;
  flash.program = std::move(program);
  if (const char *expected = Matcher(flash, chip).run()) {
    whyNot(Twine("it needs ") + expected);
    return failure();
  }
  return flash;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// What barriers and alignment cost.
static constexpr int64_t kOtherBytes = 2048;
/// Registers of a thread that sums and numbers may take; others hold indices, addresses and numbers
/// of rows.
static constexpr int64_t kMostRegisters = 200;

int64_t forge::heldRegisters(const FlashBackward &flash, const BackwardPlan &plan) {
  int64_t sums = 0;
  for (const ScoreProgram::Sum &sum : flash.program.sums)
    sums += flash.padded(sum.inner) / 2;
  // Products in f32. Numbers that are read from memory for each tile are all under way at once.
  int64_t products = static_cast<int64_t>(flash.program.products.size()) * plan.along / 2;
  bool readsRows = !flash.overKeys && flash.copiedVectors.empty();
  return sums + products + (readsRows ? plan.along / 2 : 0);
}

bool forge::sumsOverlap(const FlashBackward &flash, const BackwardPlan &plan) {
  // Two elements of a factor in one register.
  int64_t factors = static_cast<int64_t>(flash.program.sums.size() - 1) * plan.along / 4;
  constexpr int64_t most = 208;
  return heldRegisters(flash, plan) + factors <= most;
}

std::optional<BackwardPlan> forge::planBackward(const FlashBackward &flash, const GPUChip &chip) {
  BackwardPlan plan;
  int64_t own = 0, copied = 0, widest = 0;
  auto add = [&](ArrayRef<BackwardFactor> factors, int64_t &to) {
    for (const BackwardFactor &factor : factors) {
      to += 2 * flash.padded(factor.inner);
      widest = std::max(widest, flash.padded(factor.inner));
    }
  };
  add(flash.owned, own);
  add(flash.copied, copied);
  copied += 4 * static_cast<int64_t>(flash.copiedVectors.size());
  constexpr int64_t mostColumns = 256;
  if (widest > mostColumns)
    return std::nullopt;
  // What is computed between scores and weights, and of indices, takes some too.
  bool isPlain = flash.conditions.others.empty() && flash.isPlain();
  constexpr int64_t forOthers = 64;
  for (int64_t along : {128, 64, 32}) {
    plan.along = along;
    int64_t registers = heldRegisters(flash, plan) + (isPlain ? 0 : forOthers);
    int64_t bytes = plan.own * own + BackwardPlan::kSlots * along * copied + kOtherBytes;
    if (registers <= kMostRegisters && bytes <= chip.maxSharedBytes)
      return plan;
  }
  return std::nullopt;
}
