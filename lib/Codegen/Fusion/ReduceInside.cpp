// A nest of running reductions with reductions of its results in it.
#include "ScanNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

namespace {
// 1. The loops that are left, and in them the loop along a line. What each of the lines that are
//    taken together carries is in memory of the thread.
// 2. A step is a loop over these lines, which carries the reductions at the step's places.
// 3. Then it writes those.
class Reducer {
public:
  Reducer(OpBuilder &b, ScanNest &nest, ArrayRef<ScanReduction> reductions, ArrayRef<int64_t> lines)
      : b(b), loc(nest.line.getLoc()), nest(nest), reductions(reductions), lines(lines) {
    for (int64_t dim : lines)
      count *= sizeOf(dim);
    numPlaces = nest.writes.front().size();
  }

  SmallVector<Value> emit() {
    SmallVector<Value> tensors, results;
    for (const ScanReduction &reduction : reductions) {
      auto type = cast<RankedTensorType>(reduction.op->getResult(0).getType());
      tensors.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
    }
    scf::ForOp around;
    for (scf::ForOp loop : nest.outer) {
      if (llvm::any_of(lines, [&](int64_t dim) { return nest.loopOf(dim) == loop; }))
        continue;
      auto next = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                                     loop.getStep(), tensors);
      next->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
      if (around)
        scf::YieldOp::create(b, loc, next.getResults());
      else
        results.assign(next.result_begin(), next.result_end());
      around = next;
      counters.map(loop.getInductionVar(), next.getInductionVar());
      tensors.assign(next.getRegionIterArgs().begin(), next.getRegionIterArgs().end());
      b.setInsertionPointToStart(next.getBody());
    }
    SmallVector<Value> carried = emitMemories();
    llvm::append_range(carried, tensors);
    auto line = scf::ForOp::create(b, loc, nest.line.getLowerBound(), nest.line.getUpperBound(),
                                   nest.line.getStep(), carried);
    line->setDiscardableAttrs(nest.line->getDiscardableAttrDictionary());
    scf::YieldOp::create(b, loc, line.getResults().take_back(reductions.size()));
    counters.map(nest.line.getInductionVar(), line.getInductionVar());
    b.setInsertionPointToStart(line.getBody());
    scf::YieldOp::create(b, loc, step(line));
    return results;
  }

private:
  int64_t sizeOf(int64_t dim) { return *getConstantIntValue(nest.loopOf(dim).getUpperBound()); }

  unsigned numMemories() const { return nest.scalars.size() + nest.memories.size(); }

  /// For each number a vector, and for each memory one more dimension, the first, of lines.
  SmallVector<Value> emitMemories() {
    SmallVector<Value> memories;
    for (unsigned position : nest.scalars) {
      Value init = nest.line.getInitArgs()[position];
      Value memory = tensor::EmptyOp::create(b, loc, {count}, init.getType());
      auto fill = scf::ForOp::create(b, loc, index(0), index(count), index(1), memory);
      OpBuilder in = OpBuilder::atBlockEnd(fill.getBody());
      Value filled = tensor::InsertOp::create(in, loc, constantHere(in, init),
                                              fill.getRegionIterArg(0), fill.getInductionVar());
      scf::YieldOp::create(in, loc, filled);
      memories.push_back(fill.getResult(0));
    }
    for (unsigned position : nest.memories) {
      auto type = cast<RankedTensorType>(nest.line.getInitArgs()[position].getType());
      SmallVector<int64_t> shape{count};
      llvm::append_range(shape, type.getShape());
      memories.push_back(tensor::EmptyOp::create(b, loc, shape, type.getElementType()));
    }
    return memories;
  }

  /// A constant may be one of the loops that are taken apart.
  static Value constantHere(OpBuilder &at, Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->hasTrait<OpTrait::ConstantLike>() ? at.clone(*op)->getResult(0) : value;
  }

  Value index(int64_t number) { return arith::ConstantIndexOp::create(b, loc, number); }

  SmallVector<Value> step(scf::ForOp line) {
    // 1. Places along the line, and where reductions start.
    IRMapping here = counters;
    SmallVector<Value> places, starts(line.getRegionIterArgs().take_front(numMemories()));
    for (tensor::InsertOp write : nest.writes.front())
      places.push_back(placeHere(write.getIndices()[nest.dim], here));
    for (const ScanReduction &reduction : reductions) {
      OpOperand *init = linalg::GenericOp(reduction.op).getDpsInitOperand(0);
      auto fill = init->get().getDefiningOp<linalg::FillOp>();
      for (Value place : places)
        starts.push_back(fill ? fill.value()
                              : Value(tensor::ExtractOp::create(b, loc, init->get(),
                                                                placeOf(reduction, init, place))));
    }
    // 2. The lines.
    auto loop = scf::ForOp::create(b, loc, index(0), index(count), index(1), starts);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      scf::YieldOp::create(b, loc, takeLine(loop, places));
    }
    // 3. Results.
    SmallVector<Value> next(loop.getResults().take_front(numMemories()));
    ValueRange reduced = loop.getResults().drop_front(numMemories());
    for (auto [number, reduction] : llvm::enumerate(reductions)) {
      Value tensor = line.getRegionIterArg(numMemories() + number);
      OpOperand *init = linalg::GenericOp(reduction.op).getDpsInitOperand(0);
      for (auto [at, place] : llvm::enumerate(places))
        tensor = tensor::InsertOp::create(b, loc, reduced[number * numPlaces + at], tensor,
                                          placeOf(reduction, init, place));
      next.push_back(tensor);
    }
    return next;
  }

  /// `value`, of a step, outside of the loop over lines.
  Value placeHere(Value value, IRMapping &here) {
    if (here.contains(value))
      return here.lookup(value);
    Operation *op = value.getDefiningOp();
    if (!op || (op->getBlock() != nest.line.getBody() && op->getBlock() != nest.line->getBlock()))
      return value;
    for (Value operand : op->getOperands())
      placeHere(operand, here);
    b.clone(*op, here);
    return here.lookup(value);
  }

  SmallVector<Value> takeLine(scf::ForOp loop, ArrayRef<Value> places) {
    // 1. The counters of the loops that are taken together.
    Value line = loop.getInductionVar(), rest = line;
    for (auto [number, dim] : llvm::enumerate(llvm::reverse(lines))) {
      Value counter = rest;
      if (number + 1 < lines.size()) {
        counter = arith::RemUIOp::create(b, loc, rest, index(sizeOf(dim)));
        rest = arith::DivUIOp::create(b, loc, rest, index(sizeOf(dim)));
      }
      counters.map(nest.loopOf(dim).getInductionVar(), counter);
    }
    // 2. The step, on the line's part of each memory.
    IRMapping mapping = counters;
    for (Operation &op : nest.line->getBlock()->without_terminator())
      if (&op != nest.line && !isa<tensor::EmptyOp>(op))
        b.clone(op, mapping);
    for (auto [number, position] : llvm::enumerate(nest.scalars))
      mapping.map(
          nest.line.getRegionIterArg(position),
          tensor::ExtractOp::create(b, loc, loop.getRegionIterArg(number), line).getResult());
    DenseSet<Value> memories;
    for (auto [number, position] : llvm::enumerate(nest.memories)) {
      Value memory = loop.getRegionIterArg(nest.scalars.size() + number);
      mapping.map(nest.line.getRegionIterArg(position), memory);
      memories.insert(memory);
    }
    for (Operation &op : nest.line.getBody()->without_terminator())
      cloneOnLine(op, line, mapping, memories);
    auto yielded = nest.line.getBody()->getTerminator()->getOperands();
    SmallVector<Value> next;
    for (auto [number, position] : llvm::enumerate(nest.scalars))
      next.push_back(tensor::InsertOp::create(b, loc, mapping.lookupOrDefault(yielded[position]),
                                              loop.getRegionIterArg(number), line));
    for (unsigned position : nest.memories)
      next.push_back(mapping.lookup(yielded[position]));
    // 3. The reductions.
    for (auto [number, reduction] : llvm::enumerate(reductions))
      for (auto [at, place] : llvm::enumerate(places))
        next.push_back(reduce(reduction, mapping, at, place,
                              loop.getRegionIterArg(numMemories() + number * numPlaces + at)));
    return next;
  }

  void cloneOnLine(Operation &op, Value line, IRMapping &mapping, DenseSet<Value> &memories) {
    if (auto write = dyn_cast<tensor::InsertOp>(op)) {
      Value memory = mapping.lookupOrNull(write.getDest());
      if (!memory || !memories.contains(memory))
        return; // of a result: its element is reduced
      SmallVector<Value> place{line};
      for (Value index : write.getIndices())
        place.push_back(mapping.lookupOrDefault(index));
      Value next = tensor::InsertOp::create(b, loc, mapping.lookupOrDefault(write.getScalar()),
                                            memory, place);
      mapping.map(write.getResult(), next);
      memories.insert(next);
      return;
    }
    Operation *copy = b.clone(op, mapping);
    copy->walk([&](tensor::ExtractOp read) {
      if (memories.contains(read.getTensor()))
        read.getIndicesMutable().append(line), rotate(read);
    });
  }

  /// The index that came last is the first.
  static void rotate(tensor::ExtractOp read) {
    SmallVector<Value> indices(read.getIndices());
    std::rotate(indices.begin(), indices.end() - 1, indices.end());
    read.getIndicesMutable().assign(indices);
  }

  /// Where an operand of a reduction is read or written, at `place` along the line.
  SmallVector<Value> placeOf(const ScanReduction &reduction, OpOperand *operand, Value place) {
    linalg::GenericOp op = reduction.op;
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
          return counterOf(reduction, cast<AffineDimExpr>(expr).getPosition(), place);
        });
  }

  Value counterOf(const ScanReduction &reduction, unsigned loop, Value place) {
    int64_t dim = reduction.dims[loop];
    return dim == nest.dim ? place : counters.lookup(Value(nest.loopOf(dim).getInductionVar()));
  }

  Value reduce(const ScanReduction &reduction, const IRMapping &line, size_t at, Value place,
               Value soFar) {
    linalg::GenericOp op = reduction.op;
    IRMapping mapping;
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (argument.use_empty())
        continue;
      Value value = input->get();
      auto result = dyn_cast<OpResult>(value);
      if (result && result.getOwner() == nest.outer.front())
        value = line.lookupOrDefault(nest.writes[result.getResultNumber()][at].getScalar());
      else if (isa<RankedTensorType>(value.getType()))
        value = tensor::ExtractOp::create(b, loc, value, placeOf(reduction, input, place));
      mapping.map(argument, value);
    }
    mapping.map(op.getMatchingBlockArgument(op.getDpsInitOperand(0)), soFar);
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto number = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(number.getResult(), counterOf(reduction, number.getDim(), place));
      else
        b.clone(inner, mapping);
    }
    return mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
  }

  OpBuilder &b;
  Location loc;
  ScanNest &nest;
  ArrayRef<ScanReduction> reductions;
  ArrayRef<int64_t> lines;
  IRMapping counters;
  int64_t count = 1;
  size_t numPlaces;
};
} // namespace

SmallVector<Value> forge::reduceInside(OpBuilder &builder, ScanNest &nest,
                                       ArrayRef<ScanReduction> reductions,
                                       ArrayRef<int64_t> lines) {
  return Reducer(builder, nest, reductions, lines).emit();
}
