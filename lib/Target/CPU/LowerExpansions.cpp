#include "forge/Codegen/ContiguousView.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_LOWEREXPANSIONSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-lower-expansions"

using namespace mlir;

/// True if some dimension of the source becomes several of which more than one is open.
static bool hasSeveralOpenSizes(memref::ExpandShapeOp expand) {
  MemRefType type = expand.getResultType();
  return llvm::any_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return type.isDynamicDim(dim); }) > 1;
  });
}

/// `known` where the type says it, else `computed`.
static OpFoldResult staticOr(OpBuilder &builder, int64_t known, OpFoldResult computed) {
  return ShapedType::isDynamic(known) ? computed : builder.getIndexAttr(known);
}

// 1. The sizes are the operands of the expansion.
// 2. Within a group the innermost dimension has the stride of the dimension it comes from, every
//    other that of the next one times its size.
// 3. The view starts where the source starts.
static void lower(memref::ExpandShapeOp expand) {
  OpBuilder builder(expand);
  Location loc = expand.getLoc();
  auto source = memref::ExtractStridedMetadataOp::create(builder, loc, expand.getSrc());
  auto [sourceStrides, sourceOffset] = expand.getSrcType().getStridesAndOffset();
  auto [knownStrides, knownOffset] = expand.getResultType().getStridesAndOffset();
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [from, group] : llvm::enumerate(expand.getReassociationIndices())) {
    OpFoldResult stride = staticOr(builder, sourceStrides[from], source.getStrides()[from]);
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = staticOr(builder, knownStrides[dim], stride);
      if (dim != group.front())
        stride = forge::multiplySizes(builder, loc, strides[dim], sizes[dim]);
    }
  }
  OpFoldResult offset = staticOr(builder, knownOffset, source.getOffset());
  auto view = memref::ReinterpretCastOp::create(builder, loc, expand.getResultType(),
                                                source.getBaseBuffer(), offset, sizes, strides);
  expand.replaceAllUsesWith(view.getResult());
  expand.erase();
}

namespace {
struct LowerExpansionsPass : public forge::impl::LowerExpansionsPassBase<LowerExpansionsPass> {
  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp expand) {
      if (hasSeveralOpenSizes(expand))
        lower(expand);
    });
  }
};
} // namespace
