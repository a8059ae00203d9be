// What follows the sums of a tile: an elementwise operation, and stores.
#include "WgmmaReads.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

/// Groups of eight columns that lanes exchange and store together.
static constexpr int64_t kChunkGroups = WgmmaReads::kChunkGroups;

namespace {
/// Of the n-th group of eight columns a thread has sums 4 n to 4 n + 3: two neighbouring columns in
/// its first row, and the same two eight rows below. Four neighbouring lanes share a row. The
/// groups of a second part come behind all of the first.
class StoreEmitter {
public:
  StoreEmitter(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
               const ProductSizes &sizes, const TilePlace &place)
      : b(b), product(product), tile(tile), sizes(sizes), place(place),
        reads(b, product, tile, sizes, place), approximate(product.approximate()) {
    linalg::LinalgOp contraction = product.parts.front().op;
    SmallVector<unsigned> loops = *loopsOf(contraction.getIndexingMapsArray().back());
    for (Value result : product.results())
      results.push_back(*byAxes(b, product.axes(), result, loops));
    if (linalg::GenericOp follow = product.follow)
      follow.getBody()->walk([&](linalg::IndexOp) { seesPlace = true; });
  }

  void emit(Value warpgroup, Value thread, Value sums, function_ref<void()> waitForSums);

private:
  Value isBelow(Value a, Value limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, a, limit);
  }
  Value columnOf(int64_t group) {
    return b.add(place.column, b.add(b.i32(8 * group), b.mul(quad, b.i32(2))));
  }
  /// Of one result, of one row: a pair for each group of a chunk.
  using Chunk = std::array<std::array<Value, 2>, kChunkGroups>;
  SmallVector<Chunk> finish(Value sums, int64_t group, unsigned half);
  SmallVector<Value> finishElement(Value sums, int64_t group, unsigned half, unsigned number);
  Value pack(std::array<Value, 2> pair);
  void exchange(Value &x, Value &y, Value bit, int64_t lanes);
  RowPlace rowAt(Value number);
  void ifInside(const RowPlace &row, Value column, function_ref<void()> store);
  void store(const AxisMemory &result, Value vector, const RowPlace &row, Value column);
  void storeNarrow(const AxisMemory &result, int64_t group, const RowPlace &row,
                   const Chunk &pairs);
  void storePairs(const AxisMemory &result, int64_t group, const RowPlace &row, const Chunk &pairs);
  void storeSingly(const AxisMemory &result, int64_t group, const RowPlace &row,
                   const Chunk &pairs);

  ThreadBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const ProductSizes &sizes;
  const TilePlace &place;
  WgmmaReads reads;
  SmallVector<AxisMemory> results;
  /// Operations of what follows that instructions for 16 bits of precision compute.
  llvm::DenseSet<Operation *> approximate;
  bool seesPlace = false;
  /// Of the thread: its lane among the four that share a row, and the two bits of that.
  Value quad, bits[2];
  /// Its two rows.
  RowPlace rows[2];
};
} // namespace

/// What becomes of one sum of each part: an element of each result.
SmallVector<Value> StoreEmitter::finishElement(Value sums, int64_t group, unsigned half,
                                               unsigned number) {
  auto sumOf = [&](unsigned part) -> Value {
    int64_t first = part * tile.partColumns() / 8;
    return LLVM::ExtractValueOp::create(b, sums,
                                        ArrayRef<int64_t>{4 * (first + group) + 2 * half + number});
  };
  if (!product.follow)
    return {sumOf(0)};
  return emitFollow(
      b, product.follow, seesPlace ? reads.indices(group, half, number) : ArrayRef<Value>(),
      [&](OpOperand &input) {
        std::optional<unsigned> part = product.partOf(input.get());
        return part ? sumOf(*part) : reads.element(input, group, half, number);
      },
      approximate);
}

SmallVector<StoreEmitter::Chunk> StoreEmitter::finish(Value sums, int64_t group, unsigned half) {
  SmallVector<Chunk> chunks(results.size());
  for (int64_t i = 0; i < kChunkGroups; ++i)
    for (unsigned number = 0; number < 2; ++number) {
      SmallVector<Value> elements = finishElement(sums, group + i, half, number);
      for (auto [chunk, element] : llvm::zip_equal(chunks, elements))
        chunk[i][number] = element;
    }
  return chunks;
}

/// Two elements of 16 bits as one number, which lanes can exchange.
Value StoreEmitter::pack(std::array<Value, 2> pair) {
  Value both =
      vector::FromElementsOp::create(b, VectorType::get(2, pair[0].getType()), ValueRange(pair));
  Value word = vector::BitCastOp::create(b, VectorType::get(1, b.getI32Type()), both);
  return vector::ExtractOp::create(b, word, 0);
}

/// Lanes whose numbers differ by `lanes`: those with the bit get both x, the others both y.
void StoreEmitter::exchange(Value &x, Value &y, Value bit, int64_t lanes) {
  Value sent = arith::SelectOp::create(b, bit, x, y), kept = arith::SelectOp::create(b, bit, y, x);
  Value got = NVVM::ShflOp::create(b, b.getI32Type(), b.i32(-1), sent, b.i32(lanes), b.i32(31),
                                   NVVM::ShflKind::bfly, UnitAttr());
  x = arith::SelectOp::create(b, bit, got, kept);
  y = arith::SelectOp::create(b, bit, kept, got);
}

/// The row of this number in the tile.
RowPlace StoreEmitter::rowAt(Value number) {
  RowPlace row{SmallVector<Value>(sizes.axes.size()), Value()};
  auto require = [&](Value condition) {
    row.isInside =
        row.isInside ? arith::AndIOp::create(b, row.isInside, condition).getResult() : condition;
  };
  ArrayRef<SpannedAxis> rows = product.tiled.rows;
  SmallVector<Value> extents =
      llvm::map_to_vector(rows, [&](SpannedAxis axis) { return b.i32(axis.extent); });
  if (rows.empty())
    require(b.equals(number, 0));
  SmallVector<Value> within =
      rows.size() == 1 ? SmallVector<Value>{number} : b.split(number, extents);
  for (auto [axis, index] : llvm::zip_equal(rows, within)) {
    row.indices[axis.axis] = b.add(place.indices[axis.axis], index);
    require(isBelow(row.indices[axis.axis], sizes.axes[axis.axis]));
  }
  return row;
}

void StoreEmitter::ifInside(const RowPlace &row, Value column, function_ref<void()> store) {
  Value inside = arith::AndIOp::create(b, row.isInside, isBelow(column, sizes.columns));
  auto branch = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  store();
}

void StoreEmitter::store(const AxisMemory &result, Value vector, const RowPlace &row,
                         Value column) {
  ifInside(row, column, [&] {
    auto type = cast<VectorType>(vector.getType());
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    vector::StoreOp::create(b, vector, result.memory, reads.indicesIn(result, row, column),
                            /*nontemporal=*/false, llvm::MaybeAlign(static_cast<uint64_t>(bytes)));
  });
}

/// Four groups of eight columns: lane q of four gets the q-th, as a transposition of 4 x 4 words
/// does.
void StoreEmitter::storeNarrow(const AxisMemory &result, int64_t group, const RowPlace &row,
                               const Chunk &pairs) {
  Value words[4];
  for (int64_t i = 0; i < 4; ++i)
    words[i] = pack(pairs[i]);
  exchange(words[0], words[1], bits[0], 1);
  exchange(words[2], words[3], bits[0], 1);
  exchange(words[0], words[2], bits[1], 2);
  exchange(words[1], words[3], bits[1], 2);
  Value all = vector::FromElementsOp::create(b, VectorType::get(4, b.getI32Type()),
                                             ValueRange(ArrayRef<Value>(words)));
  all = vector::BitCastOp::create(b, VectorType::get(8, getElementTypeOrSelf(result.memory)), all);
  store(result, all, row, b.add(place.column, b.add(b.i32(8 * group), b.mul(quad, b.i32(8)))));
}

/// Each thread its own: for wide elements, and where the last eight columns are not all there.
void StoreEmitter::storePairs(const AxisMemory &result, int64_t group, const RowPlace &row,
                              const Chunk &pairs) {
  auto type = VectorType::get(2, getElementTypeOrSelf(result.memory));
  for (int64_t i = 0; i < kChunkGroups; ++i)
    store(result, vector::FromElementsOp::create(b, type, ValueRange(pairs[i])), row,
          columnOf(group + i));
}

/// Where neighbouring columns are apart in the result, or their number is odd or not known.
void StoreEmitter::storeSingly(const AxisMemory &result, int64_t group, const RowPlace &row,
                               const Chunk &pairs) {
  for (int64_t i = 0; i < kChunkGroups; ++i)
    for (unsigned number = 0; number < 2; ++number) {
      Value column = b.add(columnOf(group + i), b.i32(number));
      ifInside(row, column, [&] {
        memref::StoreOp::create(b, pairs[i][number], result.memory,
                                reads.indicesIn(result, row, column));
      });
    }
}

void StoreEmitter::emit(Value warpgroup, Value thread, Value sums,
                        function_ref<void()> waitForSums) {
  Value warp = b.div(thread, b.i32(32)), lane = b.rem(thread, b.i32(32));
  quad = b.rem(lane, b.i32(4));
  for (unsigned bit = 0; bit < 2; ++bit)
    bits[bit] =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                              arith::AndIOp::create(b, quad, b.i32(int64_t(1) << bit)), b.i32(0));
  Value first = b.mul(warpgroup, b.i32(kInstructionRows));
  first = b.add(first, b.add(b.mul(warp, b.i32(16)), b.div(lane, b.i32(4))));
  rows[0] = rowAt(first);
  rows[1] = rowAt(b.add(first, b.i32(8)));
  reads.begin(rows, columnOf(0));
  waitForSums();
  for (int64_t group = 0; group < tile.partColumns() / 8; group += kChunkGroups) {
    reads.beginChunk(group);
    for (unsigned half = 0; half < 2; ++half)
      for (auto [result, chunk] : llvm::zip_equal(results, finish(sums, group, half))) {
        if (!product.hasColumnsBy(2))
          storeSingly(result, group, rows[half], chunk);
        else if (product.hasEightsOfColumns() &&
                 getElementTypeOrSelf(result.memory).getIntOrFloatBitWidth() == 16)
          storeNarrow(result, group, rows[half], chunk);
        else
          storePairs(result, group, rows[half], chunk);
      }
  }
}

void forge::emitWgmmaStore(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                           const ProductSizes &sizes, const TilePlace &place, Value warpgroup,
                           Value thread, Value sums, function_ref<void()> waitForSums) {
  StoreEmitter(b, product, tile, sizes, place).emit(warpgroup, thread, sums, waitForSums);
}
