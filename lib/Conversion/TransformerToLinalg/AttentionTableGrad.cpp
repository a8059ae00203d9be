// The gradients of tables that scores of attention read: sums over the scores, gathered by every
// element of a table, so that no two add to one place at once.
#include "AttentionTableGrad.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// The loops of the scores, which are also the numbers of the region's arguments, less one.
constexpr int64_t kLoops = 4;

/// For one table, whose element [i0, i1, ..] is read for a score:
///
/// 1. Products of the gradient of each score with the derivative by what it read; summed over the
///    loops that say nothing of the place (the batch, for a bias by distance).
/// 2. An index that is a loop itself (the head) is *tied*: that loop runs over the table's
///    dimension. Products are cut or padded with zeros to its size. Other indices are computed per
///    point of the loops they depend on.
/// 3. Every element of the table is the sum of the products whose indices are its own: over the
///    loops that are not tied.
class TableGradLowering {
public:
  TableGradLowering(ImplicitLocOpBuilder &b, AttentionGradOp op, const ScoreGradients &from,
                    Value table, ValueRange read)
      : b(b), op(op), from(from), compute(op.getAccumulationType()), table(table),
        derivative(read.front()), indices(read.drop_front()), loops(sizesOf(b, from.scores)),
        tableSizes(sizesOf(b, table)) {}

  Value run() {
    findLoops();
    Value products = resized(emitProducts(), kept);
    Type element = cast<RankedTensorType>(table.getType()).getElementType();
    if (llvm::equal(ties, kept))
      return emitRounded(b, products, element);
    int64_t rank = tableSizes.size();
    // Loops: the table's dimensions, then those of the scores that are kept and not tied.
    Sizes sizes = tableSizes;
    SmallVector<int64_t> place(kLoops, -1), sums;
    for (int64_t loop : kept) {
      auto tied = llvm::find(ties, loop);
      place[loop] = tied == ties.end() ? sizes.size() : tied - ties.begin();
      if (tied != ties.end())
        continue;
      sums.push_back(sizes.size());
      sizes.push_back(loops[loop]);
    }
    auto operand = [&](Value value, ArrayRef<int64_t> of) -> Operand {
      SmallVector<int64_t> dims =
          llvm::map_to_vector(of, [&](int64_t loop) { return place[loop]; });
      return {value, dimsMap(b, sizes.size(), dims)};
    };
    SmallVector<Operand> inputs = {operand(products, kept)};
    SmallVector<int64_t> compared;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (ties[dim] < 0) {
        SmallVector<int64_t> of = loopsOf(indices[dim]);
        inputs.push_back(operand(resized(emitIndices(indices[dim], of), of), of));
        compared.push_back(dim);
      }
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      Value sum = args[0], none = constant(inner, compute, 0.0);
      for (auto [dim, index] : llvm::zip_equal(compared, args.slice(1, compared.size()))) {
        Value here = arith::IndexCastOp::create(inner, inner.getI64Type(),
                                                Value(linalg::IndexOp::create(inner, dim)));
        Value same = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, index, here);
        sum = arith::SelectOp::create(inner, same, sum, none);
      }
      return sum;
    };
    Value result = sums.empty() ? emitElementwise(b, sizes, compute, inputs, body)
                                : emitSum(b, sizes, sums, compute, inputs, body);
    return emitRounded(b, result, element);
  }

private:
  /// Which arguments of the region `value` depends on, as bits.
  unsigned dependencies(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == &op.getSlope().front() ? 1u << argument.getArgNumber() : 0;
    Operation *producer = value.getDefiningOp();
    if (producer->getParentRegion() != &op.getSlope())
      return 0;
    auto [known, isNew] = depends.try_emplace(producer, 0);
    if (!isNew)
      return known->second;
    unsigned all = 0;
    for (Value operand : producer->getOperands())
      all |= dependencies(operand);
    return depends[producer] = all;
  }

  /// The loops that `value` depends on; all of them if it depends on the score.
  SmallVector<int64_t> loopsOf(Value value) {
    unsigned bits = dependencies(value);
    SmallVector<int64_t> result;
    for (int64_t loop = 0; loop < kLoops; ++loop)
      if ((bits & 1) || (bits >> (loop + 1) & 1))
        result.push_back(loop);
    return result;
  }

  /// Sets the tie of every dimension, -1 without one, and the loops that any index depends on.
  void findLoops() {
    for (Value index : indices) {
      auto argument = dyn_cast<BlockArgument>(index);
      bool isLoop = argument && argument.getOwner() == &op.getSlope().front();
      int64_t loop = isLoop ? static_cast<int64_t>(argument.getArgNumber()) - 1 : -1;
      ties.push_back(llvm::is_contained(ties, loop) ? -1 : loop);
      for (int64_t used : loopsOf(index))
        if (!llvm::is_contained(kept, used))
          kept.push_back(used);
    }
    llvm::sort(kept);
  }

  /// `value`, something of the slope region, where loop i of `of` runs as loop i of the operation
  /// that is being built; `x` is the score.
  Value emitInner(ImplicitLocOpBuilder &inner, Value value, Value x, ArrayRef<int64_t> of) {
    Block &block = op.getSlope().front();
    IRMapping mapping;
    mapping.map(block.getArgument(0), x);
    for (auto [i, loop] : llvm::enumerate(of))
      mapping.map(block.getArgument(loop + 1), Value(linalg::IndexOp::create(inner, i)));
    auto needed = [&](Operation &operation) {
      if (operation.getNumResults() == 0)
        return false;
      unsigned bits = dependencies(operation.getResult(0)), known = x ? 1 : 0;
      for (int64_t loop : of)
        known |= 1u << (loop + 1);
      return (bits & ~known) == 0;
    };
    for (Operation &operation : block.without_terminator())
      if (needed(operation))
        inner.clone(operation, mapping);
    return mapping.lookupOrDefault(value);
  }

  /// The products, of the loops `kept`. Where the gradient of a score is 0, so is the product,
  /// no matter what the derivative at a hidden score is.
  Value emitProducts() {
    SmallVector<int64_t> all = {0, 1, 2, 3}, dropped;
    llvm::copy_if(all, std::back_inserter(dropped),
                  [&](int64_t loop) { return !llvm::is_contained(kept, loop); });
    AffineMap map = b.getMultiDimIdentityMap(kLoops);
    SmallVector<Operand> inputs = {{from.gradients, map}};
    if (dependencies(derivative) & 1)
      inputs.push_back({from.scores, map});
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      if (matchPattern(derivative, m_OneFloat()))
        return args[0];
      Value none = constant(inner, compute, 0.0);
      Value x = inputs.size() == 1 ? Value() : from.toRegion(inner, args[1]);
      Value slope = emitInner(inner, derivative, x, all);
      Value hidden = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, args[0], none);
      Value product = arith::MulFOp::create(inner, args[0], slope);
      return arith::SelectOp::create(inner, hidden, none, product);
    };
    return dropped.empty() ? emitElementwise(b, loops, compute, inputs, body)
                           : emitSum(b, loops, dropped, compute, inputs, body);
  }

  /// An index as i64, of the loops `of`.
  Value emitIndices(Value index, ArrayRef<int64_t> of) {
    Sizes sizes = llvm::map_to_vector(of, [&](int64_t loop) { return loops[loop]; });
    SmallVector<Operand> inputs;
    if (dependencies(index) & 1)
      inputs.push_back({from.scores, b.getMultiDimIdentityMap(kLoops)});
    return emitElementwise(b, sizes, b.getI64Type(), inputs,
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value x = inputs.empty() ? Value() : from.toRegion(inner, args[0]);
                             return arith::IndexCastOp::create(inner, inner.getI64Type(),
                                                               emitInner(inner, index, x, of));
                           });
  }

  /// `value`, of the loops `of`, with the sizes of the table where these are tied; zeros beyond.
  Value resized(Value value, ArrayRef<int64_t> of) {
    Sizes from = sizesOf(b, value), to = from, common = from;
    bool cuts = false, pads = false;
    for (auto [dim, loop] : llvm::enumerate(of)) {
      auto tied = llvm::find(ties, loop);
      if (tied == ties.end())
        continue;
      to[dim] = tableSizes[tied - ties.begin()];
      auto have = getConstantIntValue(from[dim]), want = getConstantIntValue(to[dim]);
      bool known = have && want;
      cuts |= !known || *have > *want;
      pads |= !known || *have < *want;
      common[dim] = smaller(from[dim], to[dim]);
    }
    Sizes begin(from.size(), b.getIndexAttr(0)), strides(from.size(), b.getIndexAttr(1));
    if (cuts)
      value = tensor::ExtractSliceOp::create(b, value, begin, common, strides);
    if (pads)
      value = tensor::InsertSliceOp::create(
          b, value, emitFilled(b, to, getElementTypeOrSelf(value.getType()), 0.0), begin, common,
          strides);
    return value;
  }

  OpFoldResult smaller(OpFoldResult x, OpFoldResult y) {
    auto a = getConstantIntValue(x), c = getConstantIntValue(y);
    if (a && c)
      return *a < *c ? x : y;
    return arith::MinSIOp::create(b, getValueOrCreateConstantIndexOp(b, b.getLoc(), x),
                                  getValueOrCreateConstantIndexOp(b, b.getLoc(), y))
        .getResult();
  }

  ImplicitLocOpBuilder &b;
  AttentionGradOp op;
  const ScoreGradients &from;
  Type compute;
  Value table, derivative;
  ValueRange indices;
  Sizes loops, tableSizes;
  /// Per dimension of the table, the loop it is tied to, or -1.
  SmallVector<int64_t> ties;
  /// The loops that an index depends on, rising.
  SmallVector<int64_t> kept;
  DenseMap<Operation *, unsigned> depends;
};

} // namespace

SmallVector<Value> emitTableGrads(ImplicitLocOpBuilder &b, AttentionGradOp op,
                                  const ScoreGradients &from) {
  SmallVector<Value> results;
  if (op.getTables().empty())
    return results;
  ValueRange reads = cast<YieldOp>(op.getSlope().front().getTerminator()).getReads();
  for (Value table : op.getTables()) {
    size_t count = 1 + cast<RankedTensorType>(table.getType()).getRank();
    results.push_back(TableGradLowering(b, op, from, table, reads.take_front(count)).run());
    reads = reads.drop_front(count);
  }
  return results;
}

} // namespace forge
