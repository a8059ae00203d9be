#include "AttentionOrder.h"

#include "../Library/ResultOrder.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

using Order = SmallVector<unsigned>;

static bool isProduct(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 2 && op.getNumReductionLoops() > 0 &&
         addsProduct(op->getRegion(0).front());
}

/// The dimensions that `map`, a permutation, reads, as the loops of `reader` go through them: those
/// of its result first, then those that it reduces.
static Order orderOf(linalg::GenericOp reader, AffineMap map) {
  Order dims = llvm::to_vector(llvm::seq(map.getNumResults()));
  AffineMap result = reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
  auto placeOf = [&](unsigned dim) {
    AffineExpr loop = map.getResult(dim);
    std::optional<unsigned> place = result.getResultPosition(loop);
    return place ? *place : result.getNumResults() + map.getDimPosition(dim);
  };
  llvm::sort(dims, [&](unsigned a, unsigned b) { return placeOf(a) < placeOf(b); });
  return dims;
}

/// The one order in which all readers but products go through `value`, rows among them; products
/// read any.
static std::optional<Order> orderOfReaders(Value value) {
  std::optional<Order> order;
  bool hasRows = false;
  for (OpOperand &use : value.getUses()) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || !reader.hasPureTensorSemantics() || reader->hasAttr(kClusterAttr) ||
        !reader.isDpsInput(&use))
      return std::nullopt;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    if (!map.isProjectedPermutation())
      return std::nullopt;
    if (isProduct(reader))
      continue;
    Order own = orderOf(reader, map);
    if (order && *order != own)
      return std::nullopt;
    order = own;
    hasRows |= reader.getNumReductionLoops() > 0;
  }
  return hasRows ? order : std::nullopt;
}

/// `op` with dimension `order[i]` of its result as the i-th one, and its loops in that order, as
/// transpositions that are fused have them; its readers, operations of linalg, read that. Erases
/// `op`.
static linalg::GenericOp reordered(linalg::GenericOp op, ArrayRef<unsigned> order) {
  IRRewriter builder(op);
  Value result = op->getResult(0);
  Type element = getElementTypeOrSelf(result);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, op.getLoc(), op.getDpsInits()[0]);
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), inOrder<OpFoldResult>(sizes, order), element);
  auto made = cast<linalg::GenericOp>(builder.clone(*op));
  made.getDpsInitsMutable()[0].set(empty);
  made->getResult(0).setType(cast<RankedTensorType>(empty.getType()));
  SmallVector<AffineMap> maps = made.getIndexingMapsArray();
  maps.back() = inOrder(maps.back(), order);
  made.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    auto reader = cast<linalg::GenericOp>(use.getOwner());
    SmallVector<AffineMap> read = reader.getIndexingMapsArray();
    read[use.getOperandNumber()] = inOrder(read[use.getOperandNumber()], order);
    use.set(made->getResult(0));
    reader.setIndexingMapsAttr(builder.getAffineMapArrayAttr(read));
  }
  builder.eraseOp(op);
  auto loops = llvm::map_to_vector(maps.back().getResults(), [](AffineExpr loop) {
    return cast<AffineDimExpr>(loop).getPosition();
  });
  FailureOr<linalg::GenericOp> inLoops = linalg::interchangeGenericOp(builder, made, loops);
  return succeeded(inLoops) ? *inLoops : made;
}

linalg::GenericOp forge::orderForRows(linalg::GenericOp last,
                                      llvm::function_ref<bool(linalg::GenericOp)> isKernel) {
  bool isPlain = last.getNumReductionLoops() == 0 && last->getNumResults() == 1 &&
                 !last.payloadUsesValueFromOperand(last.getDpsInitOperand(0)) &&
                 last.getMatchingIndexingMap(last.getDpsInitOperand(0)).isPermutation();
  if (!isPlain)
    return last;
  Value result = last->getResult(0);
  std::optional<Order> order = orderOfReaders(result);
  auto inPlace =
      llvm::to_vector(llvm::seq<unsigned>(0, cast<RankedTensorType>(result.getType()).getRank()));
  if (!order || *order == inPlace || order->back() != inPlace.back())
    return last;
  linalg::GenericOp made = reordered(last, *order);
  return isKernel(made) ? made : reordered(made, inverseOrder(*order));
}
