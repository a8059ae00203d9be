#include "LibraryProduct.h"

#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SPLITFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-factors"

using namespace mlir;

/// The pieces of an f32: 8 bits of 24 each.
static constexpr unsigned kPieces = 3;
/// The largest bf16.
static constexpr double kLargest = 0x1.fep127;
/// Bytes that making the pieces of an element reads and writes, and the seconds that its kernel
/// takes besides (H200).
static constexpr int64_t kBytesOfSplit = 4 + kPieces * 2;
static constexpr double kSecondsOfSplit = 2e-6;
/// The share of the time of f32 instructions that is worth it.
static constexpr double kWorthShare = 0.85;

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
      Value isNumber =
          arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, rest, rest);
      rest = arith::SelectOp::create(builder, loc, isNumber, rest, constant(0));
    }
    pieces.push_back(arith::TruncFOp::create(builder, loc, narrow, rest));
  }
  return pieces;
}

namespace {
/// For each contraction from zeros of factors in f32, of sizes that are known:
/// 1. A factor that is an extended bf16 is one piece; of another one three are made, once.
/// 2. The contraction of the pieces takes its place if strategy wgmma takes it and the products of
///    pieces take less time, with making them, than f32 instructions take for the contraction.
/// 3. Where the library is preferred, what it takes is left to it.
struct SplitFactorsPass : public forge::impl::SplitFactorsPassBase<SplitFactorsPass> {
  using SplitFactorsPassBase::SplitFactorsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    chip = forge::findChip(chipName);
    std::optional<forge::LibraryUse> use = forge::LibraryUse::byName(library);
    if (!chip || !use) {
      if (!chip)
        getOperation().emitError("unknown chip '") << chipName << "'";
      else
        getOperation().emitError("expected prefer, cost or never as library, but got '")
            << library << "'";
      return signalPassFailure();
    }
    if (!chip->warpgroupProducts)
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      bool isPreferred = use->isAsked() && !use->byCost &&
                         forge::matchProduct(op, linalg::GenericOp()).has_value();
      if (op.hasPureTensorSemantics() && !op->hasAttr(forge::kClusterAttr) &&
          !op.hasDynamicShape() && forge::hasRowsAndColumns(op) &&
          getElementTypeOrSelf(op->getOperand(0)).isF32() && !isPreferred && mayBeWorth(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp contraction : contractions)
      split(contraction);
  }

  double secondsOfThreads(linalg::LinalgOp op) const {
    int64_t points = 1;
    for (int64_t size : op.getStaticLoopRanges())
      points = forge::saturatingMul(points, size);
    return 2 * static_cast<double>(points) / chip->vectorFlops;
  }

  bool mayBeWorth(linalg::LinalgOp op) const {
    return kSecondsOfSplit < kWorthShare * secondsOfThreads(op);
  }

  /// The pieces of `factor`, made behind it.
  SmallVector<Value> piecesOf(Value factor) {
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

  /// What making pieces of the factors that have several takes.
  double secondsOfSplits(ArrayRef<SmallVector<Value>> factors) const {
    double seconds = 0;
    for (ArrayRef<Value> pieces : factors)
      if (pieces.size() > 1)
        seconds += kSecondsOfSplit +
                   static_cast<double>(
                       kBytesOfSplit *
                       cast<RankedTensorType>(pieces.front().getType()).getNumElements()) /
                       chip->copyBandwidth;
    return seconds;
  }

  static linalg::GenericOp makeOfPieces(linalg::LinalgOp contraction,
                                        ArrayRef<SmallVector<Value>> factors) {
    OpBuilder builder(contraction);
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray(), newMaps;
    SmallVector<Value> inputs;
    for (auto [number, pieces] : llvm::enumerate(factors)) {
      newMaps.append(pieces.size(), maps[number]);
      llvm::append_range(inputs, pieces);
    }
    newMaps.push_back(maps.back());
    return linalg::GenericOp::create(
        builder, contraction.getLoc(), contraction->getResultTypes(), inputs,
        contraction.getDpsInits(), newMaps, contraction.getIteratorTypesArray(),
        [&](OpBuilder &inside, Location where, ValueRange values) {
          auto sumOf = [&](ValueRange pieces) {
            Value sum;
            for (Value piece : pieces) {
              Value wide = arith::ExtFOp::create(inside, where, inside.getF32Type(), piece);
              sum = sum ? arith::AddFOp::create(inside, where, sum, wide).getResult() : wide;
            }
            return sum;
          };
          Value product = arith::MulFOp::create(
              inside, where, sumOf(values.take_front(factors[0].size())),
              sumOf(values.drop_back().drop_front(factors[0].size())));
          Value sum = arith::AddFOp::create(inside, where, values.back(), product);
          linalg::YieldOp::create(inside, where, sum);
        });
  }

  void split(linalg::LinalgOp contraction) {
    SmallVector<SmallVector<Value>> factors;
    for (Value factor : contraction.getDpsInputs())
      factors.push_back(piecesOf(factor));
    linalg::GenericOp ofPieces = makeOfPieces(contraction, factors);
    if (isWorth(contraction, ofPieces, factors)) {
      contraction->replaceAllUsesWith(ofPieces.getResults());
      contraction->erase();
      return;
    }
    ofPieces->erase();
    for (Value factor : contraction.getDpsInputs())
      if (auto found = made.find(factor); found != made.end() && found->second.use_empty()) {
        found->second.erase();
        made.erase(found);
      }
  }

  bool isWorth(linalg::LinalgOp contraction, linalg::GenericOp ofPieces,
               ArrayRef<SmallVector<Value>> factors) const {
    std::optional<forge::WgmmaProduct> product = forge::matchWgmma(
        {cast<linalg::LinalgOp>(ofPieces.getOperation())}, linalg::GenericOp());
    if (!product || !forge::takesProduct(*product, *chip))
      return false;
    std::optional<double> seconds = forge::secondsOfTiles(*product, *chip);
    return seconds && *seconds + secondsOfSplits(factors) <
                          kWorthShare * secondsOfThreads(contraction);
  }

  const forge::GPUChip *chip = nullptr;
  llvm::DenseMap<Value, linalg::GenericOp> made;
};
} // namespace
