#include "Zeros.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge {
#define GEN_PASS_DEF_SELECTSCATTERSPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-select-scatters"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

namespace {
/// A scatter into zeros that puts one element into each row along a dimension.
struct RowScatter {
  ScatterOp op;
  int64_t dim;
  /// The rest of the input's dimensions, in the order in which updates have them.
  SmallVector<int64_t> rows;
  bool adds;
};
} // namespace

static std::optional<RowScatter> match(ScatterOp op) {
  if (op.getInputs().size() != 1 || !isZeros(op.getInputs()[0]))
    return std::nullopt;
  // 1. Indices are places along one dimension; the others are batching ones.
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType()),
       indices = cast<RankedTensorType>(op.getScatterIndices().getType());
  if (!type.hasStaticShape() || !indices.hasStaticShape() || type != op.getResult(0).getType() ||
      !dims.getUpdateWindowDims().empty() || dims.getScatterDimsToOperandDims().size() != 1 ||
      dims.getInsertedWindowDims() != dims.getScatterDimsToOperandDims())
    return std::nullopt;
  RowScatter found{op, dims.getScatterDimsToOperandDims().front(), {}, false};
  // 2. One place for each row.
  for (int64_t dim = 0; dim < indices.getRank(); ++dim) {
    if (dim == dims.getIndexVectorDim())
      continue;
    ArrayRef<int64_t> batch = dims.getScatterIndicesBatchingDims();
    const int64_t *at = llvm::find(batch, dim);
    if (at != batch.end())
      found.rows.push_back(dims.getInputBatchingDims()[at - batch.begin()]);
    else if (indices.getDimSize(dim) != 1)
      return std::nullopt;
  }
  // 3. Which the indices' type can count.
  unsigned bits = indices.getElementTypeBitWidth() - !indices.getElementType().isUnsignedInteger();
  if (bits < 63 && type.getDimSize(found.dim) > (int64_t(1) << bits))
    return std::nullopt;
  // 4. The update, or the sum of it and 0.
  Block &body = op.getUpdateComputation().front();
  Value result = body.getTerminator()->getOperand(0);
  if (result == body.getArgument(1))
    return found;
  auto sum = result.getDefiningOp<AddOp>();
  found.adds = sum && sum.getLhs() != sum.getRhs() &&
               llvm::all_of(sum->getOperands(), llvm::IsaPred<BlockArgument>) &&
               sum.getType() == body.getArgument(1).getType() && type.getElementTypeBitWidth() >= 8;
  return found.adds ? std::optional(found) : std::nullopt;
}

static void rewrite(const RowScatter &scatter) {
  ScatterOp op = scatter.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  SmallVector<int64_t> sizes =
      llvm::map_to_vector(scatter.rows, [&](int64_t dim) { return type.getDimSize(dim); });
  auto spread = [&](Value rows) -> Value {
    Type element = getElementTypeOrSelf(rows.getType());
    Value flat = ReshapeOp::create(b, loc, RankedTensorType::get(sizes, element), rows);
    return BroadcastInDimOp::create(b, loc, type.clone(element), flat, scatter.rows);
  };
  Value places = spread(op.getScatterIndices()), update = spread(op.getUpdates()[0]);
  Value place = IotaOp::create(b, loc, cast<RankedTensorType>(places.getType()),
                               static_cast<uint64_t>(scatter.dim));
  Value isThere = CompareOp::create(b, loc, place, places, ComparisonDirection::EQ);
  // Adding to 0 makes 0 of -0.
  if (scatter.adds && isa<FloatType>(type.getElementType()))
    update = AddOp::create(b, loc, op.getInputs()[0], update);
  Value chosen = SelectOp::create(b, loc, type, isThere, update, op.getInputs()[0]);
  op.getResult(0).replaceAllUsesWith(chosen);
  op.erase();
}

namespace {
struct SelectScattersPass : forge::impl::SelectScattersPassBase<SelectScattersPass> {
  void runOnOperation() override {
    getOperation().walk([&](ScatterOp op) {
      if (std::optional<RowScatter> scatter = match(op))
        rewrite(*scatter);
    });
  }
};
} // namespace
