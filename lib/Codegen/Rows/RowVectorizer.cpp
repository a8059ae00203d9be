#include "RowVectorizer.h"

#include "OrderedKey.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forge {
namespace {

/// Accumulators of a long reduction: enough to hide the latency of an addition.
constexpr int64_t kAccumulators = 4;

/// Emits the loops. `ivs` holds the index of every loop but the vector one while a row is emitted.
class Emitter {
public:
  Emitter(RewriterBase &rewriter, linalg::GenericOp op, const VectorPlan &plan)
      : b(rewriter), op(op), plan(plan), loc(op.getLoc()), ivs(op.getNumLoops()) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
  }

  void run() {
    SmallVector<unsigned> order;
    auto types = op.getIteratorTypesArray();
    for (bool reduction : {false, true})
      for (unsigned loop = 0; loop < types.size(); ++loop)
        if (loop != plan.loop && linalg::isReductionIterator(types[loop]) == reduction)
          order.push_back(loop);
    emitOuterLoops(order);
  }

private:
  void emitOuterLoops(ArrayRef<unsigned> order) {
    if (order.empty())
      return emitRow();
    OpBuilder::InsertionGuard guard(b);
    auto loop = scf::ForOp::create(b, loc, index(0), sizes[order.front()], index(1));
    ivs[order.front()] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
    emitOuterLoops(order.drop_front());
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// The position in `operand` at lane 0 of the vector that starts at `at`.
  SmallVector<Value> position(OpOperand *operand, Value at) {
    SmallVector<Value> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      indices.push_back(!dim                             ? index(0)
                        : dim.getPosition() == plan.loop ? at
                                                         : ivs[dim.getPosition()]);
    }
    return indices;
  }

  VectorType vectorOf(Type element) { return VectorType::get({plan.lanes}, element); }

  Value broadcast(Value value) {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
  }

  /// Lanes loaded one by one; those past the end load the last element, which the mask discards.
  Value gather(OpOperand *operand, Value at, Value last) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < plan.lanes; ++lane) {
      Value here = arith::AddIOp::create(b, loc, at, index(lane));
      if (last)
        here = arith::MinUIOp::create(b, loc, here, last);
      lanes.push_back(memref::LoadOp::create(b, loc, operand->get(), position(operand, here)));
    }
    Type element = lanes.front().getType();
    return vector::FromElementsOp::create(b, loc, vectorOf(element), lanes);
  }

  Value load(OpOperand *operand, Value at, Value mask, Value last) {
    auto type = dyn_cast<MemRefType>(operand->get().getType());
    if (!type)
      return operand->get();
    switch (plan.access[operand->getOperandNumber()]) {
    case LaneAccess::Invariant:
      return invariant.lookup(operand);
    case LaneAccess::Gathered:
      return gather(operand, at, last);
    case LaneAccess::Contiguous:
      break;
    }
    VectorType vectorType = vectorOf(type.getElementType());
    SmallVector<Value> indices = position(operand, at);
    if (!mask)
      return vector::LoadOp::create(b, loc, vectorType, operand->get(), indices);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
    return vector::MaskedLoadOp::create(b, loc, vectorType, operand->get(), indices, mask, zero);
  }

  /// The body on the vector that starts at `at`; returns, for each result, the vector to store or
  /// to combine. `mask` is null for a full vector; `last` is the last valid index.
  SmallVector<Value> emitBody(Value at, Value mask, Value last) {
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      bool isInit = op.isDpsInit(&operand);
      if (op.payloadUsesValueFromOperand(&operand) && !(isInit && plan.isReduction))
        mapping.map(op.getMatchingBlockArgument(&operand), load(&operand, at, mask, last));
    }
    for (Operation &inner : op.getBody()->without_terminator())
      if (!llvm::is_contained(plan.combiners, &inner))
        emitScalarOrVector(inner, mapping, at);
    SmallVector<Value> values;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
      Value value = op.getBody()->getTerminator()->getOperand(i);
      if (plan.isReduction) {
        Operation *combiner = plan.combiners[i];
        value = combiner->getOperand(0) == op.getRegionOutputArgs()[i] ? combiner->getOperand(1)
                                                                       : combiner->getOperand(0);
      }
      values.push_back(broadcast(mapping.lookupOrDefault(value)));
    }
    return values;
  }

  /// An operation whose operands are the same in all lanes stays scalar.
  void emitScalarOrVector(Operation &inner, IRMapping &mapping, Value at) {
    if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
      Value value = ivs[indexOp.getDim()];
      if (indexOp.getDim() == plan.loop) {
        value = arith::AddIOp::create(b, loc, broadcast(at), laneNumbers(b.getIndexType()));
      }
      mapping.map(indexOp.getResult(), value);
      return;
    }
    bool isVector = llvm::any_of(inner.getOperands(), [&](Value operand) {
      return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
    });
    if (isVector)
      for (Value operand : inner.getOperands())
        mapping.map(operand, broadcast(mapping.lookupOrDefault(operand)));
    Operation *clone = b.clone(inner, mapping);
    if (isVector)
      clone->getResult(0).setType(vectorOf(clone->getResult(0).getType()));
  }

  void loadInvariants() {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()) &&
          plan.access[operand.getOperandNumber()] == LaneAccess::Invariant &&
          op.isDpsInput(&operand) && op.payloadUsesValueFromOperand(&operand))
        invariant[&operand] =
            memref::LoadOp::create(b, loc, operand.get(), position(&operand, Value()));
  }

  void emitRow() {
    loadInvariants();
    Value size = sizes[plan.loop];
    std::optional<int64_t> known = getConstantIntValue(size);
    if (plan.isReduction)
      emitReduction(size, known);
    else
      emitParallel(size, known);
  }

  /// `size` rounded down to a multiple of `step`.
  Value roundDown(Value size, std::optional<int64_t> known, int64_t step) {
    if (known)
      return index(*known - *known % step);
    Value rest = arith::RemUIOp::create(b, loc, size, index(step));
    return arith::SubIOp::create(b, loc, size, rest);
  }

  /// The numbers of the lanes, as `type`.
  Value laneNumbers(Type type) {
    SmallVector<Attribute> lanes;
    for (int64_t lane = 0; lane < plan.lanes; ++lane)
      lanes.push_back(b.getIntegerAttr(type, lane));
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vectorOf(type), lanes));
  }

  /// True in the lanes from `at` on that lie before `size`.
  Value maskFrom(Value at, Value size, std::optional<int64_t> known) {
    if (known) {
      SmallVector<bool> valid;
      for (int64_t lane = 0; lane < plan.lanes; ++lane)
        valid.push_back(lane < *known % plan.lanes);
      return arith::ConstantOp::create(b, loc,
                                       DenseElementsAttr::get(vectorOf(b.getI1Type()), valid));
    }
    Value count = arith::SubIOp::create(b, loc, size, at);
    count = arith::IndexCastOp::create(b, loc, b.getI32Type(), count);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, laneNumbers(b.getI32Type()),
                                 broadcast(count));
  }

  Value lastIndex(Value size) { return b.createOrFold<arith::SubIOp>(loc, size, index(1)); }

  void store(ArrayRef<Value> values, Value at, Value mask) {
    for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), values)) {
      SmallVector<Value> indices = position(&init, at);
      if (mask)
        vector::MaskedStoreOp::create(b, loc, init.get(), indices, mask, value);
      else
        vector::StoreOp::create(b, loc, value, init.get(), indices);
    }
  }

  void emitParallel(Value size, std::optional<int64_t> known) {
    Value whole = roundDown(size, known, plan.lanes);
    if (!known || *known >= plan.lanes) {
      OpBuilder::InsertionGuard guard(b);
      auto loop = scf::ForOp::create(b, loc, index(0), whole, index(plan.lanes));
      b.setInsertionPointToStart(loop.getBody());
      store(emitBody(loop.getInductionVar(), {}, {}), loop.getInductionVar(), {});
    }
    if (known && *known % plan.lanes == 0)
      return;
    OpBuilder::InsertionGuard guard(b);
    if (!known) {
      Value rest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, whole, size);
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, rest).thenBlock());
    }
    Value mask = maskFrom(whole, size, known);
    store(emitBody(whole, mask, lastIndex(size)), whole, mask);
  }

  /// What leaves any value unchanged, the sign of a zero too: for a sum that is -0.
  Value neutral(unsigned result) {
    Operation *combiner = plan.combiners[result];
    TypedAttr value = *arith::getNeutralElement(combiner);
    if (isa<arith::AddFOp>(combiner))
      value = b.getFloatAttr(combiner->getResult(0).getType(), -0.0);
    VectorType type = vectorOf(combiner->getResult(0).getType());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
  }

  Value combine(unsigned result, Value a, Value c) {
    IRMapping mapping;
    mapping.map(plan.combiners[result]->getOperand(0), broadcastLike(a, c));
    mapping.map(plan.combiners[result]->getOperand(1), c);
    Operation *clone = b.clone(*plan.combiners[result], mapping);
    clone->getResult(0).setType(c.getType());
    return clone->getResult(0);
  }

  std::optional<OrderedKey> keyOf(unsigned result) {
    return OrderedKey::of(plan.kinds[result], plan.combiners[result]->getResult(0).getType());
  }

  /// A vector of floats or other elements as accumulators hold it, and two of those combined.
  Value accumulated(unsigned result, Value vector) {
    auto key = keyOf(result);
    return key ? key->encode(b, loc, vector) : vector;
  }
  Value combineAccumulated(unsigned result, Value a, Value c) {
    auto key = keyOf(result);
    return key ? key->combine(b, loc, a, c) : combine(result, a, c);
  }

  Value broadcastLike(Value value, Value other) {
    return isa<VectorType>(other.getType()) ? broadcast(value) : value;
  }

  /// One loop over `[from, to)` by `width` vectors, with `width` accumulators per result.
  SmallVector<Value> reduceVectors(Value from, Value to, int64_t width,
                                   ArrayRef<Value> accumulators) {
    auto loop = scf::ForOp::create(b, loc, from, to, index(width * plan.lanes), accumulators);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    unsigned results = op.getNumDpsInits();
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t part = 0; part < width; ++part) {
      Value at = loop.getInductionVar();
      if (part > 0)
        at = arith::AddIOp::create(b, loc, at, index(part * plan.lanes));
      for (auto [result, value] : llvm::enumerate(emitBody(at, {}, {})))
        next[part * results + result] =
            combineAccumulated(result, next[part * results + result], accumulated(result, value));
    }
    scf::YieldOp::create(b, loc, next);
    return loop.getResults();
  }

  SmallVector<Value> combineMasked(Value at, Value size, std::optional<int64_t> known,
                                   ArrayRef<Value> accumulators) {
    Value mask = maskFrom(at, size, known);
    SmallVector<Value> next;
    for (auto [result, value] : llvm::enumerate(emitBody(at, mask, lastIndex(size)))) {
      Value valid = arith::SelectOp::create(b, loc, mask, value, neutral(result));
      next.push_back(combineAccumulated(result, accumulators[result], accumulated(result, valid)));
    }
    return next;
  }

  /// 1. A loop with several accumulators per result, for what is long. 2. A loop with one. 3. The
  /// masked rest.
  /// 4. Across the lanes, and into the result.
  void emitReduction(Value size, std::optional<int64_t> known) {
    unsigned results = op.getNumDpsInits();
    SmallVector<Value> accumulators;
    for (unsigned result = 0; result < results; ++result)
      accumulators.push_back(accumulated(result, neutral(result)));
    Value from = index(0);
    if (!known || *known >= 2 * kAccumulators * plan.lanes) {
      SmallVector<Value> wide;
      for (int64_t part = 0; part < kAccumulators; ++part)
        llvm::append_range(wide, accumulators);
      Value to = roundDown(size, known, kAccumulators * plan.lanes);
      wide = reduceVectors(from, to, kAccumulators, wide);
      accumulators.assign(wide.begin(), wide.begin() + results);
      for (int64_t part = 1; part < kAccumulators; ++part)
        for (unsigned result = 0; result < results; ++result)
          accumulators[result] =
              combineAccumulated(result, accumulators[result], wide[part * results + result]);
      from = to;
    }
    Value whole = roundDown(size, known, plan.lanes);
    accumulators = reduceVectors(from, whole, 1, accumulators);
    if (!known)
      accumulators = combineRestIfAny(whole, size, accumulators);
    else if (*known % plan.lanes != 0)
      accumulators = combineMasked(whole, size, known, accumulators);
    storeReduced(accumulators);
  }

  SmallVector<Value> combineRestIfAny(Value whole, Value size, ArrayRef<Value> accumulators) {
    Value rest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, whole, size);
    auto branch = scf::IfOp::create(
        b, loc, rest,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, combineMasked(whole, size, std::nullopt, accumulators));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, accumulators); });
    return branch.getResults();
  }

  void storeReduced(ArrayRef<Value> accumulators) {
    for (auto [result, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      auto key = keyOf(result);
      Value across = vector::ReductionOp::create(
          b, loc, key ? key->kind() : plan.kinds[result], accumulators[result],
          key ? arith::FastMathFlags::none : arith::FastMathFlags::reassoc);
      if (key)
        across = key->decode(b, loc, across);
      SmallVector<Value> indices = position(&init, Value());
      Value before = memref::LoadOp::create(b, loc, init.get(), indices);
      memref::StoreOp::create(b, loc, combine(result, before, across), init.get(), indices);
    }
  }

  RewriterBase &b;
  linalg::GenericOp op;
  const VectorPlan &plan;
  Location loc;
  SmallVector<Value> ivs, sizes;
  llvm::DenseMap<OpOperand *, Value> invariant;
};

} // namespace

void emitVectorCode(RewriterBase &rewriter, linalg::GenericOp op, const VectorPlan &plan) {
  rewriter.setInsertionPoint(op);
  Emitter(rewriter, op, plan).run();
  rewriter.eraseOp(op);
}

} // namespace forge
