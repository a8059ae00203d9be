#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

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

namespace {
struct NarrowFactorsPass : forge::impl::NarrowFactorsPassBase<NarrowFactorsPass> {
  void runOnOperation() override {
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
