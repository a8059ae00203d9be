#include "Generic.h"
#include "TileUpdates.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// How many blocks of a launch are wanted at least: they all look at all updates.
static constexpr int64_t kWantedBlocks = 1024;
/// What a block owns at most: rows, elements.
static constexpr int64_t kTileRows = 2048, kTileElements = 8192;
/// Neighbouring rows that a tile has together, where they are neighbours in memory: those of a
/// transaction.
static constexpr int64_t kRowGroup = 32;
/// Updates of an element whose operands are loaded before the first of them is done, and the most
/// operations in the body of a nest for which this is worth its code.
static constexpr int64_t kBatch = 8, kBatchedOps = 32;

namespace {
// Rows are the coordinates that updates compute by themselves, columns those of their windows.
//
// 1. A block owns a tile of rows and columns; the tiles, for each coordinate that decides where
//    updates go, are one range, of which block b does the tiles b, b + B ... Of R tiles of rows,
//    tile r has the groups of rows r, r + R ...: rows that get many updates are often neighbours.
// 2. It goes through the updates in chunks. Each thread counts those of its own part whose row is
//    in the tile, the counts are added up in shared memory, and each thread writes the keys
//    (row * kChunk + number in the chunk) of the updates it counted behind those of the threads
//    before it.
// 3. The keys are sorted, and where each row begins is searched for. So the
//    updates of a row follow each other, in their order, whichever thread found them.
// 4. A thread does the elements t, t + T ... of the tile: it loads the element, does the updates of
//    its row in registers and stores it; nothing where the row has none.
// No two threads have an element in common, and the updates of one are done in the order of the
// loops: every run gives the same bits.
class PerDestination : TileUpdates {
public:
  PerDestination(const Destinations &destinations, int64_t threads)
      : TileUpdates(destinations.path.front(), threads), destinations(destinations) {}

  OpFoldResult emit() {
    measure();
    Value most = constant(kMaxBlocks);
    Value blocks = builder.createOrFold<arith::MinUIOp>(loc, numTiles, most);
    allocateShared(getConstantIntValue(tileRows).value_or(kTileRows));
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    loop(block, numTiles, blocks, [&](Value tile) { emitTile(tile); });
    root->erase();
    return getAsOpFoldResult(blocks);
  }

private:
  //===--- sizes ---===//

  bool isRow(const DestinationDim &dim) const { return !dim.loop; }
  bool isColumn(const DestinationDim &dim) const { return dim.loop && !dim.decidesPlaces; }
  /// Whether neighbouring rows are neighbours in memory.
  bool rowsInside() const { return isRow(destinations.dims.back()); }

  void measure() {
    for (auto [number, dim] : llvm::enumerate(destinations.dims)) {
      Value extent =
          builder.createOrFold<memref::DimOp>(loc, destinations.bases.front(), int64_t(number));
      extents.push_back(extent);
      (isRow(dim) ? rowSizes : isColumn(dim) ? columnSizes : groupSizes).push_back(extent);
    }
    for (scf::ForOp update : destinations.updates)
      updateSizes.push_back(make<arith::MaxSIOp>(update.getUpperBound(), zero));
    numUpdates = product(updateSizes);
    Value rows = product(rowSizes);
    columns = product(columnSizes);
    tileColumns = make<arith::MaxUIOp>(make<arith::MinUIOp>(columns, constant(threads)), one);
    columnTiles = make<arith::CeilDivUIOp>(columns, tileColumns);
    Value outer = make<arith::MulIOp>(product(groupSizes), columnTiles);
    Value wanted =
        make<arith::CeilDivUIOp>(make<arith::MulIOp>(outer, rows), constant(kWantedBlocks));
    Value most = make<arith::MinUIOp>(make<arith::DivUIOp>(constant(kTileElements), tileColumns),
                                      constant(kTileRows));
    Value wantedRows = make<arith::MaxUIOp>(make<arith::MinUIOp>(wanted, most), one);
    // A power of two, since every block looks for the tile of every update.
    groupBits = constant(rowsInside() ? llvm::Log2_64(kRowGroup) : 0);
    Value groups = make<arith::CeilDivUIOp>(rows, make<arith::ShLIOp>(one, groupBits));
    tileBits = log2Ceil(make<arith::MinUIOp>(make<arith::CeilDivUIOp>(rows, wantedRows), groups));
    rowTiles = make<arith::ShLIOp>(one, tileBits);
    tileRows = make<arith::ShLIOp>(make<arith::CeilDivUIOp>(groups, rowTiles), groupBits);
    numTiles = make<arith::MulIOp>(outer, rowTiles);
  }

  //===--- values of the nest ---===//

  /// The counters of loops over updates and of those that decide places.
  IRMapping countersOf(Value update) {
    IRMapping mapping;
    for (auto [loop, counter] : llvm::zip(destinations.updates, delinearize(update, updateSizes)))
      mapping.map(loop.getInductionVar(), counter);
    size_t group = 0;
    for (DestinationDim dim : destinations.dims)
      if (dim.decidesPlaces)
        mapping.map(dim.loop.getInductionVar(), groupCoordinates[group++]);
    return mapping;
  }

  /// Whether the loop may have no step for a counter that is less than `extent`: a null extent is
  /// any number.
  bool mayStartLate(scf::ForOp loop, Value extent) {
    return !extent || getConstantIntValue(loop.getLowerBound()) != 0;
  }
  bool mayEndEarly(scf::ForOp loop, Value extent) {
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    return !extent || !end || end != getConstantIntValue(extent);
  }

  /// Whether the loop has a step for `counter`; null where it has one for all of `extent`.
  Value hasStep(scf::ForOp loop, Value counter, Value extent, IRMapping &mapping) {
    Value inside;
    auto require = [&](arith::CmpIPredicate predicate, Value bound) {
      Value holds = compare(predicate, counter, remap(bound, mapping));
      inside = inside ? make<arith::AndIOp>(inside, holds) : holds;
    };
    if (mayStartLate(loop, extent))
      require(arith::CmpIPredicate::sge, loop.getLowerBound());
    if (mayEndEarly(loop, extent))
      require(arith::CmpIPredicate::slt, loop.getUpperBound());
    return inside;
  }

  /// The row of `update` in the tile as i32; -1 where it is another tile's, or not done.
  Value rowOf(Value update) {
    IRMapping mapping = countersOf(update);
    return rowFrom(0, mapping);
  }

  Value rowFrom(size_t level, IRMapping &mapping) {
    for (; level < destinations.numOuter; ++level) {
      Operation *op = destinations.path[level];
      Value condition;
      if (auto test = dyn_cast<scf::IfOp>(op)) {
        condition = remap(test.getCondition(), mapping);
        if (test.getThenRegion().findAncestorBlockInRegion(*destinations.body) == nullptr)
          condition = make<arith::XOrIOp>(
              condition, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      } else {
        for (auto [number, dim] : llvm::enumerate(destinations.dims))
          if (dim.loop == op && dim.decidesPlaces) {
            Value counter = mapping.lookup(dim.loop.getInductionVar());
            condition = hasStep(dim.loop, counter, extents[number], mapping);
          }
      }
      if (condition)
        return branch(condition, number(-1),
                      [&] { return SmallVector<Value>{rowFrom(level + 1, mapping)}; })
            .front();
    }
    Value row = zero;
    size_t next = 0;
    for (DestinationDim dim : destinations.dims)
      if (isRow(dim))
        row = make<arith::AddIOp>(make<arith::MulIOp>(row, rowSizes[next++]),
                                  remap(dim.start, mapping));
    Value group = make<arith::ShRUIOp>(row, groupBits);
    Value mine = compare(arith::CmpIPredicate::eq, lowBits(group, rowTiles), rowTile);
    Value local =
        make<arith::AddIOp>(make<arith::ShLIOp>(make<arith::ShRUIOp>(group, tileBits), groupBits),
                            lowBits(row, make<arith::ShLIOp>(one, groupBits)));
    // Nothing is known of the place of an update whose window is empty.
    Value inside = make<arith::AndIOp>(mine, compare(arith::CmpIPredicate::ult, local, tileRows));
    return arith::SelectOp::create(builder, loc, inside, toI32(local), number(-1));
  }

  /// The row that is `local` in the tile.
  Value globalRow(Value local) {
    Value group = make<arith::AddIOp>(
        make<arith::ShLIOp>(make<arith::ShRUIOp>(local, groupBits), tileBits), rowTile);
    return make<arith::AddIOp>(make<arith::ShLIOp>(group, groupBits),
                               lowBits(local, make<arith::ShLIOp>(one, groupBits)));
  }

  //===--- tiles ---===//

  void emitTile(Value tile) {
    firstColumn = make<arith::MulIOp>(make<arith::RemUIOp>(tile, columnTiles), tileColumns);
    Value rest = make<arith::DivUIOp>(tile, columnTiles);
    rowTile = make<arith::RemUIOp>(rest, rowTiles);
    groupCoordinates = delinearize(make<arith::DivUIOp>(rest, rowTiles), groupSizes);
    loop(zero, numUpdates, constant(kChunk), [&](Value first) { emitChunk(first); });
  }

  void emitChunk(Value first) {
    Value left = make<arith::SubIOp>(numUpdates, first);
    Value end = make<arith::MinUIOp>(left, constant(kChunk)), step = constant(threads);
    auto forOwn = [&](Value carried, llvm::function_ref<Value(Value, Value, Value)> body) {
      return loop(thread, end, step, carried,
                  [&](Value place, ValueRange values) {
                    Value row = rowOf(make<arith::AddIOp>(first, place));
                    return SmallVector<Value>{body(place, row, values.front())};
                  })
          .front();
    };
    auto isMine = [&](Value row) { return compare(arith::CmpIPredicate::sge, row, number(0)); };
    Value count = forOwn(number(0), [&](Value, Value row, Value sum) {
      Value mine = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isMine(row));
      return make<arith::AddIOp>(sum, mine);
    });
    Value upTo = addUp(count);
    Value total = load(counts, constant(threads - 1));
    branch(compare(arith::CmpIPredicate::sgt, total, number(0)), [&] {
      Value before = make<arith::SubIOp>(upTo, count);
      forOwn(before, [&](Value place, Value row, Value slot) {
        return branch(isMine(row), slot,
                      [&] {
                        Value key = make<arith::AddIOp>(make<arith::MulIOp>(row, number(kChunk)),
                                                        toI32(place));
                        store(key, keys, toIndex(slot));
                        return SmallVector<Value>{make<arith::AddIOp>(slot, number(1))};
                      })
            .front();
      });
      barrier();
      sortKeys(total);
      findRows(toIndex(total), tileRows);
      barrier();
      emitElements(first);
    });
    // The next chunk writes what is still read here.
    barrier();
  }

  //===--- elements ---===//

  void emitElements(Value first) {
    Value count = make<arith::MulIOp>(tileRows, tileColumns);
    // Threads side by side have neighbours in memory.
    Value inner = rowsInside() ? tileRows : tileColumns;
    loop(thread, count, constant(threads), [&](Value element) {
      Value row = make<arith::DivUIOp>(element, inner);
      Value column = make<arith::RemUIOp>(element, inner);
      if (rowsInside())
        std::swap(row, column);
      column = make<arith::AddIOp>(firstColumn, column);
      Value begin = toIndex(load(begins, row));
      Value end = toIndex(load(begins, make<arith::AddIOp>(row, one)));
      Value any = make<arith::AndIOp>(compare(arith::CmpIPredicate::ult, begin, end),
                                      compare(arith::CmpIPredicate::ult, column, columns));
      branch(any, [&] {
        locate(globalRow(row), column);
        emitElement(first, begin, end);
      });
    });
  }

  void locate(Value row, Value column) {
    SmallVector<Value> rows = delinearize(row, rowSizes),
                       columns = delinearize(column, columnSizes);
    place.clear();
    size_t nextRow = 0, nextColumn = 0, nextGroup = 0;
    for (DestinationDim dim : destinations.dims)
      place.push_back(isRow(dim)      ? rows[nextRow++]
                      : isColumn(dim) ? columns[nextColumn++]
                                      : groupCoordinates[nextGroup++]);
  }

  /// The updates that keys [begin, end) stand for, of a chunk that begins at `first`, on one
  /// element.
  void emitElement(Value first, Value begin, Value end) {
    SmallVector<Value> values;
    for (Value base : destinations.bases)
      values.push_back(memref::LoadOp::create(builder, loc, base, place));
    if (isBatched()) {
      Value batch = constant(kBatch), count = make<arith::SubIOp>(end, begin);
      Value batched = make<arith::AddIOp>(
          begin, make<arith::SubIOp>(count, make<arith::RemUIOp>(count, batch)));
      values = loop(begin, batched, batch, values,
                    [&](Value at, ValueRange current) { return emitBatch(first, at, current); });
      begin = batched;
    }
    values = loop(begin, end, one, values,
                  [&](Value at, ValueRange current) { return emitUpdate(first, at, current); });
    for (auto [base, value] : llvm::zip(destinations.bases, values))
      memref::StoreOp::create(builder, loc, value, base, place);
  }

  /// The counters of the update that key number `at` stands for.
  IRMapping countersAt(Value first, Value at) {
    Value update = make<arith::AndIOp>(load(keys, at), number(kChunk - 1));
    return countersOf(make<arith::AddIOp>(first, toIndex(update)));
  }

  SmallVector<Value> emitUpdate(Value first, Value at, ValueRange current) {
    IRMapping mapping = countersAt(first, at);
    Value inside = enterWindow(mapping);
    auto apply = [&] { return emitBody(mapping, current); };
    return inside ? branch(inside, current, apply) : apply();
  }

  /// Whether all updates of an element's row are the element's too, and short enough to be done in
  /// batches.
  bool isBatched() {
    for (auto [number, dim] : llvm::enumerate(destinations.dims))
      if (isColumn(dim) && (dim.start || mayStartLate(dim.loop, extents[number]) ||
                            mayEndEarly(dim.loop, extents[number])))
        return false;
    return llvm::range_size(*destinations.body) <= kBatchedOps;
  }

  /// kBatch updates from `at` on: what they read is loaded first, so that the threads wait once.
  SmallVector<Value> emitBatch(Value first, Value at, ValueRange current) {
    SmallVector<IRMapping> mappings;
    for (int64_t i = 0; i < kBatch; ++i) {
      mappings.push_back(countersAt(first, make<arith::AddIOp>(at, constant(i))));
      enterWindow(mappings.back());
      for (Operation *read : readsAhead())
        remap(read->getResult(0), mappings.back());
    }
    SmallVector<Value> values(current);
    for (IRMapping &mapping : mappings)
      values = emitBody(mapping, values);
    return values;
  }

  /// The loads of the body that do not depend on what it writes.
  SmallVector<Operation *> readsAhead() {
    SmallVector<Operation *> reads;
    llvm::SmallPtrSet<Operation *, 16> depend;
    for (Operation &op : destinations.body->without_terminator()) {
      auto read = dyn_cast<memref::LoadOp>(op);
      bool isOwn = read && llvm::is_contained(destinations.bases, read.getMemRef());
      if (isOwn || op.getNumRegions() > 0 || llvm::any_of(op.getOperands(), [&](Value operand) {
            return depend.contains(operand.getDefiningOp());
          }))
        depend.insert(&op);
      else if (read)
        reads.push_back(read);
    }
    return reads;
  }

  /// The counters of loops over windows, and whether the window has this element; null if it does.
  Value enterWindow(IRMapping &mapping) {
    Value inside;
    for (auto [number, dim] : llvm::enumerate(destinations.dims)) {
      if (!isColumn(dim))
        continue;
      Value counter = place[number];
      if (dim.start)
        counter = make<arith::SubIOp>(counter, remap(dim.start, mapping));
      mapping.map(dim.loop.getInductionVar(), counter);
      Value has = hasStep(dim.loop, counter, dim.start ? Value() : extents[number], mapping);
      if (has)
        inside = inside ? make<arith::AndIOp>(inside, has) : has;
    }
    return inside;
  }

  /// The body of the nest with what is written in registers.
  SmallVector<Value> emitBody(IRMapping &mapping, ValueRange current) {
    SmallVector<Value> values(current);
    auto valueOf = [&](Value base) -> Value * {
      auto found = llvm::find(destinations.bases, base);
      return found == destinations.bases.end() ? nullptr
                                               : &values[found - destinations.bases.begin()];
    };
    for (Operation &op : destinations.body->without_terminator()) {
      if (auto read = dyn_cast<memref::LoadOp>(op))
        if (Value *value = valueOf(read.getMemRef())) {
          mapping.map(read.getResult(), *value);
          continue;
        }
      if (auto write = dyn_cast<memref::StoreOp>(op)) {
        *valueOf(write.getMemRef()) = remap(write.getValueToStore(), mapping);
        continue;
      }
      if (!mapping.contains(&op))
        cloneHere(&op, mapping);
    }
    return values;
  }

  Destinations destinations;
  /// Of all dimensions; of those of each kind.
  SmallVector<Value> extents, rowSizes, columnSizes, groupSizes;
  SmallVector<Value> updateSizes;
  Value numUpdates, columns, tileRows, tileColumns, rowTiles, columnTiles, numTiles;
  /// Rows of a group and tiles of rows: 1 << bits.
  Value groupBits, tileBits;
  /// Of the tile, and of the element that is emitted.
  Value rowTile, firstColumn;
  SmallVector<Value> groupCoordinates, place;
};
} // namespace

OpFoldResult forge::emitPerDestination(const Destinations &destinations, int64_t threads) {
  return PerDestination(destinations, threads).emit();
}
