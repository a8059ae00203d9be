#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-reductions"

using namespace mlir;

/// Elements that one block takes long for; blocks at least and at most that are worth a second
/// launch.
static constexpr int64_t kManyElements = 1 << 18, kFewestParts = 16, kMostParts = 512;

/// The one value of a constant; null for another value, or for several.
static TypedAttr splatOf(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return {};
  return constant.getSplatValue<TypedAttr>();
}

/// The number of parts of equal size; 1 if the operation is not split.
static int64_t partsOf(linalg::GenericOp op) {
  if (op.getNumLoops() != 1 || op.getNumReductionLoops() != 1 || op.hasIndexSemantics() ||
      linalg::isaContractionOpInterface(op) || op->hasAttr(forge::kScheduleAttr) ||
      op->hasAttr(forge::kClusterAttr))
    return 1;
  int64_t size = op.getStaticLoopRanges().front();
  if (ShapedType::isDynamic(size) || size < kManyElements)
    return 1;
  // What else is computed element by element stays in one kernel with the reduction.
  for (OpOperand *input : op.getDpsInputOperands())
    if (!op.getMatchingIndexingMap(input).isIdentity() ||
        isa_and_nonnull<linalg::LinalgOp>(input->get().getDefiningOp()))
      return 1;
  for (Value init : op.getDpsInits())
    if (!init.getDefiningOp<linalg::FillOp>() && !splatOf(init))
      return 1;
  int64_t parts = std::min(size & -size, kMostParts);
  return parts < kFewestParts ? 1 : parts;
}

namespace {
/// 1. The row is a table of as many rows as there are parts.
/// 2. Each row is reduced by the body, from the combiner's neutral element, or from the initial
///    value where joining that several times does no harm.
/// 3. The combiner joins the rows' results, beginning with the initial value.
struct SplitReductionsPass : public forge::impl::SplitReductionsPassBase<SplitReductionsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && partsOf(op) > 1)
        reductions.push_back(op);
    });
    for (linalg::GenericOp op : reductions) {
      std::string why;
      FailureOr<forge::RowReduction> reduction = forge::RowReduction::match(op, why);
      if (succeeded(reduction))
        split(op, *reduction, partsOf(op));
    }
  }

  static SmallVector<Value> partialResults(OpBuilder &b, linalg::GenericOp op,
                                           const forge::RowReduction &reduction, int64_t parts) {
    Location loc = op.getLoc();
    SmallVector<Value> inputs, starts;
    for (Value input : op.getDpsInputs()) {
      auto type = cast<RankedTensorType>(input.getType());
      auto table =
          RankedTensorType::get({parts, type.getDimSize(0) / parts}, type.getElementType());
      inputs.push_back(tensor::ExpandShapeOp::create(b, loc, table, input,
                                                     SmallVector<ReassociationIndices>{{0, 1}}));
    }
    for (auto [init, neutral] : llvm::zip_equal(op.getDpsInits(), reduction.neutral)) {
      TypedAttr constant = neutral ? neutral : splatOf(init);
      Value scalar = constant ? arith::ConstantOp::create(b, loc, constant).getResult()
                              : init.getDefiningOp<linalg::FillOp>().getInputs().front();
      Value empty = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{parts}, scalar.getType());
      starts.push_back(linalg::FillOp::create(b, loc, scalar, empty).getResult(0));
    }
    SmallVector<AffineMap> maps(inputs.size(), b.getMultiDimIdentityMap(2));
    maps.append(starts.size(), AffineMap::get(2, 0, b.getAffineDimExpr(0)));
    auto partial =
        linalg::GenericOp::create(b, loc, TypeRange(starts), inputs, starts, maps,
                                  {utils::IteratorType::parallel, utils::IteratorType::reduction});
    IRMapping mapping;
    op.getRegion().cloneInto(&partial.getRegion(), mapping);
    return SmallVector<Value>(partial.getResults());
  }

  static void split(linalg::GenericOp op, const forge::RowReduction &reduction, int64_t parts) {
    OpBuilder b(op);
    SmallVector<Value> partial = partialResults(b, op, reduction, parts);
    SmallVector<AffineMap> maps(partial.size(), b.getMultiDimIdentityMap(1));
    maps.append(partial.size(), AffineMap::get(1, 0, b.getContext()));
    auto whole = linalg::GenericOp::create(
        b, op.getLoc(), op->getResultTypes(), partial, op.getDpsInits(), maps,
        {utils::IteratorType::reduction}, [&](OpBuilder &inner, Location loc, ValueRange values) {
          size_t count = partial.size();
          linalg::YieldOp::create(
              inner, loc,
              reduction.combine(inner, op, values.drop_front(count), values.take_front(count)));
        });
    op->replaceAllUsesWith(whole);
    op->erase();
  }
};
} // namespace
