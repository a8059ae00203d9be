#include "WeightsMatch.h"

#include "../Strategy/RowReduction.h"

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Attention and its gradients are about thirty operations; what follows from other scores may be
/// more, and is not looked at.
static constexpr size_t kMostOperations = 128;

static linalg::LinalgOp freeOp(Operation *op, Block *block) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() && op->getBlock() == block &&
                 !isa<linalg::FillOp>(op) && !op->hasAttr(kClusterAttr)
             ? linalgOp
             : linalg::LinalgOp();
}

static bool isParallel(linalg::LinalgOp op) { return op && op.getNumReductionLoops() == 0; }

/// Adds `op` and what leads to it from products, through elementwise operations.
static bool addFromProducts(linalg::LinalgOp op, Block *block, SetVector<Operation *> &to,
                            llvm::DenseMap<Operation *, bool> &known) {
  auto [entry, isNew] = known.try_emplace(op, false);
  if (!isNew || known.size() > kMostOperations)
    return entry->second;
  bool leads = sumsProducts(op);
  if (!leads && isParallel(op))
    for (OpOperand *input : op.getDpsInputOperands())
      if (linalg::LinalgOp maker = freeOp(input->get().getDefiningOp(), block))
        leads |= to.contains(maker) || addFromProducts(maker, block, to, known);
  if (leads)
    to.insert(op);
  return known[op] = leads;
}

SmallVector<Operation *> forge::operationsAround(linalg::LinalgOp scores) {
  Block *block = scores->getBlock();
  // 1. What follows from the scores, as far as sums.
  SetVector<Operation *> following;
  following.insert(scores);
  auto isSum = [&](Operation *op) {
    return op != scores && sumsProducts(cast<linalg::LinalgOp>(op));
  };
  for (size_t i = 0; i < following.size(); ++i) {
    if (following.size() > kMostOperations)
      return {};
    if (!isSum(following[i]))
      for (Operation *user : following[i]->getUsers())
        if (linalg::LinalgOp op = freeOp(user, block))
          following.insert(op);
  }
  SmallVector<Operation *> order = following.takeVector();
  auto isBefore = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  llvm::sort(order, isBefore);
  // 2. Of these, sums, what leads to one, and what is behind it.
  SetVector<Operation *> found;
  for (Operation *op : llvm::reverse(order))
    if (isSum(op) ||
        llvm::any_of(op->getUsers(), [&](Operation *user) { return found.contains(user); }))
      found.insert(op);
  if (!found.contains(scores))
    return {};
  for (Operation *op : llvm::to_vector(found))
    if (isSum(op))
      for (Operation *user : op->getUsers())
        if (linalg::LinalgOp behind = freeOp(user, block);
            isParallel(behind) && behind.getNumDpsInputs() <= 4)
          found.insert(behind);
  // 3. Other products.
  llvm::DenseMap<Operation *, bool> known;
  for (Operation *op : llvm::to_vector(found)) {
    if (op == scores || isSum(op))
      continue;
    for (OpOperand *input : cast<linalg::LinalgOp>(op).getDpsInputOperands())
      if (linalg::LinalgOp maker = freeOp(input->get().getDefiningOp(), block);
          maker && !found.contains(maker))
        addFromProducts(maker, block, found, known);
  }
  order.assign(found.begin(), found.end());
  for (Operation *op : found)
    for (Value init : cast<linalg::LinalgOp>(op).getDpsInits())
      if (auto fill = init.getDefiningOp<linalg::FillOp>();
          fill && fill->getBlock() == block && !llvm::is_contained(order, fill.getOperation()))
        order.push_back(fill);
  llvm::sort(order, isBefore);
  bool isFirst = llvm::none_of(order, [&](Operation *op) {
    return op->isBeforeInBlock(scores) && !isa<linalg::FillOp>(op) && isSum(op);
  });
  return isFirst ? order : SmallVector<Operation *>();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::optional<WeightsMatch> WeightsMatch::find(const ScoreProgram &program) {
  WeightsMatch match(program);
  const AttentionGraph &graph = match.graph;
  const AttentionProgram &stages = program.graph;
  SmallVector<int> others = program.productStages();
  for (auto [number, stage] : llvm::enumerate(stages.stages)) {
    if (!stage.runsOver(stages.keyAxis()))
      continue;
    int index = static_cast<int>(number);
    for (auto division : stage.op.getBody()->getOps<arith::DivFOp>()) {
      // 1. An exponential in f32, divided by a number of its row.
      AttentionGraph::Place divisor{index, division.getRhs()};
      AttentionGraph::Place weight = graph.unrounded({index, division.getLhs()});
      auto exponential = weight.value.getDefiningOp<math::ExpOp>();
      if (!exponential || !exponential.getType().isF32() || !division.getType().isF32() ||
          graph.dependsOnAxis(divisor, stages.keyAxis()) || graph.dependsOn(divisor, others))
        continue;
      // 2. Of the scores less a number of the row.
      AttentionGraph::Place argument = graph.unrounded({weight.stage, exponential.getOperand()});
      auto difference = argument.value.getDefiningOp<arith::SubFOp>();
      if (!difference || argument.stage != weight.stage)
        continue;
      AttentionGraph::Place logit{weight.stage, difference.getLhs()},
          base{weight.stage, difference.getRhs()};
      if (!graph.dependsOn(logit, {stages.scores}) || graph.dependsOn(logit, program.reductions) ||
          graph.dependsOnAxis(base, stages.keyAxis()) || graph.dependsOn(base, others))
        continue;
      AttentionGraph::Place found{index, division.getResult()};
      if (match.division.value && !graph.isSame(match.division, found))
        return std::nullopt;
      if (!match.division.value) {
        match.division = found;
        match.exponential = weight;
        match.logit = logit;
        match.base = base;
        match.divisor = divisor;
      }
    }
  }
  return match.division.value ? std::optional(match) : std::nullopt;
}

bool WeightsMatch::roundsExponentials() const {
  return llvm::any_of(exponential.value.getUsers(), llvm::IsaPred<arith::TruncFOp>);
}

bool WeightsMatch::leadsToExponential(const AttentionStage &stage) const {
  const AttentionProgram &stages = program.graph;
  if (!stage.runsOver(stages.keyAxis()) || stage.op.getNumDpsInits() != 1)
    return false;
  AttentionGraph::Place result{static_cast<int>(&stage - stages.stages.data()),
                               stage.op.getBody()->getTerminator()->getOperand(0)};
  SmallVector<int> others = program.productStages();
  llvm::erase(others, stages.scores);
  // Of reductions it needs none but the base's.
  for (int reduction : program.reductions)
    if (!graph.dependsOn(base, {reduction}))
      others.push_back(reduction);
  return graph.dependsOn(result, {stages.scores}) && !graph.dependsOn(result, others);
}

bool WeightsMatch::isExponential(AttentionGraph::Place place) const {
  return graph.isSame(graph.unrounded(place), exponential);
}

AttentionGraph::Place WeightsMatch::withoutChoice(AttentionGraph::Place place) const {
  place = graph.unrounded(place);
  auto choice = place.value.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return place;
  AttentionGraph::Place condition = graph.resolve({place.stage, choice.getCondition()});
  auto compare = condition.value.getDefiningOp<arith::CmpFOp>();
  bool isNone = compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
                matchPattern(compare.getRhs(), m_AnyZeroFloat()) &&
                graph.isSame({condition.stage, compare.getLhs()}, divisor) &&
                matchPattern(choice.getTrueValue(), m_AnyZeroFloat());
  return isNone ? graph.unrounded({place.stage, choice.getFalseValue()}) : place;
}

bool WeightsMatch::isZeroWithoutKeys() const {
  for (auto [number, stage] : llvm::enumerate(program.graph.stages))
    for (auto choice : stage.op.getBody()->getOps<arith::SelectOp>()) {
      AttentionGraph::Place place{static_cast<int>(number), choice.getResult()};
      if (!graph.isSame(withoutChoice(place), place))
        return true;
    }
  return false;
}

bool WeightsMatch::isWeight(AttentionGraph::Place place) const {
  place = withoutChoice(place);
  return isa_and_nonnull<arith::DivFOp>(place.value.getDefiningOp()) &&
         graph.isSame(place, division);
}

bool WeightsMatch::isDivisor(AttentionGraph::Place place) const {
  return graph.isSame(graph.unrounded(place), graph.unrounded(divisor));
}

bool WeightsMatch::addFactors(AttentionGraph::Place place, int power, Factors &factors) const {
  place = graph.unrounded(place);
  if (isWeight(place) || isExponential(place)) {
    factors.weights += power;
    return true;
  }
  if (graph.isResultOf(place, program.products[1].stage)) {
    factors.gradients += power;
    return true;
  }
  if (isDivisor(place) || matchPattern(place.value, m_OneFloat()))
    return true;
  Operation *op = place.value.getDefiningOp();
  if (isa_and_nonnull<arith::NegFOp>(op)) {
    factors.sign = -factors.sign;
    return addFactors({place.stage, op->getOperand(0)}, power, factors);
  }
  return isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op) &&
         addFactors({place.stage, op->getOperand(0)}, power, factors) &&
         addFactors({place.stage, op->getOperand(1)}, isa<arith::DivFOp>(op) ? -power : power,
                    factors);
}

int WeightsMatch::signOfWeightedGradient(int stage) const {
  const AttentionStage &of = program.graph.stages[stage];
  std::string why;
  FailureOr<RowReduction> reduction = RowReduction::match(of.op, why);
  const RowContent &start = of.operands.back();
  if (program.products.size() < 2 || failed(reduction) || reduction->combiner.size() != 1 ||
      reduction->elements.size() != 1 || of.op.getNumReductionLoops() != 1 ||
      !isa<arith::AddFOp>(reduction->combiner.front()) || start.kind != RowContent::Splat ||
      !matchPattern(start.splat, m_AnyZeroFloat()))
    return 0;
  Factors factors;
  bool isProduct = addFactors({stage, reduction->elements.front()}, 1, factors);
  return isProduct && factors.weights == 1 && factors.gradients == 1 ? factors.sign : 0;
}

bool WeightsMatch::isOfWeights(AttentionGraph::Place place) const {
  llvm::DenseMap<Value, std::optional<int>> known;
  return degreeOf(place, known) == 0;
}

std::optional<int> WeightsMatch::degreeOf(AttentionGraph::Place place,
                                          llvm::DenseMap<Value, std::optional<int>> &known) const {
  place = graph.resolve(place);
  auto [entry, isNew] = known.try_emplace(place.value, std::nullopt);
  if (!isNew)
    return entry->second;
  std::optional<int> degree = computeDegree(place, known);
  return known[place.value] = degree;
}

std::optional<int>
WeightsMatch::computeDegree(AttentionGraph::Place place,
                            llvm::DenseMap<Value, std::optional<int>> &known) const {
  // 1. What is known, and sums of weights times their gradients.
  if (isWeight(place))
    return 0;
  if (isExponential(place) || isDivisor(place))
    return 1;
  for (int stage : program.reductions)
    if (graph.isResultOf(place, stage)) {
      std::string why;
      FailureOr<RowReduction> reduction = RowReduction::match(program.graph.stages[stage].op, why);
      if (failed(reduction) || signOfWeightedGradient(stage) == 0)
        return std::nullopt;
      return degreeOf({stage, reduction->elements.front()}, known);
    }
  const AttentionStage &stage = program.graph.stages[place.stage];
  Operation *op = place.value.getDefiningOp();
  if (!op || op->getBlock() != stage.op.getBody())
    return 0;
  // 2. Operations.
  SmallVector<std::optional<int>> degrees = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return degreeOf({place.stage, operand}, known); });
  if (llvm::is_contained(degrees, std::nullopt))
    return std::nullopt;
  if (isa<arith::MulFOp>(op))
    return *degrees[0] + *degrees[1];
  if (isa<arith::DivFOp>(op))
    return *degrees[0] - *degrees[1];
  if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
    return degrees[0];
  // Zero has any.
  bool chooses = isa<arith::SelectOp>(op) && degrees[0] == 0;
  if (chooses || isa<arith::AddFOp, arith::SubFOp>(op)) {
    unsigned first = op->getNumOperands() - 2;
    for (unsigned i : {0u, 1u})
      if (matchPattern(op->getOperand(first + i), m_AnyZeroFloat()))
        return degrees[first + 1 - i];
    return degrees[first] == degrees[first + 1] ? degrees[first] : std::nullopt;
  }
  bool allZero = llvm::all_of(degrees, [](std::optional<int> degree) { return *degree == 0; });
  return allZero ? std::optional(0) : std::nullopt;
}

std::optional<AxisTensor> WeightsMatch::findResult() const {
  const AttentionProgram &stages = program.graph;
  if (program.products.size() < 2)
    return std::nullopt;
  std::optional<AxisTensor> values =
      operandTensor(program, program.products[1].stage, program.products[1].key);
  for (const ScoreProgram::Sum &sum : program.sums) {
    std::optional<AxisTensor> memory = operandTensor(program, sum.stage, sum.memory);
    if (!sum.overKeys || sum.inner != stages.columnAxis() || !memory || !values ||
        RowLinks::baseOf(memory->value) != RowLinks::baseOf(values->value) ||
        memory->axes != values->axes)
      continue;
    AttentionGraph::Place number = graph.unrounded(program.numberOf(sum));
    bool isDivided = isWeight(number);
    if (!isDivided && !isExponential(number))
      continue;
    // What is behind the sum, if it only rounds it, or divides it as well.
    for (auto [index, stage] : llvm::enumerate(stages.stages)) {
      linalg::GenericOp op = stage.op;
      for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
        int at = static_cast<int>(index);
        AttentionGraph::Place place =
            withoutChoice({at, op.getBody()->getTerminator()->getOperand(result)});
        if (!isDivided) {
          auto quotient = place.value.getDefiningOp<arith::DivFOp>();
          if (!quotient || !graph.isSame({place.stage, quotient.getRhs()}, divisor))
            continue;
          place = graph.unrounded({place.stage, quotient.getLhs()});
        }
        if (op.getNumReductionLoops() == 0 && graph.isResultOf(place, sum.stage) &&
            operandTensor(program, at, op.getNumDpsInputs() + result))
          return resultTensor(program, at, result);
      }
    }
    if (isDivided)
      return resultTensor(program, sum.stage, 0);
  }
  return std::nullopt;
}
