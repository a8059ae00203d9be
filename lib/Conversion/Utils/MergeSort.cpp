// 1. A line of n elements is sorted runs of width 1. One merge makes of two neighbouring runs one
//    of twice the width: at every place, the right run's head if it comes before the left one's,
//    else the left one's (which keeps equal elements in order).
// 2. Merges go from the tensor to a scratch line, and from there back with the doubled width: two
//    passes at a time, so that the sorted line always ends up in the tensor, in place.
// 3. In chunks: the merge's first d elements are the first `left` of the left run and d - left of
//    the right one; bisection finds `left` (Odeh, Green, Mwassi, Shmueli, Birk: Merge Path, 2012),
//    so that a merge can begin at any place d.
// 4. Where nothing is known of the comparator, two searches may contradict each other, and their
//    chunks would overlap. So a chunk is found by halving: the place in the middle of the merge is
//    searched for first, then the one in the middle of the half that holds the chunk, and so on,
//    each between the two found before. All chunks of a merge find the same places, and each ends
//    where the next begins: every element is taken once, for any comparator. For a strict
//    weak order these are the places of 3.
// 5. After k such double passes runs have width 4^k; ceil(log4(n)) of them sort the line.
#include "forge/Conversion/Utils/MergeSort.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace forge;

namespace {

/// Lines of several tensors: where element `i` of a line lies.
struct Lines {
  SmallVector<Value> outer; // the other coordinates, in order; empty for a scratch line
  int64_t dim = 0;

  SmallVector<Value> at(Value i) const {
    SmallVector<Value> position(outer);
    position.insert(position.begin() + dim, i);
    return position;
  }
};

} // namespace

/// Two neighbouring runs, [begin, middle) and [middle, end) of a line.
struct RunPair {
  Value begin, middle, end;
};

/// A part of a merge: the places [lower, upper) of the target, from the heads `left` and `right`
/// on up to `leftEnd` and `rightEnd`.
struct Part {
  Value lower, upper, left, right, leftEnd, rightEnd;
};

/// Merges a part of a pair of runs of the lines `from` of `source` into the lines `to` of `target`.
/// `mayBeEmpty`: the part may have no element of the line's first run.
static SmallVector<Value> createMerge(IndexBuilder ib, Part part, ValueRange source,
                                      const Lines &from, ValueRange target, const Lines &to,
                                      ComesBefore comesBefore, bool mayBeEmpty) {
  SmallVector<Value> carried = {part.left, part.right};
  llvm::append_range(carried, target);
  // A run that is used up is read at its last place, and the value not taken.
  Value one = ib.constant(1);
  Value lastLeft = ib.sub(part.leftEnd, one), lastRight = ib.sub(part.rightEnd, one);
  if (mayBeEmpty)
    lastLeft = ib.max(lastLeft, ib.constant(0));
  SmallVector<Value> results = ib.loops(
      part.lower, part.upper, carried, [&](IndexBuilder in, ValueRange place, ValueRange values) {
        Value left = values[0], right = values[1];
        SmallVector<Value> leftPlace = from.at(in.min(left, lastLeft));
        SmallVector<Value> rightPlace = from.at(in.min(right, lastRight));
        SmallVector<Value> leftHeads, rightHeads;
        for (Value tensor : source) {
          leftHeads.push_back(in.read(tensor, leftPlace));
          rightHeads.push_back(in.read(tensor, rightPlace));
        }
        Value leftUsedUp =
            in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::sge, left, part.leftEnd);
        Value takeRight = in.b.createOrFold<arith::AndIOp>(
            in.loc, in.less(right, part.rightEnd), comesBefore(in.b, rightHeads, leftHeads));
        takeRight = in.b.createOrFold<arith::OrIOp>(in.loc, leftUsedUp, takeRight);
        SmallVector<Value> next = {in.select(takeRight, left, in.add(left, one)),
                                   in.select(takeRight, in.add(right, one), right)};
        for (auto [i, tensor] : llvm::enumerate(values.drop_front(2)))
          next.push_back(
              in.write(in.select(takeRight, rightHeads[i], leftHeads[i]), tensor, to.at(place[0])));
        return next;
      });
  return SmallVector<Value>(llvm::drop_begin(results, 2));
}

/// How many of the first `count` elements of a merge are the left run's: `low` to `high` of them.
/// The element in the middle is among them unless one comes before it that would be the last.
static Value createSplit(IndexBuilder ib, RunPair runs, Value count, Value low, Value high,
                         ValueRange source, const Lines &from, ComesBefore comesBefore) {
  auto search = scf::WhileOp::create(
      ib.b, ib.loc, TypeRange{low.getType(), high.getType()}, ValueRange{low, high},
      [&](OpBuilder &b, Location l, ValueRange range) {
        scf::ConditionOp::create(b, l, IndexBuilder{b, l}.less(range[0], range[1]), range);
      },
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value one = in.constant(1);
        Value middle = arith::ShRUIOp::create(b, l, in.add(range[0], range[1]), one);
        Value partner = in.sub(in.sub(count, one), middle);
        SmallVector<Value> lefts, rights;
        for (Value tensor : source) {
          lefts.push_back(in.read(tensor, from.at(in.add(runs.begin, middle))));
          rights.push_back(in.read(tensor, from.at(in.add(runs.middle, partner))));
        }
        Value before = comesBefore(b, rights, lefts);
        scf::YieldOp::create(b, l,
                             ValueRange{in.select(before, range[0], in.add(middle, one)),
                                        in.select(before, middle, range[1])});
      });
  return search.getResult(0);
}

/// The part of a merge whose first place is `done` places behind the pair's, found by one search.
static void findBySearch(IndexBuilder ib, RunPair runs, Value done, Part &part, ValueRange source,
                         const Lines &from, ComesBefore comesBefore) {
  Value low = ib.max(ib.constant(0), ib.sub(done, ib.sub(runs.end, runs.middle)));
  Value high = ib.min(done, ib.sub(runs.middle, runs.begin));
  Value lefts = createSplit(ib, runs, done, low, high, source, from, comesBefore);
  part.left = ib.add(runs.begin, lefts);
  part.right = ib.add(runs.middle, ib.sub(done, lefts));
  part.leftEnd = runs.middle;
  part.rightEnd = runs.end;
}

/// The same by halving the merge of `pairWidth` places, down to `partWidth`. Carried: the range of
/// places, and how many elements before its ends are the left run's.
static void findByHalving(IndexBuilder ib, RunPair runs, Value done, Value partWidth,
                          Value pairWidth, Part &part, ValueRange source, const Lines &from,
                          ComesBefore comesBefore) {
  Value total = ib.sub(runs.end, runs.begin), zero = ib.constant(0);
  SmallVector<Value> whole = {zero, pairWidth, zero, ib.sub(runs.middle, runs.begin)};
  SmallVector<Type> types(whole.size(), zero.getType());
  auto halving = scf::WhileOp::create(
      ib.b, ib.loc, types, whole,
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value isLarger = in.less(partWidth, in.sub(range[1], range[0]));
        scf::ConditionOp::create(b, l, isLarger, range);
      },
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value middle = arith::ShRUIOp::create(b, l, in.add(range[0], range[1]), in.constant(1));
        // Behind the last place there are no more of either run.
        Value count = in.min(middle, total), last = in.min(range[1], total);
        Value low = in.max(range[2], in.sub(range[3], in.sub(last, count)));
        Value high = in.min(range[3], in.add(range[2], in.sub(count, range[0])));
        Value lefts = createSplit(in, runs, count, low, high, source, from, comesBefore);
        Value first = in.less(done, middle);
        scf::YieldOp::create(
            b, l,
            ValueRange{in.select(first, range[0], middle), in.select(first, middle, range[1]),
                       in.select(first, range[2], lefts), in.select(first, lefts, range[3])});
      });
  ValueRange found = halving.getResults();
  Value behind = ib.min(found[1], total);
  part.left = ib.add(runs.begin, found[2]);
  part.right = ib.add(runs.middle, ib.sub(found[0], found[2]));
  part.leftEnd = ib.add(runs.begin, found[3]);
  part.rightEnd = ib.add(runs.middle, ib.sub(behind, found[3]));
}

/// Elements that one chunk merges: a compromise between the search before it and how many there
/// are.
static constexpr int64_t kChunk = 16;

/// One pass: merges all pairs of runs of `width` elements from `source` into `target`, in parts
/// that each lie within one pair (both are powers of two).
static SmallVector<Value> createPass(IndexBuilder ib, ValueRange source, const Lines &from,
                                     ValueRange target, const Lines &to, Value size, Value width,
                                     const Order &order, SortForm form) {
  Value pairWidth = ib.add(width, width);
  bool chunked = form == SortForm::Chunked;
  Value partWidth = chunked ? ib.min(pairWidth, ib.constant(kChunk)) : pairWidth;
  Value rounded = ib.add(size, ib.sub(partWidth, ib.constant(1)));
  Value parts = ib.b.createOrFold<arith::DivUIOp>(ib.loc, rounded, partWidth);
  return ib.loops(parts, target, [&](IndexBuilder in, ValueRange number, ValueRange values) {
    Value lower = in.mul(number[0], partWidth);
    Value upper = in.min(in.add(lower, partWidth), size);
    Value done = chunked ? in.b.createOrFold<arith::RemUIOp>(in.loc, lower, pairWidth) : Value();
    Value begin = chunked ? in.sub(lower, done) : lower;
    RunPair runs{begin, in.min(in.add(begin, width), size),
                 chunked ? in.min(in.add(begin, pairWidth), size) : upper};
    Part part{lower, upper, begin, runs.middle, runs.middle, runs.end};
    if (chunked && order.isStrictWeak)
      findBySearch(in, runs, done, part, source, from, order.comesBefore);
    else if (chunked)
      findByHalving(in, runs, done, partWidth, pairWidth, part, source, from, order.comesBefore);
    return createMerge(in, part, source, from, values, to, order.comesBefore,
                       /*mayBeEmpty=*/chunked && !order.isStrictWeak);
  });
}

/// How many double passes sort `size` elements: ceil(log4(size)), 0 up to one element.
static Value countDoublePasses(IndexBuilder ib, Value size) {
  Type i64 = ib.b.getI64Type();
  Value last = ib.max(ib.sub(size, ib.constant(1)), ib.constant(0));
  last = arith::IndexCastOp::create(ib.b, ib.loc, i64, last);
  Value zeros = math::CountLeadingZerosOp::create(ib.b, ib.loc, last);
  zeros = arith::IndexCastOp::create(ib.b, ib.loc, ib.b.getIndexType(), zeros);
  // 64 - zeros bits hold size - 1; each double pass sorts two bits.
  Value bits = ib.sub(ib.constant(65), zeros);
  return arith::ShRUIOp::create(ib.b, ib.loc, bits, ib.constant(1));
}

SmallVector<Value> forge::createMergeSort(OpBuilder &builder, Location loc, ValueRange tensors,
                                          int64_t dim, const Order &order, SortForm form) {
  IndexBuilder ib{builder, loc};
  size_t count = tensors.size();
  auto type = cast<RankedTensorType>(tensors.front().getType());
  assertSameShape(builder, loc, "sort", tensors);
  Value size = getDim(builder, loc, tensors.front(), dim);
  SmallVector<Value> outerSizes, carried(tensors);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      outerSizes.push_back(getDim(builder, loc, tensors.front(), d));
  bool chunked = form == SortForm::Chunked;
  for (Value tensor : tensors) {
    if (chunked) {
      carried.push_back(createEmpty(builder, loc, cast<RankedTensorType>(tensor.getType()),
                                    getSizes(builder, loc, tensor)));
      continue;
    }
    auto lineType = RankedTensorType::get(type.getDimSize(dim), getElementTypeOrSelf(tensor));
    carried.push_back(createEmpty(builder, loc, lineType, getAsOpFoldResult(size)));
  }
  Value passes = countDoublePasses(ib, size);
  SmallVector<Value> sorted = ib.loops(
      outerSizes, carried, [&](IndexBuilder outer, ValueRange coordinates, ValueRange values) {
        Lines line{SmallVector<Value>(coordinates), dim}, scratch = chunked ? line : Lines();
        return outer.loops(
            passes, values, [&](IndexBuilder in, ValueRange pass, ValueRange current) {
              Value one = in.constant(1);
              Value shift = in.add(pass[0], pass[0]);
              Value width = in.b.createOrFold<arith::ShLIOp>(in.loc, one, shift);
              SmallVector<Value> there =
                  createPass(in, current.take_front(count), line, current.drop_front(count),
                             scratch, size, width, order, form);
              SmallVector<Value> back = createPass(in, there, scratch, current.take_front(count),
                                                   line, size, in.add(width, width), order, form);
              llvm::append_range(back, there);
              return back;
            });
      });
  sorted.truncate(count);
  return sorted;
}
