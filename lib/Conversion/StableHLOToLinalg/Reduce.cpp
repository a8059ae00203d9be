// reduce: a linalg.generic with reduction loops over the dimensions that go away.
#include "Refuse.h"
#include "RoundTensor.h"

#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::ReduceOp;

/// A body that is one op on narrow floats can run in f32 and round once at the end.
static Operation *getWideCombiner(ReduceOp op) {
  Operation *combiner = getSingleCombiner(op.getBody());
  if (!combiner || !isa<stablehlo::AddOp, stablehlo::MulOp>(combiner))
    return nullptr;
  return isNarrowFloat(getElementTypeOrSelf(op.getInputs().front().getType())) ? combiner : nullptr;
}

/// Sums and products may be taken in any order.
static Value allowReassociation(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto flags = dyn_cast_or_null<arith::ArithFastMathInterface>(op))
    if (isa<arith::AddFOp, arith::MulFOp>(op))
      op->setAttr(flags.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::reassoc));
  return value;
}

namespace {

struct ReducePattern : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  // 1. Fill one tensor per operand with its initial value (in f32 if the sum is taken there).
  // 2. Loop over all dimensions of the operands; the body combines what is there with the element.
  // 3. Round to the result type where step 1 chose a wider one.
  LogicalResult matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Operation *wide = getWideCombiner(op);
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return refuseOp(op, "its result type is not supported");
    SmallVector<OpFoldResult> sizes = getKeptSizes(op, adaptor, rewriter);
    SmallVector<Value> inits;
    for (auto [init, type] : llvm::zip_equal(adaptor.getInitValues(), types)) {
      Value scalar = extractScalar(rewriter, loc, init);
      auto tensorType = cast<RankedTensorType>(type);
      if (wide) {
        scalar = castFloat(rewriter, loc, scalar, rewriter.getF32Type());
        tensorType = tensorType.clone(rewriter.getF32Type());
      }
      inits.push_back(createFill(rewriter, loc, tensorType, scalar, sizes));
    }
    FailureOr<linalg::GenericOp> generic = createLoops(op, adaptor, inits, wide, rewriter);
    if (failed(generic))
      return rewriter.notifyMatchFailure(op, "its body has no scalar form");
    SmallVector<Value> results(generic->getResults());
    if (wide)
      results.front() =
          roundTensor(rewriter, loc, results.front(), cast<RankedTensorType>(types.front()), sizes);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static SmallVector<OpFoldResult> getKeptSizes(ReduceOp op, OpAdaptor adaptor,
                                                OpBuilder &builder) {
    SmallVector<OpFoldResult> kept;
    auto sizes = getSizes(builder, op.getLoc(), adaptor.getInputs().front());
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!llvm::is_contained(op.getDimensions(), int64_t(dim)))
        kept.push_back(size);
    return kept;
  }

  static FailureOr<linalg::GenericOp> createLoops(ReduceOp op, OpAdaptor adaptor, ValueRange inits,
                                                  Operation *wide,
                                                  ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    int64_t rank = cast<RankedTensorType>(adaptor.getInputs().front().getType()).getRank();
    size_t count = adaptor.getInputs().size();
    SmallVector<AffineExpr> kept;
    SmallVector<utils::IteratorType> iterators = parallelIterators(rank);
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (llvm::is_contained(op.getDimensions(), dim))
        iterators[dim] = utils::IteratorType::reduction;
      else
        kept.push_back(rewriter.getAffineDimExpr(dim));
    }
    SmallVector<AffineMap> maps(count, rewriter.getMultiDimIdentityMap(rank));
    maps.append(count, AffineMap::get(rank, 0, kept, rewriter.getContext()));
    auto generic = linalg::GenericOp::create(rewriter, loc, inits.getTypes(), adaptor.getInputs(),
                                             inits, maps, iterators);
    OpBuilder::InsertionGuard guard(rewriter);
    SmallVector<Type> argTypes;
    for (Value operand : generic.getOperands())
      argTypes.push_back(getElementTypeOrSelf(operand.getType()));
    Block *body = rewriter.createBlock(&generic.getRegion(), {}, argTypes,
                                       SmallVector<Location>(argTypes.size(), loc));
    // The region takes what is accumulated first, then the elements.
    SmallVector<Value> args(body->getArguments().drop_front(count));
    llvm::append_range(args, body->getArguments().take_front(count));
    FailureOr<SmallVector<Value>> results = emitBody(op, args, wide, rewriter);
    if (failed(results))
      return failure();
    linalg::YieldOp::create(rewriter, loc, *results);
    return generic;
  }

  static FailureOr<SmallVector<Value>> emitBody(ReduceOp op, MutableArrayRef<Value> args,
                                                Operation *wide,
                                                ConversionPatternRewriter &rewriter) {
    Type f32 = rewriter.getF32Type();
    if (wide) {
      args[1] = castFloat(rewriter, op.getLoc(), args[1], f32);
      Value result = emitScalarOp(rewriter, wide, args, {f32, f32}, f32);
      return SmallVector<Value>{allowReassociation(result)};
    }
    FailureOr<SmallVector<Value>> results = emitScalarRegion(rewriter, op.getBody(), args);
    if (succeeded(results) && getSingleCombiner(op.getBody()))
      allowReassociation(results->front());
    return results;
  }
};

} // namespace

void forge::populateReducePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReducePattern>(converter, patterns.getContext());
}
