// Ops that work element by element: one linalg.generic with the scalar form of the op as its body,
// or only that scalar form for tensors of rank 0.
#include "Refuse.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;

namespace {

/// What an elementwise op reads: tensors element by element, and scalars that are the same for all.
struct ElementwiseOperands {
  SmallVector<Value> inputs;    // operands of the generic: tensors and scalars
  SmallVector<AffineMap> maps;  // one per input
  SmallVector<int64_t> source;  // per operand of the op: its position in inputs, or -1
  SmallVector<Value> constants; // per operand of the op: the constant it is, or null
};

} // namespace

/// Splats need no tensor: constants go into the body, other scalars become scalar operands.
static ElementwiseOperands sortOperands(ConversionPatternRewriter &rewriter, Location loc,
                                        ValueRange operands, int64_t rank) {
  ElementwiseOperands sorted;
  for (Value operand : operands) {
    Value scalar = getSplatScalar(rewriter, loc, operand);
    if (scalar && matchPattern(scalar, m_Constant())) {
      sorted.source.push_back(-1);
      sorted.constants.push_back(scalar);
      continue;
    }
    sorted.source.push_back(sorted.inputs.size());
    sorted.constants.push_back(nullptr);
    sorted.inputs.push_back(scalar ? scalar : operand);
    sorted.maps.push_back(scalar ? AffineMap::get(rank, 0, rewriter.getContext())
                                 : rewriter.getMultiDimIdentityMap(rank));
  }
  return sorted;
}

/// The operands that have the shape of the result: all but the scalars of select and clamp.
static SmallVector<Value> getShaped(ValueRange operands) {
  SmallVector<Value> shaped;
  for (Value operand : operands)
    if (cast<RankedTensorType>(operand.getType()).getRank() > 0)
      shaped.push_back(operand);
  return shaped;
}

/// A generic over `init`'s shape whose body `emit` makes of one scalar per operand; null if it
/// cannot.
static Value createElementwise(ConversionPatternRewriter &rewriter, Location loc,
                               ValueRange operands, Value init,
                               function_ref<Value(ArrayRef<Value>)> emit) {
  auto type = cast<RankedTensorType>(init.getType());
  int64_t rank = type.getRank();
  ElementwiseOperands sorted = sortOperands(rewriter, loc, operands, rank);
  sorted.maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  auto generic = linalg::GenericOp::create(rewriter, loc, type, sorted.inputs, init, sorted.maps,
                                           parallelIterators(rank));
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Type> argTypes;
  for (Value input : generic.getOperands())
    argTypes.push_back(getElementTypeOrSelf(input.getType()));
  SmallVector<Location> locs(argTypes.size(), loc);
  Block *body = rewriter.createBlock(&generic.getRegion(), {}, argTypes, locs);
  SmallVector<Value> scalars;
  for (auto [source, constant] : llvm::zip_equal(sorted.source, sorted.constants))
    scalars.push_back(constant ? constant : body->getArgument(source));
  Value result = emit(scalars);
  if (!result)
    return nullptr;
  linalg::YieldOp::create(rewriter, loc, result);
  return generic.getResult(0);
}

namespace {

struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(const TypeConverter &converter, StringRef name, MLIRContext *context)
      : ConversionPattern(converter, name, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op->getResult(0).getType());
    if (!type)
      return refuseOp(op, "its result type is not supported");
    Location loc = op->getLoc();
    if (type.getRank() == 0) {
      SmallVector<Value> scalars;
      for (Value operand : operands)
        scalars.push_back(extractScalar(rewriter, loc, operand));
      Value result = emitScalarOp(rewriter, op, scalars);
      if (!result)
        return refuseOp(op, "its operand types are not supported");
      rewriter.replaceOp(op, wrapScalar(rewriter, loc, result));
      return success();
    }
    SmallVector<Value> shaped = getShaped(operands);
    auto sameRank = [&](Value value) {
      return cast<RankedTensorType>(value.getType()).getRank() == type.getRank();
    };
    if (shaped.empty() || !llvm::all_of(shaped, sameRank))
      return refuseOp(op, "its operands and result differ in rank");
    Value init = createEmptyLike(rewriter, loc, type, shaped);
    Value result = createElementwise(rewriter, loc, operands, init, [&](ArrayRef<Value> scalars) {
      return emitScalarOp(rewriter, op, scalars);
    });
    if (!result)
      return refuseOp(op, "its operand types are not supported");
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// map: its region is the body.
struct MapPattern : OpConversionPattern<stablehlo::MapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(stablehlo::MapOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    auto emit = [&](ArrayRef<Value> scalars) -> Value {
      auto results = emitScalarRegion(rewriter, op.getComputation(), scalars);
      return succeeded(results) ? results->front() : Value();
    };
    Value result;
    if (type.getRank() == 0) {
      SmallVector<Value> scalars;
      for (Value operand : adaptor.getInputs())
        scalars.push_back(extractScalar(rewriter, loc, operand));
      if (Value scalar = emit(scalars))
        result = wrapScalar(rewriter, loc, scalar);
    } else {
      Value init = createEmptyLike(rewriter, loc, type, adaptor.getInputs());
      result = createElementwise(rewriter, loc, adaptor.getInputs(), init, emit);
    }
    if (!result)
      return rewriter.notifyMatchFailure(op, "its computation has no scalar form");
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

template <typename... Ops>
static void addElementwise(const TypeConverter &converter, RewritePatternSet &patterns) {
  (patterns.add<ElementwisePattern>(converter, Ops::getOperationName(), patterns.getContext()),
   ...);
}

void forge::populateElementwisePatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  {
    using namespace stablehlo;
    addElementwise<AbsOp, AddOp, AndOp, Atan2Op, BitcastConvertOp, CbrtOp, CeilOp, ClampOp, ClzOp,
                   CompareOp, ConvertOp, CosineOp, DivOp, ExpOp, Expm1Op, FloorOp, IsFiniteOp,
                   Log1pOp, LogOp, LogisticOp, MaxOp, MinOp, MulOp, NegOp, NotOp, OrOp,
                   PopulationCountOp, PowOp, ReducePrecisionOp, RemOp, RoundNearestEvenOp, RoundOp,
                   RsqrtOp, SelectOp, ShiftLeftOp, ShiftRightArithmeticOp, ShiftRightLogicalOp,
                   SignOp, SineOp, SqrtOp, SubtractOp, TanOp, TanhOp, XorOp>(converter, patterns);
  }
  using namespace chlo;
  addElementwise<AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp, BesselI1eOp, ConstantLikeOp,
                 CoshOp, DigammaOp, ErfInvOp, ErfOp, ErfcOp, IsInfOp, IsNegInfOp, IsPosInfOp,
                 LgammaOp, MulhiOp, NextAfterOp, PolygammaOp, SinhOp, SquareOp, TanOp, ZetaOp>(
      converter, patterns);
  patterns.add<MapPattern>(converter, patterns.getContext());
}
