// What follows the sums of a tile: the epilogue, and stores.
#include "WgmmaKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

namespace {
/// Of the n-th group of eight columns a thread has sums 4 n to 4 n + 3: two neighbouring columns in
/// its first row, and the same two eight rows below. Four neighbouring lanes share a row.
class StoreEmitter {
public:
  StoreEmitter(WgmmaBuilder &b, const LibraryProduct &product, const WgmmaTile &tile,
               const ProductSizes &sizes, const TilePlace &place)
      : b(b), product(product), tile(tile), sizes(sizes), place(place),
        out(asMatrices(product.out())), element(getElementTypeOrSelf(product.out())) {
    if (product.epilogue.residual)
      residual = asMatrices(product.epilogue.residual);
    if (product.epilogue.bias)
      bias = collapse(product.epilogue.bias, {{0, rankOf(product.epilogue.bias)}});
  }

  void emit(Value warpgroup, Value thread, Value sums, function_ref<void()> waitForSums);

private:
  static int64_t rankOf(Value memref) { return cast<MemRefType>(memref.getType()).getRank(); }
  Value collapse(Value memref, ArrayRef<std::pair<int64_t, int64_t>> groups);
  /// [batch, rows, columns], or [rows, columns].
  Value asMatrices(Value memref) {
    int64_t batch = product.batchDims, rows = batch + product.rowDims;
    SmallVector<std::pair<int64_t, int64_t>> groups{{batch, rows}, {rows, rankOf(memref)}};
    if (batch > 0)
      groups.insert(groups.begin(), {0, batch});
    return collapse(memref, groups);
  }
  SmallVector<Value> indices(Value row, Value column) {
    SmallVector<Value> list{b.toIndex(row), b.toIndex(column)};
    if (product.batchDims > 0)
      list.insert(list.begin(), b.toIndex(place.matrix));
    return list;
  }
  Value isBelow(Value a, Value limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, a, limit);
  }
  Value loadPair(Value memref, ValueRange at);
  Value loadBias(int64_t group);
  Value loadResidual(int64_t group, unsigned half);
  Value columnOf(int64_t group) {
    return b.add(place.column, b.add(b.i32(8 * group), b.mul(quad, b.i32(2))));
  }
  std::array<Value, 2> finish(std::array<Value, 2> pair, Value biases, Value residuals);
  Value pack(std::array<Value, 2> pair);
  void exchange(Value &x, Value &y, Value bit, int64_t lanes);
  void store(Value vector, Value row, Value column);
  using Finished = std::array<std::array<Value, 2>, 4>;
  void storeNarrow(int64_t group, Value row, const Finished &pairs);
  void storeWide(int64_t group, Value row, const Finished &pairs);
  std::array<Value, 2> pairOf(Value sums, int64_t group, unsigned half) {
    std::array<Value, 2> pair;
    for (int64_t i = 0; i < 2; ++i)
      pair[i] = LLVM::ExtractValueOp::create(b, sums, ArrayRef<int64_t>{4 * group + 2 * half + i});
    return pair;
  }

  WgmmaBuilder &b;
  const LibraryProduct &product;
  const WgmmaTile &tile;
  const ProductSizes &sizes;
  const TilePlace &place;
  Value out, residual, bias;
  Type element;
  /// Of the thread: its lane among the four that share a row, and the two bits of that.
  Value quad, bits[2];
  /// Its two rows.
  Value rows[2];
};
} // namespace

Value StoreEmitter::collapse(Value memref, ArrayRef<std::pair<int64_t, int64_t>> groups) {
  if (static_cast<int64_t>(groups.size()) == rankOf(memref))
    return memref;
  SmallVector<ReassociationIndices> dims;
  for (auto [from, to] : groups)
    dims.emplace_back(llvm::to_vector(llvm::seq<int64_t>(from, to)));
  return memref::CollapseShapeOp::create(b, memref, dims);
}

Value StoreEmitter::loadPair(Value memref, ValueRange at) {
  Type narrow = getElementTypeOrSelf(memref);
  unsigned bytes = 2 * narrow.getIntOrFloatBitWidth() / 8;
  return vector::LoadOp::create(b, VectorType::get(2, narrow), memref, at, /*nontemporal=*/false,
                                llvm::MaybeAlign(bytes));
}

/// What lies beyond the result is computed from its last elements, and not stored.
Value StoreEmitter::loadBias(int64_t group) {
  Value column = arith::MinUIOp::create(b, columnOf(group), b.sub(sizes.columns, b.i32(2)));
  return loadPair(bias, b.toIndex(column));
}

Value StoreEmitter::loadResidual(int64_t group, unsigned half) {
  Value row = arith::MinUIOp::create(b, rows[half], b.sub(sizes.rows, b.i32(1)));
  Value column = arith::MinUIOp::create(b, columnOf(group), b.sub(sizes.columns, b.i32(2)));
  return loadPair(residual, indices(row, column));
}

/// The epilogue's operation on both, as it stands.
std::array<Value, 2> StoreEmitter::finish(std::array<Value, 2> pair, Value biases,
                                          Value residuals) {
  linalg::GenericOp follow = product.follow;
  if (!follow)
    return pair;
  std::array<Value, 2> finished;
  for (int64_t i = 0; i < 2; ++i) {
    IRMapping mapping;
    for (OpOperand &operand : follow->getOpOperands()) {
      Value value = pair[i];
      Value loaded = operand.get() == product.epilogue.bias       ? biases
                     : operand.get() == product.epilogue.residual ? residuals
                                                                  : Value();
      if (loaded)
        value = vector::ExtractOp::create(b, loaded, i);
      mapping.map(follow.getMatchingBlockArgument(&operand), value);
    }
    for (Operation &op : follow.getBody()->without_terminator()) {
      // Of GELU, whose result has 16 bits: an error of 2^-22 beside the 1 it is added to.
      if (auto tanh = dyn_cast<math::TanhOp>(b.clone(op, mapping)))
        tanh.setFastmath(tanh.getFastmath() | arith::FastMathFlags::afn);
    }
    finished[i] = mapping.lookupOrDefault(follow.getBody()->getTerminator()->getOperand(0));
  }
  return finished;
}

/// Two elements of 16 bits as one number, which lanes can exchange.
Value StoreEmitter::pack(std::array<Value, 2> pair) {
  Value both = vector::FromElementsOp::create(b, VectorType::get(2, element), ValueRange(pair));
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

void StoreEmitter::store(Value vector, Value row, Value column) {
  Value inside = arith::AndIOp::create(b, isBelow(row, sizes.rows), isBelow(column, sizes.columns));
  auto branch = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  auto type = cast<VectorType>(vector.getType());
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  vector::StoreOp::create(b, vector, out, indices(row, column), /*nontemporal=*/false,
                          llvm::MaybeAlign(static_cast<uint64_t>(bytes)));
}

/// Four groups of eight columns: lane q of four gets the q-th, as a transposition of 4 x 4 words
/// does.
void StoreEmitter::storeNarrow(int64_t group, Value row, const Finished &pairs) {
  Value words[4];
  for (int64_t i = 0; i < 4; ++i)
    words[i] = pack(pairs[i]);
  exchange(words[0], words[1], bits[0], 1);
  exchange(words[2], words[3], bits[0], 1);
  exchange(words[0], words[2], bits[1], 2);
  exchange(words[1], words[3], bits[1], 2);
  Value all = vector::FromElementsOp::create(b, VectorType::get(4, b.getI32Type()),
                                             ValueRange(ArrayRef<Value>(words)));
  all = vector::BitCastOp::create(b, VectorType::get(8, element), all);
  store(all, row, b.add(place.column, b.add(b.i32(8 * group), b.mul(quad, b.i32(8)))));
}

void StoreEmitter::storeWide(int64_t group, Value row, const Finished &pairs) {
  for (int64_t i = 0; i < 4; ++i)
    store(vector::FromElementsOp::create(b, VectorType::get(2, element), ValueRange(pairs[i])), row,
          columnOf(group + i));
}

/// Four groups at a time, which lanes exchange. All biases are read first, and residuals four
/// groups ahead: a load behind a store waits for it to be issued, and everything behind waits for
/// the load.
void StoreEmitter::emit(Value warpgroup, Value thread, Value sums,
                        function_ref<void()> waitForSums) {
  Value warp = b.div(thread, b.i32(32)), lane = b.rem(thread, b.i32(32));
  quad = b.rem(lane, b.i32(4));
  for (unsigned bit = 0; bit < 2; ++bit)
    bits[bit] =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                              arith::AndIOp::create(b, quad, b.i32(int64_t(1) << bit)), b.i32(0));
  Value first = b.add(place.row, b.mul(warpgroup, b.i32(kInstructionRows)));
  first = b.add(first, b.add(b.mul(warp, b.i32(16)), b.div(lane, b.i32(4))));
  rows[0] = first;
  rows[1] = b.add(first, b.i32(8));
  int64_t groups = tile.columns / 8;
  SmallVector<Value> biases(groups), residuals(2 * groups);
  auto readResiduals = [&](int64_t group) {
    for (int64_t i = group; residual && i < std::min(group + 4, groups); ++i)
      for (unsigned half = 0; half < 2; ++half)
        residuals[2 * i + half] = loadResidual(i, half);
  };
  for (int64_t group = 0; bias && group < groups; ++group)
    biases[group] = loadBias(group);
  readResiduals(0);
  waitForSums();
  for (int64_t group = 0; group < groups; group += 4) {
    readResiduals(group + 4);
    for (unsigned half = 0; half < 2; ++half) {
      Finished pairs;
      for (int64_t i = 0; i < 4; ++i)
        pairs[i] = finish(pairOf(sums, group + i, half), biases[group + i],
                          residuals[2 * (group + i) + half]);
      element.isF32() ? storeWide(group, rows[half], pairs) : storeNarrow(group, rows[half], pairs);
    }
  }
}

void forge::emitWgmmaStore(WgmmaBuilder &b, const LibraryProduct &product, const WgmmaTile &tile,
                           const ProductSizes &sizes, const TilePlace &place, Value warpgroup,
                           Value thread, Value sums, function_ref<void()> waitForSums) {
  StoreEmitter(b, product, tile, sizes, place).emit(warpgroup, thread, sums, waitForSums);
}
