// Short lines, sorted by counting: the place of an element is how many of its line come before it.
// All elements are counted side by side, where a merge of so few would be one thread's.
#include "forge/Conversion/Utils/MergeSort.h"

#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge;

/// How many elements of the line come before the element `at`, `own`. Of equal elements those that
/// are before it in the line do.
static Value countBefore(IndexBuilder ib, const SortedLines &lines, const Order &order,
                         ValueRange at, ValueRange own) {
  Value zero = ib.constant(0), one = ib.constant(1), place = at[lines.dim];
  Value length = ib.constant(lines.shape.getDimSize(lines.dim));
  auto count = [&](IndexBuilder in, ValueRange counter, ValueRange sum) {
    SmallVector<Value> position(at);
    position[lines.dim] = counter[0];
    SmallVector<Value> other = lines.read(in, position), first, second;
    Value isLeft = in.less(counter[0], place);
    for (auto [mine, theirs] : llvm::zip_equal(own, other)) {
      first.push_back(in.select(isLeft, mine, theirs));
      second.push_back(in.select(isLeft, theirs, mine));
    }
    // The left one of two comes first, unless the right one is before it.
    Value isBefore =
        arith::XOrIOp::create(in.b, in.loc, isLeft, order.comesBefore(in.b, first, second));
    return SmallVector<Value>{in.add(sum[0], in.select(isBefore, one, zero))};
  };
  return ib.loops(length, zero, count).front();
}

SmallVector<Value> forge::createRankSort(OpBuilder &builder, Location loc, const SortedLines &lines,
                                         const Order &order, int64_t count) {
  IndexBuilder ib{builder, loc};
  int64_t length = lines.shape.getDimSize(lines.dim);
  SmallVector<int64_t> shape(lines.shape.getShape());
  SmallVector<OpFoldResult> sizes(lines.sizes);
  shape[lines.dim] = count;
  sizes[lines.dim] = builder.getIndexAttr(count);
  SmallVector<Value> extents, results;
  for (OpFoldResult size : lines.sizes)
    extents.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  for (Type type : lines.types)
    results.push_back(createEmpty(builder, loc, RankedTensorType::get(shape, type), sizes));
  return ib.independentLoops(
      extents, results, [&](IndexBuilder in, ValueRange at, ValueRange targets) {
        SmallVector<Value> own = lines.read(in, at), position(at);
        position[lines.dim] = countBefore(in, lines, order, at, own);
        auto write = [&](IndexBuilder w) {
          SmallVector<Value> written;
          for (auto [element, target] : llvm::zip_equal(own, targets))
            written.push_back(w.write(element, target, position));
          return written;
        };
        if (count == length)
          return write(in);
        auto branch = scf::IfOp::create(
            in.b, in.loc, in.less(position[lines.dim], in.constant(count)),
            [&](OpBuilder &b, Location l) {
              scf::YieldOp::create(b, l, write(IndexBuilder{b, l}));
            },
            [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, targets); });
        return SmallVector<Value>(branch.getResults());
      });
}
