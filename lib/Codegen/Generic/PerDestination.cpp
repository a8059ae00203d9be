#include "Generic.h"
#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

/// Blocks of one launch, as for elements, and how many are wanted at least: they all look at all
/// updates.
static constexpr int64_t kMaxBlocks = 1 << 22, kWantedBlocks = 1024;
/// What a block owns at most: columns, rows, elements.
static constexpr int64_t kTileColumns = 2048, kTileRows = 2048, kTileElements = 8192;
/// Updates that a block looks at before it does those among them that are its own. A power of two.
static constexpr int64_t kChunk = 2048;

namespace {
// Rows are the coordinates that updates compute by themselves, columns those of their windows.
//
// 1. A block owns a tile of rows and columns; the tiles, for each coordinate that decides where
//    updates go, are one range, of which block b does the tiles b, b + B ...
// 2. It goes through the updates in chunks. Each thread counts those of its own part whose row is
// in
//    the tile, the counts are added up in shared memory, and each thread writes the keys
//    (row * kChunk + number in the chunk) of the updates it counted behind those of the threads
//    before it.
// 3. The keys are sorted: a key's place is how many are smaller. So the updates of a row follow
// each
//    other, in their order, whichever thread found them.
// 4. A thread does the elements t, t + T ... of the tile: it loads the element, does the updates of
//    its row in registers and stores it; nothing where the row has none.
// No two threads have an element in common, and the updates of one are done in the order of the
// loops: every run gives the same bits.
class PerDestination : LoopEmitter {
public:
  PerDestination(const Destinations &destinations, int64_t threads)
      : LoopEmitter(destinations.path.front()), destinations(destinations), threads(threads),
        root(destinations.path.front()) {}

  OpFoldResult emit() {
    zero = constant(0);
    one = constant(1);
    measure();
    Value most = constant(kMaxBlocks);
    Value blocks = builder.createOrFold<arith::MinUIOp>(loc, numTiles, most);
    allocateShared();
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    loop(block, numTiles, blocks, [&](Value tile) { emitTile(tile); });
    root->erase();
    return getAsOpFoldResult(blocks);
  }

private:
  //===--- sizes ---===//

  bool isRow(const DestinationDim &dim) const { return !dim.loop; }
  bool isColumn(const DestinationDim &dim) const { return dim.loop && !dim.decidesPlaces; }

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
    tileColumns = make<arith::MaxUIOp>(make<arith::MinUIOp>(columns, constant(kTileColumns)), one);
    columnTiles = make<arith::CeilDivUIOp>(columns, tileColumns);
    Value outer = make<arith::MulIOp>(product(groupSizes), columnTiles);
    Value wanted =
        make<arith::CeilDivUIOp>(make<arith::MulIOp>(outer, rows), constant(kWantedBlocks));
    Value most = make<arith::MinUIOp>(make<arith::DivUIOp>(constant(kTileElements), tileColumns),
                                      constant(kTileRows));
    tileRows = make<arith::MaxUIOp>(make<arith::MinUIOp>(wanted, most), one);
    rowTiles = make<arith::CeilDivUIOp>(rows, tileRows);
    numTiles = make<arith::MulIOp>(outer, rowTiles);
  }

  void allocateShared() {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                            gpu::GPUDialect::getWorkgroupAddressSpace());
    auto allocate = [&](int64_t size) -> Value {
      auto type = MemRefType::get({size}, builder.getI32Type(), MemRefLayoutAttrInterface(), space);
      return memref::AllocOp::create(builder, loc, type);
    };
    counts = allocate(threads);
    keys = allocate(kChunk);
    sorted = allocate(kChunk);
    begins = allocate(getConstantIntValue(tileRows).value_or(kTileRows) + 1);
  }

  //===--- values of the nest ---===//

  /// `value` of the nest, for the counters that `mapping` knows.
  Value remap(Value value, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op || !root->isAncestor(op))
      return value;
    Operation *clone = cloneHere(op, mapping);
    return clone->getResult(cast<OpResult>(value).getResultNumber());
  }

  Operation *cloneHere(Operation *op, IRMapping &mapping) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *made = operand.getDefiningOp(); !made || !op->isAncestor(made))
          if (!isa<BlockArgument>(operand) ||
              !op->isAncestor(cast<BlockArgument>(operand).getOwner()->getParentOp()))
            if (!mapping.contains(operand))
              if (Value known = remap(operand, mapping); known != operand)
                mapping.map(operand, known);
    });
    return builder.clone(*op, mapping);
  }

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

  /// Whether the loop has a step for `counter`; null where it has one for all of `extent`.
  Value hasStep(scf::ForOp loop, Value counter, Value extent, IRMapping &mapping) {
    Value inside;
    auto require = [&](arith::CmpIPredicate predicate, Value bound) {
      Value holds = compare(predicate, counter, remap(bound, mapping));
      inside = inside ? make<arith::AndIOp>(inside, holds) : holds;
    };
    if (!extent || getConstantIntValue(loop.getLowerBound()) != 0)
      require(arith::CmpIPredicate::sge, loop.getLowerBound());
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    if (!extent || !end || end != getConstantIntValue(extent))
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
    Value local = make<arith::SubIOp>(row, firstRow);
    Value inside = compare(arith::CmpIPredicate::ult, local, tileRows);
    return arith::SelectOp::create(builder, loc, inside, toI32(local), number(-1));
  }

  //===--- tiles ---===//

  void emitTile(Value tile) {
    firstColumn = make<arith::MulIOp>(make<arith::RemUIOp>(tile, columnTiles), tileColumns);
    Value rest = make<arith::DivUIOp>(tile, columnTiles);
    firstRow = make<arith::MulIOp>(make<arith::RemUIOp>(rest, rowTiles), tileRows);
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
      sortKeys(toIndex(total));
      barrier();
      emitElements(first);
    });
    // The next chunk writes what is still read here.
    barrier();
  }

  /// The sum of `count` of this thread and those before it; `counts` holds it for all.
  Value addUp(Value count) {
    Value sum = count;
    store(sum, counts, thread);
    for (int64_t distance = 1; distance < threads; distance *= 2) {
      barrier();
      Value has = compare(arith::CmpIPredicate::uge, thread, constant(distance));
      Value other = branch(has, number(0), [&] {
                      Value place = make<arith::SubIOp>(thread, constant(distance));
                      return SmallVector<Value>{load(counts, place)};
                    }).front();
      sum = make<arith::AddIOp>(sum, other);
      barrier();
      store(sum, counts, thread);
    }
    barrier();
    return sum;
  }

  /// How many of the keys are smaller than `key`.
  Value countSmaller(Value key, Value total) {
    return loop(zero, total, one, number(0),
                [&](Value place, ValueRange count) {
                  Value smaller = compare(arith::CmpIPredicate::slt, load(keys, place), key);
                  Value more = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), smaller);
                  return SmallVector<Value>{make<arith::AddIOp>(count.front(), more)};
                })
        .front();
  }

  void sortKeys(Value total) {
    loop(thread, total, constant(threads), [&](Value place) {
      Value key = load(keys, place);
      Value update = make<arith::AndIOp>(key, number(kChunk - 1));
      store(update, sorted, toIndex(countSmaller(key, total)));
    });
    loop(thread, make<arith::AddIOp>(tileRows, one), constant(threads), [&](Value row) {
      Value key = make<arith::MulIOp>(toI32(row), number(kChunk));
      store(countSmaller(key, total), begins, row);
    });
  }

  //===--- elements ---===//

  void emitElements(Value first) {
    Value count = make<arith::MulIOp>(tileRows, tileColumns);
    // Threads side by side have neighbours in memory.
    bool rowsInside = isRow(destinations.dims.back());
    Value inner = rowsInside ? tileRows : tileColumns;
    loop(thread, count, constant(threads), [&](Value element) {
      Value row = make<arith::DivUIOp>(element, inner);
      Value column = make<arith::RemUIOp>(element, inner);
      if (rowsInside)
        std::swap(row, column);
      column = make<arith::AddIOp>(firstColumn, column);
      Value begin = toIndex(load(begins, row));
      Value end = toIndex(load(begins, make<arith::AddIOp>(row, one)));
      Value any = make<arith::AndIOp>(compare(arith::CmpIPredicate::ult, begin, end),
                                      compare(arith::CmpIPredicate::ult, column, columns));
      branch(any, [&] {
        locate(make<arith::AddIOp>(firstRow, row), column);
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

  /// The updates [begin, end) of `sorted`, of a chunk that begins at `first`, on one element.
  void emitElement(Value first, Value begin, Value end) {
    SmallVector<Value> values;
    for (Value base : destinations.bases)
      values.push_back(memref::LoadOp::create(builder, loc, base, place));
    values = loop(begin, end, one, values, [&](Value at, ValueRange current) {
      Value update = make<arith::AddIOp>(first, toIndex(load(sorted, at)));
      IRMapping mapping = countersOf(update);
      Value inside = enterWindow(mapping);
      auto apply = [&] { return emitBody(mapping, current); };
      return inside ? branch(inside, current, apply) : apply();
    });
    for (auto [base, value] : llvm::zip(destinations.bases, values))
      memref::StoreOp::create(builder, loc, value, base, place);
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
  int64_t threads;
  Operation *root;
  Value zero, one, thread;
  /// Of all dimensions; of those of each kind.
  SmallVector<Value> extents, rowSizes, columnSizes, groupSizes;
  SmallVector<Value> updateSizes;
  Value numUpdates, columns, tileRows, tileColumns, rowTiles, columnTiles, numTiles;
  /// In shared memory: of each thread; of the chunk's updates that are the tile's; of each row.
  Value counts, keys, sorted, begins;
  /// Of the tile, and of the element that is emitted.
  Value firstRow, firstColumn;
  SmallVector<Value> groupCoordinates, place;
};
} // namespace

OpFoldResult forge::emitPerDestination(const Destinations &destinations, int64_t threads) {
  return PerDestination(destinations, threads).emit();
}
