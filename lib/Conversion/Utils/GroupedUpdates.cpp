// 1. Row and number of each update are one integer; these are sorted. So the updates of a row are
//    next to each other, in their order.
// 2. The sorted list is taken in pieces of kPiece entries. A piece combines the updates of each of
//    its rows, in order. Rows that begin and end inside of it are finished. What it has of its
//    first and of its last row, which may go on in other pieces, becomes two entries of the next
//    list; if that is one row, the second entry is not used.
// 3. Lists become shorter until one piece finishes the last one.
// So the time does not depend on where updates go, and the updates of a row are combined as a tree
// with kPiece branches: every run gives the same bits.
#include "forge/Conversion/Utils/GroupedUpdates.h"

#include "forge/Conversion/Utils/MergeSort.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Entries of a piece, of the last list's one piece at most, and how many are loaded before the
/// first of them is combined.
static constexpr int64_t kPiece = 32, kLastPiece = 63, kBatch = 8;
/// Fewer updates are found sooner by blocks that look at all of them.
static constexpr int64_t kManyUpdates = 1024;

namespace {
class Grouper {
public:
  Grouper(OpBuilder &builder, Location loc, ValueRange results, const GroupedUpdates &updates)
      : ib{builder, loc}, updates(updates), results(results) {}

  SmallVector<Value> create() {
    sort();
    int64_t entries = updates.count;
    for (; entries > kLastPiece; entries = 2 * llvm::divideCeil(entries, kPiece)) {
      emitPieces(entries);
      span = span ? span * kPiece / 2 : kPiece;
    }
    emitLast(entries);
    return results;
  }

private:
  /// An entry of the present list: the row it belongs to, whether it is not used, what was combined
  /// for the row, and what the results hold for it: it is loaded with the entry, so that a row that
  /// ends waits for nothing. Nothing but that end writes it.
  struct Entry {
    Value row, isUnused;
    SmallVector<Value> values, old;
  };
  /// What a piece has combined so far, and for which row; whether that is the piece's first row.
  struct State {
    Value row, isFirst;
    SmallVector<Value> values, old, results, partial;
  };

  //===--- the sorted list ---===//

  void sort() {
    shift = llvm::Log2_64_Ceil(updates.count);
    unsigned bits = shift + llvm::Log2_64_Ceil(updates.rows + 1);
    keyType = ib.b.getIntegerType(bits < 32 ? 32 : 64);
    auto read = [&](IndexBuilder in, ValueRange position) {
      Value row = updates.row(in, position[0]);
      Value high = arith::ShLIOp::create(in.b, in.loc, row, in.constant(shift));
      return SmallVector<Value>{
          arith::IndexCastOp::create(in.b, in.loc, keyType, in.add(high, position[0]))};
    };
    auto comesBefore = [&](OpBuilder &b, ValueRange lhs, ValueRange rhs) -> Value {
      return arith::CmpIOp::create(b, ib.loc, arith::CmpIPredicate::slt, lhs[0], rhs[0]);
    };
    auto type = RankedTensorType::get({updates.count}, keyType);
    SortedLines lines{type, {ib.b.getIndexAttr(updates.count)}, 0, {keyType}, read};
    sorted = createSortInPasses(ib.b, ib.loc, lines, Order{comesBefore, /*isStrictWeak=*/true},
                                updates.count)
                 .front();
  }

  Value keyAt(IndexBuilder in, Value place) {
    return arith::IndexCastOp::create(in.b, in.loc, in.b.getIndexType(), in.read(sorted, {place}));
  }
  Value rowOf(IndexBuilder in, Value key) {
    return in.b.createOrFold<arith::ShRUIOp>(in.loc, key, in.constant(shift));
  }
  Value equal(IndexBuilder in, Value x, Value y) {
    return in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::eq, x, y);
  }
  Value both(IndexBuilder in, Value x, Value y) {
    return in.b.createOrFold<arith::AndIOp>(in.loc, x, y);
  }
  Value isNot(IndexBuilder in, Value x) {
    return in.b.createOrFold<arith::XOrIOp>(in.loc, x, truth(in, true));
  }
  Value truth(IndexBuilder in, bool value) {
    return arith::ConstantOp::create(in.b, in.loc, in.b.getBoolAttr(value));
  }

  //===--- entries ---===//

  /// Entry number `number` of a list of updates, or of what pieces of `span` updates combined: the
  /// entries 2p and 2p + 1 are those of piece p.
  Entry readEntry(IndexBuilder in, Value number, ValueRange window) {
    if (span == 0) {
      Value key = keyAt(in, number);
      Value mask = in.constant((int64_t(1) << shift) - 1);
      Value update = in.b.createOrFold<arith::AndIOp>(in.loc, key, mask);
      return {rowOf(in, key), truth(in, false), updates.read(in, update, window), {}};
    }
    Value one = in.constant(1);
    Value piece = arith::ShRUIOp::create(in.b, in.loc, number, one);
    Value isSecond = equal(in, arith::AndIOp::create(in.b, in.loc, number, one).getResult(), one);
    Value begin = in.mul(piece, span);
    Value end = in.min(in.add(begin, span), in.constant(updates.count));
    Value first = rowOf(in, keyAt(in, begin)), last = rowOf(in, keyAt(in, in.sub(end, one)));
    SmallVector<Value> position(window), values;
    position.insert(position.begin(), number);
    for (Value tensor : partial)
      values.push_back(in.read(tensor, position));
    return {
        in.select(isSecond, last, first), both(in, isSecond, equal(in, first, last)), values, {}};
  }

  /// What the results hold for a row, if it is one.
  SmallVector<Value> readOld(IndexBuilder in, Value row, ValueRange tensors, ValueRange window) {
    auto branch = scf::IfOp::create(
        in.b, in.loc, in.less(row, in.constant(updates.rows)),
        [&](OpBuilder &b, Location l) {
          IndexBuilder r{b, l};
          SmallVector<Value> place = updates.place(r, row, window), old;
          for (Value tensor : tensors)
            old.push_back(r.read(tensor, place));
          scf::YieldOp::create(b, l, old);
        },
        [&](OpBuilder &b, Location l) {
          scf::YieldOp::create(b, l, noValues(IndexBuilder{b, l}));
        });
    return SmallVector<Value>(branch.getResults());
  }

  /// What `values` and `tensors` are where `condition` holds, which `body` makes of the tensors.
  SmallVector<Value> writeIf(IndexBuilder in, Value condition, ValueRange tensors,
                             llvm::function_ref<SmallVector<Value>(IndexBuilder)> body) {
    auto branch = scf::IfOp::create(
        in.b, in.loc, condition,
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, body(IndexBuilder{b, l})); },
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, tensors); });
    return SmallVector<Value>(branch.getResults());
  }

  /// Combines what the results hold for the state's row with it.
  void finish(IndexBuilder in, Value condition, State &state, ValueRange window) {
    Value isRow = in.less(state.row, in.constant(updates.rows));
    state.results = writeIf(in, both(in, condition, isRow), state.results, [&](IndexBuilder w) {
      SmallVector<Value> place = updates.place(w, state.row, window), written;
      for (auto [value, tensor] :
           llvm::zip(updates.combine(w, state.old, state.values), state.results))
        written.push_back(w.write(value, tensor, place));
      return written;
    });
  }

  /// Writes the state as entry number `number` of the next list.
  SmallVector<Value> writePartial(IndexBuilder in, const State &state, Value number,
                                  ValueRange window) {
    SmallVector<Value> position(window), written;
    position.insert(position.begin(), number);
    for (auto [value, tensor] : llvm::zip(state.values, state.partial))
      written.push_back(in.write(value, tensor, position));
    return written;
  }

  //===--- pieces ---===//

  /// Adds entry `number` to the state: a row that differs ends what was combined. `begin`: the
  /// piece's first entry, which nothing comes before; null in the last list, where the state begins
  /// with no row.
  void addEntry(IndexBuilder in, Entry &entry, Value number, Value begin, Value piece, State &state,
                ValueRange window) {
    Value same = equal(in, entry.row, state.row), isUsed = isNot(in, entry.isUnused);
    Value ends = both(in, isUsed, isNot(in, same));
    if (begin) {
      Value endsFirst = both(in, ends, state.isFirst);
      state.partial = writeIf(in, endsFirst, state.partial, [&](IndexBuilder w) {
        return writePartial(w, state, w.mul(piece, 2), window);
      });
      finish(in, both(in, ends, isNot(in, state.isFirst)), state, window);
      state.isFirst = both(in, state.isFirst, isNot(in, ends));
    } else
      finish(in, ends, state, window);
    Value goesOn = begin ? both(in, same, isNot(in, equal(in, number, begin))) : same;
    SmallVector<Value> combined = updates.combine(in, state.values, entry.values);
    for (auto [value, more, fresh] : llvm::zip(state.values, combined, entry.values))
      value = in.select(isUsed, in.select(goesOn, more, fresh), value);
    for (auto [value, fresh] : llvm::zip(state.old, entry.old))
      value = in.select(isUsed, fresh, value);
    state.row = in.select(isUsed, entry.row, state.row);
  }

  /// Entries [begin, begin + batches * kBatch) of a list of `entries`. Those behind its end are not
  /// used, or, in the last list, belong to no row.
  State addEntries(IndexBuilder in, Value begin, Value batches, int64_t entries, bool isRagged,
                   Value piece, State state, ValueRange window) {
    SmallVector<Value> carried = {state.row, state.isFirst};
    llvm::append_range(carried, state.values);
    llvm::append_range(carried, state.old);
    llvm::append_range(carried, state.results);
    llvm::append_range(carried, state.partial);
    auto unpack = [&](ValueRange values) {
      size_t n = state.values.size();
      return State{values[0],
                   values[1],
                   SmallVector<Value>(values.slice(2, n)),
                   SmallVector<Value>(values.slice(2 + n, n)),
                   SmallVector<Value>(values.slice(2 + 2 * n, n)),
                   SmallVector<Value>(values.drop_front(2 + 3 * n))};
    };
    SmallVector<Value> added =
        in.loops(batches, carried, [&](IndexBuilder b, ValueRange at, ValueRange values) {
          State current = unpack(values);
          Value first = b.add(begin, b.mul(at[0], kBatch));
          SmallVector<Value> numbers;
          SmallVector<Entry> batch;
          for (int64_t i = 0; i < kBatch; ++i) {
            Value number = b.add(first, i), read = number;
            if (isRagged)
              read = b.min(number, b.constant(entries - 1));
            Entry entry = readEntry(b, read, window);
            if (isRagged) {
              Value isInside = b.less(number, b.constant(entries));
              entry.isUnused = b.select(isInside, entry.isUnused, truth(b, piece != nullptr));
              if (!piece)
                entry.row = b.select(isInside, entry.row, b.constant(updates.rows));
            }
            numbers.push_back(number);
            batch.push_back(std::move(entry));
          }
          for (Entry &entry : batch)
            entry.old = readOld(b, entry.row, current.results, window);
          for (auto [number, entry] : llvm::zip(numbers, batch))
            addEntry(b, entry, number, piece ? begin : Value(), piece, current, window);
          SmallVector<Value> next = {current.row, current.isFirst};
          llvm::append_range(next, current.values);
          llvm::append_range(next, current.old);
          llvm::append_range(next, current.results);
          llvm::append_range(next, current.partial);
          return next;
        });
    return unpack(added);
  }

  /// Nothing that would be used.
  SmallVector<Value> noValues(IndexBuilder in) {
    SmallVector<Value> values;
    for (Value result : results)
      values.push_back(arith::ConstantOp::create(
          in.b, in.loc, in.b.getZeroAttr(getElementTypeOrSelf(result.getType()))));
    return values;
  }

  SmallVector<Value> windowExtents() {
    SmallVector<Value> extents;
    for (int64_t size : updates.window)
      extents.push_back(ib.constant(size));
    return extents;
  }

  void emitPieces(int64_t entries) {
    int64_t pieces = llvm::divideCeil(entries, kPiece);
    SmallVector<Value> extents = windowExtents(), carried(results);
    extents.insert(extents.begin(), ib.constant(pieces));
    SmallVector<int64_t> shape = {2 * pieces};
    llvm::append_range(shape, updates.window);
    for (Value result : results)
      carried.push_back(
          tensor::EmptyOp::create(ib.b, ib.loc, shape, getElementTypeOrSelf(result.getType())));
    SmallVector<Value> next = ib.independentLoops(
        extents, carried, [&](IndexBuilder in, ValueRange at, ValueRange tensors) {
          Value piece = at[0], begin = in.mul(piece, kPiece);
          ValueRange window = at.drop_front();
          size_t n = results.size();
          Value row = rowOf(in, keyAt(in, in.mul(piece, span ? span * kPiece / 2 : kPiece)));
          State state{row,
                      truth(in, true),
                      noValues(in),
                      noValues(in),
                      SmallVector<Value>(tensors.take_front(n)),
                      SmallVector<Value>(tensors.drop_front(n))};
          state = addEntries(in, begin, in.constant(kPiece / kBatch), entries,
                             entries % kPiece != 0, piece, state, window);
          Value number = in.mul(piece, 2);
          state.partial = writeIf(in, state.isFirst, state.partial, [&](IndexBuilder w) {
            return writePartial(w, state, number, window);
          });
          SmallVector<Value> written(state.results);
          llvm::append_range(written, writePartial(in, state, in.add(number, 1), window));
          return written;
        });
    partial.assign(next.begin() + results.size(), next.end());
    next.truncate(results.size());
    results = next;
  }

  /// Two steps for each element of a row, of which the second does nothing: a loop of one step
  /// would be taken for code of the host.
  void emitLast(int64_t entries) {
    SmallVector<Value> extents = windowExtents();
    extents.insert(extents.begin(), ib.constant(2));
    // One entry more ends the last row.
    int64_t batches = llvm::divideCeil(entries + 1, kBatch);
    results = ib.independentLoops(
        extents, results, [&](IndexBuilder in, ValueRange at, ValueRange tensors) {
          State state{in.constant(updates.rows),
                      truth(in, false),
                      noValues(in),
                      noValues(in),
                      SmallVector<Value>(tensors),
                      {}};
          Value none = in.constant(0), isSecond = in.less(none, at[0]);
          return addEntries(in, none, in.select(isSecond, none, in.constant(batches)), entries,
                            true, Value(), state, at.drop_front())
              .results;
        });
  }

  IndexBuilder ib;
  const GroupedUpdates &updates;
  SmallVector<Value> results, partial;
  Value sorted;
  Type keyType;
  unsigned shift = 0;
  /// Updates of a piece of the list that the present one was made of; 0 in the first list.
  int64_t span = 0;
};
} // namespace

bool forge::shouldGroup(int64_t updates, int64_t rows) {
  return updates >= kManyUpdates && rows > 0 &&
         llvm::Log2_64_Ceil(updates) + llvm::Log2_64_Ceil(rows + 1) < 63;
}

SmallVector<Value> forge::createGroupedUpdates(OpBuilder &builder, Location loc, ValueRange results,
                                               const GroupedUpdates &updates) {
  return Grouper(builder, loc, results, updates).create();
}
