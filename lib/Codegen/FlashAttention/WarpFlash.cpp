#include "WarpProducts.h"

#include "../Strategy/AccessBytes.h"
#include "../Tile/LowerTileProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Of a buffer that ldmatrix reads.
static constexpr int64_t kSwizzleBytes = 128;

namespace {
/// A factor in memory, on its way through registers, and in shared memory.
struct StagedFactor {
  Value memory, buffer;
  const AxisAccess *access = nullptr;
  unsigned axes[2] = {0, 0};
  /// As it is loaded and stored: a transposed one is loaded along its first dimension.
  RankedTensorType loaded, stored;
  int64_t loadAlign = 0, storeAlign = kAccessBytes;
  /// Sizes in memory along `axes`, where tiles go beyond them.
  SmallVector<int64_t, 2> limits;
  /// The first key whose elements are 0 instead of what memory holds; null where there is none.
  Value endKey = {};
};

/// A block goes through the keys of its tile of queries:
/// 1. Keys, on their way since the block before, are stored to shared memory, and values begin to
///    be loaded.
/// 2. Scores, weights and their sums.
/// 3. Values are stored to shared memory, and the next block's keys begin to be loaded.
/// 4. The weighted values.
/// Matrix instructions take weights from the registers in which the softmax left them; fma takes
/// them from shared memory.
class WarpFlash : WarpProducts {
public:
  WarpFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
            const GPUChip &chip)
      : WarpProducts(kernel, flash, plan, chip) {}

  void build();

private:
  StagedFactor stage(const AxisAccess &access, unsigned first, unsigned second,
                     tile::SharedType buffer);
  /// Values by keys, as memory has them, where ldmatrix transposes them on their way to the
  /// product.
  bool storesValuesByKeys() const {
    return plan.sharesKeys() && plan.product.kind == tile::DotKind::Mma &&
           plan.columns * 2 % kSwizzleBytes == 0;
  }
  void transpose(StagedFactor &factor);
  Value load(const StagedFactor &factor, RankedTensorType type, int64_t align,
             const QueryTile &tile, Value first, Value second);
  Value load(const StagedFactor &factor, const QueryTile &tile, Value first, Value second) {
    return load(factor, factor.loaded, factor.loadAlign, tile, first, second);
  }
  Value loadValues(const QueryTile &tile, Value firstKey);
  void store(Value value, const StagedFactor &factor);
  void stageQueries(const QueryTile &tile);
  void storeQueries(const QueryTile &tile);
  Value addValues(Value weights, Value accumulator);
  /// The keys of blocks from `first` to before `end`, of which there may be none.
  State addKeys(const QueryTile &tile, Value first, Value end);
  tile::SharedType padded(ArrayRef<int64_t> shape, Type element) {
    return tile::SharedType::get(b.getContext(), shape, element, /*swizzle=*/0, kAccessBytes);
  }

  StagedFactor query, key, value;
  /// In registers or shared memory.
  Value queries;
  /// Of weights that fma takes; null where there is none.
  Value weightBuffer;
};
} // namespace

StagedFactor WarpFlash::stage(const AxisAccess &access, unsigned first, unsigned second,
                              tile::SharedType buffer) {
  ArrayRef<int64_t> shape = buffer.getShape();
  StagedFactor factor;
  factor.access = &access;
  factor.axes[0] = first;
  factor.axes[1] = second;
  factor.memory = castFactor(access, first, second);
  factor.buffer = tile::AllocOp::create(b, buffer);
  int64_t bytes = access.elementBytes();
  tile::LayoutAttr layout = copyLayout(b.getContext(), shape, kAccessBytes / bytes, chip,
                                       plan.product.warps(), /*alongLast=*/true);
  factor.loaded = factor.stored =
      RankedTensorType::get(shape, getElementTypeOrSelf(access.root.getType()), layout);
  factor.loadAlign = access.alignmentAlong(second, bytes, kAccessBytes);
  for (auto [size, axis] : llvm::zip_equal(shape, factor.axes))
    if (flash.sizeOf(axis) % size != 0)
      factor.limits = {flash.sizeOf(first), flash.sizeOf(second)};
  return factor;
}

/// [columns, keys]: a thread loads some neighbouring columns of a few neighbouring keys, and stores
/// each column's keys at once. Lanes go along the keys first, so that they store side by side.
void WarpFlash::transpose(StagedFactor &factor) {
  ArrayRef<int64_t> shape = factor.loaded.getShape();
  unsigned columnBits = llvm::countr_zero<uint64_t>(shape[0]);
  unsigned keyBits = llvm::countr_zero<uint64_t>(shape[1]);
  unsigned threadBits = llvm::Log2_64(plan.product.warps() * chip.warpSize);
  // Fewer where threads would have none.
  unsigned columns = 3, keys = 2;
  while (columns + keys > 2 && columnBits + keyBits < columns + keys + threadBits)
    --(keys + 1 >= columns ? keys : columns);
  using Entry = tile::LayoutEntry;
  unsigned next[] = {columns, keys};
  auto take = [&](int64_t count) {
    SmallVector<Entry> list;
    for (; count > 1; count /= 2) {
      if (next[1] < keyBits)
        list.push_back({1, static_cast<uint8_t>(next[1]++)});
      else if (next[0] < columnBits)
        list.push_back({0, static_cast<uint8_t>(next[0]++)});
      else
        list.push_back(Entry::replicated());
    }
    return list;
  };
  SmallVector<Entry> lane = take(chip.warpSize), warp = take(plan.product.warps());
  auto layoutOf = [&](std::array<unsigned, 2> order) {
    SmallVector<Entry> reg;
    for (unsigned dim : order)
      for (unsigned bit = 0; bit < (dim == 0 ? columns : keys); ++bit)
        reg.push_back({static_cast<int8_t>(dim), static_cast<uint8_t>(bit)});
    return tile::LayoutAttr::get(b.getContext(), 2, reg, lane, warp);
  };
  Type element = factor.loaded.getElementType();
  factor.loaded = RankedTensorType::get(shape, element, layoutOf({0, 1}));
  factor.stored = RankedTensorType::get(shape, element, layoutOf({1, 0}));
  int64_t bytes = factor.access->elementBytes();
  factor.loadAlign = factor.access->alignmentAlong(factor.axes[0], bytes, bytes << columns);
  factor.storeAlign = bytes << keys;
}

Value WarpFlash::load(const StagedFactor &factor, RankedTensorType type, int64_t align,
                      const QueryTile &tile, Value first, Value second) {
  SmallVector<Value> limits =
      llvm::map_to_vector(factor.limits, [&](int64_t limit) { return index(limit); });
  if (factor.endKey) {
    if (limits.empty())
      for (unsigned axis : factor.axes)
        limits.push_back(index(flash.sizeOf(axis)));
    limits[factor.axes[0] == program.keyAxis() ? 0 : 1] = factor.endKey;
  }
  return tile::LoadOp::create(
      b, type, factor.memory, indicesOf(*factor.access, tile, first, second), DenseI64ArrayAttr(),
      limits, /*fill=*/Value(), align ? b.getI64IntegerAttr(align) : IntegerAttr());
}

void WarpFlash::store(Value loaded, const StagedFactor &factor) {
  Type element = cast<tile::SharedType>(factor.buffer.getType()).getElementType();
  if (element != factor.loaded.getElementType())
    loaded = arith::ExtFOp::create(
        b, RankedTensorType::get(factor.loaded.getShape(), element, factor.loaded.getEncoding()),
        loaded);
  if (factor.stored != factor.loaded)
    loaded = tile::ConvertOp::create(b, factor.stored, loaded);
  tile::StoreOp::create(b, loaded, factor.buffer, ValueRange{index(0), index(0)},
                        DenseI64ArrayAttr(), ValueRange(), b.getI64IntegerAttr(factor.storeAlign));
}

/// They stay in registers, or in shared memory, for all keys.
void WarpFlash::stageQueries(const QueryTile &tile) {
  if (plan.queriesInRegisters) {
    queries = queriesInRegisters(tile);
    return;
  }
  query = stage(flash.query, flash.rowAxis, program.depthAxis(),
                padded({plan.rows, plan.depth}, flash.scoredType()));
  queries = query.buffer;
}

/// Each block that takes a part of the keys stores them for itself.
void WarpFlash::storeQueries(const QueryTile &tile) {
  if (!plan.queriesInRegisters)
    store(load(query, tile, tile.begin[flash.rowAxis], index(0)), query);
}

Value WarpFlash::addValues(Value weights, Value sum) {
  if (plan.product.isMatrix())
    return addWeighted(inLanesOfRows(weights), value.buffer, storesValuesByKeys(), sum);
  auto type = cast<RankedTensorType>(weights.getType());
  Type element = flash.weightedType();
  if (element != type.getElementType())
    weights = arith::ExtFOp::create(
        b, RankedTensorType::get(type.getShape(), element, type.getEncoding()), weights);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  tile::StoreOp::create(b, weights, weightBuffer, ValueRange{index(0), index(0)},
                        DenseI64ArrayAttr(), ValueRange(),
                        b.getI64IntegerAttr(std::min(4 * bytes, kAccessBytes)));
  return dot(weightBuffer, false, value.buffer, true, sum);
}

/// Blocks of which all keys count, but for the last, are loaded without questions.
Value WarpFlash::loadValues(const QueryTile &tile, Value firstKey) {
  bool isTransposed = value.axes[1] == program.keyAxis();
  auto loadFrom = [&](const StagedFactor &factor) {
    return isTransposed ? load(factor, tile, index(0), firstKey)
                        : load(factor, tile, firstKey, index(0));
  };
  if (!value.endKey)
    return loadFrom(value);
  Value last = arith::AddIOp::create(b, firstKey, index(plan.keys));
  Value isWhole = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, last, value.endKey);
  auto branch = scf::IfOp::create(b, value.loaded, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  StagedFactor whole = value;
  whole.endKey = {};
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, loadFrom(whole));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loadFrom(value));
  return branch.getResult(0);
}

WarpFlash::State WarpFlash::addKeys(const QueryTile &tile, Value first, Value end) {
  State start = softmax.start();
  // Of the tile's last block once more, if there is no next one.
  Value last = arith::SubIOp::create(b, tile.endBlock, i32(1));
  auto loadKeys = [&](Value block) {
    return load(key, tile, firstKey(arith::MinSIOp::create(b, block, last)), index(0));
  };
  SmallVector<Value> inits = start.withoutWeights();
  inits.push_back(loadKeys(first));
  auto loop = scf::ForOp::create(b, first, end, i32(1), inits);
  keepRolled(loop);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    State before = State::ofSums(carried);
    Value block = loop.getInductionVar();
    store(carried.back(), key);
    Value values = loadValues(tile, firstKey(block));
    State after = softmax.weigh(tile, block, scores(queries, key.buffer), &before);
    store(values, value);
    Value nextKeys = loadKeys(arith::AddIOp::create(b, block, i32(1)));
    after.weighted = addValues(after.weights, after.weighted);
    SmallVector<Value> yields = after.withoutWeights();
    yields.push_back(nextKeys);
    scf::YieldOp::create(b, yields);
  }
  return State::ofSums(loop.getResults());
}

void WarpFlash::build() {
  QueryTile tile = beginBlock();
  key = stage(flash.key, program.keyAxis(), program.depthAxis(),
              padded({plan.keys, plan.depth}, flash.scoredType()));
  Type weighted = flash.weightedType();
  if (storesValuesByKeys()) {
    value = stage(flash.value, program.keyAxis(), program.columnAxis(),
                  tile::SharedType::get(b.getContext(), {plan.keys, plan.columns}, weighted,
                                        kSwizzleBytes, /*pad=*/0));
  } else if (plan.product.isMatrix()) {
    value = stage(flash.value, program.columnAxis(), program.keyAxis(),
                  padded({plan.columns, plan.keys}, weighted));
    transpose(value);
  } else {
    value = stage(flash.value, program.keyAxis(), program.columnAxis(),
                  padded({plan.keys, plan.columns}, weighted));
    weightBuffer = tile::AllocOp::create(b, padded({plan.rows, plan.keys}, weighted));
  }
  value.endKey = endOfValues(tile);
  stageQueries(tile);
  softmax.finish(tile, addParts(tile, [&](Value first, Value end) {
                   storeQueries(tile);
                   return addKeys(tile, first, end);
                 }));
}

void forge::buildWarpFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                           const GPUChip &chip) {
  WarpFlash(kernel, flash, plan, chip).build();
}
