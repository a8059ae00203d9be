// gather and dynamic_gather: every element of the result is read at a computed position.
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::DynamicGatherOp;
using stablehlo::GatherDimensionNumbersAttr;
using stablehlo::GatherOp;

namespace {

/// A gather whose slice sizes are values.
struct GatherPlan {
  Value operand, starts;
  bool unsignedStarts;
  GatherDimensionNumbersAttr dims;
  SmallVector<OpFoldResult> sliceSizes;

  int64_t operandRank() const { return cast<RankedTensorType>(operand.getType()).getRank(); }
  int64_t startsRank() const { return cast<RankedTensorType>(starts.getType()).getRank(); }
  /// Operand dimensions that appear in the result as offset dimensions, in order.
  SmallVector<int64_t> offsetOperandDims() const {
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < operandRank(); ++dim)
      if (!llvm::is_contained(dims.getCollapsedSliceDims(), dim) &&
          !llvm::is_contained(dims.getOperandBatchingDims(), dim))
        kept.push_back(dim);
    return kept;
  }
};

} // namespace

/// `position` in the start indices that belongs to the batch index of a result element, with
/// component `component` along index_vector_dim.
static SmallVector<Value> getStartPosition(OpBuilder &b, Location loc, const GatherPlan &plan,
                                           ValueRange batch, int64_t component) {
  SmallVector<Value> position(batch);
  if (plan.dims.getIndexVectorDim() < plan.startsRank())
    position.insert(position.begin() + plan.dims.getIndexVectorDim(),
                    arith::ConstantIndexOp::create(b, loc, component));
  return position;
}

/// The operand element for result indices `indices`: start (clamped) + batching index + offset.
static Value emitGatherElement(OpBuilder &b, Location loc, const GatherPlan &plan,
                               ValueRange indices) {
  SmallVector<Value> batch, offsets;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    bool isOffset = llvm::is_contained(plan.dims.getOffsetDims(), int64_t(dim));
    (isOffset ? offsets : batch).push_back(index);
  }
  SmallVector<Value> position(plan.operandRank());
  for (auto [dim, offset] : llvm::zip_equal(plan.offsetOperandDims(), offsets))
    position[dim] = offset;
  for (auto [operandDim, startsDim] :
       llvm::zip_equal(plan.dims.getOperandBatchingDims(), plan.dims.getStartIndicesBatchingDims()))
    position[operandDim] =
        batch[startsDim < plan.dims.getIndexVectorDim() ? startsDim : startsDim - 1];
  for (auto [component, dim] : llvm::enumerate(plan.dims.getStartIndexMap())) {
    Value start = tensor::ExtractOp::create(b, loc, plan.starts,
                                            getStartPosition(b, loc, plan, batch, component));
    start = castToIndex(b, loc, start, plan.unsignedStarts);
    Value size = getDim(b, loc, plan.operand, dim);
    Value slice = getValueOrCreateConstantIndexOp(b, loc, plan.sliceSizes[dim]);
    start = clampStart(b, loc, start, size, slice);
    position[dim] = position[dim] ? arith::AddIOp::create(b, loc, start, position[dim]) : start;
  }
  for (Value &index : position)
    if (!index)
      index = arith::ConstantIndexOp::create(b, loc, 0);
  return tensor::ExtractOp::create(b, loc, plan.operand, position);
}

static Value createGather(OpBuilder &builder, Location loc, const GatherPlan &plan,
                          RankedTensorType type) {
  // Offset dimensions of the result have slice sizes, the others those of the start indices.
  SmallVector<OpFoldResult> sizes(type.getRank()), startSizes = getSizes(builder, loc, plan.starts);
  if (plan.dims.getIndexVectorDim() < plan.startsRank())
    startSizes.erase(startSizes.begin() + plan.dims.getIndexVectorDim());
  for (auto [dim, source] : llvm::zip_equal(plan.dims.getOffsetDims(), plan.offsetOperandDims()))
    sizes[dim] = plan.sliceSizes[source];
  auto next = startSizes.begin();
  for (OpFoldResult &size : sizes)
    if (!size)
      size = *next++;
  Value init = createEmpty(builder, loc, type, sizes);
  return createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) {
    return emitGatherElement(b, l, plan, indices);
  });
}

namespace {

struct GatherPattern : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    GatherPlan plan{adaptor.getOperand(),
                    adaptor.getStartIndices(),
                    getElementTypeOrSelf(op.getStartIndices().getType()).isUnsignedInteger(),
                    op.getDimensionNumbers(),
                    {}};
    for (int64_t size : op.getSliceSizes())
      plan.sliceSizes.push_back(rewriter.getIndexAttr(size));
    rewriter.replaceOp(op, createGather(rewriter, op.getLoc(), plan, type));
    return success();
  }
};

struct DynamicGatherPattern : OpConversionPattern<DynamicGatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicGatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    GatherPlan plan{adaptor.getOperand(),
                    adaptor.getStartIndices(),
                    getElementTypeOrSelf(op.getStartIndices().getType()).isUnsignedInteger(),
                    op.getDimensionNumbers(),
                    {}};
    for (int64_t dim = 0; dim < plan.operandRank(); ++dim) {
      Value size = extractIndex(rewriter, loc, adaptor.getSliceSizes(), dim);
      Value limit = getDim(rewriter, loc, plan.operand, dim);
      Value fits = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, size, limit);
      createRuntimeAssert(rewriter, loc, fits,
                          "dynamic_gather: expected a slice size of at most {1} along dimension " +
                              std::to_string(dim) + ", but got {0}",
                          {size, limit});
      plan.sliceSizes.push_back(getAsOpFoldResult(size));
    }
    rewriter.replaceOp(op, createGather(rewriter, loc, plan, type));
    return success();
  }
};

} // namespace

void forge::populateGatherPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GatherPattern, DynamicGatherPattern>(converter, patterns.getContext());
}
