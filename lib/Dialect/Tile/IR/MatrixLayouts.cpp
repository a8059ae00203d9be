#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge::tile;

using Entries = SmallVector<LayoutEntry>;

static constexpr int8_t kRows = 0, kColumns = 1;

/// Appends bits [first, last) of a dimension.
static void addBits(Entries &list, int8_t dim, unsigned first, unsigned last) {
  for (unsigned bit = first; bit < last; ++bit)
    list.push_back({dim, static_cast<uint8_t>(bit)});
}

static LayoutAttr matrixLayout(MLIRContext *context, const Entries &reg, const Entries &lane) {
  return LayoutAttr::get(context, /*rank=*/2, reg, lane, {});
}

LayoutAttr forge::tile::mmaAccumulator(MLIRContext *context) {
  return mmaLeft(context, /*bits=*/16);
}

/// A register of 32 bits has neighbours of K, four lanes go on, and the next register is 8 rows
/// below, the last one four lanes further along K.
static LayoutAttr mmaFactor(MLIRContext *context, unsigned bits, bool left) {
  unsigned packed = llvm::Log2_32(32 / bits);
  Entries reg, lane;
  addBits(reg, kColumns, 0, packed);
  if (left)
    addBits(reg, kRows, 3, 4);
  addBits(reg, kColumns, packed + 2, packed + 3);
  addBits(lane, kColumns, packed, packed + 2);
  addBits(lane, kRows, 0, 3);
  return matrixLayout(context, reg, lane);
}

LayoutAttr forge::tile::mmaLeft(MLIRContext *context, unsigned bits) {
  return mmaFactor(context, bits, /*left=*/true);
}
LayoutAttr forge::tile::mmaRight(MLIRContext *context, unsigned bits) {
  return mmaFactor(context, bits, /*left=*/false);
}

/// Four warps a warpgroup, all along the rows.
static LayoutAttr addWarpgroups(LayoutAttr layout, unsigned warpgroups) {
  return addWarps(layout, SmallVector<int8_t>(2 + llvm::Log2_32(warpgroups), kRows));
}

LayoutAttr forge::tile::wgmmaAccumulator(MLIRContext *context, unsigned warpgroups) {
  return addWarpgroups(mmaAccumulator(context), warpgroups);
}
LayoutAttr forge::tile::wgmmaLeft(MLIRContext *context, unsigned bits, unsigned warpgroups) {
  return addWarpgroups(mmaLeft(context, bits), warpgroups);
}

LayoutAttr forge::tile::mfmaAccumulator(MLIRContext *context, unsigned rows) {
  unsigned bits = llvm::Log2_32(rows);
  Entries reg, lane;
  // Four neighbouring rows a lane; the lanes above a row of the accumulator have the next four.
  addBits(lane, kColumns, 0, bits);
  addBits(lane, kRows, 2, 2 + 6 - bits);
  addBits(reg, kRows, 0, 2);
  addBits(reg, kRows, 2 + 6 - bits, bits);
  return matrixLayout(context, reg, lane);
}

LayoutAttr forge::tile::mfmaFactor(MLIRContext *context, unsigned rows, unsigned bits) {
  unsigned rowBits = llvm::Log2_32(rows);
  // 8 bytes a lane, but a single element of 32 bits.
  unsigned elementBits = bits == 32 ? 0 : llvm::Log2_32(64 / bits);
  Entries reg, lane;
  addBits(reg, kColumns, 0, elementBits);
  addBits(lane, kRows, 0, rowBits);
  addBits(lane, kColumns, elementBits, elementBits + 6 - rowBits);
  return matrixLayout(context, reg, lane);
}

LayoutAttr forge::tile::wmmaAccumulator(MLIRContext *context) {
  Entries reg, lane;
  addBits(reg, kRows, 1, 4);
  addBits(lane, kColumns, 0, 4);
  addBits(lane, kRows, 0, 1);
  return matrixLayout(context, reg, lane);
}

LayoutAttr forge::tile::wmmaFactor(MLIRContext *context) {
  Entries reg, lane;
  addBits(reg, kColumns, 0, 4);
  addBits(lane, kRows, 0, 4);
  lane.push_back(LayoutEntry::replicated());
  return matrixLayout(context, reg, lane);
}

std::optional<MatrixInstruction>
forge::tile::matrixInstruction(DotKind kind, ArrayRef<int64_t> shape, Type element) {
  if (!element.isBF16() && !element.isF16())
    return std::nullopt;
  MLIRContext *context = element.getContext();
  auto is = [&](int64_t rows, int64_t columns, int64_t terms) {
    return shape == ArrayRef<int64_t>{rows, columns, terms};
  };
  if (kind == DotKind::Mma && is(16, 8, 16))
    return MatrixInstruction{
        16, 8, 16, mmaLeft(context, 16), mmaRight(context, 16), mmaAccumulator(context)};
  if (kind == DotKind::Mfma && (is(32, 32, 8) || is(16, 16, 16))) {
    auto rows = static_cast<unsigned>(shape[0]);
    LayoutAttr factor = mfmaFactor(context, rows, 16);
    return MatrixInstruction{shape[0], shape[1], shape[2],
                             factor,   factor,   mfmaAccumulator(context, rows)};
  }
  if (kind == DotKind::Wmma && is(16, 16, 16))
    return MatrixInstruction{
        16, 16, 16, wmmaFactor(context), wmmaFactor(context), wmmaAccumulator(context)};
  return std::nullopt;
}

SmallVector<LayoutEntry> forge::tile::factorEntries(ArrayRef<LayoutEntry> entries, int8_t dim) {
  return llvm::map_to_vector(entries, [&](LayoutEntry entry) {
    return entry.dim == dim ? LayoutEntry{kRows, entry.bit} : LayoutEntry::replicated();
  });
}

LayoutAttr forge::tile::addWarps(LayoutAttr layout, ArrayRef<int8_t> dims) {
  Entries warp(layout.getWarp());
  SmallVector<int64_t> atom = layout.getAtom();
  for (int8_t dim : dims) {
    if (dim == LayoutEntry::kReplicated) {
      warp.push_back(LayoutEntry::replicated());
      continue;
    }
    warp.push_back({dim, static_cast<uint8_t>(llvm::Log2_64(atom[dim]))});
    atom[dim] *= 2;
  }
  return LayoutAttr::get(layout.getContext(), layout.getRank(), layout.getReg(), layout.getLane(),
                         warp);
}

LayoutAttr forge::tile::rowBlocked(MLIRContext *context, ArrayRef<int64_t> shape, unsigned elements,
                                   unsigned lanes, unsigned warps) {
  Entries reg, lane, warp;
  int64_t dim = static_cast<int64_t>(shape.size()) - 1;
  unsigned bit = 0;
  auto fits = [&] { return dim >= 0 && shape[dim] % (int64_t(2) << bit) == 0; };
  for (; int64_t(1) << bit < elements && fits(); ++bit)
    reg.push_back({static_cast<int8_t>(dim), static_cast<uint8_t>(bit)});
  auto take = [&](Entries &list, unsigned count) {
    for (unsigned i = 0; int64_t(1) << i < count; ++i) {
      while (dim >= 0 && !fits()) {
        --dim;
        bit = 0;
      }
      if (dim < 0)
        list.push_back(LayoutEntry::replicated());
      else
        list.push_back({static_cast<int8_t>(dim), static_cast<uint8_t>(bit++)});
    }
  };
  take(lane, lanes);
  take(warp, warps);
  return LayoutAttr::get(context, static_cast<int64_t>(shape.size()), reg, lane, warp);
}
