// dot_general and dot: a linalg.matmul or batch_matmul where the operands stand right, otherwise a
// linalg.generic over [batch, lhs rows, rhs columns, contracted].
#include "Contraction.h"

#include "Refuse.h"
#include "RoundTensor.h"

#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Support/UnitSums.h"

using namespace mlir;
using namespace forge;
using stablehlo::DotGeneralOp;
using stablehlo::DotOp;

Product forge::planProduct(int64_t lhsRank, int64_t rhsRank, ArrayRef<int64_t> lhsBatch,
                           ArrayRef<int64_t> rhsBatch, ArrayRef<int64_t> lhsContracted,
                           ArrayRef<int64_t> rhsContracted) {
  Product plan;
  plan.numBatch = lhsBatch.size();
  plan.numContracted = lhsContracted.size();
  plan.numLhs = lhsRank - plan.numBatch - plan.numContracted;
  plan.numRhs = rhsRank - plan.numBatch - plan.numContracted;
  auto assign = [&](int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted,
                    int64_t free) {
    SmallVector<int64_t> loops(rank, -1);
    for (auto [loop, dim] : llvm::enumerate(batch))
      loops[dim] = loop;
    for (auto [i, dim] : llvm::enumerate(contracted))
      loops[dim] = plan.resultRank() + i;
    for (int64_t &loop : loops)
      if (loop < 0)
        loop = free++;
    return loops;
  };
  plan.lhsLoops = assign(lhsRank, lhsBatch, lhsContracted, plan.numBatch);
  plan.rhsLoops = assign(rhsRank, rhsBatch, rhsContracted, plan.numBatch + plan.numLhs);
  return plan;
}

/// True for [B,] M x K times [B,] K x N with at most one batch dimension: what linalg has ops for.
static bool isMatmul(const Product &plan) {
  if (plan.numBatch > 1 || plan.numLhs != 1 || plan.numRhs != 1 || plan.numContracted != 1)
    return false;
  return llvm::is_sorted(plan.lhsLoops) && plan.rhsLoops.back() == plan.numBatch + 1 &&
         (plan.numBatch == 0 || plan.rhsLoops.front() == 0);
}

static AffineMap getLoopMap(OpBuilder &builder, int64_t numLoops, ArrayRef<int64_t> loops) {
  SmallVector<AffineExpr> exprs;
  for (int64_t loop : loops)
    exprs.push_back(builder.getAffineDimExpr(loop));
  return AffineMap::get(numLoops, 0, exprs, builder.getContext());
}

/// Sizes of the result's dimensions.
static SmallVector<OpFoldResult> getResultSizes(OpBuilder &builder, Location loc,
                                                const Product &plan, Value lhs, Value rhs) {
  SmallVector<OpFoldResult> sizes(plan.numLoops());
  for (auto [loop, size] : llvm::zip_equal(plan.rhsLoops, getSizes(builder, loc, rhs)))
    sizes[loop] = size;
  for (auto [loop, size] : llvm::zip_equal(plan.lhsLoops, getSizes(builder, loc, lhs)))
    sizes[loop] = size;
  sizes.truncate(plan.resultRank());
  return sizes;
}

/// The order of additions is free: that is what lets a product be tiled and vectorised.
static constexpr auto kFlags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

/// lhs * rhs in `type`; `unitSums`: matrix units may add up such products.
static Value emitMultiply(ScalarBuilder &s, Value lhs, Value rhs, Type type, Type lhsType,
                          Type rhsType, bool unitSums) {
  lhs = convertScalar(s, lhs, lhsType, type);
  rhs = convertScalar(s, rhs, rhsType, type);
  if (type.isInteger(1))
    return s.op<arith::AndIOp>(lhs, rhs);
  if (isa<IntegerType>(type))
    return s.op<arith::MulIOp>(lhs, rhs);
  auto product = arith::MulFOp::create(s.b, lhs, rhs, kFlags);
  if (unitSums)
    product->setDiscardableAttr(kUnitSumsAttr, s.b.getUnitAttr());
  return product;
}

static Value emitAdd(ScalarBuilder &s, Value acc, Value product) {
  if (acc.getType().isInteger(1))
    return s.op<arith::OrIOp>(acc, product);
  if (isa<IntegerType>(acc.getType()))
    return s.op<arith::AddIOp>(acc, product);
  return arith::AddFOp::create(s.b, acc, product, kFlags);
}

/// The product, accumulated into `init`, or written to it where nothing is summed over. `lhsType`,
/// `rhsType`: original element types.
static Value createProduct(OpBuilder &builder, Location loc, const Product &plan, Value lhs,
                           Value rhs, Value init, Type lhsType, Type rhsType, bool unitSums) {
  Type type = init.getType();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  if (isFloat && lhsType == rhsType && isMatmul(plan) && !unitSums) {
    if (plan.numBatch)
      return linalg::BatchMatmulOp::create(builder, loc, type, ValueRange{lhs, rhs},
                                           ValueRange{init})
          .getResult(0);
    return linalg::MatmulOp::create(builder, loc, type, ValueRange{lhs, rhs}, ValueRange{init})
        .getResult(0);
  }
  int64_t loops = plan.numLoops();
  auto resultLoops = llvm::to_vector(llvm::seq<int64_t>(0, plan.resultRank()));
  SmallVector<AffineMap> maps = {getLoopMap(builder, loops, plan.lhsLoops),
                                 getLoopMap(builder, loops, plan.rhsLoops),
                                 getLoopMap(builder, loops, resultLoops)};
  SmallVector<utils::IteratorType> iterators = parallelIterators(plan.resultRank());
  iterators.append(plan.numContracted, utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{lhs, rhs}, init, maps, iterators,
      [&](OpBuilder &b, Location l, ValueRange args) {
        ScalarBuilder s(b, l);
        Value product =
            emitMultiply(s, args[0], args[1], args[2].getType(), lhsType, rhsType, unitSums);
        linalg::YieldOp::create(b, l, plan.numContracted ? emitAdd(s, args[2], product) : product);
      });
  return generic.getResult(0);
}

Value forge::createRoundedProduct(OpBuilder &builder, Location loc, const Product &plan, Value lhs,
                                  Value rhs, RankedTensorType type, Type lhsType, Type rhsType,
                                  bool unitSums) {
  auto accType = type.clone(getComputeType(type.getElementType()));
  SmallVector<OpFoldResult> sizes = getResultSizes(builder, loc, plan, lhs, rhs);
  Value init;
  if (plan.numContracted) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType.getElementType()));
    init = createFill(builder, loc, accType, zero, sizes);
  } else {
    init = createEmpty(builder, loc, accType, sizes);
  }
  Value product = createProduct(builder, loc, plan, lhs, rhs, init, lhsType, rhsType,
                                unitSums && accType.getElementType().isF32());
  return roundTensor(builder, loc, product, type, sizes);
}

static LogicalResult lowerProduct(Operation *op, const Product &plan, Value lhs, Value rhs,
                                  RankedTensorType type, bool unitSums,
                                  ConversionPatternRewriter &rewriter) {
  Type lhsType = getElementTypeOrSelf(op->getOperand(0).getType());
  Type rhsType = getElementTypeOrSelf(op->getOperand(1).getType());
  if (isa<FloatType>(lhsType) != isa<FloatType>(type.getElementType()) &&
      !isa<FloatType>(type.getElementType()))
    return refuseOp(op, "it makes an integer product of floats");
  rewriter.replaceOp(op, createRoundedProduct(rewriter, op->getLoc(), plan, lhs, rhs, type, lhsType,
                                              rhsType, unitSums));
  return success();
}

/// Whether integers are multiplied to floats.
static bool makesFloatsOfIntegers(Operation *op) {
  return isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType())) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

/// The same product of floats: each integer is converted first, so that no integer unit is asked to
/// add up floats.
static void convertOperands(Operation *op, ConversionPatternRewriter &rewriter) {
  Type wide = getComputeType(getElementTypeOrSelf(op->getResult(0).getType()));
  SmallVector<Value> converted;
  for (Value operand : op->getOperands())
    converted.push_back(stablehlo::ConvertOp::create(
        rewriter, op->getLoc(), cast<RankedTensorType>(operand.getType()).clone(wide), operand));
  Operation *product = rewriter.clone(*op);
  product->setOperands(converted);
  rewriter.replaceOp(op, product->getResults());
}

namespace {

struct DotGeneralPattern : OpConversionPattern<DotGeneralOp> {
  using OpConversionPattern::OpConversionPattern;
  /// The product of converted operands is one, too.
  void initialize() { setHasBoundedRewriteRecursion(); }

  LogicalResult matchAndRewrite(DotGeneralOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (makesFloatsOfIntegers(op))
      return convertOperands(op, rewriter), success();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto dims = op.getDotDimensionNumbers();
    Product plan =
        planProduct(op.getLhs().getType().getRank(), op.getRhs().getType().getRank(),
                    dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions(),
                    dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
    return lowerProduct(op, plan, adaptor.getLhs(), adaptor.getRhs(), type,
                        stablehlo::allowsUnitSums(op), rewriter);
  }
};

/// dot: the last dimension of lhs with the first of rhs.
struct DotPattern : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;
  /// The product of converted operands is one, too.
  void initialize() { setHasBoundedRewriteRecursion(); }

  LogicalResult matchAndRewrite(DotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (makesFloatsOfIntegers(op))
      return convertOperands(op, rewriter), success();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    int64_t lhsRank = op.getLhs().getType().getRank();
    Product plan =
        planProduct(lhsRank, op.getRhs().getType().getRank(), {}, {}, {lhsRank - 1}, {int64_t(0)});
    return lowerProduct(op, plan, adaptor.getLhs(), adaptor.getRhs(), type,
                        stablehlo::allowsUnitSums(op), rewriter);
  }
};

} // namespace

void forge::populateContractionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<DotGeneralPattern, DotPattern>(converter, patterns.getContext());
}
