// 1. A tile of a line is sorted in the memory of a block: it is read, runs of eight are sorted in
//    registers, and pairs of runs are merged there, up to the whole tile. What the threads of a
//    block do side by side are loops of their own (`forge.shared`) within the loops over tiles.
// 2. Passes merge all pairs of runs of all lines, from one tensor to another and back, a tile of
//    the result in each block: the block finds where the tile begins and ends in both runs, reads
//    these two ranges, merges them in its memory, and writes the tile. The tiles of a pass do not
//    depend on each other, so each pass is a kernel that fills the device.
// 3. A block whose tile nobody wants does nothing, where it depends on the line how many are.
// 4. Where only the first elements of lines are wanted, a merge keeps of each pair no more than a
//    run's length once runs are that long. So a tile gives that many, and what is left becomes
//    tiles again.
#include "MergeRuns.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Elements of a run that a thread sorts, and of a part that it merges.
static constexpr int64_t kRun = 8;
/// Threads of a block that read or write side by side, at least.
static constexpr int64_t kThreads = 256;
/// Bytes of a tile, of which a block has two, and its least elements.
static constexpr int64_t kTileBytes = 16 * 1024, kLeastTile = 2 * kRun;
/// After that many elements there is one that is not used: threads that are a run apart find theirs
/// in different banks of the memory.
static constexpr int64_t kPadding = 32;

static int64_t bytesOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bytesOf(complex.getElementType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 8;
}

static int64_t bytesOf(ArrayRef<Type> types) {
  int64_t bytes = 0;
  for (Type type : types)
    bytes += bytesOf(type);
  return bytes;
}

bool forge::canSortInPasses(ArrayRef<Type> types) {
  return bytesOf(types) <= kTileBytes / kLeastTile;
}

namespace {
class MergePasses {
public:
  MergePasses(OpBuilder &builder, Location loc, const SortedLines &lines, const Order &order)
      : ib{builder, loc}, lines(lines), order(order), size(lines.shape.getDimSize(lines.dim)),
        tile(llvm::bit_floor(uint64_t(kTileBytes / bytesOf(lines.types)))) {}

  SmallVector<Value> create(int64_t count) {
    kept = std::max(kRun, int64_t(llvm::PowerOf2Ceil(count)));
    SmallVector<Value> spare;
    int64_t width = 1;
    do {
      int64_t whole = std::max<int64_t>(kLeastTile, llvm::PowerOf2Ceil(size));
      if (width < tile) {
        tile = std::min(tile, whole);
        createTiles(width);
        width = std::min(kept, tile);
        spare.clear();
        continue;
      }
      bool halves = width >= kept;
      int64_t left = halves ? sizeOfHalf(size, width) : size;
      SmallVector<Value> target = std::exchange(spare, {});
      if (halves || target.empty())
        target = createTargets(left);
      SmallVector<Value> merged = createPass(target, left, width, halves);
      if (!halves)
        spare = current;
      current = merged;
      width *= halves ? 1 : 2;
      size = left;
    } while (width < size);
    return current;
  }

private:
  /// What is left of `size` elements if each pair of runs gives as many as are in its first one.
  static int64_t sizeOfHalf(int64_t size, int64_t width) {
    return size / (2 * width) * width + std::min(width, size % (2 * width));
  }
  static Value sizeOfHalf(IndexBuilder in, Value size, int64_t width) {
    Value pairs = constantLike(in, size, 2 * width), kept = constantLike(in, size, width);
    Value whole = in.b.createOrFold<arith::DivUIOp>(in.loc, size, pairs);
    Value rest = in.b.createOrFold<arith::RemUIOp>(in.loc, size, pairs);
    return in.add(in.mul(whole, kept), in.min(rest, kept));
  }

  //===--- places ---===//

  /// Places are of 32 bits where lines are not too long for that: threads count with them sooner.
  Value number(IndexBuilder in, int64_t value) const {
    Type type = size < (int64_t(1) << 30) ? Type(in.b.getI32Type()) : Type(in.b.getIndexType());
    return arith::ConstantOp::create(in.b, in.loc, in.b.getIntegerAttr(type, value));
  }
  Value toPlace(IndexBuilder in, Value index) const {
    Type type = number(in, 0).getType();
    return type.isIndex() ? index : arith::IndexCastUIOp::create(in.b, in.loc, type, index);
  }
  static Value toIndex(IndexBuilder in, Value place) {
    Type index = in.b.getIndexType();
    return place.getType().isIndex()
               ? place
               : in.b.createOrFold<arith::IndexCastUIOp>(in.loc, index, place);
  }
  static Value plus(IndexBuilder in, Value place, int64_t more) {
    return more == 0 ? place : in.add(place, constantLike(in, place, more));
  }
  static Value times(IndexBuilder in, Value place, int64_t factor) {
    return in.mul(place, constantLike(in, place, factor));
  }
  /// The remainder by a power of two.
  static Value lowBits(IndexBuilder in, Value place, int64_t power) {
    return in.b.createOrFold<arith::AndIOp>(in.loc, place, constantLike(in, place, power - 1));
  }

  //===--- lines ---===//

  /// The loops around a tile, of which each line has `tiles`. At least two in all: a loop of one
  /// step would be taken for code of the host. What there is no tile for does nothing.
  SmallVector<Value> loops(int64_t tiles, ValueRange carried, IndexBuilder::Body body) {
    SmallVector<Value> extents =
        getValueOrCreateConstantIndexOp(ib.b, ib.loc, ArrayRef(lines.sizes));
    extents[lines.dim] = ib.constant(tiles);
    return ib.independentLoops(extents, carried, body);
  }

  int64_t tilesOf(int64_t elements) const {
    int64_t tiles = llvm::divideCeil(elements, tile);
    for (auto [dim, extent] : llvm::enumerate(lines.shape.getShape()))
      if (int64_t(dim) != lines.dim && extent != 1)
        return tiles;
    return std::max<int64_t>(tiles, 2);
  }

  Lines lineAt(ValueRange coordinates) const {
    Lines line{SmallVector<Value>(coordinates), lines.dim};
    line.outer.erase(line.outer.begin() + lines.dim);
    return line;
  }

  SmallVector<Value> createTargets(int64_t elements) {
    SmallVector<OpFoldResult> sizes(lines.sizes);
    sizes[lines.dim] = ib.b.getIndexAttr(elements);
    SmallVector<int64_t> shape(lines.shape.getShape());
    shape[lines.dim] = elements;
    SmallVector<Value> targets;
    for (Type type : lines.types)
      targets.push_back(createEmpty(ib.b, ib.loc, RankedTensorType::get(shape, type), sizes));
    return targets;
  }

  SmallVector<Value> readLine(IndexBuilder in, const Lines &line, Value place) {
    place = toIndex(in, place);
    return current.empty() ? lines.read(in, line.at(place)) : readAt(in, current, line.at(place));
  }

  static SmallVector<Value> readAt(IndexBuilder in, ValueRange tensors, ValueRange position) {
    SmallVector<Value> scalars;
    for (Value tensor : tensors)
      scalars.push_back(in.read(tensor, position));
    return scalars;
  }
  static SmallVector<Value> writeAt(IndexBuilder in, ValueRange scalars, ValueRange tensors,
                                    ValueRange position) {
    SmallVector<Value> written;
    for (auto [scalar, tensor] : llvm::zip(scalars, tensors))
      written.push_back(in.write(scalar, tensor, position));
    return written;
  }
  static SmallVector<Value> writeIf(IndexBuilder in, Value condition, ValueRange scalars,
                                    ValueRange tensors, ValueRange position) {
    if (!condition)
      return writeAt(in, scalars, tensors, position);
    return in.when(condition, tensors,
                   [&](IndexBuilder inner) { return writeAt(inner, scalars, tensors, position); });
  }

  //===--- the memory of a block ---===//

  SmallVector<Value> createScratch(IndexBuilder in) {
    SmallVector<Value> scratch;
    for (Type type : lines.types)
      scratch.push_back(
          tensor::EmptyOp::create(in.b, in.loc, {tile + tile / kPadding}, type).getResult());
    return scratch;
  }

  /// Where the scratch memory has an element of the tile: an index.
  static Value padded(IndexBuilder in, Value place) {
    Value before = in.b.createOrFold<arith::ShRUIOp>(
        in.loc, place, constantLike(in, place, llvm::Log2_64(kPadding)));
    return toIndex(in, in.add(place, before));
  }

  /// Steps that the threads of a block share. There are two at least, as a loop of one step would
  /// be taken for code of all of them.
  static SmallVector<Value> sharedLoop(IndexBuilder in, int64_t steps, ValueRange carried,
                                       IndexBuilder::Body body) {
    return in.sharedLoop(in.constant(std::max<int64_t>(steps, 2)), carried, body);
  }

  /// Steps that read or write elements side by side: more than merge runs of a small tile.
  static int64_t stepsOf(int64_t elements) {
    return std::max(std::min(kThreads, 2 * elements / kRun), elements / kRun);
  }

  /// What `body` makes of the targets for a tile from the place `done` of a merge on, if elements
  /// there are wanted, else nothing. Comparators that are no order may look at all elements.
  SmallVector<Value> ifWanted(IndexBuilder in, const Lines &line, Value done, ValueRange targets,
                              llvm::function_ref<SmallVector<Value>(IndexBuilder)> body) {
    if (!lines.wanted || !order.isStrictWeak)
      return body(in);
    return in.when(in.less(toIndex(in, done), lines.wanted(in, line.outer)), targets, body);
  }

  /// Reads the elements of a tile, side by side, all of a step before the first is written.
  /// `place`: where the line has the one that is wanted at a place of the tile.
  SmallVector<Value> readTile(IndexBuilder in, const Lines &line,
                              llvm::function_ref<Value(IndexBuilder, Value)> place) {
    int64_t steps = stepsOf(tile);
    return sharedLoop(in, steps, createScratch(in),
                      [&](IndexBuilder s, ValueRange at, ValueRange scratch) {
                        SmallVector<Value> places, next(scratch);
                        SmallVector<SmallVector<Value>> elements;
                        for (int64_t i = 0; i < tile; i += steps) {
                          places.push_back(plus(s, toPlace(s, at[0]), i));
                          elements.push_back(readLine(s, line, place(s, places.back())));
                        }
                        for (auto [scalars, to] : llvm::zip(elements, places))
                          next = writeAt(s, scalars, next, padded(s, to));
                        return next;
                      });
  }

  /// Writes the first `count` elements of a tile to places of a line from `lower` on, as far as
  /// they are below `end`, if there is any.
  SmallVector<Value> writeTile(IndexBuilder in, ValueRange scratch, int64_t count, Value lower,
                               Value end, const Lines &line, ValueRange targets) {
    int64_t steps = stepsOf(count);
    return sharedLoop(in, steps, targets, [&](IndexBuilder s, ValueRange at, ValueRange written) {
      SmallVector<Value> next(written);
      for (int64_t i = 0; i < count; i += steps) {
        Value from = plus(s, toPlace(s, at[0]), i), place = s.add(lower, from);
        next = writeIf(s, end ? s.less(place, end) : Value(), readAt(s, scratch, padded(s, from)),
                       next, line.at(toIndex(s, place)));
      }
      return next;
    });
  }

  //===--- runs ---===//

  /// Sorts runs of a tile of `inside` elements; null: all of them. What is behind them stays there.
  SmallVector<Value> sortRuns(IndexBuilder in, ValueRange scratch, Value inside) {
    return sharedLoop(in, tile / kRun, scratch,
                      [&](IndexBuilder s, ValueRange at, ValueRange tensors) {
                        Value lower = times(s, toPlace(s, at[0]), kRun), first = padded(s, lower);
                        SmallVector<SmallVector<Value>> run;
                        SmallVector<Value> isInside, next(tensors);
                        for (int64_t i = 0; i < kRun; ++i) {
                          run.push_back(readAt(s, tensors, s.add(first, i)));
                          isInside.push_back(inside ? s.less(plus(s, lower, i), inside) : Value());
                        }
                        SmallVector<Value> places = order.isStrictWeak ? rank(s, run, isInside)
                                                                       : exchange(s, run, isInside);
                        for (auto [scalars, place] : llvm::zip(run, places))
                          next = writeAt(s, scalars, next, s.add(first, place));
                        return next;
                      });
  }

  /// Whether element `j` of a run, behind element `i`, has to go before it.
  Value isBefore(IndexBuilder in, ArrayRef<SmallVector<Value>> run, ArrayRef<Value> inside,
                 size_t i, size_t j) {
    Value before = order.comesBefore(in.b, run[j], run[i]);
    return inside[j] ? in.b.createOrFold<arith::AndIOp>(in.loc, before, inside[j]) : before;
  }

  /// Where each element goes: behind those that come before it. These places are different for a
  /// strict weak order.
  SmallVector<Value> rank(IndexBuilder in, ArrayRef<SmallVector<Value>> run,
                          ArrayRef<Value> inside) {
    SmallVector<Value> places;
    Type i32 = in.b.getI32Type();
    for (size_t i = 0; i < run.size(); ++i)
      places.push_back(arith::ConstantIntOp::create(in.b, in.loc, i32, i));
    for (size_t i = 0; i < run.size(); ++i)
      for (size_t j = i + 1; j < run.size(); ++j) {
        Value before = isBefore(in, run, inside, i, j);
        Value one = arith::ExtUIOp::create(in.b, in.loc, i32, before);
        places[i] = arith::AddIOp::create(in.b, in.loc, places[i], one);
        places[j] = arith::SubIOp::create(in.b, in.loc, places[j], one);
      }
    for (Value &place : places)
      place = arith::IndexCastUIOp::create(in.b, in.loc, in.b.getIndexType(), place);
    return places;
  }

  /// Rounds of exchanges of neighbours that are out of order, for any comparator. Where each
  /// element then goes: it stays.
  SmallVector<Value> exchange(IndexBuilder in, MutableArrayRef<SmallVector<Value>> run,
                              ArrayRef<Value> inside) {
    SmallVector<Value> places;
    for (int64_t i = 0; i < kRun; ++i)
      places.push_back(in.constant(i));
    for (size_t round = 0; round < run.size(); ++round)
      for (size_t i = round % 2; i + 1 < run.size(); i += 2) {
        Value swap = isBefore(in, run, inside, i, i + 1);
        for (auto [x, y] : llvm::zip(run[i], run[i + 1])) {
          Value first = in.select(swap, y, x), second = in.select(swap, x, y);
          x = first;
          y = second;
        }
      }
    return places;
  }

  //===--- merges in a tile ---===//

  /// Merges a part of two runs of `source` to the places of `target` from `lower` on.
  SmallVector<Value> mergePart(IndexBuilder in, const Part &part, Value last, ValueRange source,
                               Value lower, ValueRange target) {
    auto read = [&](Value place) { return readAt(in, source, padded(in, in.min(place, last))); };
    Value left = part.left, right = part.right, first = padded(in, lower);
    SmallVector<Value> lefts = read(left), rights = read(right), next(target);
    for (int64_t i = 0; i < kRun; ++i) {
      Value isUsedUp =
          in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::sge, left, part.leftEnd);
      Value takeRight = in.b.createOrFold<arith::AndIOp>(in.loc, in.less(right, part.rightEnd),
                                                         order.comesBefore(in.b, rights, lefts));
      takeRight = in.b.createOrFold<arith::OrIOp>(in.loc, isUsedUp, takeRight);
      SmallVector<Value> taken;
      for (auto [l, r] : llvm::zip(lefts, rights))
        taken.push_back(in.select(takeRight, r, l));
      next = writeAt(in, taken, next, in.add(first, i));
      if (i + 1 == kRun)
        break;
      Value head = plus(in, in.select(takeRight, right, left), 1);
      right = in.select(takeRight, head, right);
      left = in.select(takeRight, left, head);
      for (auto [l, r, fresh] : llvm::zip(lefts, rights, read(head))) {
        r = in.select(takeRight, fresh, r);
        l = in.select(takeRight, l, fresh);
      }
    }
    return next;
  }

  /// Merges pairs of runs of `width` of a tile of `inside` elements, to the first `count` places of
  /// `scratch`; null: as many as there are.
  SmallVector<Value> mergeRuns(IndexBuilder in, ValueRange source, ValueRange scratch, Value inside,
                               int64_t count, int64_t width, bool halves) {
    int64_t pairTarget = halves ? width : 2 * width;
    Value left = inside && halves ? sizeOfHalf(in, inside, width) : inside;
    Value end = inside ? inside : number(in, halves ? 2 * count : count);
    return sharedLoop(
        in, count / kRun, scratch, [&](IndexBuilder s, ValueRange at, ValueRange target) {
          Value lower = times(s, toPlace(s, at[0]), kRun), place = lower;
          // Behind the last element the first ones are merged again, to where nobody reads.
          if (left || count < 2 * kRun)
            place = s.select(s.less(lower, left ? left : number(s, count)), lower, number(s, 0));
          Value done = lowBits(s, place, pairTarget);
          Value begin = s.sub(place, done);
          if (halves)
            begin = s.add(begin, begin);
          RunPair runs{begin, plus(s, begin, width), plus(s, begin, 2 * width)};
          if (inside) {
            runs.middle = s.min(runs.middle, end);
            runs.end = s.min(runs.end, end);
          }
          auto read = [&](IndexBuilder r, Value from) {
            return readAt(r, source, padded(r, from));
          };
          Part part;
          findPart(s, runs, done, number(s, kRun), number(s, 2 * width), part, read, order);
          return mergePart(s, part, plus(s, end, -1), source, lower, target);
        });
  }

  //===--- kernels ---===//

  /// Sorts tiles of sorted runs of `width`; of each what is kept is left.
  void createTiles(int64_t width) {
    int64_t tiles = tilesOf(size), count = std::min(tile, kept);
    int64_t rest = size % tile, left = size / tile * count + std::min(rest, count);
    current =
        loops(tiles, createTargets(left), [&](IndexBuilder in, ValueRange at, ValueRange targets) {
          Lines line = lineAt(at);
          Value place = toPlace(in, at[lines.dim]), lower = times(in, place, tile), inside;
          Value last = number(in, size - 1);
          if (tiles * tile != size)
            inside =
                in.max(number(in, 1), in.min(number(in, tile), in.sub(number(in, size), lower)));
          return ifWanted(in, line, number(in, 0), targets, [&](IndexBuilder in) {
            SmallVector<Value> scratch = readTile(in, line, [&](IndexBuilder s, Value place) {
              Value from = s.add(lower, place);
              return inside ? s.min(from, last) : from;
            });
            SmallVector<Value> spare = createScratch(in);
            int64_t elements = tile, run = width;
            if (run < kRun) {
              scratch = sortRuns(in, scratch, inside);
              run = kRun;
            }
            while (run < elements) {
              bool halves = run >= kept;
              int64_t left = elements / (halves ? 2 : 1);
              spare = mergeRuns(in, scratch, spare, inside, left, run, halves);
              std::swap(scratch, spare);
              if (halves && inside)
                inside = sizeOfHalf(in, inside, run);
              elements = left;
              run *= halves ? 1 : 2;
            }
            return writeTile(in, scratch, count, times(in, place, count),
                             tiles * count != left ? number(in, left) : Value(), line, targets);
          });
        });
    size = left;
  }

  /// The tile of a merge that begins `done` places behind the pair's: two threads find where it
  /// begins and ends.
  Part findTile(IndexBuilder in, RunPair runs, Value done, int64_t width, const Lines &line) {
    auto read = [&](IndexBuilder s, Value place) { return readLine(s, line, place); };
    Part part;
    if (!order.isStrictWeak) {
      findPart(in, runs, done, number(in, tile), number(in, 2 * width), part, read, order);
      return part;
    }
    Value total = in.sub(runs.end, runs.begin);
    auto countAt = [&](IndexBuilder s, Value end) {
      return s.min(s.add(done, times(s, end, tile)), total);
    };
    Value empty = tensor::EmptyOp::create(in.b, in.loc, {2}, done.getType());
    Value splits = sharedLoop(in, 2, empty, [&](IndexBuilder s, ValueRange at, ValueRange written) {
                     Value split = findSplitInRounds(s, runs, countAt(s, toPlace(s, at[0])), read,
                                                     order.comesBefore);
                     return SmallVector<Value>{s.write(split, written[0], at[0])};
                   }).front();
    Value lefts = in.read(splits, in.constant(0)), leftsBefore = in.read(splits, in.constant(1));
    part.left = in.add(runs.begin, lefts);
    part.right = in.add(runs.middle, in.sub(done, lefts));
    part.leftEnd = in.add(runs.begin, leftsBefore);
    part.rightEnd = in.add(runs.middle, in.sub(countAt(in, number(in, 1)), leftsBefore));
    return part;
  }

  /// Merges pairs of runs of `width` of each line to lines of `left`.
  SmallVector<Value> createPass(ValueRange target, int64_t left, int64_t width, bool halves) {
    int64_t pairTarget = halves ? width : 2 * width, tiles = tilesOf(left);
    return loops(tiles, target, [&](IndexBuilder in, ValueRange at, ValueRange targets) {
      Lines line = lineAt(at);
      Value lower = times(in, toPlace(in, at[lines.dim]), tile), end = number(in, size);
      Value first = lower, zero = number(in, 0);
      if (tiles > llvm::divideCeil(left, tile))
        first = in.select(in.less(lower, number(in, left)), lower, zero);
      Value done = lowBits(in, first, pairTarget), begin = in.sub(first, done);
      if (halves)
        begin = in.add(begin, begin);
      RunPair runs{begin, in.min(plus(in, begin, width), end),
                   in.min(plus(in, begin, 2 * width), end)};
      return ifWanted(in, line, done, targets, [&](IndexBuilder in) {
        Part part = findTile(in, runs, done, width, line);
        Value lefts = in.sub(part.leftEnd, part.left);
        Value inside = in.add(lefts, in.sub(part.rightEnd, part.right)),
              last = plus(in, inside, -1);
        Value toRight = in.sub(part.right, lefts);
        SmallVector<Value> scratch = readTile(in, line, [&](IndexBuilder s, Value place) {
          Value inTile = s.min(place, last);
          return s.add(inTile, s.select(s.less(inTile, lefts), part.left, toRight));
        });
        SmallVector<Value> merged =
            sharedLoop(in, tile / kRun, createScratch(in),
                       [&](IndexBuilder s, ValueRange step, ValueRange target) {
                         Value to = times(s, toPlace(s, step[0]), kRun);
                         Value from = s.select(s.less(to, inside), to, zero);
                         auto read = [&](IndexBuilder r, Value place) {
                           return readAt(r, scratch, padded(r, place));
                         };
                         Part piece;
                         findPart(s, {zero, lefts, inside}, from, number(s, kRun), number(s, tile),
                                  piece, read, order);
                         return mergePart(s, piece, last, scratch, to, target);
                       });
        return writeTile(in, merged, tile, lower, tiles * tile != left ? number(in, left) : Value(),
                         line, targets);
      });
    });
  }

  IndexBuilder ib;
  const SortedLines &lines;
  const Order &order;
  /// Elements of a line that are left, of a tile, and those that are wanted.
  int64_t size, tile, kept = 0;
  /// What the last pass wrote; empty before the first one.
  SmallVector<Value> current;
};
} // namespace

SmallVector<Value> forge::createSortInPasses(OpBuilder &builder, Location loc,
                                             const SortedLines &lines, const Order &order,
                                             int64_t count) {
  return MergePasses(builder, loc, lines, order).create(count);
}
