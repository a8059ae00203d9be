#include "TileForms.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Operations between two products at most.
static constexpr unsigned kMostOperations = 64;

static bool haveSameGroups(const RowGroups &x, const RowGroups &y) {
  return x.lookup == y.lookup && x.starts == y.starts && x.ends == y.ends &&
         x.rangeDim == y.rangeDim && x.shape == y.shape && x.numGroups() == y.numGroups();
}

/// Whether the row's dimensions are in front, in order, then columns, in theirs.
static bool hasRowsInFront(const RowGroups &groups) {
  auto rank = static_cast<int64_t>(groups.shape.size());
  int64_t column = -1;
  for (auto [at, dim] : llvm::enumerate(groups.resultDims)) {
    bool isRow = static_cast<int64_t>(at) < rank;
    if (isRow ? dim.row != static_cast<int64_t>(at)
              : dim.row >= 0 || (dim.column >= 0 && dim.column <= column))
      return false;
    column = std::max(column, dim.column);
  }
  return true;
}

bool TileForms::isOfRows(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() &&
         type.getRank() >= static_cast<int64_t>(groups.shape.size()) &&
         type.getShape().take_front(groups.shape.size()) == ArrayRef(groups.shape);
}

Operation *TileForms::rowwise(Value rows, SmallVectorImpl<Value> &read) const {
  Operation *op = rows.getDefiningOp();
  auto rank = static_cast<int64_t>(groups.shape.size());
  if (!op || op->getNumResults() != 1 || op->getNumRegions() > 0 || !isOfRows(rows))
    return nullptr;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    bool isOfNone = llvm::all_of(dims, [&](int64_t dim) { return dim >= rank; });
    bool isOfAll = static_cast<int64_t>(dims.size()) >= rank && isOfRows(broadcast.getOperand()) &&
                   llvm::equal(dims.take_front(rank), llvm::seq<int64_t>(0, rank));
    if (isOfAll)
      read.push_back(broadcast.getOperand());
    return isOfAll || isOfNone ? op : nullptr;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    if (!isOfRows(slice.getOperand()))
      return nullptr;
  } else if (!isa<ReshapeOp>(op) && !op->hasTrait<mlir::OpTrait::Elementwise>()) {
    return nullptr;
  }
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return isOfRows(operand); }))
    return nullptr;
  llvm::append_range(read, op->getOperands());
  return op;
}

const TiledProduct *TileForms::productOf(Value value) const {
  auto at = made.find(value);
  bool isOne = at != made.end() && isOfRows(value) && haveSameGroups(at->second.groups, groups) &&
               hasRowsInFront(at->second.groups);
  return isOne ? &at->second : nullptr;
}

const TiledProduct *TileForms::find(Value rows) const {
  SmallVector<Value> pending{rows};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty() && seen.size() < kMostOperations) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (const TiledProduct *product = productOf(value))
      return product;
    SmallVector<Value> read;
    if (rowwise(value, read))
      llvm::append_range(pending, read);
  }
  return nullptr;
}

RankedTensorType TileForms::tiledType(Value rows, const TiledProduct &product) const {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<int64_t> shape{product.tiles.tiles, product.tiles.height};
  llvm::append_range(shape, type.getShape().drop_front(groups.shape.size()));
  return type.clone(shape);
}

Value TileForms::gather(Value rows, const TiledProduct &product) {
  Value converted = b.getRemappedValue(rows);
  if (!isOfRows(rows) || !converted || converted.getType() != rows.getType())
    return {};
  auto type = cast<RankedTensorType>(rows.getType());
  return createTileRows(b, loc, product.tiles, type.getElementType(),
                        type.getShape().drop_front(groups.shape.size()),
                        [&](IndexBuilder ib, Value number, ValueRange rest) {
                          SmallVector<Value> at = ib.delinearize(number, groups.shape);
                          llvm::append_range(at, rest);
                          return ib.read(converted, at);
                        });
}

Value TileForms::repeat(Operation *op, const TiledProduct &product) {
  auto rank = static_cast<int64_t>(groups.shape.size());
  RankedTensorType type = tiledType(op->getResult(0), product);
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    SmallVector<int64_t> dims;
    ArrayRef<int64_t> from = broadcast.getBroadcastDimensions();
    bool isOfRows = !from.empty() && from.front() < rank;
    if (isOfRows)
      dims = {0, 1};
    for (int64_t dim : from.drop_front(isOfRows ? rank : 0))
      dims.push_back(dim - rank + 2);
    Value operand = isOfRows ? create(broadcast.getOperand(), product)
                             : b.getRemappedValue(broadcast.getOperand());
    return operand ? Value(BroadcastInDimOp::create(b, loc, type, operand, dims)) : Value();
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(create(operand, product));
    if (!operands.back())
      return {};
  }
  if (isa<ReshapeOp>(op))
    return ReshapeOp::create(b, loc, type, operands[0]);
  if (auto slice = dyn_cast<SliceOp>(op)) {
    SmallVector<int64_t> starts{0, 0}, limits(type.getShape().take_front(2)), strides{1, 1};
    llvm::append_range(starts, slice.getStartIndices().drop_front(rank));
    llvm::append_range(limits, slice.getLimitIndices().drop_front(rank));
    llvm::append_range(strides, slice.getStrides().drop_front(rank));
    return SliceOp::create(b, loc, type, operands[0], starts, limits, strides);
  }
  OperationState state(loc, op->getName(), operands, type, op->getAttrs());
  return b.create(state)->getResult(0);
}

Value TileForms::create(Value rows, const TiledProduct &product) {
  if (Value form = forms.lookup(rows))
    return form;
  Value form;
  SmallVector<Value> read;
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(rows.getType()));
  if (const TiledProduct *own = productOf(rows))
    form = ReshapeOp::create(b, loc, tiledType(rows, *own), own->products);
  else if (element && !element.isSignless())
    return {};
  else if (Operation *op = find(rows) ? rowwise(rows, read) : nullptr)
    form = repeat(op, product);
  else if (auto broadcast = rows.getDefiningOp<BroadcastInDimOp>();
           broadcast && rowwise(rows, read))
    form = repeat(broadcast, product);
  else
    form = gather(rows, product);
  forms[rows] = form;
  return form;
}
