#include "WgmmaStrategy.h"

#include "WgmmaKernel.h"
#include "WgmmaPlan.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

WgmmaTile forge::tileOf(const KernelSchedule &schedule, int64_t parts) {
  WgmmaTile tile;
  tile.parts = parts;
  tile.rows = schedule.tile[0];
  tile.columns = schedule.tile[1];
  tile.terms = schedule.tile[2];
  tile.stages = schedule.tile[3];
  return tile;
}

static std::optional<KernelSchedule> plan(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product || !takesProduct(*product, chip))
    return std::nullopt;
  WgmmaTile tile = planWgmma(*product, chip);
  return KernelSchedule{
      "wgmma", "optimized", {tile.rows, tile.columns, tile.terms, tile.stages}, kWgmmaThreads};
}

static LogicalResult verify(func::FuncOp kernel, const KernelSchedule &schedule,
                            const GPUChip &chip) {
  if (schedule.tile.size() != 4)
    return kernel.emitError("expected 4 numbers in the tile of strategy wgmma, but got ")
           << schedule.tile.size();
  WgmmaTile tile = tileOf(schedule, 1);
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
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return kernel.emitError("expected a product of two matrices, or two with one left factor, "
                            "perhaps with an elementwise operation behind, and nothing else for "
                            "strategy 'wgmma'");
  if (const char *why = whyNotWgmma(*product, chip))
    return kernel.emitError("expected ") << why << " for strategy 'wgmma'";
  if (tile.columns % (product->numParts() * kChunk) != 0)
    return kernel.emitError("expected tiles of 128 or 256 columns for a pair of products, but got ")
           << tile.columns;
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
/// 4. What follows is computed of the sums, lanes exchange results of 16 bits so that each has
///    eight columns, and they are stored 16 bytes at a time, while the next tile is being copied.
/// 5. Of a pair of products a tile has the same columns of both right factors, one behind the other
///    in shared memory: to the instructions they are one matrix.
static FailureOr<LaunchShape> lower(func::FuncOp kernel, const KernelSchedule &schedule,
                                    const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return kernel.emitError("expected a product of two matrices for strategy 'wgmma'"), failure();
  const LibraryProduct &matrices = product->matrices();
  WgmmaTile tile = tileOf(schedule, product->numParts());
  WgmmaBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  // 1. Sizes, for the host too.
  int64_t batch = matrices.batchDims, rows = matrices.rowDims;
  Value out = product->results().front(), lhs = product->left();
  int64_t outRank = cast<MemRefType>(out.getType()).getRank();
  int64_t lhsRank = cast<MemRefType>(lhs.getType()).getRank();
  int64_t sumDims = lhsRank - batch - rows, sumAt = batch + (matrices.lhsTransposed ? 0 : rows);
  Value extents[] = {sizeValue(b, out, 0, batch), sizeValue(b, out, batch, batch + rows),
                     sizeValue(b, out, batch + rows, outRank),
                     sizeValue(b, lhs, sumAt, sumAt + sumDims)};
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value tileRows = arith::CeilDivUIOp::create(b, extents[1], constant(tile.rows));
  Value tileColumns = arith::CeilDivUIOp::create(b, extents[2], constant(tile.partColumns()));
  Value tiles =
      arith::MulIOp::create(b, extents[0], arith::MulIOp::create(b, tileRows, tileColumns));
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = arith::MinUIOp::create(b, tiles, constant(chip.processors)).getResult();
  shape.block[0] = kWgmmaThreads;
  shape.dynamicSharedBytes = b.getIndexAttr(tile.sharedBytes());
  // 2. Tensor maps: a copy is as wide as the pattern, along what is contiguous in memory.
  bool lhsTransposed = matrices.lhsTransposed, rhsTransposed = matrices.rhsTransposed;
  shape.maps.push_back(addMap(kernel, lhs, batch, lhsTransposed ? sumDims : rows,
                              lhsTransposed ? tile.terms : tile.rows));
  for (const LibraryProduct &part : product->parts)
    shape.maps.push_back(addMap(kernel, part.right(), batch,
                                rhsTransposed ? matrices.columnDims : sumDims,
                                rhsTransposed ? tile.partColumns() : tile.terms));
  ProductSizes sizes{b.toI32(extents[0]), b.toI32(extents[1]), b.toI32(extents[2]),
                     b.toI32(extents[3])};
  // 3. One thread's work in place of the operations.
  emitWgmmaKernel(b, *product, tile, sizes,
                  ValueRange(kernel.getArguments()).take_back(shape.maps.size()));
  eraseReplaced(kernel);
  return shape;
}

constexpr Strategy forge::wgmmaStrategy = {"wgmma", plan, verify, lower};
