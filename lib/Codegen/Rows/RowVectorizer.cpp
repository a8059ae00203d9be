#include "RowVectorizer.h"

#include "BlockedSum.h"
#include "OrderedKey.h"
#include "RowBody.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forge {
namespace {

/// Accumulators of a long reduction: enough to hide the latency of an addition.
constexpr int64_t kAccumulators = 4;
/// Steps of a row that all accumulators take before they are joined to the blocks before.
constexpr int64_t kRowBlock = 64;
/// Vectors of columns that are reduced at once, unless the body is long.
constexpr int64_t kColumnVectors = 4, kLongBody = 16;

/// Emits the loops.
class Emitter : RowBody {
public:
  Emitter(RewriterBase &rewriter, linalg::GenericOp op, const VectorPlan &plan)
      : RowBody(rewriter, op, plan) {
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
  }

  void run() {
    auto types = op.getIteratorTypesArray();
    SmallVector<unsigned> outer;
    for (unsigned loop = 0; loop < types.size(); ++loop)
      if (loop != plan.loop)
        (linalg::isReductionIterator(types[loop]) ? reductions : outer).push_back(loop);
    if (!plan.reduces())
      outer.append(reductions);
    emitOuterLoops(outer);
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

  void emitRow() {
    Value size = sizes[plan.loop];
    std::optional<int64_t> known = getConstantIntValue(size);
    if (plan.isReduction)
      return storeReduced(reduceOver(reductions, [&] { return reduceRow(size, known); }));
    if (plan.isColumns)
      return emitColumns(size, known);
    loadInvariants();
    emitParallel(size, known);
  }

  /// `size` rounded down to a multiple of `step`.
  Value roundDown(Value size, std::optional<int64_t> known, int64_t step) {
    if (known)
      return index(*known - *known % step);
    Value rest = arith::RemUIOp::create(b, loc, size, index(step));
    return arith::SubIOp::create(b, loc, size, rest);
  }

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

  /// Accumulators come in groups of one for each result; a group starts from its neutral elements.
  SmallVector<Value> neutrals(int64_t groups) {
    SmallVector<Value> values;
    for (int64_t group = 0; group < groups; ++group)
      for (unsigned result = 0; result < op.getNumDpsInits(); ++result)
        values.push_back(accumulated(result, neutral(result)));
    return values;
  }

  SmallVector<Value> join(ValueRange accumulators, ValueRange values) {
    SmallVector<Value> joined;
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(accumulators, values)))
      joined.push_back(
          combineAccumulated(i % op.getNumDpsInits(), std::get<0>(pair), std::get<1>(pair)));
    return joined;
  }

  /// True if some result rounds with every term.
  bool isSum() { return llvm::any_of(plan.combiners, llvm::IsaPred<arith::AddFOp>); }

  SmallVector<int64_t> blocksOf(std::optional<int64_t> count) {
    return isSum() ? blocksOfSum(count) : SmallVector<int64_t>();
  }

  /// What `reduce` gives at every index of `loops`, joined.
  SmallVector<Value> reduceOver(ArrayRef<unsigned> loops,
                                llvm::function_ref<SmallVector<Value>()> reduce,
                                int64_t groups = 1) {
    if (loops.empty()) {
      loadInvariants();
      return reduce();
    }
    Value size = sizes[loops.front()];
    return emitBlockedReduction(
        b, loc, {index(0), size}, blocksOf(getConstantIntValue(size)), neutrals(groups),
        [&](Value at, ValueRange accumulators) {
          ivs[loops.front()] = at;
          return join(accumulators, reduceOver(loops.drop_front(), reduce, groups));
        },
        [&](ValueRange a, ValueRange c) { return join(a, c); });
  }

  /// One loop over `[from, to)` by `width` vectors, with `width` accumulators per result.
  SmallVector<Value> reduceVectors(Value from, Value to, int64_t width, ArrayRef<int64_t> blocks) {
    return emitBlockedReduction(
        b, loc, {from, to, width * plan.lanes}, blocks, neutrals(width),
        [&](Value start, ValueRange accumulators) {
          SmallVector<Value> values;
          for (int64_t part = 0; part < width; ++part) {
            Value at = start;
            if (part > 0)
              at = arith::AddIOp::create(b, loc, at, index(part * plan.lanes));
            for (auto [result, value] : llvm::enumerate(emitBody(at, {}, {})))
              values.push_back(accumulated(result, value));
          }
          return join(accumulators, values);
        },
        [&](ValueRange a, ValueRange c) { return join(a, c); });
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

  /// The accumulators of one row:
  /// 1. A loop with several accumulators per result, for what is long.
  /// 2. A loop with one.
  /// 3. The masked rest.
  SmallVector<Value> reduceRow(Value size, std::optional<int64_t> known) {
    unsigned results = op.getNumDpsInits();
    int64_t wideStep = kAccumulators * plan.lanes;
    SmallVector<Value> accumulators = neutrals(1);
    Value from = index(0);
    if (!known || *known >= 2 * wideStep) {
      Value to = roundDown(size, known, wideStep);
      SmallVector<int64_t> blocks;
      if (isSum() && (!known || *known > 4 * kRowBlock * wideStep))
        blocks.push_back(kRowBlock);
      SmallVector<Value> wide = reduceVectors(from, to, kAccumulators, blocks);
      accumulators.assign(wide.begin(), wide.begin() + results);
      for (int64_t part = 1; part < kAccumulators; ++part)
        accumulators = join(accumulators, ArrayRef(wide).slice(part * results, results));
      from = to;
    }
    Value whole = roundDown(size, known, plan.lanes);
    accumulators = join(accumulators, reduceVectors(from, whole, 1, {}));
    if (!known)
      return combineRestIfAny(whole, size, accumulators);
    if (*known % plan.lanes != 0)
      return combineMasked(whole, size, known, accumulators);
    return accumulators;
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

  /// Across the lanes, and into the result.
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

  /// Reduces `count` vectors of columns from `at` on, the last of them under `mask`, and combines
  /// them with the results.
  void reduceColumns(Value at, int64_t count, Value mask, Value last) {
    unsigned results = op.getNumDpsInits();
    SmallVector<Value> places = {at};
    for (int64_t i = 1; i < count; ++i)
      places.push_back(arith::AddIOp::create(b, loc, at, index(i * plan.lanes)));
    auto maskOf = [&](int64_t i) { return i + 1 == count ? mask : Value(); };
    auto reduce = [&] {
      SmallVector<Value> values;
      for (auto [i, place] : llvm::enumerate(places))
        for (auto [result, value] : llvm::enumerate(emitBody(place, maskOf(i), last)))
          values.push_back(accumulated(result, value));
      return values;
    };
    SmallVector<Value> sums = reduceOver(reductions, reduce, count);
    for (auto [i, place] : llvm::enumerate(places)) {
      SmallVector<Value> values;
      for (auto [result, init] : llvm::enumerate(op.getDpsInitsMutable())) {
        Value sum = sums[i * results + result];
        if (auto key = keyOf(result))
          sum = key->decode(b, loc, sum);
        values.push_back(combine(result, load(&init, place, maskOf(i), last), sum));
      }
      store(values, place, maskOf(i));
    }
  }

  /// 1. Several vectors of columns at once.
  /// 2. For a size that is known, what is left together; otherwise vector by vector, and the last
  ///    under a mask.
  void emitColumns(Value size, std::optional<int64_t> known) {
    bool isLong = llvm::range_size(op.getBody()->without_terminator()) > kLongBody;
    int64_t width = isLong ? 1 : kColumnVectors;
    auto loopOver = [&](Value from, Value to, int64_t count) {
      auto loop = scf::ForOp::create(b, loc, from, to, index(count * plan.lanes));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      reduceColumns(loop.getInductionVar(), count, {}, {});
    };
    Value wide = roundDown(size, known, width * plan.lanes);
    if (!known || *known >= width * plan.lanes)
      loopOver(index(0), wide, width);
    if (known) {
      int64_t rest = *known % (width * plan.lanes);
      Value mask = rest % plan.lanes ? maskFrom(wide, size, known) : Value();
      if (rest > 0)
        reduceColumns(wide, llvm::divideCeil(rest, plan.lanes), mask, lastIndex(size));
      return;
    }
    Value whole = roundDown(size, known, plan.lanes);
    if (width > 1)
      loopOver(wide, whole, 1);
    OpBuilder::InsertionGuard guard(b);
    Value rest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, whole, size);
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, rest).thenBlock());
    reduceColumns(whole, 1, maskFrom(whole, size, known), lastIndex(size));
  }

  SmallVector<Value> sizes;
  /// Loops that reduce, besides the vector loop.
  SmallVector<unsigned> reductions;
};

} // namespace

void emitVectorCode(RewriterBase &rewriter, linalg::GenericOp op, const VectorPlan &plan) {
  rewriter.setInsertionPoint(op);
  Emitter(rewriter, op, plan).run();
  rewriter.eraseOp(op);
}

} // namespace forge
