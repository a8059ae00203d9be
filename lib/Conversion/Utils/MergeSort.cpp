// 1. A line of n elements is sorted runs of width 1. One merge makes of two neighbouring runs one
//    of twice the width: at every place, the right run's head if it comes before the left one's,
//    else the left one's (which keeps equal elements in order).
// 2. Merges go from the tensor to a scratch line, and from there back with the doubled width: two
//    passes at a time, so that the sorted line always ends up in the tensor, in place.
// 3. In chunks: a merge can begin at any of its places (MergeRuns.cpp).
// 4. After k such double passes runs have width 4^k; ceil(log4(n)) of them sort the line.
#include "MergeRuns.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

/// One pass: merges all pairs of runs of `width` elements from `source` into `target`, in parts
/// that each lie within one pair (both are powers of two).
static SmallVector<Value> createPass(IndexBuilder ib, ValueRange source, const Lines &from,
                                     ValueRange target, const Lines &to, Value size, Value width,
                                     const Order &order, SortForm form) {
  Value pairWidth = ib.add(width, width);
  bool chunked = form == SortForm::Chunked;
  Value partWidth = chunked ? ib.min(pairWidth, ib.constant(kMergePart)) : pairWidth;
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
    auto read = [&](IndexBuilder at, Value place) {
      SmallVector<Value> heads;
      for (Value tensor : source)
        heads.push_back(at.read(tensor, from.at(place)));
      return heads;
    };
    if (chunked)
      findPart(in, runs, done, partWidth, pairWidth, part, read, order);
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

/// Lines from this length on are sorted in tiles and passes on devices; shorter ones by counting,
/// where that can be told to end, else by a thread each, or a block one of them.
static constexpr int64_t kLongLine = 64;

/// The element of `tensor` at `position`; computed where it depends on nothing but that, as the
/// places that are sorted along do.
static Value readElement(IndexBuilder ib, Value tensor, ValueRange position) {
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() > 0 || generic->getNumResults() != 1 ||
      !generic.getIndexingMapsArray().front().isIdentity() ||
      llvm::any_of(generic.getBody()->getArguments(),
                   [](BlockArgument argument) { return !argument.use_empty(); }) ||
      llvm::any_of(generic.getBody()->without_terminator(),
                   [](Operation &op) { return op.getNumRegions() > 0 || !isPure(&op); }))
    return ib.read(tensor, position);
  IRMapping mapping;
  for (Operation &op : generic.getBody()->without_terminator())
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      mapping.map(index.getResult(), position[index.getDim()]);
    else
      ib.b.clone(op, mapping);
  return mapping.lookupOrDefault(generic.getBody()->getTerminator()->getOperand(0));
}

static SortedLines linesOf(OpBuilder &builder, Location loc, ValueRange tensors, int64_t dim,
                           ArrayRef<Type> types, ReadElements read, WantedOf wanted) {
  return {cast<RankedTensorType>(tensors.front().getType()),
          getSizes(builder, loc, tensors.front()),
          dim,
          SmallVector<Type>(types),
          read,
          wanted};
}

SmallVector<Value> forge::createMergeSort(OpBuilder &builder, Location loc, ValueRange tensors,
                                          int64_t dim, const Order &order, SortForm form,
                                          std::optional<int64_t> first, WantedOf wanted) {
  IndexBuilder ib{builder, loc};
  size_t count = tensors.size();
  auto type = cast<RankedTensorType>(tensors.front().getType());
  assertSameShape(builder, loc, "sort", tensors);
  SmallVector<Type> types;
  for (Value tensor : tensors)
    types.push_back(getElementTypeOrSelf(tensor));
  int64_t length = type.getDimSize(dim);
  bool isLong = length >= kLongLine && canSortInPasses(types);
  bool isShort = length > 1 && length < kLongLine && order.isStrictWeak;
  if (form == SortForm::Chunked && (isLong || isShort)) {
    auto read = [&](IndexBuilder in, ValueRange position) {
      return llvm::map_to_vector(tensors,
                                 [&](Value tensor) { return readElement(in, tensor, position); });
    };
    SortedLines lines = linesOf(builder, loc, tensors, dim, types, read, wanted);
    auto sort = isLong ? createSortInPasses : createRankSort;
    return sort(builder, loc, lines, order, first.value_or(length));
  }
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
