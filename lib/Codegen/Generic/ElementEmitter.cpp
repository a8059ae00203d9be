#include "ElementEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

ElementEmitter::ElementEmitter(linalg::LinalgOp op, int64_t threads,
                               std::optional<Epilogue> epilogue)
    : op(op), threads(threads), builder(epilogue ? epilogue->op : op), loc(op.getLoc()),
      epilogue(std::move(epilogue)) {
  for (Range range : op.createLoopRanges(builder, loc))
    extents.push_back(range.size);
  indices.resize(extents.size());
  for (OpOperand &operand : op->getOpOperands()) {
    maps[&operand] = op.getMatchingIndexingMap(&operand);
    if (std::optional<FactorPadding> padding =
            op.isDpsInput(&operand) ? paddingOf(operand.get()) : std::nullopt)
      paddings.try_emplace(&operand, std::move(*padding));
  }
  if (this->epilogue)
    mapEpilogue();
  orderLoops();
}

/// The loops of the epilogue are parallel loops of `op`: those that the element of the result is
/// of which it reads.
void ElementEmitter::mapEpilogue() {
  linalg::LinalgOp after = epilogue->op;
  OpOperand *output = op.getDpsInitOperand(0);
  AffineMap result = maps[output];
  epilogue->loops.resize(after.getNumLoops());
  for (OpOperand *input : after.getDpsInputOperands())
    if (input->get() == output->get())
      for (auto [there, here] :
           llvm::zip_equal(after.getMatchingIndexingMap(input).getResults(), result.getResults()))
        epilogue->loops[cast<AffineDimExpr>(there).getPosition()] =
            cast<AffineDimExpr>(here).getPosition();
  SmallVector<AffineExpr> dims = llvm::map_to_vector(
      epilogue->loops, [&](unsigned loop) { return getAffineDimExpr(loop, op.getContext()); });
  for (OpOperand &operand : after->getOpOperands())
    maps[&operand] =
        after.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(dims, {}, op.getNumLoops(), 0);
}

/// Parallel loops as the first output or a large input orders them; reduction loops of one
/// iteration first.
void ElementEmitter::orderLoops() {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap order = orderOfElements(op, maps[last().getDpsInitOperand(0)]);
  for (AffineExpr result : order.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result);
        dim && iterators[dim.getPosition()] == utils::IteratorType::parallel)
      parallel.push_back(dim.getPosition());
  for (auto [dim, type] : llvm::enumerate(iterators)) {
    if (type == utils::IteratorType::reduction)
      reductions.push_back(dim);
    else if (!llvm::is_contained(parallel, dim))
      parallel.insert(parallel.begin(), dim);
  }
  std::stable_partition(reductions.begin(), reductions.end(),
                        [&](unsigned loop) { return getConstantIntValue(extents[loop]) == 1; });
}

Value ElementEmitter::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

OpFoldResult ElementEmitter::totalElements() {
  OpFoldResult total = builder.getIndexAttr(1);
  for (unsigned dim : parallel) {
    auto x = getConstantIntValue(total), y = getConstantIntValue(extents[dim]);
    if (x && y) {
      total = builder.getIndexAttr(*x * *y);
      continue;
    }
    Value left = getValueOrCreateConstantIndexOp(builder, loc, total);
    Value right = getValueOrCreateConstantIndexOp(builder, loc, extents[dim]);
    total = arith::MulIOp::create(builder, loc, left, right).getResult();
  }
  if (tile.results() == 1)
    return total;
  int64_t tiles = *getConstantIntValue(total) / tile.lanes;
  if (tile.positions > 1)
    tiles = tiles / *getConstantIntValue(extents[tile.positionLoop]) * tilesOfPositions();
  return builder.getIndexAttr(tiles);
}

int64_t ElementEmitter::tilesOfPositions() {
  return llvm::divideCeil(*getConstantIntValue(extents[tile.positionLoop]), tile.positions);
}

OpFoldResult ElementEmitter::numBlocks(OpFoldResult total, int64_t elementsOfBlock) {
  if (auto count = getConstantIntValue(total))
    return builder.getIndexAttr(
        std::min(llvm::divideCeil(*count, elementsOfBlock), uint64_t(kMaxBlocks)));
  Value all = getValueOrCreateConstantIndexOp(builder, loc, total);
  Value blocks = arith::CeilDivUIOp::create(builder, loc, all, constant(elementsOfBlock));
  return arith::MinUIOp::create(builder, loc, blocks, constant(kMaxBlocks)).getResult();
}

void ElementEmitter::setIndices(Value number) {
  Type type = isNarrow ? builder.getI32Type() : Type(builder.getIndexType());
  auto toType = [&](Value value) -> Value {
    return isNarrow ? arith::IndexCastOp::create(builder, loc, type, value).getResult() : value;
  };
  Value rest = toType(number);
  for (auto [at, dim] : llvm::reverse(llvm::enumerate(parallel))) {
    int64_t inTile = 1;
    if (tile.lanes > 1 && dim == tile.laneLoop)
      inTile = tile.lanes;
    else if (tile.positions > 1 && dim == tile.positionLoop)
      inTile = tile.positions;
    Value index = rest;
    if (at > 0) {
      OpFoldResult extent = extents[dim];
      if (inTile > 1)
        extent = builder.getIndexAttr(llvm::divideCeil(*getConstantIntValue(extent), inTile));
      Value size = toType(getValueOrCreateConstantIndexOp(builder, loc, extent));
      index = arith::RemUIOp::create(builder, loc, rest, size);
      rest = arith::DivUIOp::create(builder, loc, rest, size);
    }
    if (isNarrow)
      index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), index);
    if (inTile > 1)
      index = arith::MulIOp::create(builder, loc, index, constant(inTile));
    if (inTile > 1 && *getConstantIntValue(extents[dim]) % inTile != 0) {
      Value last = constant(*getConstantIntValue(extents[dim]) - inTile);
      isBeforeLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, index, last);
      index = arith::MinUIOp::create(builder, loc, index, last);
    }
    indices[dim] = index;
  }
}

AffineMap ElementEmitter::mapHere(OpOperand &operand) {
  AffineMap map = maps.lookup(&operand);
  if (position == 0 && step == 0)
    return map;
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> dims;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    AffineExpr dim = getAffineDimExpr(loop, context);
    if (position > 0 && loop == tile.positionLoop)
      dim = dim + position;
    else if (step > 0 && loop == reductions.back())
      dim = dim + step;
    dims.push_back(dim);
  }
  return simplifyAffineMap(map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), 0));
}

SmallVector<Value> ElementEmitter::place(OpOperand &operand) {
  AffineMap map = mapHere(operand);
  SmallVector<Value> results;
  for (AffineExpr expression : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
      results.push_back(indices[dim.getPosition()]);
      continue;
    }
    // Loops that the index does not go over may not have an index yet.
    SmallVector<Value> used;
    SmallVector<AffineExpr> dims(map.getNumDims(), getAffineConstantExpr(0, op.getContext()));
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (expression.isFunctionOfDim(loop)) {
        dims[loop] = getAffineDimExpr(used.size(), op.getContext());
        used.push_back(indices[loop]);
      }
    AffineMap single = AffineMap::get(used.size(), 0, expression.replaceDims(dims));
    results.push_back(affine::AffineApplyOp::create(builder, loc, single, used));
  }
  return results;
}

Value ElementEmitter::load(OpOperand &operand) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get();
  if (Value all = ahead.lookup(&operand))
    return vector::ExtractOp::create(builder, loc, all, step);
  if (auto padding = paddings.find(&operand); padding != paddings.end())
    return loadInside(operand, padding->second, 1);
  return memref::LoadOp::create(builder, loc, operand.get(), place(operand));
}

llvm::MaybeAlign ElementEmitter::alignmentOf(VectorType type) {
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return llvm::MaybeAlign(static_cast<uint64_t>(std::min(bytes, kLaneBytes)));
}

Value ElementEmitter::loadVector(OpOperand &operand, int64_t count) {
  if (auto padding = paddings.find(&operand); padding != paddings.end())
    return loadInside(operand, padding->second, count);
  auto type = VectorType::get(count, getElementTypeOrSelf(operand.get()));
  return vector::LoadOp::create(builder, loc, type, operand.get(), place(operand),
                                /*nontemporal=*/false, alignmentOf(type));
}

void ElementEmitter::storeVector(Value value, Value buffer, ArrayRef<Value> at) {
  vector::StoreOp::create(builder, loc, value, buffer, at, /*nontemporal=*/false,
                          alignmentOf(cast<VectorType>(value.getType())));
}

SmallVector<Value> ElementEmitter::loadLanes(OpOperand &operand) {
  if (ahead.contains(&operand))
    return {load(operand)};
  Values &elements = loaded[{&operand, mapHere(operand)}];
  if (!elements.empty())
    return elements;
  if (auto there = staged.find(&operand); there != staged.end()) {
    auto [buffer, row, column] = there->second;
    for (int64_t lane = 0; lane < tile.lanes; ++lane) {
      Value at = builder.createOrFold<arith::AddIOp>(loc, row, constant(lane));
      elements.push_back(memref::LoadOp::create(builder, loc, buffer, ValueRange{at, column}));
    }
    return elements;
  }
  bool differs = tile.lanes > 1 && isa<MemRefType>(operand.get().getType()) &&
                 maps.lookup(&operand).isFunctionOfDim(tile.laneLoop);
  if (!differs)
    return elements = Values(tile.lanes, load(operand));
  Value all = loadVector(operand, tile.lanes);
  for (int64_t lane = 0; lane < tile.lanes; ++lane)
    elements.push_back(vector::ExtractOp::create(builder, loc, all, lane));
  return elements;
}

SmallVector<Value> ElementEmitter::loadStarts(linalg::LinalgOp target, ArrayRef<Value> inits) {
  size_t outputs = inits.size();
  Values starts(outputs * tile.results());
  for (auto [at, output] : llvm::enumerate(target.getDpsInitsMutable())) {
    bool isRead = target.payloadUsesValueFromOperand(&output) || target.getNumReductionLoops() > 0;
    for (position = 0; position < tile.positions; ++position) {
      Values lanes(tile.lanes, inits[at]);
      if (!inits[at] && isRead)
        lanes = loadLanes(output);
      for (auto [lane, start] : llvm::enumerate(lanes))
        starts[(position * tile.lanes + lane) * outputs + at] = start;
    }
    position = 0;
  }
  loaded.clear();
  return starts;
}

SmallVector<Value> ElementEmitter::emitReductions(unsigned level, ArrayRef<Value> starts) {
  if (level == reductions.size()) {
    Values results = emitBody(op, starts, {});
    loaded.clear();
    return results;
  }
  bool isInnermost = level + 1 == reductions.size();
  Value by = constant(isInnermost ? tile.steps : 1);
  Value end = getValueOrCreateConstantIndexOp(builder, loc, extents[reductions[level]]);
  auto loop = scf::ForOp::create(builder, loc, constant(0), end, by, starts);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  indices[reductions[level]] = loop.getInductionVar();
  Values next(loop.getRegionIterArgs());
  next = isInnermost ? emitSteps(next) : emitReductions(level + 1, next);
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults());
}

/// The body for `tile.steps` steps of the innermost reduction loop, in order.
SmallVector<Value> ElementEmitter::emitSteps(ArrayRef<Value> values) {
  unsigned dim = reductions.back();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (tile.steps > 1 && tile.results() == 1)
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<MemRefType>(input->get().getType()) &&
          Access{input->get(), maps.lookup(input)}.isInnermost(dim, sizes) &&
          !op.getMatchingBlockArgument(input).use_empty())
        ahead[input] = loadVector(*input, tile.steps);
  Values next(values);
  for (step = 0; step < tile.steps; ++step)
    next = emitBody(op, next, {});
  step = 0;
  ahead.clear();
  loaded.clear();
  return next;
}

SmallVector<Value> ElementEmitter::emitEpilogue(ArrayRef<Value> results) {
  if (!epilogue)
    return Values(results);
  Values starts = loadStarts(epilogue->op, epilogue->inits);
  Values values = emitBody(epilogue->op, starts, results);
  loaded.clear();
  return values;
}

/// What the body of `target` yields for each result of the thread: its outputs hold `before`;
/// `produced` are the results that an epilogue reads.
SmallVector<Value> ElementEmitter::emitBody(linalg::LinalgOp target, ArrayRef<Value> before,
                                            ArrayRef<Value> produced) {
  size_t outputs = target.getNumDpsInits();
  Values results;
  for (position = 0; position < tile.positions; ++position) {
    llvm::DenseMap<Value, Values> inputs;
    for (OpOperand *input : target.getDpsInputOperands()) {
      BlockArgument argument = target.getMatchingBlockArgument(input);
      if (argument.use_empty())
        continue;
      bool isProduced = !produced.empty() && input->get() == op.getDpsInits().front();
      inputs[argument] = isProduced ? Values(produced.slice(position * tile.lanes, tile.lanes))
                                    : loadLanes(*input);
    }
    for (int64_t lane = 0; lane < tile.lanes; ++lane) {
      IRMapping mapping;
      for (auto &[argument, elements] : inputs)
        mapping.map(argument, elements[lane]);
      size_t result = position * tile.lanes + lane;
      for (auto [output, value] :
           llvm::zip_equal(target.getDpsInitsMutable(), before.slice(result * outputs, outputs)))
        if (value)
          mapping.map(target.getMatchingBlockArgument(&output), value);
      llvm::append_range(results, emitLane(target, lane, mapping));
    }
  }
  position = 0;
  return results;
}

/// The index of a loop of `target` for the present element.
Value ElementEmitter::indexOf(linalg::LinalgOp target, unsigned loop, int64_t lane) {
  if (epilogue && target == epilogue->op)
    loop = epilogue->loops[loop];
  int64_t offset = 0;
  if (tile.lanes > 1 && loop == tile.laneLoop)
    offset = lane;
  else if (tile.positions > 1 && loop == tile.positionLoop)
    offset = position;
  else if (!reductions.empty() && loop == reductions.back())
    offset = step;
  return offset > 0
             ? arith::AddIOp::create(builder, loc, indices[loop], constant(offset)).getResult()
             : indices[loop];
}

/// What the body yields for the elements that `mapping` has.
SmallVector<Value> ElementEmitter::emitLane(linalg::LinalgOp target, int64_t lane,
                                            IRMapping &mapping) {
  Block *body = target.getBlock();
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), indexOf(target, index.getDim(), lane));
      continue;
    }
    if (auto there = stagedReads.find(&inner); there != stagedReads.end()) {
      auto [buffer, row, column] = there->second;
      Value at = builder.createOrFold<arith::AddIOp>(loc, row, constant(lane));
      mapping.map(inner.getResult(0),
                  memref::LoadOp::create(builder, loc, buffer, ValueRange{at, column}));
      continue;
    }
    Operation *clone = builder.clone(inner, mapping);
    clone->walk([&](linalg::IndexOp index) {
      index.replaceAllUsesWith(indexOf(target, index.getDim(), lane));
      index.erase();
    });
  }
  return llvm::map_to_vector(body->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

void ElementEmitter::storeResults(ArrayRef<Value> results) {
  size_t outputs = last().getNumDpsInits();
  int64_t repeated = 0;
  if (isBeforeLast)
    repeated =
        tilesOfPositions() * tile.positions - *getConstantIntValue(extents[tile.positionLoop]);
  for (auto [at, output] : llvm::enumerate(last().getDpsInitsMutable())) {
    for (position = 0; position < tile.positions; ++position) {
      OpBuilder::InsertionGuard guard(builder);
      if (position < repeated) {
        auto branch = scf::IfOp::create(builder, loc, isBeforeLast, /*withElseRegion=*/false);
        builder.setInsertionPointToStart(branch.thenBlock());
      }
      Values lanes;
      for (int64_t lane = 0; lane < tile.lanes; ++lane)
        lanes.push_back(results[(position * tile.lanes + lane) * outputs + at]);
      if (tile.lanes == 1) {
        memref::StoreOp::create(builder, loc, lanes.front(), output.get(), place(output));
        continue;
      }
      auto type = VectorType::get(tile.lanes, lanes.front().getType());
      Value all = vector::FromElementsOp::create(builder, loc, type, lanes);
      storeVector(all, output.get(), place(output));
    }
    position = 0;
  }
}
