#include "WarpProducts.h"

#include "../Strategy/AccessBytes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace forge;

WarpProducts::WarpProducts(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                           const GPUChip &chip)
    : FlashBuilder(kernel, flash, plan, chip,
                   layoutsOf(kernel.getContext(), plan.product, chip).sums),
      layouts(layoutsOf(kernel.getContext(), plan.product, chip)),
      ofRows(plan.rowsLast ? layouts.right : layouts.left),
      ofOthers(plan.rowsLast ? layouts.left : layouts.right) {}

QueryTile WarpProducts::beginBlock() {
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(order.numTiles()));
  kernel->setAttr(tile::kWarpsAttr, b.getI64IntegerAttr(plan.product.warps()));
  return order.tileOf(arith::IndexCastOp::create(
      b, b.getI32Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x).getResult()));
}

Value WarpProducts::fromShared(Value buffer, int64_t rows, int64_t term, int64_t terms,
                               tile::LayoutAttr layout) {
  auto type = cast<tile::SharedType>(buffer.getType());
  // ldmatrix reads buffers with a swizzle.
  int64_t align = type.getSwizzle() ? kAccessBytes : plan.product.factorBytes;
  return tile::LoadOp::create(b,
                              RankedTensorType::get({rows, terms}, type.getElementType(), layout),
                              buffer, ValueRange{index(0), index(term)}, DenseI64ArrayAttr(),
                              ValueRange(), /*fill=*/Value(), b.getI64IntegerAttr(align));
}

Value WarpProducts::dot(Value left, bool transposedLeft, Value right, bool transposedRight,
                        Value accumulator) {
  auto unitIf = [&](bool is) { return is ? b.getUnitAttr() : UnitAttr(); };
  return tile::DotOp::create(
      b, accumulator.getType(), tile::DotKindAttr::get(b.getContext(), plan.product.kind),
      plan.product.isMatrix() ? b.getDenseI64ArrayAttr(plan.product.instruction)
                              : DenseI64ArrayAttr(),
      left, unitIf(transposedLeft), right, unitIf(transposedRight), accumulator);
}

Value WarpProducts::queriesInRegisters(const QueryTile &tile) {
  int64_t depth = flash.sizeOf(program.depthAxis());
  SmallVector<Value> limits;
  if (flash.rows() % plan.rows != 0 || depth != plan.depth)
    limits = {index(flash.rows()), index(depth)};
  int64_t align = flash.query.alignmentAlong(program.depthAxis(), flash.query.elementBytes(),
                                             plan.product.factorBytes);
  auto type = RankedTensorType::get({plan.rows, plan.depth}, flash.queryType(), ofRows);
  return tile::LoadOp::create(b, type, castFactor(flash.query, flash.rowAxis, program.depthAxis()),
                              indicesOf(flash.query, tile, tile.begin[flash.rowAxis], index(0)),
                              DenseI64ArrayAttr(), limits, /*fill=*/Value(),
                              align ? b.getI64IntegerAttr(align) : IntegerAttr());
}

Value WarpProducts::scores(Value queries, Value keys) {
  Value sum = softmax.zeros(plan.keys);
  if (!plan.product.isMatrix())
    return dot(queries, false, keys, false, sum);
  int64_t terms = plan.product.instruction[2];
  for (int64_t term = 0; term < plan.depth; term += terms) {
    Value others = fromShared(keys, plan.keys, term, terms, ofOthers), rows;
    if (isa<RankedTensorType>(queries.getType()))
      rows = tile::SliceOp::create(
          b, RankedTensorType::get({plan.rows, terms}, flash.queryType(), ofRows), queries,
          ValueRange{index(0), index(term)});
    else
      rows = fromShared(queries, plan.rows, term, terms, ofRows);
    sum =
        plan.rowsLast ? dot(others, false, rows, false, sum) : dot(rows, false, others, false, sum);
  }
  return sum;
}

Value WarpProducts::inLanesOfRows(Value weights) {
  auto type = cast<RankedTensorType>(weights.getType());
  tile::LayoutAttr layout = plan.rowsLast ? ofRows.swapDimensions() : ofRows;
  auto now = cast<tile::LayoutAttr>(type.getEncoding());
  if (now.getLane() == layout.getLane() && now.getWarp() == layout.getWarp())
    return weights;
  return tile::ConvertOp::create(
      b, RankedTensorType::get(type.getShape(), type.getElementType(), layout), weights);
}

Value WarpProducts::addWeighted(Value weights, Value values, bool byKeys, Value sum, Value end) {
  auto type = cast<RankedTensorType>(weights.getType());
  auto layout = cast<tile::LayoutAttr>(type.getEncoding());
  unsigned keyDim = plan.rowsLast ? 0 : 1;
  int64_t terms = std::max(plan.product.instruction[2], layout.getAtom()[keyDim]);
  for (int64_t term = 0; term < plan.keys; term += terms) {
    SmallVector<int64_t> shape(type.getShape());
    shape[keyDim] = terms;
    SmallVector<Value> offsets = {index(0), index(0)};
    offsets[keyDim] = index(term);
    Value part = tile::SliceOp::create(
        b, RankedTensorType::get(shape, type.getElementType(), layout), weights, offsets);
    Value others;
    if (byKeys) {
      SmallVector<Value> limits;
      if (end)
        limits = {index(plan.columns), end};
      others = tile::LoadOp::create(
          b, RankedTensorType::get({plan.columns, terms}, flash.weightedType(), ofOthers), values,
          ValueRange{index(term), index(0)}, b.getDenseI64ArrayAttr({1, 0}), limits,
          /*fill=*/Value(), end ? IntegerAttr() : b.getI64IntegerAttr(kAccessBytes));
    } else {
      others = fromShared(values, plan.columns, term, terms, ofOthers);
    }
    sum =
        plan.rowsLast ? dot(others, false, part, true, sum) : dot(part, false, others, false, sum);
  }
  return sum;
}

Value WarpProducts::endOfValues(const QueryTile &tile) {
  Value end;
  for (const TileLimit &limit : tileLimits(b, program, flash.valueConditions,
                                           {flash.rowAxis, program.keyAxis()}, tile.begin)) {
    Value behind = arith::AddIOp::create(b, limit.value, index(1));
    end = arith::MinSIOp::create(b, end ? end : index(flash.keys()), behind);
  }
  return end;
}

WarpProducts::State
WarpProducts::addParts(const QueryTile &tile,
                       llvm::function_ref<State(Value first, Value end)> addKeys) {
  if (plan.splits == 1)
    return addKeys(tile.firstBlock, tile.endBlock);
  SmallVector<Type> types(ValueRange(softmax.start().withoutWeights()).getTypes());
  auto split = tile::SplitOp::create(b, types, b.getI64IntegerAttr(plan.splits));
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&split.getBody(), {}, {b.getIndexType()}, {b.getLoc()});
  Value blocks = arith::SubIOp::create(b, tile.endBlock, tile.firstBlock);
  Value ofPart = arith::CeilDivUIOp::create(b, blocks, i32(plan.splits));
  Value part = arith::IndexCastOp::create(b, b.getI32Type(), body->getArgument(0));
  Value first = arith::AddIOp::create(b, tile.firstBlock, arith::MulIOp::create(b, part, ofPart));
  Value end = arith::MinSIOp::create(b, arith::AddIOp::create(b, first, ofPart), tile.endBlock);
  State state = addKeys(first, end);
  tile::YieldOp::create(b, state.withoutWeights());
  SmallVector<Type> twice(types);
  llvm::append_range(twice, types);
  Block *combine = b.createBlock(&split.getCombine(), {}, twice,
                                 SmallVector<Location>(twice.size(), b.getLoc()));
  ValueRange arguments = combine->getArguments();
  State all = softmax.combine(State::ofSums(arguments.take_front(types.size())),
                              State::ofSums(arguments.drop_front(types.size())));
  tile::YieldOp::create(b, all.withoutWeights());
  return State::ofSums(split.getResults());
}
