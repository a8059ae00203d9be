#include "Refuse.h"

#include "forge/Conversion/StableHLOToLinalg/Passes.h"
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/StableHLOToLinalg/TypeConverter.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/IR/Diagnostics.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOLINALGPASS
#include "forge/Conversion/StableHLOToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "convert-stablehlo-to-linalg"

using namespace mlir;
using namespace forge;

void forge::populateStableHLOToLinalgPatterns(const TypeConverter &converter,
                                              RewritePatternSet &patterns, bool chunkedSorts,
                                              PatchLimits patches, int64_t blockBytes) {
  populateBatchNormPatterns(converter, patterns);
  populateBitcastConvertPatterns(converter, patterns);
  populateCheckPatterns(converter, patterns);
  populateContractionPatterns(converter, patterns);
  populateControlFlowPatterns(converter, patterns);
  populateConvolutionPatterns(converter, patterns, patches);
  populateDynamicPadPatterns(converter, patterns);
  populateDynamicShapePatterns(converter, patterns);
  populateElementwisePatterns(converter, patterns);
  populateGatherPatterns(converter, patterns);
  populateGroupedContractionPatterns(converter, patterns, chunkedSorts);
  populateLinearSolvePatterns(converter, patterns, blockBytes);
  populateRandomBitsPatterns(converter, patterns);
  populateReducePatterns(converter, patterns);
  populateReduceWindowPatterns(converter, patterns, chunkedSorts);
  populateScatterPatterns(converter, patterns, chunkedSorts);
  populateSelectAndScatterPatterns(converter, patterns, chunkedSorts);
  populateShapePatterns(converter, patterns);
  populateSlicePatterns(converter, patterns);
  populateSortPatterns(converter, patterns, chunkedSorts);
}

static bool isOurs(Operation *op) {
  return isa_and_nonnull<stablehlo::StableHLODialect, chlo::CHLODialect, check::CheckDialect>(
      op->getDialect());
}

namespace {

/// An op whose results have no elements reads nothing, and its attributes need not fit anything: a
/// window may be larger than its input, and a slice may begin at the input's end. What the other
/// patterns emit (linalg operations, slices) would not verify.
struct EmptyResultPattern : ConversionPattern {
  EmptyResultPattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/2, context) {}
  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>,
                                ConversionPatternRewriter &rewriter) const override {
    auto isEmpty = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
    };
    if (!isOurs(op) || op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>() ||
        !llvm::all_of(op->getResultTypes(), isEmpty) || !isMemoryEffectFree(op))
      return rewriter.notifyMatchFailure(op, "expected results without elements, and no effects");
    SmallVector<Value> results;
    for (Type type : op->getResultTypes()) {
      auto converted = cast<RankedTensorType>(getTypeConverter()->convertType(type));
      results.push_back(createEmpty(rewriter, op->getLoc(), converted, {}));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// 1. Set the functions aside that custom calls name as their computations: their bodies are code
///    for scalars, which the patterns read as it stands.
/// 2. Refuse, each at its own location, the ops that no pattern is for: nothing is changed then.
/// 3. Convert. An op that its patterns do not take is refused afterwards, unless a pattern has
///    reported why.
/// 4. Fold away the casts between signed and signless types that conversion left, and drop what
///    step 1 set aside.
struct ConvertStableHLOToLinalgPass
    : forge::impl::ConvertStableHLOToLinalgPassBase<ConvertStableHLOToLinalgPass> {
  using ConvertStableHLOToLinalgPassBase::ConvertStableHLOToLinalgPassBase;
  void runOnOperation() override {
    MLIRContext &context = getContext();
    StableHLOTypeConverter converter;
    ConversionTarget target(context);
    RewritePatternSet patterns(&context);
    configure(converter, target, patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    setComputationsAside();
    if (failed(refuseUnknown(frozen)) || failed(convert(target, frozen)))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts;
    getOperation().walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    for (func::FuncOp function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (isComputation(function))
        function.erase();
    if (failed(checkResultSizes(getOperation())))
      signalPassFailure();
  }

private:
  static constexpr StringLiteral computationAttr = "forge.computation";

  static bool isComputation(Operation *op) { return op->hasAttr(computationAttr); }

  void setComputationsAside() {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](stablehlo::CustomCallOp call) {
      for (auto name : call.getCalledComputations().getAsRange<FlatSymbolRefAttr>()) {
        auto function = symbols.lookup<func::FuncOp>(name.getAttr());
        if (function && !function->isProperAncestor(call)) {
          function.setPrivate();
          function->setAttr(computationAttr, UnitAttr::get(&getContext()));
        }
      }
    });
  }

  void configure(const StableHLOTypeConverter &converter, ConversionTarget &target,
                 RewritePatternSet &patterns) {
    patterns.add<EmptyResultPattern>(converter, &getContext());
    populateStableHLOToLinalgPatterns(converter, patterns, chunkedSorts, {patchElements, windows},
                                      blockBytes);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    // Ours are neither legal nor illegal: of an op that stays the framework says nothing, and it
    // goes on with the others.
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return isOurs(op) ? std::nullopt : std::optional<bool>(true); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return isComputation(op) || converter.isSignatureLegal(op.getFunctionType());
    });
    target.markOpRecursivelyLegal<func::FuncOp>(isComputation);
    target.addDynamicallyLegalOp<func::ReturnOp, func::CallOp>(
        [&](Operation *op) { return converter.isLegal(op); });
  }

  LogicalResult refuseUnknown(const FrozenRewritePatternSet &patterns) {
    llvm::DenseSet<OperationName> known;
    for (auto &[name, list] : patterns.getOpSpecificNativePatterns())
      known.insert(name);
    bool refused = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isComputation(op))
        return WalkResult::skip();
      if (!isOurs(op) || known.contains(op->getName()))
        return WalkResult::advance();
      refused = failed(refuseOp(op));
      return WalkResult::advance();
    });
    return failure(refused);
  }

  LogicalResult convert(const ConversionTarget &target, const FrozenRewritePatternSet &patterns) {
    bool reported = false;
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
      reported |= errorKindOf(diagnostic) == ErrorKind::User;
      return failure(); // another handler prints it
    });
    if (failed(applyPartialConversion(getOperation(), target, patterns)) || reported)
      return failure();
    return refuseRest();
  }

  /// Refuses the first op that stayed.
  LogicalResult refuseRest() {
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      if (isComputation(op))
        return WalkResult::skip();
      return isOurs(op) ? WalkResult(refuseOp(op)) : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
