// Checks and assertions: calls of the runtime, which compares and records.
#include "Constant.h"
#include "Refuse.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::CustomCallOp;

/// The suffix of the runtime's functions for an (original) element type: "ui8", "f8e4m3fn".
static std::string getTypeSuffix(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return StringRef(name).lower();
}

/// Calls forge_rt_expect_<kind>_<type>(actual, expected, extra...). `original`: the type of the
/// tensors before conversion.
static void callCheck(OpBuilder &builder, Location loc, StringRef kind, Type original, Value actual,
                      Value expected, ValueRange extra) {
  auto toUnranked = [&](Value tensor) -> Value {
    Type type = UnrankedTensorType::get(getElementTypeOrSelf(tensor.getType()));
    return tensor::CastOp::create(builder, loc, type, tensor);
  };
  SmallVector<Value> args = {toUnranked(actual), toUnranked(expected)};
  llvm::append_range(args, extra);
  std::string name =
      ("forge_rt_expect_" + kind + "_" + getTypeSuffix(getElementTypeOrSelf(original))).str();
  callRuntime(builder, loc, name, {}, args);
}

static Value getTolerance(OpBuilder &builder, Location loc, double tolerance) {
  return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(tolerance));
}

/// The smallest and the greatest distance allowed, in units in the last place.
static SmallVector<Value> getDistances(OpBuilder &builder, Location loc, int64_t least,
                                       int64_t most) {
  return {arith::ConstantIntOp::create(builder, loc, least, 64),
          arith::ConstantIntOp::create(builder, loc, most, 64)};
}

static Value getConstant(OpBuilder &builder, Location loc, ElementsAttr value) {
  return arith::ConstantOp::create(builder, loc, getSignlessElements(value));
}

namespace {

struct ExpectEqPattern : OpConversionPattern<check::ExpectEqOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(check::ExpectEqOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    callCheck(rewriter, op.getLoc(), "eq", op.getLhs().getType(), adaptor.getLhs(),
              adaptor.getRhs(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectEqConstPattern : OpConversionPattern<check::ExpectEqConstOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(check::ExpectEqConstOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    callCheck(rewriter, op.getLoc(), "eq", op.getLhs().getType(), adaptor.getLhs(),
              getConstant(rewriter, op.getLoc(), op.getValue()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectAlmostEqPattern : OpConversionPattern<check::ExpectAlmostEqOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(check::ExpectAlmostEqOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value tolerance = getTolerance(rewriter, op.getLoc(), op.getTolerance().convertToDouble());
    callCheck(rewriter, op.getLoc(), "almost_eq", op.getLhs().getType(), adaptor.getLhs(),
              adaptor.getRhs(), tolerance);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectAlmostEqConstPattern : OpConversionPattern<check::ExpectAlmostEqConstOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(check::ExpectAlmostEqConstOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value tolerance = getTolerance(rewriter, op.getLoc(), op.getTolerance().convertToDouble());
    callCheck(rewriter, op.getLoc(), "almost_eq", op.getLhs().getType(), adaptor.getLhs(),
              getConstant(rewriter, op.getLoc(), op.getValue()), tolerance);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectClosePattern : OpConversionPattern<check::ExpectCloseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(check::ExpectCloseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto distances =
        getDistances(rewriter, op.getLoc(), op.getMinUlpDifference(), op.getMaxUlpDifference());
    callCheck(rewriter, op.getLoc(), "close", op.getActual().getType(), adaptor.getActual(),
              adaptor.getExpected(), distances);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The custom_call targets that Forge knows.
struct CustomCallPattern : OpConversionPattern<CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef target = op.getCallTargetName();
    if (target == "shape_assertion")
      return lowerAssertion(op, adaptor, rewriter);
    if (target.starts_with("check.expect_"))
      return lowerCheck(op, adaptor, rewriter);
    // Keeps its operands from being dropped as unused, and does nothing.
    if (target == "dce_sink" && op.getNumResults() == 0) {
      rewriter.eraseOp(op);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "it calls something else");
  }

private:
  static LogicalResult lowerCheck(CustomCallOp op, OpAdaptor adaptor,
                                  ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    StringRef kind = op.getCallTargetName();
    kind.consume_front("check.expect_");
    if (op.getNumOperands() != 2 || op.getNumResults() != 0 ||
        op.getOperand(0).getType() != op.getOperand(1).getType())
      return refuseOp(op, "a check takes two operands of one type");
    SmallVector<Value> extra;
    if (kind == "almost_eq")
      extra = {getTolerance(rewriter, loc, 1e-3)};
    else if (kind == "close")
      extra = getDistances(rewriter, loc, 0, 3);
    else if (kind != "eq")
      return refuseOp(op, "its target is unknown");
    callCheck(rewriter, loc, kind, op.getOperand(0).getType(), adaptor.getInputs()[0],
              adaptor.getInputs()[1], extra);
    rewriter.eraseOp(op);
    return success();
  }

  /// shape_assertion(condition, values...): jax.export's check of a dynamic size.
  static LogicalResult lowerAssertion(CustomCallOp op, OpAdaptor adaptor,
                                      ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto isInteger = [](Value value) {
      auto tensor = dyn_cast<RankedTensorType>(value.getType());
      return tensor && tensor.getRank() == 0 && tensor.getElementType().isInteger();
    };
    auto message = op->getAttrOfType<StringAttr>("error_message");
    if (op.getNumOperands() == 0 || op.getNumResults() != 0 || !message ||
        !llvm::all_of(op.getInputs(), isInteger))
      return refuseOp(op, "it takes a condition, integers and an error_message");
    SmallVector<Value> values;
    for (Value input : adaptor.getInputs())
      values.push_back(extractScalar(rewriter, loc, input));
    createRuntimeAssert(rewriter, loc, values.front(), message.getValue(),
                        ArrayRef<Value>(values).drop_front());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void forge::populateCheckPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ExpectEqPattern, ExpectEqConstPattern, ExpectAlmostEqPattern,
               ExpectAlmostEqConstPattern, ExpectClosePattern, CustomCallPattern>(
      converter, patterns.getContext());
}
