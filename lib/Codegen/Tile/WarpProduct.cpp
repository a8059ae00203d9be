#include "WarpProduct.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

static constexpr int8_t kRows = 0, kColumns = 1, kNone = tile::LayoutEntry::kReplicated;

void forge::chooseInstruction(WarpProduct &product, MatrixUnit unit, bool isWide) {
  product.instruction = {16, 16, 16};
  product.kind = tile::DotKind::Wmma;
  product.factorBytes = 16;
  if (unit == MatrixUnit::Mma) {
    // By ldmatrix, of rows of 16 bytes.
    product.instruction = {16, 8, 16};
    product.kind = tile::DotKind::Mma;
    product.factorBytes = 16;
  } else if (unit == MatrixUnit::Mfma) {
    if (isWide)
      product.instruction = {32, 32, 8};
    product.kind = tile::DotKind::Mfma;
    product.factorBytes = 8;
  }
}

static SmallVector<int8_t, 4> factorDims(ArrayRef<int8_t> dims, int8_t dim) {
  return llvm::to_vector<4>(
      llvm::map_range(dims, [&](int8_t each) { return each == dim ? kRows : kNone; }));
}

/// A warp has 16 x 16: four neighbours of a row in a thread, four lanes along columns, the others
/// along rows.
static tile::LayoutAttr fmaLayout(MLIRContext *context, const GPUChip &chip,
                                  ArrayRef<int8_t> dims) {
  SmallVector<tile::LayoutEntry> reg, lane;
  auto add = [](SmallVector<tile::LayoutEntry> &list, int8_t dim, unsigned first, unsigned last) {
    for (unsigned bit = first; bit < last; ++bit)
      list.push_back({dim, static_cast<uint8_t>(bit)});
  };
  // Bits of the row number that registers have: 1 with 32 lanes, none with 64.
  unsigned rowBits = 6 - llvm::Log2_64(chip.warpSize);
  add(reg, kColumns, 0, 2);
  add(reg, kRows, 0, rowBits);
  add(lane, kColumns, 2, 4);
  add(lane, kRows, rowBits, 4);
  return tile::addWarps(tile::LayoutAttr::get(context, 2, reg, lane, {}), dims);
}

ProductLayouts forge::layoutsOf(MLIRContext *context, const WarpProduct &product,
                                const GPUChip &chip) {
  if (!product.isMatrix())
    return {fmaLayout(context, chip, product.warpDims), {}, {}};
  // The layouts are those of every type of 16 bits.
  tile::MatrixInstruction instruction =
      *tile::matrixInstruction(product.kind, product.instruction, Float16Type::get(context));
  return {tile::addWarps(instruction.accumulator, product.warpDims),
          tile::addWarps(instruction.left, factorDims(product.warpDims, kRows)),
          tile::addWarps(instruction.right, factorDims(product.warpDims, kColumns))};
}

tile::LayoutAttr forge::copyLayout(MLIRContext *context, ArrayRef<int64_t> shape, int64_t elements,
                                   const GPUChip &chip, int64_t warps, bool alongLast) {
  if (alongLast)
    return tile::rowBlocked(context, shape, elements, chip.warpSize, warps);
  SmallVector<tile::LayoutEntry> reg, lane, warp;
  uint8_t bits[] = {0, 0};
  auto take = [&](SmallVector<tile::LayoutEntry> &list, int64_t count) {
    for (; count > 1; count /= 2) {
      auto fits = [&](int dim) { return shape[dim] >> bits[dim] > 1; };
      if (fits(0))
        list.push_back({kRows, bits[0]++});
      else if (fits(1))
        list.push_back({kColumns, bits[1]++});
      else
        list.push_back(tile::LayoutEntry::replicated());
    }
  };
  for (int64_t i = 1; i < elements; i *= 2)
    reg.push_back({kColumns, bits[1]++});
  take(lane, chip.warpSize);
  take(warp, warps);
  return tile::LayoutAttr::get(context, 2, reg, lane, warp);
}
