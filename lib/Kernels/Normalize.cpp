// The forms of operations on tensors that kernels are made of.
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {
/// tensor.from_elements: insertions into an empty tensor. A tensor of rank 0 whose one element
/// comes from a tensor of rank 0 is that tensor.
struct InsertElements : public OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    Value result = tensor::EmptyOp::create(rewriter, loc, type, ValueRange());
    if (type.getRank() == 0 || op.getElements().size() == 1) {
      auto fill = linalg::FillOp::create(rewriter, loc, op.getElements().front(), result);
      rewriter.replaceOp(op, fill.getResult(0));
      return success();
    }
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (auto [number, element] : llvm::enumerate(op.getElements())) {
      SmallVector<Value> indices;
      for (int64_t index : delinearize(number, strides))
        indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, index));
      result = tensor::InsertOp::create(rewriter, loc, element, result, indices);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// tensor.reshape, which reads its sizes from a tensor: the sizes as scalars.
struct ReshapeByScalars : public OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto result = dyn_cast<RankedTensorType>(op.getResult().getType());
    if (!source || !result)
      return rewriter.notifyMatchFailure(op, "unranked");
    Location loc = op.getLoc();
    Value flat = op.getSource();
    if (source.getRank() > 1) {
      ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
      flat = tensor::CollapseShapeOp::create(rewriter, loc, flat,
                                             SmallVector<ReassociationIndices>{all});
    }
    if (result.getRank() == 1 && source.getRank() > 0) {
      rewriter.replaceOpWithNewOp<tensor::CastOp>(op, result, flat);
      return success();
    }
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < result.getRank(); ++dim)
      sizes.push_back(sizeOf(op, dim, rewriter));
    SmallVector<ReassociationIndices> groups;
    if (source.getRank() > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, result.getRank())));
    if (result.getRank() == 0)
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, result, flat,
                                                           SmallVector<ReassociationIndices>());
    else
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, result, flat, groups, sizes);
    return success();
  }

  static OpFoldResult sizeOf(tensor::ReshapeOp op, int64_t dim, PatternRewriter &rewriter) {
    auto result = cast<RankedTensorType>(op.getResult().getType());
    if (!result.isDynamicDim(dim))
      return rewriter.getIndexAttr(result.getDimSize(dim));
    Location loc = op.getLoc();
    Value index = arith::ConstantIndexOp::create(rewriter, loc, dim);
    Value size = tensor::ExtractOp::create(rewriter, loc, op.getShape(), index);
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), size);
    return size;
  }
};
} // namespace

/// The kernel that makes `owner` takes the slice along: it reads it as a plain operand.
static bool takesSlice(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(owner))
    return linalgOp.isDpsInput(&use);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(owner))
    return &use == &insert.getSourceMutable();
  if (isa<tensor::ExtractSliceOp>(owner))
    return llvm::all_of(owner->getUses(), takesSlice);
  if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(owner))
    return &use == &copy.getSourceMutable();
  return isa<tensor::DimOp>(owner);
}

/// A slice that something else uses becomes a tensor of its own there.
static void copySlice(tensor::ExtractSliceOp slice) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : slice->getUses())
    if (!takesSlice(use))
      uses.push_back(&use);
  if (uses.empty())
    return;
  OpBuilder builder(slice);
  builder.setInsertionPointAfter(slice);
  Location loc = slice.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, slice.getResult());
  RankedTensorType type = slice.getResultType();
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value result =
      bufferization::MaterializeInDestinationOp::create(builder, loc, empty.getType(), slice, empty)
          .getResult();
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  for (OpOperand *use : uses)
    use->set(result);
}

/// Results that start from a constant of one value start from a fill, which the kernel takes along.
static void fillConstants(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    DenseElementsAttr constant;
    if (!matchPattern(init.get(), m_Constant(&constant)) || !constant.isSplat())
      continue;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(init.get().getType());
    Value value = arith::ConstantOp::create(builder, loc, constant.getSplatValue<TypedAttr>());
    Value empty = tensor::EmptyOp::create(builder, loc, type, ValueRange());
    init.set(linalg::FillOp::create(builder, loc, value, empty).getResult(0));
  }
}

LogicalResult forge::normalizeForKernels(func::FuncOp host) {
  RewritePatternSet patterns(host.getContext());
  patterns.add<InsertElements, ReshapeByScalars>(host.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  if (failed(applyPatternsGreedily(host, std::move(patterns))))
    return failure();
  // Dense constants are the host's, which uploads them; a kernel gets them as arguments.
  Block &entry = host.getBody().front();
  SmallVector<Operation *> constants;
  host.walk([&](arith::ConstantOp op) {
    if (isa<ShapedType>(op.getType()) && op->getBlock() != &entry)
      constants.push_back(op);
  });
  for (Operation *op : constants)
    op->moveBefore(&entry, entry.begin());
  host.walk([](tensor::ExtractSliceOp slice) { copySlice(slice); });
  host.walk([](linalg::LinalgOp op) { fillConstants(op); });
  return success();
}
