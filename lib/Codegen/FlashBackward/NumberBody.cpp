#include "NumberBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

static std::optional<SmallVector<unsigned>> axesOf(const AttentionStage &stage, AffineMap map) {
  SmallVector<unsigned> axes;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    axes.push_back(stage.axes[dim.getPosition()]);
  }
  return axes;
}

std::optional<AxisTensor> forge::operandTensor(const ScoreProgram &program, int stage,
                                               unsigned operand) {
  const AttentionStage &of = program.graph.stages[stage];
  std::optional<SmallVector<unsigned>> axes = axesOf(of, of.op.getIndexingMapsArray()[operand]);
  if (!axes)
    return std::nullopt;
  return AxisTensor{of.op->getOperand(operand), *axes};
}

AxisTensor forge::resultTensor(const ScoreProgram &program, int stage, unsigned result) {
  linalg::GenericOp op = program.graph.stages[stage].op;
  unsigned operand = op.getNumDpsInputs() + result;
  // What is handed on is plainly indexed.
  return {op->getResult(result), operandTensor(program, stage, operand)->axes};
}

std::optional<AffineMap> NumberBody::mapOf(ArrayRef<unsigned> of) const {
  SmallVector<AffineExpr> dims;
  for (unsigned axis : of) {
    const auto *found = llvm::find(axes, axis);
    if (found == axes.end())
      return std::nullopt;
    dims.push_back(b.getAffineDimExpr(found - axes.begin()));
  }
  return AffineMap::get(axes.size(), 0, dims, b.getContext());
}

ImplicitLocOpBuilder NumberBody::end() {
  // The block has no parent yet.
  ImplicitLocOpBuilder end(b.getLoc(), b.getContext());
  end.setInsertionPointToEnd(block.get());
  return end;
}

Value NumberBody::elementOf(const AxisTensor &tensor) {
  if (!isa<RankedTensorType>(tensor.value.getType()))
    return tensor.value;
  std::optional<AffineMap> map = mapOf(tensor.axes);
  if (!map)
    return {};
  for (auto [number, input] : llvm::enumerate(inputs))
    if (input == tensor.value && maps[number] == *map)
      return block->getArgument(number);
  inputs.push_back(tensor.value);
  maps.push_back(*map);
  return block->addArgument(getElementTypeOrSelf(tensor.value.getType()), b.getLoc());
}

Value NumberBody::numberOf(AttentionGraph::Place place) {
  place = graph.resolve(place);
  if (Value known = computed.lookup(place.value))
    return known;
  Value result = compute(place);
  computed[place.value] = result;
  return result;
}

/// `value` as a float of `type`.
static Value castTo(ImplicitLocOpBuilder b, Value value, Type type) {
  Type from = value.getType();
  if (from == type || !isa<FloatType>(type))
    return value;
  return from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()
             ? arith::TruncFOp::create(b, type, value).getResult()
             : arith::ExtFOp::create(b, type, value).getResult();
}

Value NumberBody::compute(AttentionGraph::Place place) {
  if (std::optional<AxisTensor> tensor = replace(place)) {
    Value element = elementOf(*tensor);
    return element ? castTo(end(), element, place.value.getType()) : Value();
  }
  const AttentionStage &stage = program.graph.stages[place.stage];
  auto argument = dyn_cast<BlockArgument>(place.value);
  if (argument && argument.getOwner() == stage.op.getBody()) {
    const RowContent &content = stage.operands[argument.getArgNumber()];
    if (content.kind == RowContent::Splat)
      return content.splat;
    if (content.kind == RowContent::Stage)
      return {};
    Value operand = stage.op->getOperand(argument.getArgNumber());
    if (!isa<RankedTensorType>(operand.getType()))
      return operand;
    std::optional<AxisTensor> tensor = operandTensor(program, place.stage, argument.getArgNumber());
    return tensor ? elementOf(*tensor) : Value();
  }
  Operation *op = place.value.getDefiningOp();
  if (!op || op->getBlock() != stage.op.getBody())
    return place.value;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    const auto *found = llvm::find(axes, stage.axes[index.getDim()]);
    if (found == axes.end())
      return {};
    ImplicitLocOpBuilder at = end();
    return linalg::IndexOp::create(at, found - axes.begin());
  }
  // What was rounded on the way to another number in f32 stays as it is, as where forward kernels
  // compute it.
  if (isa<arith::ExtFOp>(op)) {
    AttentionGraph::Place narrow = graph.resolve({place.stage, op->getOperand(0)});
    auto rounding = narrow.value.getDefiningOp<arith::TruncFOp>();
    if (rounding && rounding.getIn().getType() == place.value.getType())
      return numberOf({narrow.stage, rounding.getIn()});
  }
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value number = numberOf({place.stage, operand});
    if (!number)
      return {};
    mapping.map(operand, number);
  }
  ImplicitLocOpBuilder at = end();
  return at.clone(*op, mapping)->getResult(cast<OpResult>(place.value).getResultNumber());
}

linalg::GenericOp NumberBody::create(Value yielded) {
  SmallVector<int64_t> sizes;
  for (unsigned axis : axes)
    sizes.push_back(program.sizeOf(axis));
  Value empty = tensor::EmptyOp::create(b, sizes, yielded.getType());
  block->addArgument(yielded.getType(), b.getLoc());
  {
    ImplicitLocOpBuilder at = end();
    linalg::YieldOp::create(at, yielded);
  }
  maps.push_back(b.getMultiDimIdentityMap(axes.size()));
  SmallVector<utils::IteratorType> iterators(axes.size(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(b, empty.getType(), inputs, empty, maps, iterators);
  Region &region = op.getRegion();
  region.getBlocks().clear();
  region.push_back(block.release());
  return op;
}
