#include "TileValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

static std::optional<unsigned> argumentOfBody(const AttentionStage &stage, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != stage.op.getBody())
    return std::nullopt;
  return argument.getArgNumber();
}

static Operation *operationOfBody(const AttentionStage &stage, Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == stage.op.getBody() ? op : nullptr;
}

std::optional<AxisAccess> forge::accessOf(const AttentionProgram &program, int stage,
                                          unsigned operand) {
  const AttentionStage &of = program.stages[stage];
  return axisAccessOf(of.op->getOperand(operand), of.op.getIndexingMapsArray()[operand], of.axes,
                      program.columnAxis() + 1);
}

/// Whether `op` reads an element of memory at a place that its operands from the second on say.
static bool looksUp(Operation *op) { return isa<tensor::ExtractOp, memref::LoadOp>(op); }

//===----------------------------------------------------------------------===//
// Whether it can be done

namespace {
/// Along which dimensions of the tile a number differs; nothing if it is not computed on tiles.
class Check {
public:
  Check(const AttentionProgram &program, const TileAxes &axes, ArrayRef<KnownStage> known)
      : program(program), axes(axes), known(known) {}

  std::optional<std::array<bool, 2>> along(int stage, Value value) {
    auto [entry, isNew] = seen.try_emplace({stage, value}, std::nullopt);
    if (!isNew)
      return entry->second;
    std::optional<std::array<bool, 2>> result = compute(stage, value);
    seen[{stage, value}] = result;
    return result;
  }

private:
  std::optional<std::array<bool, 2>> compute(int stage, Value value) {
    const AttentionStage &of = program.stages[stage];
    if (std::optional<unsigned> argument = argumentOfBody(of, value))
      return ofArgument(stage, *argument);
    Operation *op = operationOfBody(of, value);
    if (!op)
      return std::array{false, false};
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      unsigned axis = of.axes[index.getDim()];
      if (axis >= program.isRow.size() && !llvm::is_contained(axes, axis))
        return std::nullopt;
      return std::array{axis == axes[0], axis == axes[1]};
    }
    std::array<bool, 2> all = {false, false};
    for (Value operand : op->getOperands()) {
      std::optional<std::array<bool, 2>> part = along(stage, operand);
      if (!part)
        return std::nullopt;
      for (unsigned dim : {0u, 1u})
        all[dim] |= (*part)[dim];
    }
    bool isScalar = !all[0] && !all[1];
    if (isScalar)
      return op->getNumRegions() == 0 ? std::optional(all) : std::nullopt;
    if (looksUp(op))
      return isTable(op->getOperand(0)) &&
                     llvm::all_of(op->getOperands().drop_front(),
                                  [&](Value place) { return isOfIndices(of, place); })
                 ? std::optional(all)
                 : std::nullopt;
    // Bits are not those of another type.
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
        isa<arith::BitcastOp>(op))
      return std::nullopt;
    return all;
  }

  std::optional<std::array<bool, 2>> ofArgument(int stage, unsigned argument) {
    const AttentionStage &of = program.stages[stage];
    const RowContent &content = of.operands[argument];
    if (content.kind == RowContent::Splat)
      return std::array{false, false};
    if (content.kind == RowContent::Stage) {
      for (const KnownStage &stage : known)
        if (stage.stage == content.stage)
          return stage.along;
      linalg::GenericOp maker = program.stages[content.stage].op;
      if (maker.getNumReductionLoops() > 0)
        return std::nullopt;
      return along(content.stage, maker.getBody()->getTerminator()->getOperand(content.result));
    }
    if (!isa<ShapedType>(of.op->getOperand(argument).getType()))
      return std::array{false, false};
    std::optional<AxisAccess> access = accessOf(program, stage, argument);
    if (!access || !cast<ShapedType>(access->root.getType()).hasStaticShape())
      return std::nullopt;
    if (!hasBytes(getElementTypeOrSelf(access->root.getType())))
      return std::nullopt;
    for (auto [axis, stride] : llvm::enumerate(access->strides))
      if (stride != 0 && axis >= program.isRow.size() && !llvm::is_contained(axes, axis))
        return std::nullopt;
    return std::array{access->strides[axes[0]] != 0, access->strides[axes[1]] != 0};
  }

  /// A truth value has a byte of its own.
  static bool hasBytes(Type element) {
    return element.isInteger(1) ||
           (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0);
  }

  static bool isTable(Value memory) {
    auto type = cast<ShapedType>(memory.getType());
    return type.hasStaticShape() && type.getNumElements() > 0 && hasBytes(type.getElementType());
  }

  /// Whether `value` is computed of indices by integer arithmetic. What else may be looked up (a
  /// table by buckets of distances, or by places that are memory too) is computed once for all
  /// batches outside.
  static bool isOfIndices(const AttentionStage &stage, Value value) {
    Operation *op = operationOfBody(stage, value);
    if (!op)
      return matchPattern(value, m_Constant());
    if (isa<linalg::IndexOp>(op) || matchPattern(value, m_Constant()))
      return true;
    return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp>(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isOfIndices(stage, operand); });
  }

  const AttentionProgram &program;
  const TileAxes &axes;
  ArrayRef<KnownStage> known;
  llvm::DenseMap<std::pair<int, Value>, std::optional<std::array<bool, 2>>> seen;
};
} // namespace

bool forge::isOnTiles(const AttentionProgram &program, AttentionGraph::Place place,
                      const TileAxes &axes, ArrayRef<KnownStage> known) {
  return Check(program, axes, known).along(place.stage, place.value).has_value();
}

//===----------------------------------------------------------------------===//
// Computing it

int64_t forge::neighboursAlong(tile::LayoutAttr layout, unsigned dim) {
  int64_t count = 1;
  for (tile::LayoutEntry entry : layout.getReg())
    if (count < 4 && entry == tile::LayoutEntry{static_cast<int8_t>(dim),
                                                static_cast<uint8_t>(llvm::Log2_64(count))})
      count *= 2;
    else
      break;
  return count;
}

Type TileValues::typeOf(const TilePlace &place, Type element, bool rows, bool columns) {
  SmallVector<int64_t> shape, dropped;
  for (auto [dim, has] : llvm::enumerate(std::array{rows, columns}))
    if (has)
      shape.push_back(place.shape[dim]);
    else
      dropped.push_back(static_cast<int64_t>(dim));
  if (shape.empty())
    return element;
  return RankedTensorType::get(
      shape, element, dropped.empty() ? place.layout : place.layout.dropDimensions(dropped));
}

Value TileValues::spread(const TileValue &value, const TilePlace &place, bool rows, bool columns) {
  if (value.along[0] == rows && value.along[1] == columns)
    return value.value;
  Type type = typeOf(place, getElementTypeOrSelf(value.value.getType()), rows, columns);
  if (!value.along[0] && !value.along[1])
    return tensor::SplatOp::create(b, value.value, cast<RankedTensorType>(type));
  int64_t missing = value.along[0] ? 1 : 0;
  return tile::BroadcastOp::create(b, type, value.value, b.getDenseI64ArrayAttr(missing));
}

TileValue TileValues::indexOf(unsigned axis, const TilePlace &place, Type type) {
  Value begin = place.begin[axis];
  if (!type.isIndex())
    begin = arith::IndexCastOp::create(b, type, begin);
  if (!llvm::is_contained(place.axes, axis))
    return {begin};
  int64_t dim = place.axes[0] == axis ? 0 : 1;
  Type vector = typeOf(place, type, dim == 0, dim == 1);
  Value within = tile::IotaOp::create(b, vector, b.getI64IntegerAttr(0));
  Value first = tensor::SplatOp::create(b, begin, cast<RankedTensorType>(vector));
  return {arith::AddIOp::create(b, first, within), {dim == 0, dim == 1}};
}

TileValue TileValues::load(int stage, unsigned operand, const TilePlace &place) {
  Value source = program.stages[stage].op->getOperand(operand);
  if (!isa<ShapedType>(source.getType()))
    return {source};
  AxisAccess access = *accessOf(program, stage, operand);
  SmallVector<AxisExtent> dims;
  SmallVector<Value> indices;
  SmallVector<int64_t> tileDims;
  SmallVector<Value> limits;
  TileValue result;
  auto add = [&](unsigned axis) {
    dims.push_back({axis, program.extents[axis].size});
    indices.push_back(place.begin[axis]);
  };
  for (unsigned axis = 0; axis < program.isRow.size(); ++axis)
    if (access.strides[axis] != 0 && !llvm::is_contained(place.axes, axis))
      add(axis);
  for (unsigned dim : {0u, 1u}) {
    unsigned axis = place.axes[dim];
    if (access.strides[axis] == 0)
      continue;
    tileDims.push_back(static_cast<int64_t>(dims.size()));
    add(axis);
    limits.push_back(arith::ConstantIndexOp::create(b, place.limits[dim]));
    result.along[dim] = true;
  }
  if (dims.empty()) {
    dims.push_back({std::nullopt, 1});
    indices.push_back(arith::ConstantIndexOp::create(b, 0));
  }
  Value memory = castToAxes(b, access, dims);
  Type element = getElementTypeOrSelf(source.getType());
  if (tileDims.empty()) {
    result.value = memref::LoadOp::create(b, memory, indices);
    return result;
  }
  // Neighbours that a thread has.
  int64_t bytes = access.elementBytes(), align = 0;
  for (unsigned dim : {0u, 1u})
    if (result.along[dim])
      align = std::max(align, access.alignmentAlong(place.axes[dim], bytes,
                                                    bytes * neighboursAlong(place.layout, dim)));
  result.value =
      tile::LoadOp::create(b, typeOf(place, element, result.along[0], result.along[1]), memory,
                           indices, b.getDenseI64ArrayAttr(tileDims), limits, /*fill=*/Value(),
                           align ? b.getI64IntegerAttr(align) : IntegerAttr());
  return result;
}

TileValue TileValues::loadBuffer(const TileValue &buffer, const TilePlace &place) {
  auto shared = cast<tile::SharedType>(buffer.value.getType());
  auto [rows, columns] = buffer.along;
  int64_t bytes = shared.getElementBytes() * neighboursAlong(place.layout, columns ? 1 : 0);
  SmallVector<Value> zeros(shared.getRank(), arith::ConstantIndexOp::create(b, 0));
  TileValue result = buffer;
  result.value = tile::LoadOp::create(b, typeOf(place, shared.getElementType(), rows, columns),
                                      buffer.value, zeros, DenseI64ArrayAttr(), ValueRange(),
                                      /*fill=*/Value(), b.getI64IntegerAttr(bytes));
  return result;
}

TileValue TileValues::argumentOf(int stage, BlockArgument argument, TilePlace &place) {
  const RowContent &content = program.stages[stage].operands[argument.getArgNumber()];
  if (content.kind == RowContent::Splat)
    return {content.splat};
  if (content.kind == RowContent::Stage)
    return resultOf(content.stage, content.result, place);
  if (auto copied = place.buffers.find(argument); copied != place.buffers.end())
    return loadBuffer(copied->second, place);
  return load(stage, argument.getArgNumber(), place);
}

TileValue TileValues::castTo(const TileValue &value, Type type, const TilePlace &place) {
  Type from = getElementTypeOrSelf(value.value.getType());
  if (from == type)
    return value;
  TileValue result = value;
  Type to = typeOf(place, type, value.along[0], value.along[1]);
  result.value = from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()
                     ? arith::TruncFOp::create(b, to, value.value).getResult()
                     : arith::ExtFOp::create(b, to, value.value).getResult();
  return result;
}

static bool isNarrowFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

TileValue TileValues::gather(int stage, Operation *op, TilePlace &place) {
  Value table = op->getOperand(0);
  auto type = cast<ShapedType>(table.getType());
  SmallVector<TileValue> places;
  TileValue made;
  for (Value operand : op->getOperands().drop_front()) {
    places.push_back(valueOf({stage, operand}, place));
    for (unsigned along : {0u, 1u})
      made.along[along] |= places.back().along[along];
  }
  SmallVector<Value> indices =
      llvm::map_to_vector(places, [](const TileValue &at) { return at.value; });
  if (!made.along[0] && !made.along[1]) {
    made.value = memref::LoadOp::create(b, table, indices);
    return made;
  }
  // Rows and keys beyond the last ones read the last element.
  for (auto [dim, index] : llvm::enumerate(indices)) {
    const TileValue &at = places[dim];
    if (!at.along[0] && !at.along[1])
      continue;
    Value last = arith::ConstantIndexOp::create(b, type.getDimSize(dim) - 1);
    Value inside =
        arith::MinUIOp::create(b, index, spread({last}, place, at.along[0], at.along[1]));
    index = spread({inside, {at.along[0], at.along[1]}}, place, made.along[0], made.along[1]);
  }
  made.value = tile::GatherOp::create(
      b, typeOf(place, type.getElementType(), made.along[0], made.along[1]), table, indices);
  return made;
}

TileValue TileValues::operation(int stage, Operation *op, OpResult result, TilePlace &place) {
  if (looksUp(op) && op->getNumOperands() > 1)
    return gather(stage, op, place);
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return indexOf(program.stages[stage].axes[index.getDim()], place, b.getIndexType());
  SmallVector<TileValue> operands;
  TileValue made;
  for (Value operand : op->getOperands()) {
    operands.push_back(valueOf({stage, operand}, place));
    if (place.staysInF32 && isNarrowFloat(getElementTypeOrSelf(operands.back().value.getType())))
      operands.back() = castTo(operands.back(), b.getF32Type(), place);
    for (unsigned dim : {0u, 1u})
      made.along[dim] |= operands.back().along[dim];
  }
  Type type = result.getType();
  if (place.staysInF32 && isNarrowFloat(type) && !operands.empty()) {
    type = b.getF32Type();
    if (isa<arith::TruncFOp>(op))
      return operands.front();
  }
  if (isa<arith::ExtFOp>(op) &&
      operands.front().value.getType() == typeOf(place, type, made.along[0], made.along[1]))
    return operands.front();
  bool isChanged = type != result.getType() ||
                   llvm::any_of(llvm::zip_equal(op->getOperands(), operands), [](auto pair) {
                     return std::get<0>(pair).getType() !=
                            getElementTypeOrSelf(std::get<1>(pair).value.getType());
                   });
  if (!made.along[0] && !made.along[1] && !isChanged) {
    IRMapping mapping;
    for (auto [operand, value] : llvm::zip_equal(op->getOperands(), operands))
      mapping.map(operand, value.value);
    made.value = b.clone(*op, mapping)->getResult(result.getResultNumber());
    return made;
  }
  OperationState state(op->getLoc(), op->getName());
  state.addAttributes(op->getAttrs());
  for (const TileValue &operand : operands)
    state.addOperands(spread(operand, place, made.along[0], made.along[1]));
  state.addTypes(typeOf(place, type, made.along[0], made.along[1]));
  made.value = b.create(state)->getResult(0);
  return made;
}

TileValue TileValues::valueOf(AttentionGraph::Place of, TilePlace &place) {
  auto known = place.computed.find(of.value);
  if (known != place.computed.end())
    return known->second;
  const AttentionStage &stage = program.stages[of.stage];
  TileValue result;
  if (argumentOfBody(stage, of.value))
    result = argumentOf(of.stage, cast<BlockArgument>(of.value), place);
  else if (Operation *op = operationOfBody(stage, of.value))
    result = operation(of.stage, op, cast<OpResult>(of.value), place);
  else
    return {of.value};
  place.computed[of.value] = result;
  return result;
}

TileValue TileValues::resultOf(int stage, unsigned result, TilePlace &place) {
  Value yielded = program.stages[stage].op.getBody()->getTerminator()->getOperand(result);
  auto known = place.known.find(stage);
  if (known != place.known.end())
    return place.staysInF32 ? known->second : castTo(known->second, yielded.getType(), place);
  return valueOf({stage, yielded}, place);
}
