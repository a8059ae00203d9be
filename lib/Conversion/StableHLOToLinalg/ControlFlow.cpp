// while, if, case to scf; barriers and tokens.
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;
using stablehlo::CaseOp;
using stablehlo::IfOp;
using stablehlo::ReturnOp;
using stablehlo::WhileOp;

// Values cross the boundaries of regions as scalars where they are rank-0 tensors, so that loop
// counters and conditions never live in memory.

static bool isRankZero(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

static SmallVector<Type> getCarriedTypes(const TypeConverter &converter, TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) -> Type {
    Type converted = converter.convertType(type);
    return converted && isRankZero(converted) ? getElementTypeOrSelf(converted) : converted;
  });
}

static SmallVector<Value> toCarried(OpBuilder &builder, Location loc, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) {
    return isRankZero(value.getType()) ? extractScalar(builder, loc, value) : value;
  });
}

/// Carried values as the types that `original` ones convert to.
static SmallVector<Value> fromCarried(OpBuilder &builder, Location loc, TypeRange original,
                                      ValueRange carried) {
  SmallVector<Value> values;
  for (auto [type, value] : llvm::zip_equal(original, carried))
    values.push_back(isRankZero(type) ? wrapScalar(builder, loc, value) : value);
  return values;
}

namespace {

struct WhilePattern : OpConversionPattern<WhileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(WhileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types = getCarriedTypes(*getTypeConverter(), op.getResultTypes());
    SmallVector<Value> inits = toCarried(rewriter, loc, adaptor.getOperand());
    auto loop = scf::WhileOp::create(rewriter, loc, types, inits);
    moveRegion(rewriter, loc, op.getCond(), loop.getBefore(), types);
    moveRegion(rewriter, loc, op.getBody(), loop.getAfter(), types);
    rewriter.setInsertionPointAfter(loop);
    rewriter.replaceOp(op, fromCarried(rewriter, loc, op.getResultTypes(), loop.getResults()));
    return success();
  }

private:
  /// Moves the block of `from` into `to`, under arguments of the carried types.
  static void moveRegion(ConversionPatternRewriter &rewriter, Location loc, Region &from,
                         Region &to, TypeRange types) {
    SmallVector<Location> locs(types.size(), loc);
    Block *block = rewriter.createBlock(&to, {}, types, locs);
    Block *source = &from.front();
    auto values =
        fromCarried(rewriter, loc, TypeRange(source->getArgumentTypes()), block->getArguments());
    rewriter.inlineBlockBefore(source, block, block->end(), values);
  }
};

struct IfPattern : OpConversionPattern<IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(IfOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types = getCarriedTypes(*getTypeConverter(), op.getResultTypes());
    Value condition = extractScalar(rewriter, loc, adaptor.getPred());
    auto branch = scf::IfOp::create(rewriter, loc, types, condition, /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getTrueBranch(), branch.getThenRegion(),
                                branch.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getFalseBranch(), branch.getElseRegion(),
                                branch.getElseRegion().end());
    rewriter.replaceOp(op, fromCarried(rewriter, loc, op.getResultTypes(), branch.getResults()));
    return success();
  }
};

/// case: any index out of range takes the last branch.
struct CasePattern : OpConversionPattern<CaseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types = getCarriedTypes(*getTypeConverter(), op.getResultTypes());
    int64_t last = op.getBranches().size() - 1;
    Value index = castToIndex(rewriter, loc, extractScalar(rewriter, loc, adaptor.getIndex()));
    auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, last));
    auto branch = scf::IndexSwitchOp::create(rewriter, loc, types, index, numbers, last);
    for (auto [source, target] : llvm::zip(op.getBranches(), branch.getCaseRegions()))
      rewriter.inlineRegionBefore(source, target, target.end());
    rewriter.inlineRegionBefore(op.getBranches().back(), branch.getDefaultRegion(),
                                branch.getDefaultRegion().end());
    rewriter.replaceOp(op, fromCarried(rewriter, loc, op.getResultTypes(), branch.getResults()));
    return success();
  }
};

/// The end of a region of the ops above, once it is in its scf op.
struct ReturnPattern : OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Operation *parent = op->getParentOp();
    if (!isa<scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(parent))
      return rewriter.notifyMatchFailure(op, "its parent op is not lowered");
    SmallVector<Value> values = toCarried(rewriter, loc, adaptor.getResults());
    auto loop = dyn_cast<scf::WhileOp>(parent);
    if (loop && op->getParentRegion() == &loop.getBefore())
      rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, values.front(),
                                                    op->getBlock()->getArguments());
    else
      rewriter.replaceOpWithNewOp<scf::YieldOp>(op, values);
    return success();
  }
};

struct BarrierPattern : OpConversionPattern<stablehlo::OptimizationBarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(stablehlo::OptimizationBarrierOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperand());
    return success();
  }
};

/// Tokens order side effects; on tensors, program order does that already.
template <typename OpTy> struct TokenPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getBoolAttr(false));
    return success();
  }
};

} // namespace

void forge::populateControlFlowPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<WhilePattern, IfPattern, CasePattern, ReturnPattern, BarrierPattern,
               TokenPattern<stablehlo::AfterAllOp>, TokenPattern<stablehlo::CreateTokenOp>>(
      converter, patterns.getContext());
}
