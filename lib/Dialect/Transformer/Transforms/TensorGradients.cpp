// Gradients of shape changes and data movement: what was moved is moved back.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace forge::transformer {

static SmallVector<OpFoldResult> sizesOf(ImplicitLocOpBuilder &b, Value value) {
  return tensor::getMixedSizes(b, b.getLoc(), value);
}

static LogicalResult castGradients(tensor::CastOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getSource(), c.lookup(op.getResult()));
  return success();
}

static LogicalResult expandGradients(tensor::ExpandShapeOp op, ImplicitLocOpBuilder &b,
                                     Cotangents &c) {
  c.add(b, op.getSrc(),
        tensor::CollapseShapeOp::create(b, op.getSrcType(), c.lookup(op.getResult()),
                                        op.getReassociationIndices()));
  return success();
}

static LogicalResult collapseGradients(tensor::CollapseShapeOp op, ImplicitLocOpBuilder &b,
                                       Cotangents &c) {
  c.add(b, op.getSrc(),
        expandTo(b, c.lookup(op.getResult()), op.getSrcType(), op.getReassociationIndices(),
                 sizesOf(b, op.getSrc())));
  return success();
}

static LogicalResult reshapeGradients(tensor::ReshapeOp op, ImplicitLocOpBuilder &b,
                                      Cotangents &c) {
  if (!isa<RankedTensorType>(op.getSource().getType()))
    return op.emitError("'tensor.reshape' is not differentiable for a source without a rank");
  c.add(b, op.getSource(),
        reshapeTo(b, c.lookup(op.getResult()), typeOf(op.getSource()), sizesOf(b, op.getSource())));
  return success();
}

/// Zeros, with the cotangent where the slice was.
static LogicalResult extractGradients(tensor::ExtractSliceOp op, ImplicitLocOpBuilder &b,
                                      Cotangents &c) {
  c.add(b, op.getSource(),
        tensor::InsertSliceOp::create(b, c.lookup(op.getResult()), zerosLike(b, op.getSource()),
                                      op.getMixedOffsets(), op.getMixedSizes(),
                                      op.getMixedStrides()));
  return success();
}

/// The slice of the cotangent goes to what was inserted; the rest, with zeros there, to what it was
/// inserted into.
static LogicalResult insertGradients(tensor::InsertSliceOp op, ImplicitLocOpBuilder &b,
                                     Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  if (c.isActive(op.getSource()))
    c.add(b, op.getSource(),
          tensor::ExtractSliceOp::create(b, op.getSourceType(), dy, offsets, sizes, strides));
  if (c.isActive(op.getDest()))
    c.add(b, op.getDest(),
          tensor::InsertSliceOp::create(b, zerosLike(b, op.getSource()), dy, offsets, sizes,
                                        strides));
  return success();
}

static LogicalResult concatGradients(tensor::ConcatOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  int64_t dim = static_cast<int64_t>(op.getDim());
  SmallVector<OpFoldResult> offsets(op.getRank(), b.getIndexAttr(0)),
      strides(op.getRank(), b.getIndexAttr(1));
  for (Value input : op.getInputs()) {
    SmallVector<OpFoldResult> sizes = sizesOf(b, input);
    if (c.isActive(input))
      c.add(b, input,
            tensor::ExtractSliceOp::create(b, typeOf(input), dy, offsets, sizes, strides));
    auto place = getConstantIntValue(offsets[dim]), size = getConstantIntValue(sizes[dim]);
    if (place && size)
      offsets[dim] = b.getIndexAttr(*place + *size);
    else
      offsets[dim] =
          arith::AddIOp::create(b, getValueOrCreateConstantIndexOp(b, b.getLoc(), offsets[dim]),
                                getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[dim]))
              .getResult();
  }
  return success();
}

/// The cotangent of a number where it was taken out.
static LogicalResult elementGradients(tensor::ExtractOp op, ImplicitLocOpBuilder &b,
                                      Cotangents &c) {
  if (!isFloatTensor(op.getTensor().getType()))
    return op.emitError("'tensor.extract' is not differentiable for ") << op.getTensor().getType();
  c.add(b, op.getTensor(),
        tensor::InsertOp::create(b, c.lookup(op.getResult()), zerosLike(b, op.getTensor()),
                                 op.getIndices()));
  return success();
}

static LogicalResult insertElementGradients(tensor::InsertOp op, ImplicitLocOpBuilder &b,
                                            Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  if (c.isActive(op.getScalar()))
    c.add(b, op.getScalar(), tensor::ExtractOp::create(b, dy, op.getIndices()));
  if (c.isActive(op.getDest()))
    c.add(b, op.getDest(),
          tensor::InsertOp::create(b, zerosLike(b, op.getScalar()), dy, op.getIndices()));
  return success();
}

/// A number that fills a tensor gets the sum of its cotangents.
template <typename Op>
static LogicalResult fillGradients(Op op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op->getResult(0)), number = op->getOperand(0);
  if (!c.isActive(number))
    return success();
  if (!isDifferentiableType(number.getType()) || !isFloatTensor(dy.getType()))
    return op->emitError("'") << op->getName() << "' is not differentiable for "
                              << number.getType();
  Value sum = sumOver(b, dy, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dy).getRank())));
  Value element = tensor::ExtractOp::create(b, sum, ValueRange());
  c.add(b, number, convertTo(b, element, number.getType()));
  return success();
}

static LogicalResult elementsGradients(tensor::FromElementsOp op, ImplicitLocOpBuilder &b,
                                       Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  SmallVector<int64_t> strides = computeSuffixProduct(op.getType().getShape());
  for (auto [i, element] : llvm::enumerate(op.getElements())) {
    if (!c.isActive(element))
      continue;
    SmallVector<Value> place;
    for (int64_t index : delinearize(static_cast<int64_t>(i), strides))
      place.push_back(arith::ConstantIndexOp::create(b, index));
    c.add(b, element, tensor::ExtractOp::create(b, dy, place));
  }
  return success();
}

/// The slice that was padded.
static LogicalResult padGradients(tensor::PadOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  WalkResult active = op.getRegion().walk([&](Operation *inner) {
    bool reads = llvm::any_of(inner->getOperands(), [&](Value value) { return c.isActive(value); });
    return reads ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (active.wasInterrupted())
    return op.emitError("'tensor.pad' is not differentiable by the number it pads with");
  SmallVector<OpFoldResult> strides(op.getSourceType().getRank(), b.getIndexAttr(1));
  c.add(b, op.getSource(),
        tensor::ExtractSliceOp::create(b, op.getSourceType(), c.lookup(op.getResult()),
                                       op.getMixedLowPad(), sizesOf(b, op.getSource()), strides));
  return success();
}

static LogicalResult transposeGradients(linalg::TransposeOp op, ImplicitLocOpBuilder &b,
                                        Cotangents &c) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    inverse[from] = static_cast<int64_t>(to);
  c.add(b, op.getInput(), transpose(b, c.lookup(op->getResult(0)), inverse));
  return success();
}

static LogicalResult broadcastGradients(linalg::BroadcastOp op, ImplicitLocOpBuilder &b,
                                        Cotangents &c) {
  c.add(b, op.getInput(), sumOver(b, c.lookup(op->getResult(0)), op.getDimensions()));
  return success();
}

void attachTensorModels(MLIRContext *context) {
  attachGradient<tensor::CastOp, castGradients>(context);
  attachGradient<tensor::CollapseShapeOp, collapseGradients>(context);
  attachGradient<tensor::ConcatOp, concatGradients>(context);
  attachGradient<tensor::ExpandShapeOp, expandGradients>(context);
  attachGradient<tensor::ExtractOp, elementGradients>(context);
  attachGradient<tensor::ExtractSliceOp, extractGradients>(context);
  attachGradient<tensor::FromElementsOp, elementsGradients>(context);
  attachGradient<tensor::InsertOp, insertElementGradients>(context);
  attachGradient<tensor::InsertSliceOp, insertGradients>(context);
  attachGradient<tensor::PadOp, padGradients>(context);
  attachGradient<tensor::ReshapeOp, reshapeGradients>(context);
  attachGradient<tensor::SplatOp, fillGradients<tensor::SplatOp>>(context);
  attachConstant<tensor::DimOp>(context);
}

void attachLinalgModels(MLIRContext *context) {
  attachGradient<linalg::BroadcastOp, broadcastGradients>(context);
  attachGradient<linalg::FillOp, fillGradients<linalg::FillOp>>(context);
  attachGradient<linalg::TransposeOp, transposeGradients>(context);
}

} // namespace forge::transformer
