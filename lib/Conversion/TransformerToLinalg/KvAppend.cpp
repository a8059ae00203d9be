// Rows written into the cache of keys and values, in place.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// Loops that carry the cache, so that bufferization writes it in place.
/// 1. Elements (for GPUs): each of the rows, to its place in the cache if it has one there. The
///    steps of these loops are marked as independent, so that one kernel does them side by side.
/// 2. Contiguous slices: per sequence, the rows that lie in [0, T) at once, clamped to what lies
///    within the cache: a slice of no rows where none does.
/// 3. Slices in pages: per sequence and row, that row, into its page.
class AppendLowering {
public:
  AppendLowering(ImplicitLocOpBuilder &b, KvAppendOp op, bool byElement)
      : b(b), op(op), byElement(byElement) {}

  Value run() {
    assertShapes();
    IndexBuilder ib{b, b.getLoc()};
    auto size = [&](Value tensor, int64_t dim) { return getDim(b, b.getLoc(), tensor, dim); };
    Value cache = op.getCache(), rows = op.getRows();
    places = size(cache, 0);
    capacity = size(cache, 2);
    count = size(rows, 2);
    if (op.getBlockTable())
      pages = size(op.getBlockTable(), 1);
    if (byElement)
      return appendElements(ib, cache);
    if (!op.getBlockTable())
      return ib
          .loops(size(rows, 0), cache,
                 [&](IndexBuilder in, ValueRange counters, ValueRange values) {
                   return SmallVector<Value>{appendSequence(in, counters[0], values[0])};
                 })
          .front();
    return ib
        .loops({size(rows, 0), count}, cache,
               [&](IndexBuilder in, ValueRange counters, ValueRange values) {
                 return SmallVector<Value>{appendRow(in, counters[0], counters[1], values[0])};
               })
        .front();
  }

private:
  void assertShapes() {
    checkSize(b, op, "cache", op.getCache(), 1, op.getRows(), 1);
    checkSize(b, op, "cache", op.getCache(), 3, op.getRows(), 3);
    checkVector(b, op, "positions", op.getPositions(), op.getRows(), 0);
    if (op.getBlockTable())
      checkSize(b, op, "block_table", op.getBlockTable(), 0, op.getRows(), 0);
    else
      checkSize(b, op, "cache", op.getCache(), 0, op.getRows(), 0);
    if (!op.getBlockTable())
      return;
    Value one = arith::ConstantIndexOp::create(b, 1);
    for (auto [tensor, dim] :
         {std::pair<Value, int64_t>(op.getBlockTable(), 1), {op.getCache(), 2}}) {
      if (!cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim))
        continue;
      Value size = getDim(b, b.getLoc(), tensor, dim);
      createRuntimeAssert(b, b.getLoc(),
                          arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size, one),
                          "kv_append: expected pages, and rows in them, but got {0}", size);
    }
  }

  Value readIndex(IndexBuilder in, Value tensor, ValueRange place) {
    return castToIndex(in.b, in.loc, in.read(tensor, place));
  }

  /// rows[batch, :, from : from + n, :] to cache[place, :, to : to + n, :].
  Value copy(IndexBuilder in, Value cache, Value batch, Value from, Value place, Value to,
             Value n) {
    OpFoldResult zero = in.b.getIndexAttr(0), one = in.b.getIndexAttr(1);
    Sizes ones(4, one);
    auto dim = [&](int64_t d) { return tensor::getMixedSize(in.b, in.loc, op.getRows(), d); };
    Sizes extents = {one, dim(1), n, dim(3)};
    Value part = tensor::ExtractSliceOp::create(in.b, in.loc, op.getRows(),
                                                Sizes{batch, zero, from, zero}, extents, ones);
    return tensor::InsertSliceOp::create(in.b, in.loc, part, cache, Sizes{place, zero, to, zero},
                                         extents, ones);
  }

  Value appendSequence(IndexBuilder in, Value batch, Value cache) {
    Value zero = in.constant(0), first = readIndex(in, op.getPositions(), batch);
    // Rows from -first to T - first of the new ones lie within.
    auto clamp = [&](Value x, Value most) { return in.min(in.max(x, zero), most); };
    Value begin = clamp(in.sub(zero, first), count), end = clamp(in.sub(capacity, first), count);
    Value n = in.max(in.sub(end, begin), zero);
    return copy(in, cache, batch, begin, batch, clamp(in.add(first, begin), capacity), n);
  }

  /// Where a row goes, and whether it goes anywhere; some place in the cache if not.
  struct Place {
    Value isWritten, place, row;
  };

  Place placeOf(IndexBuilder in, Value batch, Value row) {
    Value zero = in.constant(0);
    Value at = in.add(readIndex(in, op.getPositions(), batch), row);
    auto within = [&](Value x, Value limit) {
      Value notBelow = in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::sge, x, zero);
      return in.b.createOrFold<arith::AndIOp>(in.loc, notBelow, in.less(x, limit));
    };
    if (!op.getBlockTable())
      return {within(at, capacity), batch, at};
    Value isPlaced = within(at, in.mul(pages, capacity));
    at = in.select(isPlaced, at, zero);
    Value entry = in.b.createOrFold<arith::DivUIOp>(in.loc, at, capacity);
    Value page = readIndex(in, op.getBlockTable(), {batch, entry});
    Value isWritten = in.b.createOrFold<arith::AndIOp>(in.loc, isPlaced, within(page, places));
    return {isWritten, in.select(isWritten, page, zero),
            in.b.createOrFold<arith::RemUIOp>(in.loc, at, capacity)};
  }

  Value appendRow(IndexBuilder in, Value batch, Value row, Value cache) {
    Place to = placeOf(in, batch, row);
    Value n = in.select(to.isWritten, in.constant(1), in.constant(0));
    return copy(in, cache, batch, row, to.place, to.row, n);
  }

  Value appendElements(IndexBuilder ib, Value cache) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < 4; ++dim)
      sizes.push_back(getDim(b, b.getLoc(), op.getRows(), dim));
    auto body = [&](IndexBuilder in, ValueRange at, ValueRange values) {
      Place to = placeOf(in, at[0], at[2]);
      auto write = [&](OpBuilder &inner, Location loc) {
        IndexBuilder then{inner, loc};
        Value element = then.read(op.getRows(), at);
        scf::YieldOp::create(
            inner, loc, then.write(element, values[0], {to.place, at[1], to.row, at[3]}));
      };
      auto keep = [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, values[0]);
      };
      auto branch = scf::IfOp::create(in.b, in.loc, to.isWritten, write, keep);
      return SmallVector<Value>{branch.getResult(0)};
    };
    Value result = ib.loops(sizes, cache, body).front();
    // Elements go to places of their own; where two rows share one, either may remain.
    result.getDefiningOp()->walk(
        [&](scf::ForOp loop) { loop->setAttr("forge.independent", b.getUnitAttr()); });
    return result;
  }

  ImplicitLocOpBuilder &b;
  KvAppendOp op;
  bool byElement;
  Value places, capacity, count, pages;
};

struct LowerKvAppend : OpRewritePattern<KvAppendOp> {
  LowerKvAppend(MLIRContext *context, bool byElement)
      : OpRewritePattern(context), byElement(byElement) {}

  LogicalResult matchAndRewrite(KvAppendOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, AppendLowering(b, op, byElement).run());
    return success();
  }

  bool byElement;
};

} // namespace

void populateKvAppendPatterns(RewritePatternSet &patterns, bool byElement) {
  patterns.add<LowerKvAppend>(patterns.getContext(), byElement);
}

} // namespace forge
