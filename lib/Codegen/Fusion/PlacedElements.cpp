#include "PlacedElements.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace forge;

//===--- what is computed ---===//

bool forge::isElementView(Operation *op) {
  // A slice leaves elements out, which are then not computed.
  if (isa_and_nonnull<tensor::ExtractSliceOp>(op))
    return true;
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape() &&
         cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape();
}

std::optional<PlacedElements> PlacedElements::of(linalg::GenericOp op) {
  bool isElementwise = op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
                       op.getNumReductionLoops() == 0 && !op->hasAttr(kClusterAttr) &&
                       !op->hasAttr(kScheduleAttr) &&
                       op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
                       op.getRegionOutputArgs().front().use_empty();
  // A thread computes an element by itself.
  auto isOfThread = [](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           (isa<linalg::IndexOp, tensor::ExtractOp, affine::AffineApplyOp>(inner) ||
            isa_and_nonnull<arith::ArithDialect, math::MathDialect, ub::UBDialect>(
                inner.getDialect()));
  };
  if (!isElementwise || !llvm::all_of(op.getBody()->without_terminator(), isOfThread))
    return std::nullopt;
  PlacedElements found;
  found.producer = op;
  return found;
}

std::optional<PlacedElements> PlacedElements::of(Value tensor) {
  SmallVector<Operation *> views;
  while (tensor.hasOneUse()) {
    Operation *op = tensor.getDefiningOp();
    if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op)) {
      std::optional<PlacedElements> found = of(generic);
      if (found)
        found->views = std::move(views);
      return found;
    }
    if (!isElementView(op))
      return std::nullopt;
    views.push_back(op);
    tensor = op->getOperand(0);
  }
  return std::nullopt;
}

/// What `value` is a part of.
static Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
             tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool PlacedElements::canMoveTo(Operation *reader, ValueRange dests) const {
  if (producer->getBlock() != reader->getBlock() || wouldReadOverwritten(producer, reader))
    return false;
  llvm::SmallPtrSet<Value, 8> written;
  for (Value dest : dests)
    written.insert(rootOf(dest));
  SetVector<Value> read;
  read.insert_range(producer.getDpsInputs());
  getUsedValuesDefinedAbove(producer->getRegions(), read);
  return llvm::none_of(read, [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && written.contains(rootOf(value));
  });
}

void PlacedElements::eraseUnused() const {
  for (Operation *view : views)
    if (view->use_empty())
      view->erase();
  if (producer->use_empty())
    producer->erase();
}

//===--- one element ---===//

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// offset + counter * stride
static Value stepTo(OpBuilder &b, Location loc, OpFoldResult offset, Value counter,
                    OpFoldResult stride) {
  Value step = getValueOrCreateConstantIndexOp(b, loc, stride);
  Value moved = b.createOrFold<arith::MulIOp>(loc, counter, step);
  Value start = getValueOrCreateConstantIndexOp(b, loc, offset);
  return b.createOrFold<arith::AddIOp>(loc, moved, start);
}

static SmallVector<Value> placeBefore(OpBuilder &b, Location loc, tensor::ExtractSliceOp slice,
                                      ArrayRef<Value> indices) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  const Value *next = indices.begin();
  SmallVector<Value> place;
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides()))
    place.push_back(dropped.test(dim) ? getValueOrCreateConstantIndexOp(b, loc, offset)
                                      : stepTo(b, loc, offset, *next++, stride));
  return place;
}

static SmallVector<Value> placeBefore(OpBuilder &b, Location loc, tensor::ExpandShapeOp expand,
                                      ArrayRef<Value> indices) {
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  SmallVector<Value> place;
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    Value index = constant(b, loc, 0);
    for (int64_t dim : group)
      if (shape[dim] != 1) {
        index = b.createOrFold<arith::MulIOp>(loc, index, constant(b, loc, shape[dim]));
        index = b.createOrFold<arith::AddIOp>(loc, index, indices[dim]);
      }
    place.push_back(index);
  }
  return place;
}

static SmallVector<Value> placeBefore(OpBuilder &b, Location loc, tensor::CollapseShapeOp collapse,
                                      ArrayRef<Value> indices) {
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  SmallVector<Value> place(shape.size());
  for (auto [index, group] : llvm::zip_equal(indices, collapse.getReassociationIndices())) {
    // The outermost dimension of several elements has what the others leave.
    const int64_t *outermost = llvm::find_if(group, [&](int64_t dim) { return shape[dim] != 1; });
    Value rest = index;
    for (const int64_t *dim = group.end(); dim-- != group.begin();) {
      if (shape[*dim] == 1) {
        place[*dim] = constant(b, loc, 0);
        continue;
      }
      place[*dim] = rest;
      if (dim == outermost)
        continue;
      Value size = constant(b, loc, shape[*dim]);
      place[*dim] = b.createOrFold<arith::RemUIOp>(loc, rest, size);
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
    }
  }
  return place;
}

SmallVector<Value> forge::placeBefore(OpBuilder &b, Location loc, Operation *view,
                                      ArrayRef<Value> indices) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view))
    return ::placeBefore(b, loc, slice, indices);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
    return ::placeBefore(b, loc, expand, indices);
  return ::placeBefore(b, loc, cast<tensor::CollapseShapeOp>(view), indices);
}

void forge::readThroughViews(tensor::ExtractOp extract) {
  OpBuilder builder(extract);
  while (Operation *view = extract.getTensor().getDefiningOp()) {
    if (!isElementView(view))
      break;
    SmallVector<Value> indices(extract.getIndices());
    indices = placeBefore(builder, extract.getLoc(), view, indices);
    extract.getTensorMutable().assign(view->getOperand(0));
    extract.getIndicesMutable().assign(indices);
    if (view->use_empty())
      view->erase();
  }
}

/// The element at `indices` of `tensor`, read from what that is a view of.
static Value read(OpBuilder &b, Location loc, Value tensor, SmallVector<Value> indices) {
  for (Operation *view = tensor.getDefiningOp(); isElementView(view);
       view = tensor.getDefiningOp()) {
    indices = forge::placeBefore(b, loc, view, indices);
    tensor = view->getOperand(0);
  }
  return tensor::ExtractOp::create(b, loc, tensor, indices);
}

Value PlacedElements::at(OpBuilder &b, Location loc, ArrayRef<Value> indices) const {
  SmallVector<Value> place(indices);
  for (Operation *view : views)
    place = forge::placeBefore(b, loc, view, place);
  SmallVector<Value> loops(producer.getNumLoops());
  AffineMap written = producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  for (auto [expr, index] : llvm::zip_equal(written.getResults(), place))
    loops[cast<AffineDimExpr>(expr).getPosition()] = index;
  IRMapping mapping;
  for (OpOperand *input : producer.getDpsInputOperands()) {
    BlockArgument argument = producer.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    Value value = input->get();
    if (isa<RankedTensorType>(value.getType()))
      value = read(b, loc, value,
                   llvm::map_to_vector(producer.getMatchingIndexingMap(input).getResults(),
                                       [&](AffineExpr expr) {
                                         return affine::expandAffineExpr(b, loc, expr, loops, {});
                                       }));
    mapping.map(argument, value);
  }
  for (Operation &op : producer.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), loops[index.getDim()]);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<Value> inside = llvm::map_to_vector(
          extract.getIndices(), [&](Value index) { return mapping.lookupOrDefault(index); });
      mapping.map(extract.getResult(), read(b, loc, extract.getTensor(), inside));
    } else {
      b.clone(op, mapping);
    }
  }
  return mapping.lookupOrDefault(producer.getBody()->getTerminator()->getOperand(0));
}

//===--- all of them ---===//

scf::ForOp PlacedElements::place(OpBuilder &b, Location loc, Value dest,
                                 const PlaceOfSlice &place) const {
  // A loop for each dimension of several elements.
  SmallVector<Value> ends;
  SmallVector<int64_t> looped;
  for (auto [dim, size] : llvm::enumerate(place.sizes))
    if (!place.dropped.test(dim) && !isOneInteger(size)) {
      looped.push_back(static_cast<int64_t>(dim));
      ends.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
    }
  if (looped.empty())
    return {};
  Value zero = constant(b, loc, 0);
  SmallVector<Value> begins(ends.size(), zero), steps(ends.size(), constant(b, loc, 1));
  auto body = [&](OpBuilder &inside, Location, ValueRange counters, ValueRange tensors) {
    SmallVector<Value> from, to;
    for (auto [dim, offset, stride] : llvm::enumerate(place.offsets, place.strides)) {
      const int64_t *loop = llvm::find(looped, static_cast<int64_t>(dim));
      Value counter = loop == looped.end() ? zero : counters[loop - looped.begin()];
      if (!place.dropped.test(dim))
        from.push_back(counter);
      to.push_back(stepTo(inside, loc, offset, counter, stride));
    }
    Value element = at(inside, loc, from);
    return scf::ValueVector{
        tensor::InsertOp::create(inside, loc, element, tensors.front(), to).getResult()};
  };
  scf::LoopNest nest = scf::buildLoopNest(b, loc, begins, ends, steps, dest, body);
  for (scf::ForOp loop : nest.loops)
    loop->setAttr(kIndependentAttr, b.getUnitAttr());
  return nest.loops.front();
}

scf::ForOp forge::asLoops(linalg::GenericOp op) {
  std::optional<PlacedElements> elements = PlacedElements::of(op);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!elements || !type || !type.hasStaticShape())
    return {};
  OpBuilder builder(op);
  size_t rank = type.getRank();
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
  PlaceOfSlice all{SmallVector<OpFoldResult>(rank, builder.getIndexAttr(0)),
                   tensor::getMixedSizes(builder, op.getLoc(), empty),
                   SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1)),
                   llvm::SmallBitVector(rank)};
  return elements->place(builder, op.getLoc(), empty, all);
}
