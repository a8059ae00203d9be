#include "AttentionGraph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge {
namespace {

/// The number of the operand that `value` is the argument of in the body of `stage`.
std::optional<unsigned> operandOf(const AttentionStage &stage, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != stage.op.getBody())
    return std::nullopt;
  return argument.getArgNumber();
}

/// `map` of an operand from the axes instead of the loops.
AffineMap fromAxes(const AttentionProgram &program, const AttentionStage &stage, unsigned operand) {
  AffineMap map = stage.op.getIndexingMapsArray()[operand];
  SmallVector<AffineExpr> dims;
  for (unsigned axis : stage.axes)
    dims.push_back(getAffineDimExpr(axis, map.getContext()));
  return map.replaceDimsAndSymbols(dims, {}, program.columnAxis() + 1, 0);
}

bool isInside(const AttentionStage &stage, Operation *op) {
  return op && op->getBlock() == stage.op.getBody();
}

/// What comes from outside the bodies: the same value, or an equal constant.
bool isSameOutside(Value a, Value b) {
  Attribute constantA, constantB;
  return a == b || (matchPattern(a, m_Constant(&constantA)) &&
                    matchPattern(b, m_Constant(&constantB)) && constantA == constantB);
}

} // namespace

std::optional<AttentionGraph::Place> AttentionGraph::sourceOf(Place place) const {
  const AttentionStage &stage = program.stages[place.stage];
  std::optional<unsigned> operand = operandOf(stage, place.value);
  if (!operand || stage.operands[*operand].kind != RowContent::Stage)
    return std::nullopt;
  const RowContent &content = stage.operands[*operand];
  const AttentionStage &maker = program.stages[content.stage];
  return Place{content.stage, maker.op.getBody()->getTerminator()->getOperand(content.result)};
}

AttentionGraph::Place AttentionGraph::resolve(Place place) const {
  while (std::optional<Place> source = sourceOf(place)) {
    if (program.stages[source->stage].op.getNumReductionLoops() > 0)
      break;
    place = *source;
  }
  return place;
}

AttentionGraph::Place AttentionGraph::unrounded(Place place) const {
  place = resolve(place);
  while (Operation *op = place.value.getDefiningOp()) {
    if (!isInside(program.stages[place.stage], op) || !isa<arith::TruncFOp, arith::ExtFOp>(op))
      break;
    place = resolve({place.stage, op->getOperand(0)});
  }
  return place;
}

bool AttentionGraph::isResultOf(Place place, int stage) const {
  std::optional<Place> source = sourceOf(resolve(place));
  return source && source->stage == stage;
}

bool AttentionGraph::isSame(Place a, Place b) const {
  llvm::DenseSet<std::pair<Value, Value>> same;
  return isSame(a, b, same);
}

bool AttentionGraph::isSame(Place a, Place b, llvm::DenseSet<std::pair<Value, Value>> &same) const {
  // 1. Results of reductions are themselves; those of other stages are their bodies'.
  a = resolve(a);
  b = resolve(b);
  if (a.value == b.value || same.contains({a.value, b.value}))
    return true;
  // 2. Elements of operands.
  const AttentionStage &stageA = program.stages[a.stage], &stageB = program.stages[b.stage];
  std::optional<unsigned> x = operandOf(stageA, a.value), y = operandOf(stageB, b.value);
  if (x && y) {
    const RowContent &ofA = stageA.operands[*x], &ofB = stageB.operands[*y];
    if (ofA.kind != ofB.kind)
      return false;
    if (ofA.kind == RowContent::Splat)
      return isSameOutside(ofA.splat, ofB.splat);
    if (ofA.kind == RowContent::Stage)
      return ofA.stage == ofB.stage && ofA.result == ofB.result;
    return RowLinks::baseOf(stageA.op->getOperand(*x)) ==
               RowLinks::baseOf(stageB.op->getOperand(*y)) &&
           fromAxes(program, stageA, *x) == fromAxes(program, stageB, *y);
  }
  // 3. Operations.
  Operation *opA = a.value.getDefiningOp(), *opB = b.value.getDefiningOp();
  if (!isInside(stageA, opA) || !isInside(stageB, opB))
    return !x && !y && isSameOutside(a.value, b.value);
  auto indexA = dyn_cast<linalg::IndexOp>(opA), indexB = dyn_cast<linalg::IndexOp>(opB);
  if (indexA || indexB)
    return indexA && indexB && stageA.axes[indexA.getDim()] == stageB.axes[indexB.getDim()];
  if (opA->getName() != opB->getName() || opA->getNumOperands() != opB->getNumOperands() ||
      opA->getAttrDictionary() != opB->getAttrDictionary() || opA->getNumResults() != 1 ||
      opB->getNumResults() != 1 || a.value.getType() != b.value.getType())
    return false;
  for (auto [left, right] : llvm::zip_equal(opA->getOperands(), opB->getOperands()))
    if (!isSame({a.stage, left}, {b.stage, right}, same))
      return false;
  same.insert({a.value, b.value});
  return true;
}

bool AttentionGraph::dependsOn(Place place, ArrayRef<int> stages) const {
  llvm::DenseSet<Value> seen;
  return dependsOn(place, stages, seen);
}

bool AttentionGraph::dependsOn(Place place, ArrayRef<int> stages,
                               llvm::DenseSet<Value> &seen) const {
  if (!seen.insert(place.value).second)
    return false;
  if (std::optional<Place> source = sourceOf(place))
    return llvm::is_contained(stages, source->stage) ||
           (program.stages[source->stage].op.getNumReductionLoops() == 0 &&
            dependsOn(*source, stages, seen));
  Operation *op = place.value.getDefiningOp();
  return isInside(program.stages[place.stage], op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn({place.stage, operand}, stages, seen);
         });
}

bool AttentionGraph::dependsOnAxis(Place place, unsigned axis) const {
  llvm::DenseSet<Value> seen;
  return dependsOnAxis(place, axis, seen);
}

bool AttentionGraph::dependsOnAxis(Place place, unsigned axis, llvm::DenseSet<Value> &seen) const {
  if (!seen.insert(place.value).second)
    return false;
  const AttentionStage &stage = program.stages[place.stage];
  if (std::optional<Place> source = sourceOf(place))
    return program.stages[source->stage].op.getNumReductionLoops() == 0 &&
           dependsOnAxis(*source, axis, seen);
  if (std::optional<unsigned> operand = operandOf(stage, place.value))
    return stage.operands[*operand].kind == RowContent::Memory &&
           fromAxes(program, stage, *operand).isFunctionOfDim(axis);
  Operation *op = place.value.getDefiningOp();
  if (!isInside(stage, op))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return stage.axes[index.getDim()] == axis;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOnAxis({place.stage, operand}, axis, seen);
  });
}

} // namespace forge
