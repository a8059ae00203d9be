#include "MaskedRows.h"

#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_NARROWFACTORSPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-narrow-factors"

using namespace mlir;
using namespace forge;

/// `value` in `type`, rounded unless it is known to be exact.
static Value narrowed(OpBuilder &builder, Value value, FloatType type) {
  auto of = cast<RankedTensorType>(value.getType());
  if (of.getElementType() == type)
    return value;
  if (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    if (convert.getOperand().getType().getElementType() == type)
      return convert.getOperand();
  return stablehlo::ConvertOp::create(builder, value.getLoc(), of.clone(type), value);
}

/// The scalar that all elements of `value` are; null if they differ.
static Value scalarOf(Value value) {
  auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>();
  return broadcast && broadcast.getOperand().getType().getRank() == 0 ? broadcast.getOperand()
                                                                      : Value();
}

/// A scalar that multiplies or divides all elements of a factor, by way of reshapes and transposes.
struct Scale {
  Value scalar;
  bool divides = false;
  Value scaled;                   ///< what is multiplied or divided
  SmallVector<Operation *> moves; ///< from the factor on
};

static std::optional<Scale> scaleOf(Value factor) {
  Scale scale;
  while (isa_and_nonnull<stablehlo::ReshapeOp, stablehlo::TransposeOp>(factor.getDefiningOp())) {
    scale.moves.push_back(factor.getDefiningOp());
    factor = factor.getDefiningOp()->getOperand(0);
  }
  Operation *op = factor.getDefiningOp();
  if (!isa_and_nonnull<stablehlo::MulOp, stablehlo::DivOp>(op))
    return std::nullopt;
  scale.divides = isa<stablehlo::DivOp>(op);
  for (unsigned i : {1u, 0u}) {
    scale.scalar = scalarOf(op->getOperand(i));
    scale.scaled = op->getOperand(1 - i);
    if (scale.scalar && (i == 1 || !scale.divides))
      return scale;
  }
  return std::nullopt;
}

/// The factor without the scale; operations that move its elements are added to `made`.
static Value withoutScale(OpBuilder &builder, const Scale &scale,
                          SmallVectorImpl<Operation *> &made) {
  Value plain = scale.scaled;
  for (Operation *move : llvm::reverse(scale.moves)) {
    IRMapping mapping;
    mapping.map(move->getOperand(0), plain);
    made.push_back(builder.clone(*move, mapping));
    plain = made.back()->getResult(0);
  }
  return plain;
}

static Value scaled(OpBuilder &builder, Value sums, const Scale &scale) {
  Location loc = sums.getLoc();
  Type type = sums.getType();
  Value all = stablehlo::BroadcastInDimOp::create(builder, loc, type, scale.scalar,
                                                  builder.getDenseI64ArrayAttr({}));
  if (scale.divides)
    return stablehlo::DivOp::create(builder, loc, type, sums, all);
  return stablehlo::MulOp::create(builder, loc, type, sums, all);
}

/// Moves scales of factors behind `dot`, where both factors can then be narrow, as queries that
/// were widened and divided by the root of their length. The product is rounded instead of each
/// element.
static void moveScales(stablehlo::DotGeneralOp dot) {
  if (!cast<RankedTensorType>(dot.getType()).hasStaticShape())
    return;
  OpBuilder builder(dot);
  SmallVector<Value> factors = dot->getOperands();
  SmallVector<Scale, 2> scales;
  SmallVector<Operation *> made;
  for (OpOperand &factor : dot->getOpOperands())
    if (std::optional<Scale> scale = scaleOf(factor.get())) {
      factor.set(withoutScale(builder, *scale, made));
      scales.push_back(std::move(*scale));
    }
  if (scales.empty())
    return;
  if (!stablehlo::narrowFactorType(dot)) {
    dot->setOperands(factors);
    for (Operation *op : llvm::reverse(made))
      op->erase();
    return;
  }
  builder.setInsertionPointAfter(dot);
  Value sums = dot;
  llvm::SmallPtrSet<Operation *, 2> users;
  for (const Scale &scale : scales) {
    sums = scaled(builder, sums, scale);
    users.insert(sums.getDefiningOp());
  }
  dot.getResult().replaceAllUsesExcept(sums, users);
}

namespace {
struct NarrowFactorsPass : forge::impl::NarrowFactorsPassBase<NarrowFactorsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    stablehlo::populateMaskedRowsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    SmallVector<stablehlo::DotGeneralOp> products;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) {
      if (!stablehlo::narrowFactorType(dot))
        products.push_back(dot);
    });
    for (stablehlo::DotGeneralOp dot : products)
      moveScales(dot);
    // All are found before one changes: what follows from what is seen by the products' types.
    SmallVector<std::pair<stablehlo::DotGeneralOp, FloatType>> found;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) {
      if (std::optional<FloatType> type = stablehlo::narrowFactorType(dot))
        found.push_back({dot, *type});
    });
    for (auto [dot, type] : found) {
      OpBuilder builder(dot);
      Value lhs = narrowed(builder, dot.getLhs(), type),
            rhs = narrowed(builder, dot.getRhs(), type);
      dot->setOperands({lhs, rhs});
    }
  }
};
} // namespace
