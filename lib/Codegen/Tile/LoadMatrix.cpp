// Factors of mma.sync from shared memory: ldmatrix.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"

#include "forge/Codegen/MatrixUnit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge;

/// Rows and columns of a matrix that ldmatrix loads, of elements of 16 bits.
static constexpr int64_t kMatrix = 8;

/// Whether each pair of registers is a thread's part of a matrix of 8 x 8 as ldmatrix gives it: two
/// neighbours of row lane / 4 (PTX ISA, "ldmatrix").
static bool isMatrixLayout(tile::LayoutAttr layout) {
  auto is = [](tile::LayoutEntry entry, int8_t dim, unsigned bit) {
    return !entry.isReplicated() && entry.dim == dim && entry.bit == bit;
  };
  ArrayRef<tile::LayoutEntry> reg = layout.getReg(), lane = layout.getLane();
  return layout.getRank() == 2 && !reg.empty() && is(reg[0], 1, 0) && lane.size() == 5 &&
         is(lane[0], 1, 1) && is(lane[1], 1, 2) && is(lane[2], 0, 0) && is(lane[3], 0, 1) &&
         is(lane[4], 0, 2);
}

/// Whether a load has no limits, or is one from the beginning of a buffer with limits at ends of
/// warps' rows: then all of a warp's elements are inside, or none.
static bool isLimitedByWarps(tile::LoadOp op) {
  RankedTensorType tile = op.getType();
  auto layout = cast<tile::LayoutAttr>(tile.getEncoding());
  if (op.getLimits().empty())
    return true;
  for (Value at : op.getIndices())
    if (getConstantIntValue(at) != 0)
      return false;
  for (auto [dim, limit] : llvm::enumerate(op.getLimits())) {
    std::optional<int64_t> known = getConstantIntValue(limit);
    if (!known)
      return false;
    if (*known >= tile.getDimSize(dim))
      continue;
    // Bits of rows of a warp, below those that tell warps apart; none in more registers.
    int64_t ofWarp = 1, ofAll = 1;
    for (ArrayRef<tile::LayoutEntry> entries : {layout.getReg(), layout.getLane()})
      for (tile::LayoutEntry entry : entries)
        ofWarp *= !entry.isReplicated() && entry.dim == static_cast<int8_t>(dim) ? 2 : 1;
    ofAll = ofWarp;
    for (tile::LayoutEntry entry : layout.getWarp()) {
      bool isOfDim = !entry.isReplicated() && entry.dim == static_cast<int8_t>(dim);
      if (isOfDim && (int64_t(1) << entry.bit) < ofWarp)
        return false;
      ofAll *= isOfDim ? 2 : 1;
    }
    if (*known % ofWarp != 0 || ofAll != tile.getDimSize(dim))
      return false;
  }
  return !op.getFill();
}

/// 1. Lanes 8 i to 8 i + 7 say where the rows of matrix i begin, of up to four.
/// 2. Where rows of the memory are columns of the tile, matrices are transposed on the way.
/// 3. Warps beyond limits load nothing, and have zeros.
/// Nothing if the load is not one of matrices, or the buffer has no swizzle: without one, places
/// are sums of constants, and plain loads take fewer registers.
std::optional<SmallVector<Value>> ThreadEmitter::loadMatrices(tile::LoadOp op) {
  auto buffer = dyn_cast<tile::SharedType>(op.getSource().getType());
  RankedTensorType tile = op.getType();
  tile::LayoutAttr layout = layoutOf(tile);
  if (!buffer || matrixUnitOf(*program.chip) != MatrixUnit::Mma || !buffer.getSwizzle() ||
      buffer.getElementBytes() != 2 || !isLimitedByWarps(op) || op.getAlign().value_or(0) < 16 ||
      !isMatrixLayout(layout))
    return std::nullopt;
  SmallVector<int64_t> dims = op.getMemoryDims();
  int64_t innermost = buffer.getRank() - 1;
  if (!llvm::is_contained(dims, innermost))
    return std::nullopt;
  bool isTransposed = dims[0] == innermost;

  SmallVector<SmallVector<int64_t>> begins;
  for (int64_t reg = 0; reg < registersOf(tile); reg += 2)
    begins.push_back(layout.getCoordinates(tile.getShape(), reg));
  SmallVector<Value> first = threadOffsets(layout, /*withLane=*/false);
  Value isInside;
  for (auto [dim, limit] : llvm::enumerate(op.getLimits()))
    if (*getConstantIntValue(limit) < tile.getDimSize(dim)) {
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, first[dim], mapped(limit));
      isInside = isInside ? arith::AndIOp::create(b, isInside, is).getResult() : is;
    }
  scf::IfOp branch;
  OpBuilder::InsertionGuard guard(b);
  if (isInside) {
    SmallVector<Type> types(begins.size(), b.getI32Type());
    branch = scf::IfOp::create(b, types, isInside, /*addThenBlock=*/true, /*addElseBlock=*/true);
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, SmallVector<Value>(begins.size(), b.i32(0)));
    b.setInsertionPointToEnd(branch.thenBlock());
  }
  Value inMatrix = b.toIndex(b.rem(lane, b.i32(kMatrix)));
  SmallVector<Value> words;
  for (size_t done = 0; done < begins.size();) {
    // As many matrices as one instruction takes, if their places are sums of lane bits'.
    auto isLinear = [&](size_t count) {
      if (done + count > begins.size())
        return false;
      for (size_t i = 0; i < count; ++i)
        for (int dim : {0, 1}) {
          int64_t sum = begins[done][dim];
          for (size_t bit = 1; bit < count; bit *= 2)
            if (i & bit)
              sum += begins[done + bit][dim] - begins[done][dim];
          if (sum != begins[done + i][dim])
            return false;
        }
      return true;
    };
    size_t count = isLinear(4) ? 4 : isLinear(2) ? 2 : 1;
    SmallVector<Value> at;
    for (Value index : op.getIndices())
      at.push_back(mapped(index));
    for (int dim : {0, 1}) {
      Value coordinate = addIndex(first[dim], begins[done][dim]);
      for (size_t bit = 1; bit < count; bit *= 2)
        if (int64_t step = begins[done + bit][dim] - begins[done][dim]) {
          Value number = b.div(lane, b.i32(static_cast<int64_t>(kMatrix * bit)));
          Value has = b.rem(number, b.i32(2));
          coordinate = arith::AddIOp::create(b, coordinate,
                                             arith::MulIOp::create(b, b.toIndex(has), index(step)));
        }
      if ((dim == 1) == isTransposed)
        coordinate = arith::AddIOp::create(b, coordinate, inMatrix);
      at[dims[dim]] = arith::AddIOp::create(b, at[dims[dim]], coordinate);
    }
    Value bytes = arith::MulIOp::create(b, sharedElement(buffer, at), index(2));
    Value pointer = sharedAt(b, sharedBase, b.add(mapped(op.getSource()), b.toI32(bytes)));
    Type word = b.getI32Type();
    Type type = count == 1 ? word
                           : LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                              SmallVector<Type>(count, word));
    auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), kMatrix, kMatrix);
    Value loaded =
        NVVM::LdMatrixOp::create(b, type, pointer, static_cast<uint32_t>(count),
                                 isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row, shape,
                                 NVVM::LdStMatrixEltType::B16);
    for (size_t i = 0; i < count; ++i)
      words.push_back(
          count == 1
              ? loaded
              : LLVM::ExtractValueOp::create(b, loaded, ArrayRef<int64_t>{int64_t(i)}).getResult());
    done += count;
  }
  if (branch) {
    scf::YieldOp::create(b, words);
    b.setInsertionPointAfter(branch);
    words = llvm::to_vector_of<Value>(branch.getResults());
  }
  return unpackRegisters(b, words, 2, tile.getElementType());
}
