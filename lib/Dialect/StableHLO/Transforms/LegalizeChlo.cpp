#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_LEGALIZECHLOPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-legalize-chlo"

using namespace mlir;
using namespace forge;

/// The size of `tensor` along `dim` as a tensor<i32>.
static Value getSize(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto scalar = RankedTensorType::get({}, builder.getI32Type());
  if (type.isDynamicDim(dim))
    return stablehlo::GetDimensionSizeOp::create(builder, loc, scalar, tensor,
                                                 builder.getI64IntegerAttr(dim));
  auto value = DenseElementsAttr::get(scalar, int32_t(type.getDimSize(dim)));
  return stablehlo::ConstantOp::create(builder, loc, value);
}

namespace {

/// One operand, and which dimension of the result each of its dimensions becomes.
struct BroadcastOperand {
  Value value;
  SmallVector<int64_t> dims; // per dimension of the operand: that of the result
  std::optional<int64_t> find(int64_t resultDim) const {
    auto it = llvm::find(dims, resultDim);
    return it == dims.end() ? std::nullopt : std::optional<int64_t>(it - dims.begin());
  }
};

} // namespace

/// The size of the result along `dim`: of the first operand that has not size 1 there.
static Value getResultSize(OpBuilder &builder, Location loc, ArrayRef<BroadcastOperand> operands,
                           int64_t dim) {
  auto scalar = RankedTensorType::get({}, builder.getI32Type());
  Value one =
      stablehlo::ConstantOp::create(builder, loc, DenseElementsAttr::get(scalar, int32_t(1)));
  Value size = one;
  for (const BroadcastOperand &operand : llvm::reverse(operands)) {
    auto own = operand.find(dim);
    if (!own)
      continue;
    Value candidate = getSize(builder, loc, operand.value, *own);
    Value stretched =
        stablehlo::CompareOp::create(builder, loc, RankedTensorType::get({}, builder.getI1Type()),
                                     candidate, one, stablehlo::ComparisonDirection::EQ,
                                     stablehlo::ComparisonTypeAttr::get(
                                         builder.getContext(), stablehlo::ComparisonType::SIGNED));
    size = stablehlo::SelectOp::create(builder, loc, scalar, stretched, size, candidate);
  }
  return size;
}

static Value getResultShape(OpBuilder &builder, Location loc, ArrayRef<BroadcastOperand> operands,
                            int64_t rank) {
  auto one = RankedTensorType::get({1}, builder.getI32Type());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(stablehlo::ReshapeOp::create(builder, loc, one,
                                                 getResultSize(builder, loc, operands, dim)));
  auto type = RankedTensorType::get({rank}, builder.getI32Type());
  return stablehlo::ConcatenateOp::create(builder, loc, type, sizes, 0);
}

/// The operands in the shape of `type` (each with its own element type).
static SmallVector<Value> broadcastOperands(OpBuilder &builder, Location loc,
                                            ArrayRef<BroadcastOperand> operands,
                                            RankedTensorType type) {
  Value shape;
  SmallVector<Value> results;
  for (const BroadcastOperand &operand : operands) {
    auto from = cast<RankedTensorType>(operand.value.getType());
    auto to = type.clone(from.getElementType());
    if (to.hasStaticShape() && from.hasStaticShape()) {
      results.push_back(from == to ? operand.value
                                   : stablehlo::BroadcastInDimOp::create(
                                         builder, loc, to, operand.value, operand.dims));
      continue;
    }
    if (!shape)
      shape = getResultShape(builder, loc, operands, type.getRank());
    results.push_back(stablehlo::DynamicBroadcastInDimOp::create(builder, loc, to, operand.value,
                                                                 shape, operand.dims));
  }
  return results;
}

/// Result dimensions of each operand: `explicitDims` for those of lower rank, otherwise aligned at
/// the last dimension.
static SmallVector<BroadcastOperand> alignOperands(Operation *op, RankedTensorType type,
                                                   std::optional<ArrayRef<int64_t>> explicitDims) {
  SmallVector<BroadcastOperand> operands;
  for (Value value : op->getOperands()) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank(), first = type.getRank() - rank;
    BroadcastOperand operand{value, {}};
    if (explicitDims && first > 0 && int64_t(explicitDims->size()) == rank)
      operand.dims.assign(explicitDims->begin(), explicitDims->end());
    else
      llvm::append_range(operand.dims, llvm::seq<int64_t>(first, type.getRank()));
    operands.push_back(operand);
  }
  return operands;
}

namespace {

/// chlo.broadcast_X becomes X on broadcast operands; attributes other than the broadcast dimensions
/// stay.
struct BroadcastPattern : RewritePattern {
  BroadcastPattern(StringRef from, StringRef to, MLIRContext *context)
      : RewritePattern(from, /*benefit=*/1, context), target(to, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<ArrayRef<int64_t>> dims;
    if (auto attribute = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions"))
      dims = attribute.asArrayRef();
    auto operands = alignOperands(op, type, dims);
    OperationState state(op->getLoc(), target);
    state.addOperands(broadcastOperands(rewriter, op->getLoc(), operands, type));
    state.addTypes(type);
    addAttributes(op, state);
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }

private:
  static Attribute toStableHLO(Attribute attribute) {
    MLIRContext *context = attribute.getContext();
    if (auto direction = dyn_cast<chlo::ComparisonDirectionAttr>(attribute))
      return stablehlo::ComparisonDirectionAttr::get(context, direction.getValue());
    if (auto type = dyn_cast<chlo::ComparisonTypeAttr>(attribute))
      return stablehlo::ComparisonTypeAttr::get(context, type.getValue());
    return attribute;
  }

  void addAttributes(Operation *op, OperationState &state) const {
    for (NamedAttribute attribute : op->getAttrs())
      if (attribute.getName() != "broadcast_dimensions")
        state.addAttribute(attribute.getName(), toStableHLO(attribute.getValue()));
  }

  OperationName target;
};

struct LegalizeChloPass : forge::impl::LegalizeChloPassBase<LegalizeChloPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLegalizeChloPatterns(patterns);
    populateLegalizeRaggedDotPatterns(patterns);
    populateLegalizeScanPatterns(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace

template <typename From, typename To> static void add(RewritePatternSet &patterns) {
  patterns.add<BroadcastPattern>(From::getOperationName(), To::getOperationName(),
                                 patterns.getContext());
}

void forge::populateLegalizeChloPatterns(RewritePatternSet &patterns) {
  using namespace chlo;
  add<BroadcastAddOp, stablehlo::AddOp>(patterns);
  add<BroadcastAndOp, stablehlo::AndOp>(patterns);
  add<BroadcastAtan2Op, stablehlo::Atan2Op>(patterns);
  add<BroadcastCompareOp, stablehlo::CompareOp>(patterns);
  add<BroadcastDivOp, stablehlo::DivOp>(patterns);
  add<BroadcastMaxOp, stablehlo::MaxOp>(patterns);
  add<BroadcastMinOp, stablehlo::MinOp>(patterns);
  add<BroadcastMulOp, stablehlo::MulOp>(patterns);
  add<BroadcastNextAfterOp, NextAfterOp>(patterns);
  add<BroadcastOrOp, stablehlo::OrOp>(patterns);
  add<BroadcastPolygammaOp, PolygammaOp>(patterns);
  add<BroadcastPowOp, stablehlo::PowOp>(patterns);
  add<BroadcastRemOp, stablehlo::RemOp>(patterns);
  add<BroadcastSelectOp, stablehlo::SelectOp>(patterns);
  add<BroadcastShiftLeftOp, stablehlo::ShiftLeftOp>(patterns);
  add<BroadcastShiftRightArithmeticOp, stablehlo::ShiftRightArithmeticOp>(patterns);
  add<BroadcastShiftRightLogicalOp, stablehlo::ShiftRightLogicalOp>(patterns);
  add<BroadcastSubOp, stablehlo::SubtractOp>(patterns);
  add<BroadcastXorOp, stablehlo::XorOp>(patterns);
  add<BroadcastZetaOp, ZetaOp>(patterns);
}
