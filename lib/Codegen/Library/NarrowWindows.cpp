#include "NarrowWindows.h"

#include "../Generic/ThreadTile.h"
#include "../Strategy/FactorPadding.h"
#include "../Strategy/ProductAxes.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace forge;

/// What a kernel that writes patches takes besides the bytes of its memory (as pieces of factors,
/// SplitFactors.cpp).
static constexpr double kSecondsOfPatches = 2e-6;

static double bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return static_cast<double>(
      saturatingMul(type.getNumElements(), bytesOfElement(type.getElementType())));
}

bool forge::beatsPatches(linalg::GenericOp contraction, const GPUChip &chip) {
  if (contraction.hasDynamicShape() || contraction.getNumDpsInputs() != 2)
    return false;
  auto op = cast<linalg::LinalgOp>(contraction.getOperation());
  Value image = contraction.getInputs()[0], kernel = contraction.getInputs()[1];
  AffineMap windows = contraction.getIndexingMapsArray()[0];
  int64_t columns = 1, patches = 1, terms = 1;
  for (auto [loop, size] : llvm::enumerate(contraction.getStaticLoopRanges())) {
    (windows.isFunctionOfDim(loop) ? patches : columns) =
        saturatingMul(windows.isFunctionOfDim(loop) ? patches : columns, size);
    if (contraction.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
      terms = saturatingMul(terms, size);
  }
  if (columns >= kPatchUses)
    return false;
  double result = bytesOf(contraction->getResult(0));
  double copies = static_cast<double>(saturatingMul(patches, bytesOfElement(image.getType())));
  ThreadTile tile = chooseThreadTile(op, accessesOf(op), /*mayRepeat=*/true);
  double products = static_cast<double>(saturatingMul(patches, columns));
  double direct =
      std::max({(bytesOf(image) + bytesOf(kernel) + result) / chip.copyBandwidth,
                products * 2 * kPositionsBesides * costOfProducts(op, tile) / chip.vectorFlops,
                static_cast<double>(terms) * kSecondsOfTerm});
  return direct < kSecondsOfPatches + (bytesOf(image) + 2 * copies + result) / chip.copyBandwidth;
}

/// The loops of one iteration along which no window moves: without such a loop, a window that
/// leaves an end of its operand unread would have to read all of it.
static SmallVector<unsigned> unitLoops(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    bool isWindow = llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return llvm::any_of(map.getResults(), [&](AffineExpr index) {
        return !isa<AffineDimExpr>(index) && index.isFunctionOfDim(loop);
      });
    });
    if (size == 1 && !isWindow)
      loops.push_back(loop);
  }
  return loops;
}

Value forge::dropUnitLoops(RewriterBase &rewriter, linalg::GenericOp contraction) {
  if (unitLoops(contraction).empty())
    return {};
  rewriter.setInsertionPoint(contraction);
  linalg::ControlDropUnitDims options;
  options.controlFn = [](Operation *op) { return unitLoops(cast<linalg::GenericOp>(op)); };
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, contraction, options);
  if (failed(dropped))
    return {};
  Value result = dropped->replacements.front();
  rewriter.replaceOp(contraction, dropped->replacements);
  return result;
}

void forge::allowReassociation(linalg::GenericOp contraction) {
  auto flags = arith::FastMathFlagsAttr::get(
      contraction.getContext(), arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
  for (Operation &inner : contraction.getBody()->without_terminator()) {
    if (auto sum = dyn_cast<arith::AddFOp>(inner))
      sum.setFastmathAttr(flags);
    else if (auto product = dyn_cast<arith::MulFOp>(inner))
      product.setFastmathAttr(flags);
  }
}

Value forge::withoutPadding(Value kernel) {
  auto slice = kernel.getDefiningOp<tensor::ExtractSliceOp>();
  auto op = slice ? slice.getSource().getDefiningOp<linalg::GenericOp>() : linalg::GenericOp();
  std::optional<FactorPadding> padding = op ? paddingOf(op) : std::nullopt;
  bool isWhole = padding && padding->source.getType() == kernel.getType() &&
                 slice.hasUnitStride() && slice.hasZeroOffset() &&
                 llvm::all_of(padding->low, [](int64_t low) { return low == 0; });
  return isWhole ? padding->source : kernel;
}

void forge::foldReshapes(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  // Operands that were different reshapes of one tensor.
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyPatternsGreedily(root, std::move(patterns));
}
