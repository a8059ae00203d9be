// Slices that are reshaped, as slices of what is reshaped.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

} // namespace

void populateSlicesOfReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandBeforeSlice>(patterns.getContext());
}

} // namespace forge
