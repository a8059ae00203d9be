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
    if (!slice || slice.getSourceType().getRank() != slice.getType().getRank() ||
        !slice.getSourceType().hasStaticShape() || !expand.getResultType().hasStaticShape())
      return rewriter.notifyMatchFailure(expand, "expected a slice of as many dimensions, of sizes "
                                                 "that are known");
    SmallVector<int64_t> shape;
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
      int64_t size = slice.getSourceType().getDimSize(static_cast<int64_t>(dim));
      OpFoldResult offset = slice.getMixedOffsets()[dim], stride = slice.getMixedStrides()[dim];
      ArrayRef<int64_t> divided =
          expand.getResultType().getShape().slice(static_cast<size_t>(group[0]), group.size());
      // 1. The outermost part of a divided dimension is sliced, the others are whole.
      if (divided.size() > 1) {
        int64_t part = ShapedType::getNumElements(divided.drop_front());
        std::optional<int64_t> begin = getConstantIntValue(offset);
        if (part == 0 || !begin || !isOneInteger(stride) || *begin % part != 0 || size % part != 0)
          return rewriter.notifyMatchFailure(expand, "expected whole parts");
        size /= part;
        offset = rewriter.getIndexAttr(*begin / part);
      }
      shape.push_back(size);
      offsets.push_back(offset);
      strides.push_back(stride);
      for (int64_t whole : divided.drop_front()) {
        shape.push_back(whole);
        offsets.push_back(rewriter.getIndexAttr(0));
        strides.push_back(rewriter.getIndexAttr(1));
      }
    }
    for (int64_t size : expand.getResultType().getShape())
      sizes.push_back(rewriter.getIndexAttr(size));
    // 2. The reshape of the source, and the slice of that.
    Value all = tensor::ExpandShapeOp::create(rewriter, expand.getLoc(),
                                              expand.getResultType().clone(shape),
                                              slice.getSource(), expand.getReassociationIndices());
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
