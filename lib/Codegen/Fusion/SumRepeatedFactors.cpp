#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_SUMREPEATEDFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-sum-repeated-factors"

using namespace mlir;

namespace {

/// Fewer terms are not worth a factor in the type of the sum.
constexpr int64_t kFewestTerms = 16;

/// A contraction of two factors whose sums start from zero.
struct Contraction {
  linalg::LinalgOp op;
  SmallVector<Value> factors;
  /// Of the two factors and the result.
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> loops;
  SmallVector<int64_t> sizes;
  /// The type of the sum, a float, and how its additions and products may be computed.
  Type type;
  arith::FastMathFlags flags = arith::FastMathFlags::none;

  RankedTensorType resultType() { return cast<RankedTensorType>(op.getDpsInits()[0].getType()); }
};

/// The sum of a body that adds the product of both factors, perhaps extended, to it and does
/// nothing else; null for another one.
arith::AddFOp sumOfProducts(Block &body) {
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || body.getNumArguments() != 3)
    return {};
  Value sumSoFar = body.getArgument(2);
  Value added = sum.getLhs() == sumSoFar ? sum.getRhs() : sum.getLhs();
  auto product = added.getDefiningOp<arith::MulFOp>();
  if (!product || (sum.getLhs() != sumSoFar && sum.getRhs() != sumSoFar))
    return {};
  auto isFactor = [&](Value value, unsigned number) {
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    return (extension ? extension.getIn() : value) == body.getArgument(number);
  };
  Value lhs = product.getLhs(), rhs = product.getRhs();
  bool areFactors =
      (isFactor(lhs, 0) && isFactor(rhs, 1)) || (isFactor(lhs, 1) && isFactor(rhs, 0));
  return areFactors ? sum : arith::AddFOp();
}

std::optional<Contraction> matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op))
    return std::nullopt;
  // The interface looks through other operations on the factors.
  arith::AddFOp sum = sumOfProducts(*op.getBlock());
  if (!sum)
    return std::nullopt;
  Contraction found{op,
                    SmallVector<Value>(op.getDpsInputs()),
                    op.getIndexingMapsArray(),
                    op.getIteratorTypesArray(),
                    op.getStaticLoopRanges(),
                    Type()};
  found.type = found.resultType().getElementType();
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  bool startsFromZero = fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  bool areFloats = isa<FloatType>(found.type) && llvm::all_of(op.getDpsInputs(), [](Value factor) {
                     return isa<FloatType>(getElementTypeOrSelf(factor));
                   });
  if (!startsFromZero || !areFloats || !found.maps.back().isProjectedPermutation())
    return std::nullopt;
  found.flags = sum.getFastmath();
  return found;
}

/// `map` of one loop less, which it does not use.
AffineMap withoutLoop(AffineMap map, unsigned loop) {
  llvm::SmallBitVector dropped(map.getNumDims());
  dropped.set(loop);
  return projectDims(map, dropped, /*compressDimsFlag=*/true);
}

/// `map` without the result that is `loop`, if one is that alone, and then of one loop less.
std::optional<AffineMap> withoutResult(AffineMap map, unsigned loop) {
  AffineMap rest = map;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    if (map.getResult(i) == getAffineDimExpr(loop, map.getContext()))
      rest = map.dropResult(i);
  if (rest.getNumResults() + 1 != map.getNumResults() || rest.isFunctionOfDim(loop))
    return std::nullopt;
  return withoutLoop(rest, loop);
}

Value emitZeros(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, Type type) {
  Value empty = tensor::EmptyOp::create(b, shape, type);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return linalg::FillOp::create(b, zero, empty).getResult(0);
}

Value extended(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::ExtFOp::create(b, loc, type, value).getResult();
}

/// The sums over all loops but those of the last map of the products of `factors`.
Value emitContraction(ImplicitLocOpBuilder &b, ValueRange factors, ArrayRef<AffineMap> maps,
                      ArrayRef<utils::IteratorType> loops, ArrayRef<int64_t> shape,
                      const Contraction &like) {
  Type type = like.type;
  Value zeros = emitZeros(b, shape, type);
  return linalg::GenericOp::create(
             b, zeros.getType(), factors, zeros, maps, loops,
             [&](OpBuilder &inner, Location loc, ValueRange args) {
               Value product =
                   arith::MulFOp::create(inner, loc, extended(inner, loc, args[0], type),
                                         extended(inner, loc, args[1], type), like.flags);
               Value sum = arith::AddFOp::create(inner, loc, args[2], product, like.flags);
               linalg::YieldOp::create(inner, loc, sum);
             })
      .getResult(0);
}

/// Whether factor number `number` should not have `loop`: the result, or the sum, has it then
/// without it, or with the other factor alone.
bool isWorthDropping(const Contraction &contraction, unsigned number, unsigned loop) {
  bool isOfOther = contraction.maps[1 - number].isFunctionOfDim(loop);
  if (contraction.loops[loop] == utils::IteratorType::parallel)
    return !isOfOther;
  return isOfOther && contraction.sizes[loop] >= kFewestTerms;
}

/// An elementwise operation without a dimension that none of its inputs has.
Value emitWithoutDim(linalg::GenericOp repeated, unsigned dim) {
  ImplicitLocOpBuilder b(repeated.getLoc(), repeated);
  auto type = cast<RankedTensorType>(repeated.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  SmallVector<AffineMap> maps;
  for (OpOperand *input : repeated.getDpsInputOperands())
    maps.push_back(withoutLoop(repeated.getMatchingIndexingMap(input), dim));
  maps.push_back(b.getMultiDimIdentityMap(shape.size()));
  SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(b, shape, type.getElementType());
  auto small =
      linalg::GenericOp::create(b, empty.getType(), repeated.getInputs(), empty, maps, loops);
  IRMapping mapping;
  repeated.getRegion().cloneInto(&small.getRegion(), mapping);
  return small.getResult(0);
}

/// Makes the contraction read what is repeated instead of the repetitions, where that is of use.
void readUnrepeated(Contraction &contraction, unsigned number) {
  auto repeated = contraction.factors[number].getDefiningOp<linalg::GenericOp>();
  if (!repeated || repeated.getNumParallelLoops() != repeated.getNumLoops() ||
      repeated.getNumResults() != 1 ||
      !repeated.getMatchingIndexingMap(repeated.getDpsInitOperand(0)).isIdentity() ||
      !repeated.getRegionOutputArgs()[0].use_empty() || repeated.hasIndexSemantics() ||
      !cast<RankedTensorType>(repeated.getResult(0).getType()).hasStaticShape())
    return;
  AffineMap map = contraction.maps[number];
  for (unsigned dim = 0; dim < repeated.getNumLoops(); ++dim) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
    bool isRepeated = llvm::none_of(repeated.getDpsInputOperands(), [&](OpOperand *input) {
      return repeated.getMatchingIndexingMap(input).isFunctionOfDim(dim);
    });
    if (!loop || !isRepeated || map.dropResult(dim).isFunctionOfDim(loop.getPosition()) ||
        !isWorthDropping(contraction, number, loop.getPosition()))
      continue;
    contraction.factors[number] = emitWithoutDim(repeated, dim);
    contraction.maps[number] = map.dropResult(dim);
    // What is left may repeat another one.
    return readUnrepeated(contraction, number);
  }
}

/// Makes `user` read `small` instead of operand `operand`, which repeats it along dimension `at`.
bool readsSmall(OpOperand &use, Value small, unsigned at) {
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user || !user.isDpsInput(&use))
    return false;
  SmallVector<AffineMap> maps = user.getIndexingMapsArray();
  AffineMap &map = maps[use.getOperandNumber()];
  // What says how long a loop is stays.
  AffineMap rest = map.dropResult(at);
  SmallVector<AffineMap> others = maps;
  others[use.getOperandNumber()] = rest;
  if (!inversePermutation(concatAffineMaps(others, map.getContext())))
    return false;
  map = rest;
  use.set(small);
  user.setIndexingMapsAttr(OpBuilder(user).getAffineMapArrayAttr(maps));
  return true;
}

/// Computes sums of `inputs`, by `maps` of these and the result, without a loop that only the
/// result has, as those of products with a constant.
bool dropRepeatedResults(linalg::LinalgOp op, ArrayRef<Value> inputs, ArrayRef<AffineMap> maps) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics())
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  AffineMap result = maps.back();
  if (!fill || !type.hasStaticShape() || !result.isProjectedPermutation())
    return false;
  for (unsigned at = 0; at < result.getNumResults(); ++at) {
    unsigned loop = result.getDimPosition(at);
    SmallVector<AffineMap> others;
    for (AffineMap map : maps.drop_back())
      if (!map.isFunctionOfDim(loop))
        others.push_back(withoutLoop(map, loop));
    if (others.size() + 1 != maps.size())
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    others.push_back(*withoutResult(result, loop));
    SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
    loops.erase(loops.begin() + loop);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + at);
    Value empty = tensor::EmptyOp::create(b, shape, type.getElementType());
    Value start = linalg::FillOp::create(b, fill.getInputs()[0], empty).getResult(0);
    auto sums = linalg::GenericOp::create(b, start.getType(), inputs, start, others, loops);
    IRMapping mapping;
    op->getRegion(0).cloneInto(&sums.getRegion(), mapping);
    Value small = sums.getResult(0), whole = op->getResult(0);
    for (OpOperand &use : llvm::make_early_inc_range(whole.getUses()))
      (void)readsSmall(use, small, at);
    if (!whole.use_empty()) {
      Value all = tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
      auto repeated = linalg::BroadcastOp::create(b, small, all, ArrayRef<int64_t>{at});
      whole.replaceAllUsesWith(repeated->getResult(0));
    }
    op->erase();
    return true;
  }
  return false;
}

/// The factor summed over `loop`, in `type`; `map` is the factor's.
Value emitSum(ImplicitLocOpBuilder &b, Value factor, AffineMap map, unsigned loop, Type type) {
  auto from = cast<RankedTensorType>(factor.getType());
  SmallVector<utils::IteratorType> loops;
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    bool isSummed = map.getResult(dim) == b.getAffineDimExpr(loop);
    loops.push_back(isSummed ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    if (isSummed)
      continue;
    kept.push_back(b.getAffineDimExpr(dim));
    shape.push_back(from.getDimSize(dim));
  }
  Value zeros = emitZeros(b, shape, type);
  AffineMap all = b.getMultiDimIdentityMap(from.getRank());
  AffineMap result = AffineMap::get(from.getRank(), 0, kept, b.getContext());
  return linalg::GenericOp::create(b, zeros.getType(), factor, zeros, ArrayRef{all, result}, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange args) {
                                     Value sum = arith::AddFOp::create(
                                         inner, loc, args[1], extended(inner, loc, args[0], type));
                                     linalg::YieldOp::create(inner, loc, sum);
                                   })
      .getResult(0);
}

/// `factor` with elements of `type`.
Value emitExtended(ImplicitLocOpBuilder &b, Value factor, Type type) {
  auto from = cast<RankedTensorType>(factor.getType());
  if (from.getElementType() == type)
    return factor;
  Value empty = tensor::EmptyOp::create(b, from.getShape(), type);
  AffineMap all = b.getMultiDimIdentityMap(from.getRank());
  SmallVector<utils::IteratorType> loops(from.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, empty.getType(), factor, empty, ArrayRef{all, all}, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange args) {
                                     linalg::YieldOp::create(inner, loc,
                                                             extended(inner, loc, args[0], type));
                                   })
      .getResult(0);
}

/// Sums a factor over a loop of the sum that it has alone.
bool sumFactors(Contraction &contraction) {
  for (auto [loop, kind] : llvm::enumerate(contraction.loops)) {
    if (kind != utils::IteratorType::reduction || contraction.sizes[loop] < kFewestTerms)
      continue;
    bool isOfFirst = contraction.maps[0].isFunctionOfDim(loop),
         isOfSecond = contraction.maps[1].isFunctionOfDim(loop);
    if (isOfFirst == isOfSecond)
      continue;
    unsigned alone = isOfFirst ? 0 : 1, other = 1 - alone;
    std::optional<AffineMap> rest = withoutResult(contraction.maps[alone], loop);
    bool areStatic = llvm::all_of(contraction.factors, [](Value factor) {
      return cast<RankedTensorType>(factor.getType()).hasStaticShape();
    });
    if (!rest || !areStatic)
      continue;
    ImplicitLocOpBuilder b(contraction.op.getLoc(), contraction.op);
    SmallVector<Value> factors = contraction.factors;
    factors[alone] = emitSum(b, factors[alone], contraction.maps[alone], loop, contraction.type);
    factors[other] = emitExtended(b, factors[other], contraction.type);
    SmallVector<AffineMap> maps(3);
    maps[alone] = *rest;
    maps[other] = withoutLoop(contraction.maps[other], loop);
    maps[2] = withoutLoop(contraction.maps[2], loop);
    SmallVector<utils::IteratorType> loops = contraction.loops;
    loops.erase(loops.begin() + loop);
    Value sums =
        emitContraction(b, factors, maps, loops, contraction.resultType().getShape(), contraction);
    contraction.op->getResult(0).replaceAllUsesWith(sums);
    contraction.op->erase();
    return true;
  }
  return false;
}

struct SumRepeatedFactors : forge::impl::SumRepeatedFactorsPassBase<SumRepeatedFactors> {
  void runOnOperation() override {
    // What is made may have another such loop.
    bool changed = true;
    while (changed) {
      changed = false;
      SmallVector<linalg::LinalgOp> ops;
      getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
      for (linalg::LinalgOp op : ops) {
        std::optional<Contraction> contraction = matchContraction(op);
        if (!contraction) {
          changed |= dropRepeatedResults(op, SmallVector<Value>(op.getDpsInputs()),
                                         op.getIndexingMapsArray());
          continue;
        }
        readUnrepeated(*contraction, 0);
        readUnrepeated(*contraction, 1);
        changed |= dropRepeatedResults(op, contraction->factors, contraction->maps) ||
                   sumFactors(*contraction);
      }
    }
  }
};

} // namespace
