#include "WgmmaStrategy.h"

#include "WgmmaKernel.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Fewer rows, columns or terms than this are not worth a tile.
static constexpr int64_t kLeastSize = 64;

/// Sizes of dimensions from..to of a shape, multiplied; dynamic if one is.
static int64_t sizeOf(ArrayRef<int64_t> shape, int64_t from, int64_t to) {
  int64_t size = 1;
  for (int64_t dim : shape.slice(from, to - from)) {
    if (ShapedType::isDynamic(dim))
      return ShapedType::kDynamic;
    size *= dim;
  }
  return size;
}

namespace {
/// batch, rows, columns and terms, as far as types say.
struct StaticSizes {
  int64_t batch, rows, columns, terms;

  explicit StaticSizes(const LibraryProduct &product) {
    ArrayRef<int64_t> out = cast<ShapedType>(product.out().getType()).getShape();
    ArrayRef<int64_t> lhs = cast<ShapedType>(product.left().getType()).getShape();
    int64_t batchDims = product.batchDims, rowDims = product.rowDims;
    batch = sizeOf(out, 0, batchDims);
    rows = sizeOf(out, batchDims, batchDims + rowDims);
    columns = sizeOf(out, batchDims + rowDims, out.size());
    int64_t sumDims = lhs.size() - batchDims - rowDims;
    int64_t sumAt = batchDims + (product.lhsTransposed ? 0 : rowDims);
    terms = sizeOf(lhs, sumAt, sumAt + sumDims);
  }
};
} // namespace

/// Why the matrix units cannot compute `product`; null if they can. Tensor maps want rows of
/// multiples of 16 bytes, and stores of 16 bytes columns in eights.
static const char *whyNot(const LibraryProduct &product, const StaticSizes &sizes,
                          const GPUChip &chip) {
  if (!chip.warpgroupProducts)
    return "a chip with products by warpgroups";
  Type in = getElementTypeOrSelf(product.left());
  if (!in.isBF16() && !in.isF16())
    return "factors of bf16 or f16";
  if (product.rowDims == 0 || product.columnDims == 0)
    return "rows and columns";
  auto isEights = [](int64_t size) { return size > 0 && size % 8 == 0; };
  if (!isEights(sizes.columns) || !isEights(sizes.terms) ||
      (product.lhsTransposed && !isEights(sizes.rows)))
    return "rows of both factors and of the result of static multiples of 8 elements";
  return nullptr;
}

WgmmaTile forge::tileOf(const KernelSchedule &schedule) {
  WgmmaTile tile;
  tile.rows = schedule.tile[0];
  tile.columns = schedule.tile[1];
  tile.terms = schedule.tile[2];
  tile.stages = schedule.tile[3];
  return tile;
}

/// As many stages as shared memory holds; more than eight hide nothing more.
static int64_t stagesOf(WgmmaTile tile, const GPUChip &chip) {
  for (tile.stages = 8; tile.stages > 2 && tile.sharedBytes() > chip.maxSharedBytes;)
    --tile.stages;
  return tile.stages;
}

/// The widest tile reads least; a narrower one is taken where it leaves fewer multiprocessors idle.
/// What a tile costs beside its columns (its left operand, the epilogue) is about 32 columns.
static int64_t columnsOf(const StaticSizes &sizes, const GPUChip &chip) {
  if (ShapedType::isDynamic(sizes.rows) || ShapedType::isDynamic(sizes.batch))
    return sizes.columns >= 256 ? 256 : 128;
  int64_t best = 0, bestCost = 0;
  for (int64_t columns : {256, 192, 128, 64}) {
    int64_t tiles = sizes.batch * llvm::divideCeil(sizes.rows, kConsumers * kInstructionRows) *
                    llvm::divideCeil(sizes.columns, columns);
    int64_t cost = llvm::divideCeil(tiles, chip.processors) * (columns + 32);
    if (!best || cost < bestCost) {
      best = columns;
      bestCost = cost;
    }
  }
  return best;
}

bool forge::takesProduct(const LibraryProduct &product, const GPUChip &chip) {
  StaticSizes sizes(product);
  auto isSmall = [](int64_t size) { return !ShapedType::isDynamic(size) && size < kLeastSize; };
  return !whyNot(product, sizes, chip) && !isSmall(sizes.rows) && !isSmall(sizes.columns) &&
         !isSmall(sizes.terms);
}

bool forge::beatsLibrary(const LibraryProduct &product, const GPUChip &chip) {
  StaticSizes sizes(product);
  // GELU costs more here than in the library, which computes its tanh by one instruction.
  if (!takesProduct(product, chip) || product.epilogue.activation == LibraryEpilogue::GeluTanh ||
      ShapedType::isDynamic(sizes.rows) || ShapedType::isDynamic(sizes.batch))
    return false;
  // Half a tile that is not there is time lost; and of long sums in few tiles the library gives
  // each to several multiprocessors.
  WgmmaTile tile;
  int64_t tileRows = llvm::divideCeil(sizes.rows, tile.rows);
  int64_t tiles = sizes.batch * tileRows * llvm::divideCeil(sizes.columns, columnsOf(sizes, chip));
  return 4 * sizes.rows >= 3 * tileRows * tile.rows &&
         (3 * tiles >= chip.processors || sizes.terms <= 1024);
}

static std::optional<KernelSchedule> plan(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (!product || !takesProduct(*product, chip))
    return std::nullopt;
  StaticSizes sizes(*product);
  WgmmaTile tile;
  tile.columns = columnsOf(sizes, chip);
  tile.stages = stagesOf(tile, chip);
  return KernelSchedule{
      "wgmma", "optimized", {tile.rows, tile.columns, tile.terms, tile.stages}, kWgmmaThreads};
}

static LogicalResult verify(func::FuncOp kernel, const KernelSchedule &schedule,
                            const GPUChip &chip) {
  if (schedule.tile.size() != 4)
    return kernel.emitError("expected 4 numbers in the tile of strategy wgmma, but got ")
           << schedule.tile.size();
  WgmmaTile tile = tileOf(schedule);
  if (tile.rows != kConsumers * kInstructionRows || tile.terms != kChunk)
    return kernel.emitError("expected tiles of ")
           << kConsumers * kInstructionRows << " rows and stages of " << kChunk
           << " terms, but got " << tile.rows << " and " << tile.terms;
  if (tile.columns < kChunk || tile.columns > 256 || tile.columns % kChunk != 0)
    return kernel.emitError("expected tiles of 64, 128, 192 or 256 columns, but got ")
           << tile.columns;
  if (tile.stages < 2 || tile.sharedBytes() > chip.maxSharedBytes)
    return kernel.emitError("expected 2 stages or more in ")
           << chip.maxSharedBytes << " bytes of shared memory, but got " << tile.stages << " in "
           << tile.sharedBytes();
  if (schedule.threads != kWgmmaThreads)
    return kernel.emitError("expected ")
           << kWgmmaThreads << " threads for strategy wgmma, but got " << schedule.threads;
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (!product)
    return kernel.emitError("expected a product of two matrices, perhaps with bias, residual and "
                            "activation, and nothing else for strategy 'wgmma'");
  if (const char *why = whyNot(*product, StaticSizes(*product), chip))
    return kernel.emitError("expected ") << why << " for strategy 'wgmma'";
  return success();
}

/// Dimensions from..to of `memref`, multiplied, as a value of the kernel function.
static Value sizeValue(ImplicitLocOpBuilder &b, Value memref, int64_t from, int64_t to) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t known = 1;
  Value size;
  for (int64_t dim = from; dim < to; ++dim) {
    if (!type.isDynamicDim(dim)) {
      known *= type.getDimSize(dim);
      continue;
    }
    Value extent = memref::DimOp::create(b, memref, dim);
    size = size ? arith::MulIOp::create(b, size, extent).getResult() : extent;
  }
  Value constant = arith::ConstantIndexOp::create(b, known);
  return size ? arith::MulIOp::create(b, size, constant).getResult() : constant;
}

/// How the tensor memory accelerator reads an operand, as an argument of `kernel` that it adds.
/// Rows of the operand are `box` rows of a copy; a copy takes as many columns as the pattern is
/// wide.
static MatrixMap addMap(func::FuncOp kernel, Value operand, int64_t batchDims, int64_t rowDims,
                        int64_t boxRows) {
  auto type = MemRefType::get(MatrixMap::kBytes, IntegerType::get(kernel.getContext(), 8));
  (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, operand.getLoc());
  return {cast<BlockArgument>(operand).getArgNumber(),
          batchDims,
          rowDims,
          boxRows,
          kChunk,
          kSwizzleBytes};
}

/// 1. A block is two warpgroups that multiply and one that copies; it takes one tile of the result
///    after the other, as many blocks as there are multiprocessors.
/// 2. The copying thread walks over the terms of a tile in stages: it waits until a stage is empty,
///    and has the tensor memory accelerator fill it with a slice of both operands.
/// 3. A multiplying warpgroup waits until a stage is full, adds its 64 rows times all columns to
///    its sums, which stay in registers, and gives the stage before back once its products have
///    ended.
/// 4. Bias, residual and activation are applied to the sums, lanes exchange them so that each has
///    eight columns, and they are stored 16 bytes at a time, while the next tile is being copied.
static FailureOr<LaunchShape> lower(func::FuncOp kernel, const KernelSchedule &schedule,
                                    const GPUChip &chip) {
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (!product)
    return kernel.emitError("expected a product of two matrices for strategy 'wgmma'"), failure();
  WgmmaTile tile = tileOf(schedule);
  WgmmaBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  // 1. Sizes, for the host too.
  int64_t batch = product->batchDims, rows = product->rowDims;
  Value out = product->out(), lhs = product->left(), rhs = product->right();
  int64_t outRank = cast<MemRefType>(out.getType()).getRank();
  int64_t lhsRank = cast<MemRefType>(lhs.getType()).getRank();
  int64_t sumDims = lhsRank - batch - rows, sumAt = batch + (product->lhsTransposed ? 0 : rows);
  Value extents[] = {sizeValue(b, out, 0, batch), sizeValue(b, out, batch, batch + rows),
                     sizeValue(b, out, batch + rows, outRank),
                     sizeValue(b, lhs, sumAt, sumAt + sumDims)};
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value tiles = arith::MulIOp::create(
      b, extents[0],
      arith::MulIOp::create(b, arith::CeilDivUIOp::create(b, extents[1], constant(tile.rows)),
                            arith::CeilDivUIOp::create(b, extents[2], constant(tile.columns))));
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = arith::MinUIOp::create(b, tiles, constant(chip.processors)).getResult();
  shape.block[0] = kWgmmaThreads;
  shape.dynamicSharedBytes = b.getIndexAttr(tile.sharedBytes());
  // 2. Tensor maps: a copy is as wide as the pattern, along what is contiguous in memory.
  bool lhsTransposed = product->lhsTransposed, rhsTransposed = product->rhsTransposed;
  shape.maps.push_back(addMap(kernel, lhs, batch, lhsTransposed ? sumDims : rows,
                              lhsTransposed ? tile.terms : tile.rows));
  int64_t columnDims = product->columnDims;
  shape.maps.push_back(addMap(kernel, rhs, batch, rhsTransposed ? columnDims : sumDims,
                              rhsTransposed ? tile.columns : tile.terms));
  Value maps[2];
  for (unsigned i = 0; i < 2; ++i)
    maps[i] = kernel.getArgument(kernel.getNumArguments() - 2 + i);
  ProductSizes sizes{b.toI32(extents[0]), b.toI32(extents[1]), b.toI32(extents[2]),
                     b.toI32(extents[3])};
  // 3. One thread's work in place of the operations.
  emitWgmmaKernel(b, *product, tile, sizes, maps[0], maps[1]);
  SmallVector<Operation *> old;
  for (Operation &op : kernel.getBody().front())
    if (isa<linalg::LinalgOp, memref::AllocOp, memref::DeallocOp>(op))
      old.push_back(&op);
  for (Operation *op : llvm::reverse(old))
    op->erase();
  return shape;
}

constexpr Strategy forge::wgmmaStrategy = {"wgmma", plan, verify, lower};
