// Running reductions whose blocks are reduced side by side, for devices.
#include "Scan.h"

#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

namespace {
/// [..., size, ...] as [..., blocks, block, ...].
struct Blocks {
  int64_t dim, count, block;
  bool reversed;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;

  Blocks(const Scan &scan, RankedTensorType type, int64_t block)
      : dim(scan.dim), count(type.getDimSize(scan.dim) / block), block(block),
        reversed(scan.reversed) {
    for (auto [number, size] : llvm::enumerate(type.getShape())) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      shape.push_back(static_cast<int64_t>(number) == dim ? count : size);
      if (static_cast<int64_t>(number) == dim) {
        groups.back().push_back(shape.size());
        shape.push_back(block);
      }
    }
  }

  /// The sizes without the block's own dimension.
  SmallVector<int64_t> outer() const {
    SmallVector<int64_t> sizes(shape);
    sizes.erase(sizes.begin() + dim + 1);
    return sizes;
  }
};
} // namespace

static SmallVector<Value> constants(IndexBuilder ib, ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(sizes, [&](int64_t size) { return ib.constant(size); });
}

static SmallVector<Value> with(ValueRange places, int64_t dim, Value place) {
  SmallVector<Value> all(places);
  all.insert(all.begin() + dim, place);
  return all;
}

/// Of each block the running reductions of its own elements.
static FailureOr<Value> reduceBlocks(IndexBuilder ib, const Blocks &blocks, Value input,
                                     TypedAttr neutralAttr, Region &body, Operation *wide) {
  Value empty = tensor::EmptyOp::create(ib.b, ib.loc, blocks.shape, neutralAttr.getType());
  Value neutral = arith::ConstantOp::create(ib.b, ib.loc, neutralAttr);
  bool hasScalarForm = true;
  auto read = [&](IndexBuilder in, ValueRange place) {
    return SmallVector<Value>{in.read(input, place)};
  };
  auto step = [&](IndexBuilder in, ValueRange place, ValueRange elements, ValueRange values) {
    FailureOr<SmallVector<Value>> sum =
        emitCombiner(in.b, body, {values[0], elements.front()}, wide);
    hasScalarForm &= succeeded(sum);
    if (failed(sum))
      return SmallVector<Value>(values);
    return SmallVector<Value>{sum->front(), in.write(sum->front(), values[1], place)};
  };
  auto line = [&](IndexBuilder outer, ValueRange places, ValueRange tensors) {
    return emitLine(outer, {blocks.dim + 1, blocks.reversed}, outer.constant(blocks.block), places,
                    neutral, tensors, /*isAhead=*/true, read, step);
  };
  Value sums = ib.loops(constants(ib, blocks.outer()), empty, line).front();
  return hasScalarForm ? FailureOr<Value>(sums) : FailureOr<Value>(failure());
}

/// What comes before each block: `init`, then that and the whole of the block before.
static Value reduceBeforeBlocks(IndexBuilder ib, const Blocks &blocks, Value sums, Value init,
                                Region &body, Operation *wide) {
  Value empty = tensor::EmptyOp::create(ib.b, ib.loc, blocks.outer(), init.getType());
  SmallVector<int64_t> sizes = blocks.outer();
  sizes.erase(sizes.begin() + blocks.dim);
  int64_t last = blocks.reversed ? 0 : blocks.block - 1;
  auto read = [&](IndexBuilder in, ValueRange place) {
    return SmallVector<Value>{in.read(sums, with(place, blocks.dim + 1, in.constant(last)))};
  };
  auto step = [&](IndexBuilder in, ValueRange place, ValueRange wholes, ValueRange values) {
    Value written = in.write(values[0], values[1], place);
    Value next = emitCombiner(in.b, body, {values[0], wholes.front()}, wide)->front();
    return SmallVector<Value>{next, written};
  };
  auto line = [&](IndexBuilder outer, ValueRange places, ValueRange tensors) {
    return emitLine(outer, {blocks.dim, blocks.reversed}, outer.constant(blocks.count), places,
                    init, tensors, /*isAhead=*/true, read, step);
  };
  return ib.loops(constants(ib, sizes), empty, line).front();
}

/// `input` with a last block that is whole: the elements beyond are `neutral`.
static Value padToBlocks(OpBuilder &builder, Location loc, Value input, TypedAttr neutral,
                         int64_t dim, int64_t size) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  if (auto number = dyn_cast<FloatAttr>(neutral))
    neutral = builder.getFloatAttr(type.getElementType(), number.getValueAsDouble());
  Value constant = arith::ConstantOp::create(builder, loc, neutral);
  Value filled = linalg::FillOp::create(builder, loc, constant, empty).getResult(0);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, input, filled, offsets, sizes, strides);
}

FailureOr<Value> forge::createBlockedScan(OpBuilder &builder, Location loc, const Scan &scan,
                                          Value input, Value init, TypedAttr neutral,
                                          RankedTensorType type, Region &body, int64_t block) {
  IndexBuilder ib{builder, loc};
  int64_t length = type.getDimSize(scan.dim), whole = llvm::alignTo(length, block);
  if (whole != length)
    input = padToBlocks(builder, loc, input, neutral, scan.dim, whole);
  auto inputType = cast<RankedTensorType>(input.getType());
  Blocks blocks(scan, inputType, block);
  input = tensor::ExpandShapeOp::create(builder, loc, inputType.clone(blocks.shape), input,
                                        blocks.groups);
  Operation *wide = getWideCombiner(body);
  FailureOr<Value> sums = reduceBlocks(ib, blocks, input, neutral, body, wide);
  if (failed(sums))
    return failure();
  Value before = reduceBeforeBlocks(ib, blocks, *sums, init, body, wide);
  Value empty = tensor::EmptyOp::create(builder, loc, blocks.shape, type.getElementType());
  int64_t rank = static_cast<int64_t>(blocks.shape.size());
  AffineMap all = builder.getMultiDimIdentityMap(rank), outer = all.dropResult(blocks.dim + 1);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value totals =
      linalg::GenericOp::create(builder, loc, empty.getType(), ValueRange{before, *sums}, empty,
                                ArrayRef<AffineMap>{outer, all, all}, loops,
                                [&](OpBuilder &b, Location l, ValueRange values) {
                                  Value total =
                                      emitCombiner(b, body, {values[0], values[1]}, wide)->front();
                                  if (isa<FloatType>(total.getType()))
                                    total = castFloat(b, l, total, type.getElementType());
                                  linalg::YieldOp::create(b, l, total);
                                })
          .getResult(0);
  Value joined = tensor::CollapseShapeOp::create(builder, loc, totals, blocks.groups);
  if (whole == length)
    return joined;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, type, joined, offsets, sizes, strides)
      .getResult();
}
