#include "ResultOrder.h"

#include "../Strategy/ProductAxes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

std::optional<SmallVector<unsigned>> forge::readOrder(linalg::GenericOp follow, Value sums) {
  if (follow.getNumParallelLoops() != follow.getNumLoops() ||
      !llvm::all_of(follow.getDpsInitsMutable(), [&](OpOperand &init) {
        return follow.getMatchingIndexingMap(&init).isIdentity() && init.get() != sums;
      }))
    return std::nullopt;
  AffineMap read;
  for (OpOperand *input : follow.getDpsInputOperands()) {
    if (input->get() != sums)
      continue;
    AffineMap map = follow.getMatchingIndexingMap(input);
    if (!map.isPermutation() || (read && read != map))
      return std::nullopt;
    read = map;
  }
  if (!read || read.isIdentity())
    return std::nullopt;
  return inverseOrder(*loopsOf(read));
}

SmallVector<unsigned> forge::inverseOrder(ArrayRef<unsigned> order) {
  SmallVector<unsigned> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return inverse;
}

AffineMap forge::inOrder(AffineMap map, ArrayRef<unsigned> order) {
  return AffineMap::get(map.getNumDims(), 0, inOrder<AffineExpr>(map.getResults(), order),
                        map.getContext());
}

linalg::GenericOp forge::remakeContraction(linalg::LinalgOp contraction, ArrayRef<Value> factors,
                                           ArrayRef<AffineMap> maps, ArrayRef<unsigned> order) {
  OpBuilder builder(contraction);
  Location loc = contraction.getLoc();
  auto fill = contraction.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Value start = fill.getDpsInits()[0];
  auto known = start.getDefiningOp<tensor::EmptyOp>();
  SmallVector<OpFoldResult> sizes =
      known ? known.getMixedSizes() : tensor::getMixedSizes(builder, loc, start);
  auto type = cast<RankedTensorType>(start.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, inOrder<OpFoldResult>(sizes, order),
                                        type.getElementType());
  // Sizes that are constants in operations are not in the type.
  auto ordered =
      RankedTensorType::get(inOrder<int64_t>(type.getShape(), order), type.getElementType());
  if (empty.getType() != ordered)
    empty = tensor::CastOp::create(builder, loc, ordered, empty);
  Value zeros = linalg::FillOp::create(builder, loc, fill.value(), empty).getResult(0);
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(inOrder(contraction.getIndexingMapsArray().back(), order));
  auto made = linalg::GenericOp::create(builder, loc, ordered, factors, zeros, allMaps,
                                        contraction.getIteratorTypesArray());
  IRMapping mapping;
  contraction->getRegion(0).cloneInto(&made.getRegion(), mapping);
  made->setDiscardableAttrs(contraction->getDiscardableAttrDictionary());
  return made;
}

linalg::GenericOp forge::reorderResult(linalg::LinalgOp contraction, linalg::GenericOp follow,
                                       ArrayRef<unsigned> order) {
  SmallVector<Value> factors = contraction.getDpsInputs();
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  linalg::GenericOp made =
      remakeContraction(contraction, factors, ArrayRef(maps).drop_back(), order);
  SmallVector<AffineMap> followMaps = follow.getIndexingMapsArray();
  for (OpOperand *input : follow.getDpsInputOperands())
    if (input->get() == contraction->getResult(0)) {
      AffineMap &map = followMaps[input->getOperandNumber()];
      map = inOrder(map, order);
      input->set(made.getResult(0));
    }
  follow.setIndexingMapsAttr(Builder(follow.getContext()).getAffineMapArrayAttr(followMaps));
  contraction->erase();
  return made;
}
