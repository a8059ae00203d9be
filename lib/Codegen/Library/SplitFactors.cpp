#include "SplitFactors.h"

#include "LibraryProduct.h"

#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SPLITFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-factors"

using namespace mlir;
using namespace forge;

/// The pieces of an f32: 8 bits of 24 each.
static constexpr unsigned kPieces = 3;
/// The largest bf16.
static constexpr double kLargest = 0x1.fep127;
/// Bytes that making the pieces of an element reads and writes, and the seconds that its kernel
/// takes besides (H200).
static constexpr int64_t kBytesOfSplit = 4 + kPieces * 2;
static constexpr double kSecondsOfSplit = 2e-6;
/// What f32 products reach of the rate of f32 instructions (cuBLAS 13.0 on an H200: 0.93 for
/// 4096^3, 0.72 to 0.82 for 2048 rows or terms and 768 by 3072 of the rest, 0.55 for 768 by 768),
/// and the share of that time that is worth it.
static constexpr double kShareOfRate = 0.85, kWorthShare = 0.9;

/// What `factor` is, in bf16, if it is only that extended; null if not.
static Value narrowSource(Value factor) {
  auto extension = factor.getDefiningOp<linalg::GenericOp>();
  if (!extension || extension.getNumDpsInputs() != 1 || extension->getNumResults() != 1 ||
      !llvm::all_of(extension.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto extended =
      extension.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  bool isSource = extended && extended.getIn() == extension.getBody()->getArgument(0) &&
                  extended.getIn().getType().isBF16();
  return isSource ? extension.getInputs().front() : Value();
}

/// x = p0 + p1 + p2, exactly: each piece is what is left of `x`, rounded. The first is no infinity
/// where `x` is none; where it is, the second is.
static SmallVector<Value> emitPieces(OpBuilder &builder, Location loc, Value x) {
  Type narrow = builder.getBF16Type(), wide = x.getType();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(wide, value));
  };
  Value below = arith::MinimumFOp::create(builder, loc, x, constant(kLargest));
  Value start = arith::MaximumFOp::create(builder, loc, below, constant(-kLargest));
  SmallVector<Value> pieces{arith::TruncFOp::create(builder, loc, narrow, start)};
  Value rest = x;
  while (pieces.size() < kPieces) {
    Value taken = arith::ExtFOp::create(builder, loc, wide, pieces.back());
    rest = arith::SubFOp::create(builder, loc, rest, taken);
    if (pieces.size() + 1 == kPieces) {
      // Infinity minus infinity.
      Value isNumber = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, rest, rest);
      rest = arith::SelectOp::create(builder, loc, isNumber, rest, constant(0));
    }
    pieces.push_back(arith::TruncFOp::create(builder, loc, narrow, rest));
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// FactorSplitter

/// Made behind it.
SmallVector<Value> FactorSplitter::piecesOf(Value factor) {
  if (Value narrow = narrowSource(factor))
    return {narrow};
  auto [entry, isNew] = made.try_emplace(factor);
  if (!isNew)
    return entry->second->getResults();
  OpBuilder builder(factor.getContext());
  builder.setInsertionPointAfterValue(factor);
  auto type = cast<RankedTensorType>(factor.getType());
  Value empty = tensor::EmptyOp::create(builder, factor.getLoc(), type.getShape(),
                                        builder.getBF16Type());
  SmallVector<Value> inits(kPieces, empty);
  SmallVector<AffineMap> maps(kPieces + 1, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  entry->second = linalg::GenericOp::create(
      builder, factor.getLoc(), TypeRange(ValueRange(inits)), factor, inits, maps, loops,
      [](OpBuilder &inside, Location where, ValueRange values) {
        linalg::YieldOp::create(inside, where, emitPieces(inside, where, values.front()));
      });
  return entry->second->getResults();
}

static Value emitSum(OpBuilder &builder, Location loc, ValueRange pieces) {
  Value sum;
  for (Value piece : pieces) {
    Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), piece);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, wide).getResult() : wide;
  }
  return sum;
}

linalg::GenericOp FactorSplitter::make(linalg::LinalgOp contraction) {
  Factors factors;
  for (Value factor : contraction.getDpsInputs())
    factors.push_back(piecesOf(factor));
  OpBuilder builder(contraction);
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray(), newMaps;
  SmallVector<Value> inputs;
  for (auto [number, pieces] : llvm::enumerate(factors)) {
    newMaps.append(pieces.size(), maps[number]);
    llvm::append_range(inputs, pieces);
  }
  newMaps.push_back(maps.back());
  auto ofPieces = linalg::GenericOp::create(
      builder, contraction.getLoc(), contraction->getResultTypes(), inputs,
      contraction.getDpsInits(), newMaps, contraction.getIteratorTypesArray(),
      [&](OpBuilder &inside, Location loc, ValueRange values) {
        Value left = emitSum(inside, loc, values.take_front(factors[0].size()));
        Value right = emitSum(inside, loc, values.drop_back().drop_front(factors[0].size()));
        Value product = arith::MulFOp::create(inside, loc, left, right);
        Value sum = arith::AddFOp::create(inside, loc, values.back(), product);
        linalg::YieldOp::create(inside, loc, sum);
      });
  if (isFaster(contraction, ofPieces, factors))
    return ofPieces;
  unmake(contraction, ofPieces);
  return {};
}

void FactorSplitter::unmake(linalg::LinalgOp contraction, linalg::GenericOp ofPieces) {
  ofPieces->erase();
  for (Value factor : contraction.getDpsInputs())
    if (auto *found = made.find(factor); found != made.end() && found->second.use_empty()) {
      Value empty = found->second.getOutputs().front();
      found->second.erase();
      empty.getDefiningOp()->erase();
      made.erase(found);
    }
}

double FactorSplitter::secondsOfThreads(linalg::LinalgOp contraction) const {
  int64_t points = 1;
  for (int64_t size : contraction.getStaticLoopRanges())
    points = saturatingMul(points, size);
  return 2 * static_cast<double>(points) / (kShareOfRate * chip.vectorFlops);
}

/// What making pieces of the factors that have several takes.
double FactorSplitter::secondsOfSplits(const Factors &factors) const {
  double seconds = 0;
  for (ArrayRef<Value> pieces : factors) {
    if (pieces.size() == 1)
      continue;
    int64_t elements = cast<RankedTensorType>(pieces.front().getType()).getNumElements();
    seconds += kSecondsOfSplit + static_cast<double>(saturatingMul(kBytesOfSplit, elements)) /
                                     chip.copyBandwidth;
  }
  return seconds;
}

bool FactorSplitter::isFaster(linalg::LinalgOp contraction, linalg::GenericOp ofPieces,
                              const Factors &factors) const {
  std::optional<WgmmaProduct> product =
      matchWgmma({cast<linalg::LinalgOp>(ofPieces.getOperation())}, linalg::GenericOp());
  if (!product || !takesProduct(*product, chip))
    return false;
  std::optional<double> seconds = secondsOfTiles(*product, chip);
  return seconds &&
         *seconds + secondsOfSplits(factors) < kWorthShare * secondsOfThreads(contraction);
}

static bool isOfWideFactors(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) && !op.hasDynamicShape() &&
         op.getNumDpsInputs() == 2 && hasRowsAndColumns(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isF32();
}

bool FactorSplitter::isWorth(linalg::LinalgOp contraction) {
  if (!chip.warpgroupProducts || !isOfWideFactors(contraction) ||
      kSecondsOfSplit > kWorthShare * secondsOfThreads(contraction))
    return false;
  linalg::GenericOp ofPieces = make(contraction);
  if (ofPieces)
    unmake(contraction, ofPieces);
  return ofPieces != nullptr;
}

void FactorSplitter::split(linalg::LinalgOp contraction) {
  linalg::GenericOp ofPieces = isWorth(contraction) ? make(contraction) : linalg::GenericOp();
  if (!ofPieces)
    return;
  contraction->replaceAllUsesWith(ofPieces.getResults());
  contraction->erase();
}

/// Whether `op` computes each element of its results by itself.
static bool isElementwise(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumParallelLoops() == op.getNumLoops() &&
         !op->hasAttr(kClusterAttr) && !op->hasAttr(kScheduleAttr) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity() &&
                  !op.payloadUsesValueFromOperand(&init);
         });
}

void FactorSplitter::fuseIntoProducers() {
  for (linalg::GenericOp pieces : llvm::make_second_range(made)) {
    OpOperand *read = pieces.getDpsInputOperand(0);
    auto producer = read->get().getDefiningOp<linalg::GenericOp>();
    if (!isElementwise(producer) || producer->getBlock() != pieces->getBlock() ||
        !linalg::areElementwiseOpsFusable(read))
      continue;
    IRRewriter rewriter(pieces.getContext());
    rewriter.setInsertionPoint(pieces);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, read);
    if (failed(fused))
      continue;
    for (auto [before, after] : fused->replacements)
      before.replaceUsesWithIf(after, [&](OpOperand &use) {
        return use.getOwner() != pieces.getOperation();
      });
    pieces->erase();
    if (producer->use_empty())
      producer->erase();
  }
  made.clear();
}

namespace {
struct SplitFactorsPass : public forge::impl::SplitFactorsPassBase<SplitFactorsPass> {
  using SplitFactorsPassBase::SplitFactorsPassBase;

  void runOnOperation() override {
    if (isKernel(getOperation()))
      return;
    const GPUChip *chip = findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<LibraryUse> use = LibraryUse::byName(library);
    if (!use) {
      getOperation().emitError("expected prefer, cost or never as library, but got '")
          << library << "'";
      return signalPassFailure();
    }
    bool isPreferred = use->isAsked() && !use->byCost;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isOfWideFactors(op) && !(isPreferred && matchProduct(op, linalg::GenericOp())))
        contractions.push_back(op);
    });
    FactorSplitter splitter(*chip);
    for (linalg::LinalgOp contraction : contractions)
      splitter.split(contraction);
    splitter.fuseIntoProducers();
  }
};
} // namespace
