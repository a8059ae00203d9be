// 1. Runs of eight elements are sorted where they are read, by rounds of exchanges of neighbours
//    that are out of order, which keeps equal elements in order.
// 2. Passes merge all pairs of runs of all lines, from one tensor to another and back. The parts of
//    a pass do not depend on each other, so each pass is a kernel that fills the device.
// 3. Where only the first elements of lines are wanted, a pass keeps of each pair no more than a
//    run's length once runs are that long: every pass halves what is left.
#include "MergeRuns.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

static constexpr int64_t kRun = 8;

namespace {
class MergePasses {
public:
  MergePasses(OpBuilder &builder, Location loc, const SortedLines &lines, const Order &order)
      : ib{builder, loc}, lines(lines), order(order) {}

  SmallVector<Value> create(int64_t count) {
    int64_t size = lines.shape.getDimSize(lines.dim), width = kRun;
    SmallVector<Value> current = createRuns(size), spare;
    int64_t kept = std::max(kRun, int64_t(llvm::PowerOf2Ceil(count)));
    while (width < size) {
      bool halves = width >= kept;
      int64_t left = halves ? sizeOfHalf(size, width) : size;
      SmallVector<Value> target = std::exchange(spare, {});
      if (halves || target.empty())
        target = createTargets(left);
      SmallVector<Value> merged = createPass(current, target, size, left, width, halves);
      if (!halves)
        spare = current;
      current = merged;
      width *= halves ? 1 : 2;
      size = left;
    }
    return current;
  }

private:
  /// What is left of `size` elements if each pair of runs gives as many as are in its first one.
  static int64_t sizeOfHalf(int64_t size, int64_t width) {
    int64_t runs = llvm::divideCeil(size, width);
    return runs / 2 * width + (runs % 2 ? size - (runs - 1) * width : 0);
  }

  /// The loops around an element, with `parts` in the place of the lines' dimension.
  SmallVector<Value> loops(int64_t parts, ValueRange carried, IndexBuilder::Body body) {
    SmallVector<Value> extents =
        getValueOrCreateConstantIndexOp(ib.b, ib.loc, ArrayRef(lines.sizes));
    extents[lines.dim] = ib.constant(parts);
    return ib.independentLoops(extents, carried, body);
  }

  Lines lineAt(ValueRange coordinates) const {
    Lines line{SmallVector<Value>(coordinates), lines.dim};
    line.outer.erase(line.outer.begin() + lines.dim);
    return line;
  }

  SmallVector<Value> createTargets(int64_t size) {
    SmallVector<OpFoldResult> sizes(lines.sizes);
    sizes[lines.dim] = ib.b.getIndexAttr(size);
    SmallVector<int64_t> shape(lines.shape.getShape());
    shape[lines.dim] = size;
    SmallVector<Value> targets;
    for (Type type : lines.types)
      targets.push_back(createEmpty(ib.b, ib.loc, RankedTensorType::get(shape, type), sizes));
    return targets;
  }

  //===--- runs ---===//

  SmallVector<Value> createRuns(int64_t size) {
    int64_t parts = llvm::divideCeil(size, kRun);
    bool isRagged = parts * kRun != size;
    return loops(
        parts, createTargets(size), [&](IndexBuilder in, ValueRange at, ValueRange targets) {
          Lines line = lineAt(at);
          Value lower = in.mul(at[lines.dim], in.constant(kRun)), end = in.constant(size);
          SmallVector<Value> places, inside;
          SmallVector<SmallVector<Value>> run;
          for (int64_t i = 0; i < kRun; ++i) {
            Value place = in.add(lower, i);
            inside.push_back(isRagged && i > 0 ? in.less(place, end) : Value());
            places.push_back(place);
            run.push_back(lines.read(
                in, line.at(inside.back() ? in.min(place, in.constant(size - 1)) : place)));
          }
          sortRun(in, run, inside);
          SmallVector<Value> next(targets);
          for (int64_t i = 0; i < kRun; ++i)
            next = writeIf(in, inside[i], run[i], next, line.at(places[i]));
          return next;
        });
  }

  /// Elements that are not inside are last, and stay there.
  void sortRun(IndexBuilder in, MutableArrayRef<SmallVector<Value>> run, ArrayRef<Value> inside) {
    for (size_t round = 0; round < run.size(); ++round)
      for (size_t i = round % 2; i + 1 < run.size(); i += 2) {
        Value swap = order.comesBefore(in.b, run[i + 1], run[i]);
        if (inside[i + 1])
          swap = in.b.createOrFold<arith::AndIOp>(in.loc, swap, inside[i + 1]);
        for (auto [x, y] : llvm::zip(run[i], run[i + 1])) {
          Value first = in.select(swap, y, x), second = in.select(swap, x, y);
          x = first;
          y = second;
        }
      }
  }

  static SmallVector<Value> writeIf(IndexBuilder in, Value condition, ValueRange scalars,
                                    ValueRange tensors, ValueRange position) {
    auto write = [&](IndexBuilder w) {
      SmallVector<Value> written;
      for (auto [scalar, tensor] : llvm::zip(scalars, tensors))
        written.push_back(w.write(scalar, tensor, position));
      return written;
    };
    if (!condition)
      return write(in);
    auto branch = scf::IfOp::create(
        in.b, in.loc, condition,
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, write(IndexBuilder{b, l})); },
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, tensors); });
    return SmallVector<Value>(branch.getResults());
  }

  //===--- merges ---===//

  /// Places that a step merges. There are several steps even where there is little to merge: a loop
  /// of one step would be taken for code of the host.
  static int64_t partOf(int64_t size, int64_t pairWidth) {
    int64_t part = std::min(pairWidth, kMergePart);
    while (part > 1 && part >= size)
      part /= 2;
    return part;
  }

  /// Merges pairs of runs of `width` of the `size` elements of each line to lines of `left`.
  SmallVector<Value> createPass(ValueRange source, ValueRange target, int64_t size, int64_t left,
                                int64_t width, bool halves) {
    int64_t pairTarget = halves ? width : 2 * width, part = partOf(left, pairTarget);
    return loops(llvm::divideCeil(left, part), target,
                 [&](IndexBuilder in, ValueRange at, ValueRange targets) {
                   Lines line = lineAt(at);
                   Value end = in.constant(size), pairs = in.constant(pairTarget);
                   Value lower = in.mul(at[lines.dim], in.constant(part));
                   Value upper = in.add(lower, part);
                   if (left % part != 0)
                     upper = in.min(upper, in.constant(left));
                   Value done = in.b.createOrFold<arith::RemUIOp>(in.loc, lower, pairs);
                   Value begin = in.sub(lower, done);
                   if (halves)
                     begin = in.add(begin, begin);
                   RunPair runs{begin, in.min(in.add(begin, width), end),
                                in.min(in.add(begin, 2 * width), end)};
                   Part merge{lower, upper, begin, runs.middle, runs.middle, runs.end};
                   findPart(in, runs, done, in.constant(part), in.constant(2 * width), merge,
                            source, line, order);
                   return createMerge(in, merge, source, line, targets, line, order.comesBefore,
                                      /*mayBeEmpty=*/!order.isStrictWeak);
                 });
  }

  IndexBuilder ib;
  const SortedLines &lines;
  const Order &order;
};
} // namespace

SmallVector<Value> forge::createSortInPasses(OpBuilder &builder, Location loc,
                                             const SortedLines &lines, const Order &order,
                                             int64_t count) {
  return MergePasses(builder, loc, lines, order).create(count);
}
