#include "TermParts.h"

#include "PieceProducts.h"

#include "../Wgmma/WgmmaTile.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// Terms of a part at least, and tiles for each multiprocessor at most.
static constexpr int64_t kLeastTerms = 256, kTilesPerProcessor = 4;
/// Seconds of a kernel that adds up parts, besides those of its memory, and how much more time than
/// predicted tiles of parts take (H200).
static constexpr double kSecondsOfAdding = 6e-6, kMoreOfParts = 1.1;

SmallVector<TermParts> forge::termPartsOf(linalg::LinalgOp contraction, const GPUChip &chip) {
  SmallVector<TermParts> found{{}};
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  int64_t results = 1;
  for (int64_t size : cast<RankedTensorType>(contraction->getResult(0).getType()).getShape())
    results = saturatingMul(results, size);
  int64_t whole = chip.processors * kTileRows * kTileRows;
  if (results == 0 || results >= whole)
    return found;
  int64_t most = kTilesPerProcessor * whole / results;
  for (auto [loop, type] : llvm::enumerate(contraction.getIteratorTypesArray())) {
    AffineExpr dim = getAffineDimExpr(loop, contraction.getContext());
    auto isPlain = [&](AffineMap map) {
      return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
        return expr == dim || !expr.isFunctionOfDim(loop);
      });
    };
    if (type != utils::IteratorType::reduction || !isPlain(maps[0]) || !isPlain(maps[1]))
      continue;
    for (int64_t count = 2; count <= std::min(most, sizes[loop] / kLeastTerms); ++count)
      if (sizes[loop] % count == 0)
        found.push_back({static_cast<unsigned>(loop), count});
  }
  return found;
}

/// `map` with dimension `loop` in two, the first of them before all others.
static AffineMap withParts(AffineMap map, unsigned loop, bool isResult) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> exprs;
  AffineMap moved = map.shiftDims(1);
  if (isResult)
    exprs.push_back(getAffineDimExpr(0, context));
  for (AffineExpr expr : moved.getResults()) {
    if (expr == getAffineDimExpr(loop + 1, context))
      exprs.push_back(getAffineDimExpr(0, context));
    exprs.push_back(expr);
  }
  return AffineMap::get(moved.getNumDims(), 0, exprs, context);
}

/// `piece` with the dimension that `map` reads by `loop` as `parts` and the rest.
static Value divide(OpBuilder &builder, Value piece, AffineMap map, unsigned loop, int64_t parts) {
  auto type = cast<RankedTensorType>(piece.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t size = type.getDimSize(dim), next = shape.size();
    if (expr == getAffineDimExpr(loop, map.getContext())) {
      shape.append({parts, size / parts});
      groups.push_back({next, next + 1});
    } else {
      shape.push_back(size);
      groups.push_back({next});
    }
  }
  return tensor::ExpandShapeOp::create(builder, piece.getLoc(), type.clone(shape), piece, groups);
}

ContractionParts forge::inParts(OpBuilder &builder, linalg::LinalgOp contraction, ValueRange inputs,
                                ArrayRef<unsigned> numbers, TermParts parts) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  ContractionParts result;
  result.loops = contraction.getIteratorTypesArray();
  result.init = contraction.getDpsInits().front();
  if (parts.count == 1) {
    result.inputs.assign(inputs.begin(), inputs.end());
    for (unsigned number : numbers)
      result.maps.push_back(maps[number]);
    result.maps.push_back(maps.back());
    return result;
  }
  for (auto [input, number] : llvm::zip_equal(inputs, numbers)) {
    result.inputs.push_back(divide(builder, input, maps[number], parts.loop, parts.count));
    result.maps.push_back(withParts(maps[number], parts.loop, /*isResult=*/false));
  }
  result.maps.push_back(withParts(maps.back(), parts.loop, /*isResult=*/true));
  result.loops.insert(result.loops.begin(), utils::IteratorType::parallel);
  Location loc = contraction.getLoc();
  auto type = cast<RankedTensorType>(result.init.getType());
  SmallVector<int64_t> shape{parts.count};
  llvm::append_range(shape, type.getShape());
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  result.init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  return result;
}

linalg::GenericOp forge::divideTerms(linalg::LinalgOp contraction, TermParts parts) {
  OpBuilder builder(contraction);
  ContractionParts divided =
      inParts(builder, contraction, contraction.getDpsInputs(), {0, 1}, parts);
  auto made = linalg::GenericOp::create(builder, contraction.getLoc(), divided.init.getType(),
                                        divided.inputs, divided.init, divided.maps, divided.loops);
  IRMapping mapping;
  contraction->getRegion(0).cloneInto(&made.getRegion(), mapping);
  return made;
}

Value forge::addParts(OpBuilder &builder, Location loc, Value sums, Value init) {
  unsigned rank = cast<RankedTensorType>(sums.getType()).getRank();
  AffineMap whole = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.front() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             builder, loc, init.getType(), sums, init, {whole, whole.dropResult(0)}, loops,
             [](OpBuilder &inside, Location where, ValueRange values) {
               Value sum = arith::AddFOp::create(inside, where, values[1], values[0]);
               linalg::YieldOp::create(inside, where, sum);
             })
      .getResult(0);
}

double forge::secondsOfParts(double seconds, int64_t sums, const GPUChip &chip) {
  return kMoreOfParts * seconds + kSecondsOfAdding +
         8 * static_cast<double>(sums) / chip.copyBandwidth;
}

void forge::eraseParts(linalg::GenericOp divided, function_ref<bool(Value)> isKept) {
  SmallVector<Value> operands(divided->getOperands());
  divided->erase();
  for (Value operand : operands) {
    Operation *view = operand.getDefiningOp();
    if (isReshape(view) && !isKept(operand))
      view->erase();
  }
  auto fill = operands.back().getDefiningOp<linalg::FillOp>();
  if (!fill->use_empty())
    return;
  Operation *number = fill.value().getDefiningOp(), *empty = fill.output().getDefiningOp();
  fill->erase();
  for (Operation *op : {number, empty})
    if (op->use_empty())
      op->erase();
}
