// Rows written into the cache of keys and values: slices, inserted in place.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// Slices of rows into the cache, each clamped to what lies within it: a slice of no rows where
/// none does. Loops carry the cache, so that bufferization writes it in place.
/// 1. Contiguous: per sequence, the rows that lie in [0, T) at once.
/// 2. Paged: per sequence and row, that row, into its page.
class AppendLowering {
public:
  AppendLowering(ImplicitLocOpBuilder &b, KvAppendOp op) : b(b), op(op) {}

  Value run() {
    assertShapes();
    IndexBuilder ib{b, b.getLoc()};
    auto size = [&](Value tensor, int64_t dim) { return getDim(b, b.getLoc(), tensor, dim); };
    Value cache = op.getCache(), rows = op.getRows();
    places = size(cache, 0);
    capacity = size(cache, 2);
    count = size(rows, 2);
    if (!op.getBlockTable())
      return ib
          .loops(size(rows, 0), cache,
                 [&](IndexBuilder in, ValueRange counters, ValueRange values) {
                   return SmallVector<Value>{appendSequence(in, counters[0], values[0])};
                 })
          .front();
    pages = size(op.getBlockTable(), 1);
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

  Value appendRow(IndexBuilder in, Value batch, Value row, Value cache) {
    Value zero = in.constant(0), one = in.constant(1);
    Value at = in.add(readIndex(in, op.getPositions(), batch), row);
    auto within = [&](Value x, Value limit) {
      Value notBelow = in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::sge, x, zero);
      return in.b.createOrFold<arith::AndIOp>(in.loc, notBelow, in.less(x, limit));
    };
    Value isPlaced = within(at, in.mul(pages, capacity));
    at = in.select(isPlaced, at, zero);
    Value entry = in.b.createOrFold<arith::DivUIOp>(in.loc, at, capacity);
    Value page = readIndex(in, op.getBlockTable(), {batch, entry});
    Value isWritten = in.b.createOrFold<arith::AndIOp>(in.loc, isPlaced, within(page, places));
    Value n = in.select(isWritten, one, zero);
    page = in.select(isWritten, page, zero);
    return copy(in, cache, batch, row, page,
                in.b.createOrFold<arith::RemUIOp>(in.loc, at, capacity), n);
  }

  ImplicitLocOpBuilder &b;
  KvAppendOp op;
  Value places, capacity, count, pages;
};

} // namespace

void populateKvAppendPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWith<KvAppendOp, AppendLowering>>(patterns.getContext());
}

} // namespace forge
