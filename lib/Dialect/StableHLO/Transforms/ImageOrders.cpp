#include "ImageOrders.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;

SmallVector<int64_t> ImageOrders::permuted(ArrayRef<int64_t> list, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return list[dim]; });
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> order) {
  SmallVector<int64_t> back(order.size());
  for (auto [dim, from] : llvm::enumerate(order))
    back[from] = static_cast<int64_t>(dim);
  return back;
}

Value ImageOrders::transpose(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return stablehlo::TransposeOp::create(builder, loc, type.clone(permuted(type.getShape(), order)),
                                        value, builder.getDenseI64ArrayAttr(order));
}

const ImageOrders::Known *ImageOrders::knownAt(Operation *op, Value value) const {
  auto found = known.find(value);
  if (found == known.end())
    return nullptr;
  Value made = found->second.value;
  return made.getParentBlock()->findAncestorOpInBlock(*op) ? &found->second : nullptr;
}

Value ImageOrders::transposed(OpBuilder &builder, Operation *op, Value value,
                              ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  if (Value made = inOrder(builder, op, value, order))
    return made;
  Value made = transpose(builder, op->getLoc(), value, order);
  known[value] = {made, Order(order)};
  return made;
}

void ImageOrders::replace(Value value, Value made, ArrayRef<int64_t> order) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(made);
  Value back = transpose(builder, value.getLoc(), made, inverse(order));
  value.replaceAllUsesExcept(back, back.getDefiningOp());
  known[back] = {made, Order(order)};
}

/// `value` in this order, if it is known in it or costs nothing to make so; else null.
Value ImageOrders::inOrder(OpBuilder &builder, Operation *op, Value value,
                           ArrayRef<int64_t> order) const {
  if (const Known *found = knownAt(op, value); found && found->order == Order(order))
    return found->value;
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType made = type.clone(permuted(type.getShape(), order));
  if (auto constant = value.getDefiningOp<stablehlo::ConstantOp>())
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      return stablehlo::ConstantOp::create(builder, op->getLoc(),
                                           cast<ElementsAttr>(splat.resizeSplat(made)));
  if (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    SmallVector<int64_t> dims = permuted(inverse(order), broadcast.getBroadcastDimensions());
    return stablehlo::BroadcastInDimOp::create(builder, op->getLoc(), made, broadcast.getOperand(),
                                               dims);
  }
  return nullptr;
}

void ImageOrders::carryElementwise(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const Known *first = nullptr;
  for (Value operand : op->getOperands()) {
    auto of = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || !of || of.getShape() != type.getShape())
      return;
    if (!first)
      first = knownAt(op, operand);
  }
  if (!first || !type.hasStaticShape())
    return;
  Order order = first->order;
  OpBuilder builder(op);
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value moved = inOrder(builder, op, operand, order);
    if (!moved)
      return;
    mapping.map(operand, moved);
  }
  Operation *made = builder.clone(*op, mapping);
  made->getResult(0).setType(type.clone(permuted(type.getShape(), order)));
  replace(op->getResult(0), made->getResult(0), order);
}

/// Padding, and reductions of windows: attributes have an entry, or a pair, for each dimension.
void ImageOrders::carryWindows(Operation *op, const Known &input) {
  Order order = input.order;
  OpBuilder builder(op);
  IRMapping mapping;
  mapping.map(op->getOperand(0), input.value);
  Operation *made = builder.clone(*op, mapping);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  made->getResult(0).setType(type.clone(permuted(type.getShape(), order)));
  for (StringRef name :
       {"window_dimensions", "window_strides", "base_dilations", "window_dilations",
        "edge_padding_low", "edge_padding_high", "interior_padding"})
    if (auto list = op->getAttrOfType<DenseI64ArrayAttr>(name))
      made->setAttr(name, builder.getDenseI64ArrayAttr(permuted(list.asArrayRef(), order)));
  if (auto pairs = op->getAttrOfType<DenseIntElementsAttr>("padding")) {
    auto amounts = llvm::to_vector(pairs.getValues<int64_t>());
    SmallVector<int64_t> moved;
    for (int64_t dim : order)
      moved.append({amounts[2 * dim], amounts[2 * dim + 1]});
    made->setAttr("padding", DenseIntElementsAttr::get(pairs.getType(), ArrayRef(moved)));
  }
  replace(op->getResult(0), made->getResult(0), order);
}

/// The dimensions that stay must be in one order either way.
void ImageOrders::carryReduction(Operation *op, const Known &input) {
  auto reduce = cast<stablehlo::ReduceOp>(op);
  SmallVector<int64_t> dims, kept;
  for (auto [dim, from] : llvm::enumerate(input.order))
    if (llvm::is_contained(reduce.getDimensions(), from))
      dims.push_back(static_cast<int64_t>(dim));
    else
      kept.push_back(from);
  if (!llvm::is_sorted(kept))
    return;
  reduce->setOperand(0, input.value);
  reduce.setDimensions(dims);
}

void ImageOrders::carryOver(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return;
  if (op->hasTrait<mlir::OpTrait::Elementwise>())
    return carryElementwise(op);
  const Known *input = knownAt(op, op->getOperand(0));
  if (!input)
    return;
  if (isa<stablehlo::ReduceWindowOp, stablehlo::PadOp>(op))
    return carryWindows(op, Known(*input));
  if (isa<stablehlo::ReduceOp>(op))
    carryReduction(op, Known(*input));
}
