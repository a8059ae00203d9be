// Slices that are reshaped, as slices of what is reshaped; reshapes of reshapes.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge {
namespace {

/// expand_shape(extract_slice(x)) becomes extract_slice(expand_shape(x)) where whole parts of a
/// divided dimension are sliced: a view of x, which whatever reads the slice can read in place.
struct ExpandBeforeSlice : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto slice = expand.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.getSourceType().hasStaticShape() ||
        !expand.getResultType().hasStaticShape())
      return rewriter.notifyMatchFailure(expand, "expected a slice, of sizes that are known");
    ArrayRef<int64_t> sizesThere = expand.getResultType().getShape();
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices(), sourceGroups;
    // Dimensions of one element are dropped elsewhere.
    auto isDivided = [&](const ReassociationIndices &group) {
      return llvm::count_if(group, [&](int64_t dim) { return sizesThere[dim] != 1; }) > 1;
    };
    if (llvm::none_of(groups, isDivided))
      return rewriter.notifyMatchFailure(expand, "divides nothing");
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<int64_t> shape;
    SmallVector<OpFoldResult> offsets, sizes, strides;
    auto add = [&](int64_t extent, OpFoldResult offset, int64_t size, OpFoldResult stride) {
      sourceGroups.back().push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(extent);
      offsets.push_back(offset);
      sizes.push_back(rewriter.getIndexAttr(size));
      strides.push_back(stride);
    };
    unsigned next = 0;
    for (auto [dim, extent] : llvm::enumerate(slice.getSourceType().getShape())) {
      OpFoldResult offset = slice.getMixedOffsets()[dim], stride = slice.getMixedStrides()[dim];
      sourceGroups.emplace_back();
      if (dropped[dim]) {
        add(extent, offset, 1, stride);
        continue;
      }
      // 1. The outermost part of a divided dimension is sliced, the others are whole.
      const ReassociationIndices &group = groups[next++];
      ArrayRef<int64_t> divided = sizesThere.slice(static_cast<size_t>(group[0]), group.size());
      int64_t part = ShapedType::getNumElements(divided.drop_front());
      if (divided.size() > 1) {
        std::optional<int64_t> begin = getConstantIntValue(offset);
        if (part == 0 || !begin || !isOneInteger(stride) || *begin % part != 0 ||
            extent % part != 0)
          return rewriter.notifyMatchFailure(expand, "expected whole parts");
        offset = rewriter.getIndexAttr(*begin / part);
      }
      add(extent / part, offset, divided.front(), stride);
      for (int64_t whole : divided.drop_front())
        add(whole, rewriter.getIndexAttr(0), whole, rewriter.getIndexAttr(1));
    }
    // 2. The reshape of the source, and the slice of that.
    Value all = tensor::ExpandShapeOp::create(rewriter, expand.getLoc(),
                                              expand.getResultType().clone(shape),
                                              slice.getSource(), sourceGroups);
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(expand, expand.getResultType(), all,
                                                        offsets, sizes, strides);
    return success();
  }
};

/// collapse_shape(expand_shape(x)) becomes one reshape where one is enough: where dimensions of one
/// element that the first puts in are dropped by the second, whichever dimension each counts them
/// to (as jnp.tile and views of windows leave them).
struct JoinReshapes : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    auto expand = collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand)
      return rewriter.notifyMatchFailure(collapse, "expected a reshape of a reshape");
    RankedTensorType from = expand.getSrcType(), to = collapse.getResultType();
    if (!from.hasStaticShape() || !to.hasStaticShape() || to.getNumElements() == 0)
      return rewriter.notifyMatchFailure(collapse, "expected elements, and sizes that are known");
    if (from == to) {
      rewriter.replaceOp(collapse, expand.getSrc());
      return success();
    }
    auto groups = getReassociationIndicesForReshape(from, to);
    if (!groups || from.getRank() == to.getRank())
      return rewriter.notifyMatchFailure(collapse, "one reshape is not enough");
    if (from.getRank() < to.getRank())
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(collapse, to, expand.getSrc(), *groups);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(collapse, to, expand.getSrc(), *groups);
    return success();
  }
};

} // namespace

void populateSlicesOfReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandBeforeSlice, JoinReshapes>(patterns.getContext());
}

} // namespace forge
