// Products of numbers of few bits: the CPU widens them where they are multiplied.
#include "MadeFactor.h"
#include "Problem.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/Debug.h"

namespace forge {
#define GEN_PASS_DEF_FUSENARROWFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-narrow-factors"

using namespace mlir;
using namespace forge;
using namespace forge::contraction;

namespace {

/// Elements of a factor for which a kernel of its own is worth its compile time.
constexpr int64_t kLeastElements = 256;

int64_t bytesOf(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return saturatingMul(type.getNumElements(), type.getElementTypeBitWidth()) / 8;
}

/// Whether `maker` reads at most three quarters of the bytes that it writes.
bool widens(linalg::GenericOp maker) {
  llvm::SmallSetVector<Value, 4> read;
  for (Value input : maker.getDpsInputs())
    read.insert(input);
  maker.getBody()->walk([&](tensor::ExtractOp extract) { read.insert(extract.getTensor()); });
  int64_t bytes = 0;
  for (Value tensor : read)
    bytes = saturatingAdd(bytes, bytesOf(tensor));
  return bytes > 0 && saturatingMul(bytes, 4) <= saturatingMul(bytesOf(maker->getResult(0)), 3);
}

/// What makes `factor` of `product`, for it alone.
linalg::GenericOp makerOf(OpOperand &factor, linalg::GenericOp product) {
  auto maker = factor.get().getDefiningOp<linalg::GenericOp>();
  auto type = dyn_cast<RankedTensorType>(factor.get().getType());
  if (!maker || !type || !type.hasStaticShape() || type.getNumElements() < kLeastElements ||
      maker->getBlock() != product->getBlock() || maker->hasAttr(kScheduleAttr) ||
      !maker.hasPureTensorSemantics() || maker->getNumResults() != 1 || !maker->hasOneUse() ||
      maker.getNumReductionLoops() > 0 ||
      !maker.getIndexingMapMatchingResult(maker->getResult(0)).isPermutation() ||
      maker.payloadUsesValueFromOperand(maker.getDpsInitOperand(0)) || !widens(maker) ||
      wouldReadOverwritten(maker, product))
    return {};
  return maker;
}

/// Indices of the loops of the fused operation are those loops; of others there are none.
void simplifyIndices(RewriterBase &rewriter, linalg::GenericOp op) {
  for (auto apply : llvm::make_early_inc_range(op.getBody()->getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    if (auto values = affine::expandAffineMap(rewriter, apply.getLoc(), apply.getAffineMap(),
                                              llvm::to_vector(apply.getOperands())))
      rewriter.replaceOp(apply, *values);
  }
  for (auto index : llvm::make_early_inc_range(op.getBody()->getOps<linalg::IndexOp>()))
    if (index->use_empty())
      rewriter.eraseOp(index);
}

/// 1. For every product of floats that has a factor which an elementwise operation makes for it
///    alone, of fewer bytes: the two as one, on trial.
/// 2. It stays where `forge-lower-contractions` can compute neighbours of the factor together, and
///    the processor has no instruction for the factors as they would be in memory.
struct FuseNarrowFactors : forge::impl::FuseNarrowFactorsPassBase<FuseNarrowFactors> {
  using FuseNarrowFactorsPassBase::FuseNarrowFactorsPassBase;

  bool isWorthwhile(const MadeProduct &product, Type input, const TargetInfo &info) {
    if (!isComputable(product, info))
      return false;
    return !(input.isBF16() && info.bf16Dot) || keepsAllRows(product, info);
  }

  void fuse(IRRewriter &rewriter, linalg::GenericOp product, const TargetInfo &info) {
    for (OpOperand &factor : product->getOpOperands().take_front(product.getNumDpsInputs())) {
      if (!makerOf(factor, product))
        continue;
      Type input = getElementTypeOrSelf(factor.get());
      rewriter.setInsertionPoint(product);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, &factor);
      if (failed(fused))
        continue;
      auto whole = cast<linalg::GenericOp>(fused->fusedOp);
      simplifyIndices(rewriter, whole);
      auto made =
          matchMadeProduct(cast<linalg::LinalgOp>(whole.getOperation()), [&](const Twine &reason) {
            LLVM_DEBUG(llvm::dbgs() << "not fused: " << reason << "\n");
          });
      if (failed(made) || !isWorthwhile(*made, input, info)) {
        rewriter.eraseOp(whole);
        continue;
      }
      Operation *maker = factor.get().getDefiningOp();
      whole->setDiscardableAttr(kMadeFactorAttr, rewriter.getUnitAttr());
      rewriter.replaceOp(product, whole->getResults().back());
      rewriter.eraseOp(maker);
      return;
    }
  }

  void runOnOperation() override {
    std::optional<TargetInfo> info = TargetInfo::byName(target);
    if (!info) {
      getOperation().emitError("unknown target '") << target << "'";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && !op->hasAttr(kScheduleAttr) &&
          linalg::isaContractionOpInterface(op))
        products.push_back(op);
    });
    for (linalg::GenericOp product : products)
      fuse(rewriter, product, *info);
  }
};

} // namespace
