#include "WgmmaReads.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread for its sums and what is read early: of 232, what addresses and results
/// leave.
static constexpr int64_t kRegisters = 176;

WgmmaReads::WgmmaReads(WgmmaBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                       const ProductSizes &sizes, const TilePlace &place)
    : b(b), product(product), tile(tile), sizes(sizes), place(place),
      groups(tile.partColumns() / 8), firstRow(product.matrices().batchDims),
      firstColumn(firstRow + product.matrices().rowDims), places(groups * 4) {
  linalg::GenericOp follow = product.follow;
  if (!follow)
    return;
  for (OpOperand *input : follow.getDpsInputOperands())
    if (!product.partOf(input->get()) && isa<MemRefType>(input->get().getType()) &&
        !follow.getMatchingBlockArgument(input).use_empty())
      addOperand(*input);
  decideWhen();
}

void WgmmaReads::addOperand(OpOperand &input) {
  linalg::GenericOp follow = product.follow;
  AffineMap map = follow.getMatchingIndexingMap(&input);
  Operand operand;
  operand.input = &input;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    bool isUsed = map.isFunctionOfDim(loop);
    operand.usesRow |= isUsed && loop >= firstRow && loop < firstColumn;
    operand.usesColumn |= isUsed && loop >= firstColumn;
  }
  operand.pairs.resize(groups * 2);
  flatten(operand);
  operands.push_back(operand);
}

/// 1. The operand's dimensions are, in order, all of the batch, all rows, all columns, or some of
///    these three.
/// 2. Each becomes one dimension.
/// 3. With columns, two neighbouring elements are one access.
void WgmmaReads::flatten(Operand &operand) {
  linalg::GenericOp follow = product.follow;
  AffineMap map = follow.getMatchingIndexingMap(operand.input);
  int64_t rank = map.getNumResults(), at = 0, loops = map.getNumDims();
  SmallVector<ReassociationIndices> dims;
  for (auto [from, to] :
       {std::pair<int64_t, int64_t>(0, firstRow), {firstRow, firstColumn}, {firstColumn, loops}}) {
    bool isNext = from < to && at + to - from <= rank;
    for (int64_t loop = from; isNext && loop < to; ++loop)
      isNext = map.getResult(at + loop - from) == getAffineDimExpr(loop, map.getContext());
    if (!isNext)
      continue;
    operand.hasBatch |= from == 0 && to == firstRow;
    dims.emplace_back(llvm::to_vector(llvm::seq<int64_t>(at, at + to - from)));
    at += to - from;
  }
  Value memory = operand.input->get();
  if (at != rank || !isPlainArgument(memory))
    return;
  bool isSame = static_cast<int64_t>(dims.size()) == rank;
  operand.flat = isSame ? memory : memref::CollapseShapeOp::create(b, memory, dims).getResult();
  Type element = getElementTypeOrSelf(memory);
  unsigned bits = element.getIntOrFloatBitWidth();
  operand.isPaired = operand.usesColumn && (bits > 8 || (bits == 8 && element.isInteger()));
}

/// Of one pair.
int64_t WgmmaReads::registersOf(const Operand &operand) {
  int64_t bits = getElementTypeOrSelf(operand.input->get()).getIntOrFloatBitWidth();
  return operand.isPaired ? llvm::divideCeil(2 * bits, 32) : 2 * llvm::divideCeil(bits, 32);
}

void WgmmaReads::decideWhen() {
  int64_t left = kRegisters - tile.sums();
  auto take = [&](Operand &operand, int64_t pairs, When when) {
    int64_t registers = pairs * registersOf(operand);
    if (operand.when != When::WithChunk || registers > left)
      return;
    operand.when = when;
    left -= registers;
  };
  for (Operand &operand : operands) {
    if (!operand.usesColumn)
      continue;
    operand.when = When::WithChunk;
    if (!operand.usesRow)
      take(operand, groups, When::First);
  }
  for (Operand &operand : operands)
    if (operand.usesColumn)
      take(operand, 2 * kChunkGroups * (operand.usesRow ? 2 : 1), When::Ahead);
}

/// What lies beyond the result is computed from its last elements, and not stored.
void WgmmaReads::begin(ArrayRef<Value> threadRows, Value threadColumn) {
  column = threadColumn;
  for (unsigned half = 0; half < 2; ++half)
    rows[half] = arith::MinUIOp::create(b, threadRows[half], b.sub(sizes.rows, b.i32(1)));
  for (Operand &operand : operands)
    for (int64_t group = 0;
         operand.when == When::First && group < (operand.usesColumn ? groups : 1); ++group)
      for (unsigned half = 0; half < (operand.usesRow ? 2 : 1); ++half)
        pairOf(operand, group, half) = read(operand, group, half);
  readGroups(When::Ahead, 0);
}

void WgmmaReads::beginChunk(int64_t group) {
  readGroups(When::Ahead, group + kChunkGroups);
  readGroups(When::WithChunk, group);
}

void WgmmaReads::readGroups(When when, int64_t group) {
  for (int64_t i = group; i < std::min(group + kChunkGroups, groups); ++i)
    for (Operand &operand : operands)
      for (unsigned half = 0; operand.when == when && half < (operand.usesRow ? 2 : 1); ++half)
        pairOf(operand, i, half) = read(operand, i, half);
}

Value WgmmaReads::columnOf(int64_t group) {
  return arith::MinUIOp::create(b, b.add(column, b.i32(8 * group)), b.sub(sizes.columns, b.i32(2)));
}

WgmmaReads::Pair WgmmaReads::read(Operand &operand, int64_t group, unsigned half) {
  Pair pair;
  if (!operand.flat) {
    for (unsigned number = 0; number < (operand.usesColumn ? 2 : 1); ++number)
      pair.single[number] =
          loadOperand(b, product.follow, *operand.input, indices(group, half, number));
    return pair;
  }
  SmallVector<Value> at;
  if (operand.hasBatch)
    at.push_back(b.toIndex(place.matrix));
  if (operand.usesRow)
    at.push_back(b.toIndex(rows[half]));
  if (operand.usesColumn)
    at.push_back(b.toIndex(columnOf(group)));
  Type element = getElementTypeOrSelf(operand.flat);
  if (operand.isPaired) {
    unsigned bytes = 2 * element.getIntOrFloatBitWidth() / 8;
    pair.access = vector::LoadOp::create(b, VectorType::get(2, element), operand.flat, at,
                                         /*nontemporal=*/false, llvm::MaybeAlign(bytes));
    return pair;
  }
  pair.single[0] = memref::LoadOp::create(b, operand.flat, at);
  if (operand.usesColumn) {
    at.back() = b.toIndex(b.add(columnOf(group), b.i32(1)));
    pair.single[1] = memref::LoadOp::create(b, operand.flat, at);
  }
  return pair;
}

Value WgmmaReads::element(OpOperand &input, int64_t group, unsigned half, unsigned number) {
  auto *operand =
      llvm::find_if(operands, [&](const Operand &operand) { return operand.input == &input; });
  if (operand == operands.end())
    return input.get();
  const Pair &pair = pairOf(*operand, group, half);
  if (pair.access)
    return vector::ExtractOp::create(b, pair.access, number);
  return pair.single[operand->usesColumn ? number : 0];
}

/// A number in i32 that counts elements of dimensions from..to of the result, as an index of each.
SmallVector<Value> WgmmaReads::split(Value number, int64_t from, int64_t to) {
  Value out = product.results().front();
  auto type = cast<MemRefType>(out.getType());
  SmallVector<Value> list(to - from);
  for (int64_t dim = to; dim-- > from;) {
    Value index = number;
    if (dim > from) {
      Value size = type.isDynamicDim(dim) ? b.toI32(memref::DimOp::create(b, out, dim))
                                          : b.i32(type.getDimSize(dim));
      index = b.rem(number, size);
      number = b.div(number, size);
    }
    list[dim - from] = b.toIndex(index);
  }
  return list;
}

ArrayRef<Value> WgmmaReads::indices(int64_t group, unsigned half, unsigned number) {
  SmallVector<Value> &list = places[group * 4 + half * 2 + number];
  if (!list.empty())
    return list;
  int64_t rank = cast<MemRefType>(product.results().front().getType()).getRank();
  list = split(place.matrix, 0, firstRow);
  llvm::append_range(list, split(rows[half], firstRow, firstColumn));
  llvm::append_range(list, split(b.add(columnOf(group), b.i32(number)), firstColumn, rank));
  return list;
}
