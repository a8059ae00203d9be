// Factors of products that are made of much smaller tensors, and of which each element is
// multiplied once: they are computed where they are multiplied, and are not in memory.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace forge {
namespace {

/// Elements of a factor, at least, for which computing it apart takes time.
constexpr int64_t kLeastElements = 1 << 16;
/// Times that a factor has more elements than anything it is made of: numbers in packed words and
/// their scales are read as they are, by kernels for that.
constexpr int64_t kLeastGrowth = 32;
/// Operations of a body, at most.
constexpr int64_t kMostOperations = 64;

/// The elementwise operations that make `value` of tensors of at most `most` elements; false where
/// there are others.
bool collectMakers(Value value, int64_t most, linalg::GenericOp consumer, int64_t &operations,
                   llvm::SmallSetVector<Operation *, 8> &makers) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape() && type.getNumElements() <= most)
    return true;
  auto maker = value.getDefiningOp<linalg::GenericOp>();
  if (!maker || maker->getBlock() != consumer->getBlock() || maker->hasAttr(kScheduleAttr) ||
      !maker.hasPureTensorSemantics() || maker.getNumReductionLoops() > 0 ||
      maker->getNumResults() != 1 ||
      !maker.getIndexingMapMatchingResult(maker->getResult(0)).isPermutation() ||
      maker.payloadUsesValueFromOperand(maker.getDpsInitOperand(0)) ||
      wouldReadOverwritten(maker, consumer))
    return false;
  if (!makers.insert(maker))
    return true;
  if (++operations > kMostOperations)
    return false;
  for (Operation &inner : maker.getBody()->without_terminator()) {
    if (inner.getNumRegions() > 0 || !isMemoryEffectFree(&inner) || isa<tensor::ExtractOp>(inner) ||
        ++operations > kMostOperations)
      return false;
  }
  return llvm::all_of(maker.getDpsInputOperands(), [&](OpOperand *input) {
    return !isa<RankedTensorType>(input->get().getType()) ||
           (maker.getMatchingIndexingMap(input).isProjectedPermutation() &&
            collectMakers(input->get(), most, consumer, operations, makers));
  });
}

/// What makes factors of `product` that are read once per element, of much smaller tensors.
llvm::SmallSetVector<Operation *, 8> makersOfFactors(linalg::GenericOp product) {
  llvm::SmallSetVector<Operation *, 8> makers;
  if (!linalg::isaContractionOpInterface(product) || product->hasAttr(kScheduleAttr) ||
      !product.hasPureTensorSemantics())
    return makers;
  int64_t operations = 0;
  for (OpOperand *factor : product.getDpsInputOperands()) {
    auto type = cast<RankedTensorType>(factor->get().getType());
    llvm::SmallSetVector<Operation *, 8> own;
    if (type.hasStaticShape() && type.getNumElements() >= kLeastElements &&
        product.getMatchingIndexingMap(factor).isPermutation() &&
        collectMakers(factor->get(), type.getNumElements() / kLeastGrowth, product, operations,
                      own))
      makers.insert_range(own);
  }
  return makers;
}

} // namespace

bool fuseGeneratedFactors(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::GenericOp> products;
  root->walk([&](linalg::GenericOp op) { products.push_back(op); });
  bool changed = false;
  for (linalg::GenericOp product : products) {
    llvm::SmallSetVector<Operation *, 8> makers = makersOfFactors(product);
    auto nextFactor = [&]() -> OpOperand * {
      for (OpOperand *input : product.getDpsInputOperands())
        if (makers.contains(input->get().getDefiningOp()))
          return input;
      return nullptr;
    };
    while (OpOperand *factor = makers.empty() ? nullptr : nextFactor()) {
      rewriter.setInsertionPoint(product);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, factor);
      if (failed(fused))
        break;
      for (auto [from, to] : fused->replacements)
        rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
          return from.getDefiningOp() == product.getOperation() && use.getOwner() != fused->fusedOp;
        });
      rewriter.eraseOp(product);
      product = cast<linalg::GenericOp>(fused->fusedOp);
      changed = true;
    }
  }
  return changed;
}

} // namespace forge
