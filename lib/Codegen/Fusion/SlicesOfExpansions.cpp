// Slices that alone are read of an expansion are computed one by one.
#include "Expansions.h"

#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace forge {
namespace {

bool isPlainSlice(tensor::ExtractSliceOp slice) {
  return slice.hasUnitStride() && !ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
         slice.getType().hasStaticShape() && llvm::all_of(slice->getUsers(), mayCompute);
}

/// `slice` of what `op` makes, by an operation on slices of what `op` reads. Dimensions that the
/// slice drops are loops of `op` at one place.
Value computeSlice(IRRewriter &b, linalg::GenericOp op, tensor::ExtractSliceOp slice) {
  b.setInsertionPoint(slice);
  MLIRContext *context = op.getContext();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  // 1. Where each loop begins, how far it goes, and which loop it becomes.
  unsigned numLoops = op.getNumLoops();
  SmallVector<int64_t> begin(numLoops), size(numLoops);
  SmallVector<int64_t> newLoop(numLoops, -1);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [dim, expr] : llvm::enumerate(written.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    begin[loop] = slice.getStaticOffsets()[dim];
    size[loop] = slice.getStaticSizes()[dim];
    newLoop[loop] = dropped.test(dim) ? -1 : 0;
  }
  int64_t numNewLoops = 0;
  for (int64_t &loop : newLoop)
    loop = loop < 0 ? -1 : numNewLoops++;
  // 2. Operands.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto addMap = [&](AffineMap map) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : map.getResults())
      if (int64_t loop = newLoop[cast<AffineDimExpr>(expr).getPosition()]; loop >= 0)
        exprs.push_back(getAffineDimExpr(loop, context));
    maps.push_back(AffineMap::get(numNewLoops, 0, exprs, context));
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    Value value = input->get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type) {
      inputs.push_back(value);
      maps.push_back(AffineMap::get(numNewLoops, 0, context));
      continue;
    }
    SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), b.getIndexAttr(1));
    SmallVector<int64_t> shape;
    bool isAll = true;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      offsets.push_back(b.getIndexAttr(begin[loop]));
      sizes.push_back(b.getIndexAttr(size[loop]));
      if (newLoop[loop] >= 0)
        shape.push_back(size[loop]);
      isAll &= newLoop[loop] >= 0 && size[loop] == type.getDimSize(dim);
    }
    inputs.push_back(isAll ? value
                           : tensor::ExtractSliceOp::create(b, op.getLoc(), type.clone(shape),
                                                            value, offsets, sizes, strides)
                                 .getResult());
    addMap(map);
  }
  RankedTensorType type = slice.getType();
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  addMap(written);
  SmallVector<utils::IteratorType> iterators(numNewLoops, utils::IteratorType::parallel);
  // 3. The body, whose indices begin where the slice does.
  auto part =
      linalg::GenericOp::create(b, op.getLoc(), TypeRange(type), inputs, empty, maps, iterators);
  part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  b.cloneRegionBefore(op.getRegion(), part.getRegion(), part.getRegion().begin());
  for (auto index : llvm::make_early_inc_range(part.getBody()->getOps<linalg::IndexOp>())) {
    unsigned loop = index.getDim();
    b.setInsertionPoint(index);
    Value place = arith::ConstantIndexOp::create(b, index.getLoc(), begin[loop]);
    if (newLoop[loop] >= 0) {
      Value within = linalg::IndexOp::create(b, index.getLoc(), newLoop[loop]);
      place = begin[loop] == 0
                  ? within
                  : arith::AddIOp::create(b, index.getLoc(), within, place).getResult();
    }
    b.replaceOp(index, place);
  }
  return part->getResult(0);
}

} // namespace

bool computeSlicesOfExpansions(Operation *root) {
  IRRewriter b(root->getContext());
  bool changed = false;
  for (linalg::GenericOp op : genericsOf(root)) {
    // What it looks up does not count as little.
    if (op->use_empty() || !isExpansion(op) || !op.getBody()->getOps<tensor::ExtractOp>().empty())
      continue;
    int64_t elements = 0;
    SmallVector<tensor::ExtractSliceOp> slices;
    for (Operation *user : op->getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
          slice && isPlainSlice(slice) && !wouldReadOverwritten(op, slice)) {
        slices.push_back(slice);
        elements += slice.getType().getNumElements();
      }
    if (slices.size() != static_cast<size_t>(std::distance(op->user_begin(), op->user_end())) ||
        elements > stepsOf(op))
      continue;
    for (tensor::ExtractSliceOp slice : slices)
      b.replaceOp(slice, computeSlice(b, op, slice));
    b.eraseOp(op);
    changed = true;
  }
  return changed;
}

} // namespace forge
