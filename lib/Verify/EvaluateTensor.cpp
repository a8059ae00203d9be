// tensor and the data movement of linalg, as they are between transformer ops.
#include "Evaluation.h"

#include "forge/Reference/Shape.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

/// Static numbers with those that are operands, from `next` on, in the places of kDynamic.
static Dims mixed(const OpCall &call, ArrayRef<int64_t> numbers, size_t &next) {
  Dims result(numbers.begin(), numbers.end());
  for (int64_t &number : result)
    if (ShapedType::isDynamic(number))
      number = reference::getInteger(call.operand(next++), 0);
  return result;
}

static Result<HostTensor> filled(const HostTensor &scalar, const Dims &dims) {
  return reference::broadcastInDim(scalar, {}, dims);
}

/// The sizes at which a window of `sizes` with strides ends.
static Dims limitsOf(const Dims &offsets, const Dims &sizes, const Dims &strides) {
  Dims limits = offsets;
  for (size_t d = 0; d < limits.size(); ++d)
    limits[d] += sizes[d] == 0 ? 0 : (sizes[d] - 1) * strides[d] + 1;
  return limits;
}

/// The place of the element at the indices from operand `first`; fails outside of the tensor.
static Result<int64_t> placeIn(const OpCall &call, const HostTensor &tensor, size_t first) {
  Dims place;
  for (int64_t d = 0; d < tensor.rank(); ++d) {
    place.push_back(reference::getInteger(call.operand(first + static_cast<size_t>(d)), 0));
    if (place.back() < 0 || place.back() >= tensor.dims()[d])
      return Error{"no element " + std::to_string(place.back()) + " along dimension " +
                   std::to_string(d) + " of " + typeString(tensor)};
  }
  return reference::flatten(place, reference::stridesOf(tensor.dims()));
}

/// Padding by a number that is the same everywhere.
static Outcome evaluatePad(const OpCall &call, tensor::PadOp op) {
  if (!op.getConstantPaddingValue())
    return std::nullopt;
  size_t next = 1;
  Dims low = mixed(call, op.getStaticLow(), next), high = mixed(call, op.getStaticHigh(), next);
  Tensors indices(low.size(), *HostTensor::create(DType::I64, {}));
  Result<Tensors> number = call.region(0, indices, call.isDouble());
  if (!number)
    return Result<Tensors>(number.error());
  return single(reference::pad(call.operand(0), number->front(), low, high, Dims(low.size(), 0)));
}

template <typename Op> static Outcome insertSlice(const OpCall &call, Op op) {
  size_t next = 2;
  Dims offsets = mixed(call, op.getStaticOffsets(), next),
       sizes = mixed(call, op.getStaticSizes(), next),
       strides = mixed(call, op.getStaticStrides(), next);
  Result<HostTensor> update = reference::reshape(call.operand(0), sizes);
  return single(update ? reference::insertSlice(call.operand(1), *update, offsets, strides)
                       : std::move(update));
}

static Outcome evaluateSlices(const OpCall &call) {
  if (auto op = dyn_cast<tensor::ExtractSliceOp>(call.operation())) {
    size_t next = 1;
    Dims offsets = mixed(call, op.getStaticOffsets(), next),
         sizes = mixed(call, op.getStaticSizes(), next),
         strides = mixed(call, op.getStaticStrides(), next);
    Result<HostTensor> window =
        reference::slice(call.operand(0), offsets, limitsOf(offsets, sizes, strides), strides);
    if (!window)
      return single(std::move(window));
    Dims kept;
    llvm::SmallBitVector dropped = op.getDroppedDims();
    for (size_t d = 0; d < sizes.size(); ++d)
      if (!dropped.test(d))
        kept.push_back(sizes[d]);
    return single(reference::reshape(*window, kept));
  }
  if (isa<tensor::ExtractOp>(call.operation())) {
    Result<int64_t> place = placeIn(call, call.operand(0), 1);
    return place ? single(reference::scalarAt(call.operand(0), *place))
                 : Result<Tensors>(place.error());
  }
  if (isa<tensor::InsertOp>(call.operation())) {
    HostTensor result = call.operand(1);
    Result<int64_t> place = placeIn(call, result, 2);
    if (!place)
      return Result<Tensors>(place.error());
    reference::copyElement(result, *place, call.operand(0), 0);
    return single(std::move(result));
  }
  if (auto op = dyn_cast<tensor::PadOp>(call.operation()))
    return evaluatePad(call, op);
  if (auto op = dyn_cast<tensor::InsertSliceOp>(call.operation()))
    return insertSlice(call, op);
  if (auto op = dyn_cast<tensor::ParallelInsertSliceOp>(call.operation()))
    return insertSlice(call, op);
  return std::nullopt;
}

static Outcome evaluateShapes(const OpCall &call) {
  Operation *operation = call.operation();
  size_t next = 0;
  if (isa<tensor::EmptyOp>(operation))
    return single(HostTensor::create(call.resultType(0), mixed(call, call.resultDims(0), next)));
  if (isa<tensor::SplatOp>(operation)) {
    next = 1;
    return single(filled(call.operand(0), mixed(call, call.resultDims(0), next)));
  }
  if (isa<tensor::FromElementsOp>(operation)) {
    Result<HostTensor> result = HostTensor::create(call.resultType(0), call.resultDims(0));
    for (size_t i = 0; result && i < call.numOperands(); ++i)
      reference::copyElement(*result, static_cast<int64_t>(i), call.operand(i), 0);
    return single(std::move(result));
  }
  if (isa<tensor::CastOp>(operation))
    return single(call.operand(0));
  if (isa<tensor::DimOp>(operation)) {
    int64_t dim = reference::getInteger(call.operand(1), 0);
    if (dim < 0 || dim >= call.operand(0).rank())
      return Result<Tensors>(Error{"no dimension " + std::to_string(dim)});
    Result<HostTensor> size = HostTensor::create(DType::I64, {});
    if (size)
      reference::setInteger(*size, 0, static_cast<uint64_t>(call.operand(0).dims()[dim]));
    return single(std::move(size));
  }
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(operation)) {
    next = 1;
    return single(
        reference::reshape(call.operand(0), mixed(call, op.getStaticOutputShape(), next)));
  }
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(operation)) {
    Dims dims;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      dims.push_back(1);
      for (int64_t dim : group)
        dims.back() *= call.operand(0).dims()[dim];
    }
    return single(reference::reshape(call.operand(0), dims));
  }
  if (isa<tensor::ReshapeOp>(operation))
    return single(reference::reshape(call.operand(0), call.integers(1)));
  if (auto op = dyn_cast<tensor::ConcatOp>(operation))
    return single(reference::concatenate(call.operands(0, call.numOperands()),
                                         static_cast<int64_t>(op.getDim())));
  return std::nullopt;
}

static Outcome evaluateLinalg(const OpCall &call) {
  Operation *operation = call.operation();
  if (isa<linalg::FillOp>(operation))
    return single(filled(call.operand(0), call.operand(1).dims()));
  if (auto op = dyn_cast<linalg::TransposeOp>(operation)) {
    ArrayRef<int64_t> permutation = op.getPermutation();
    return single(
        reference::transpose(call.operand(0), Dims(permutation.begin(), permutation.end())));
  }
  if (auto op = dyn_cast<linalg::BroadcastOp>(operation)) {
    ArrayRef<int64_t> added = op.getDimensions();
    Dims places = reference::otherDims(call.operand(1).rank(), Dims(added.begin(), added.end()));
    return single(reference::broadcastInDim(call.operand(0), places, call.operand(1).dims()));
  }
  return std::nullopt;
}

/// affine's arithmetic of indices, of which each result of a map is one number.
static Outcome evaluateAffine(const OpCall &call) {
  auto numbers = [&](AffineMap map) {
    SmallVector<Attribute> operands;
    Builder b(call.operation()->getContext());
    for (size_t i = 0; i < call.numOperands(); ++i)
      operands.push_back(b.getIndexAttr(reference::getInteger(call.operand(i), 0)));
    SmallVector<int64_t> results;
    map.partialConstantFold(operands, &results);
    return results;
  };
  SmallVector<int64_t> results;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(call.operation()))
    results = numbers(apply.getAffineMap());
  else if (auto least = dyn_cast<affine::AffineMinOp>(call.operation()))
    results = numbers(least.getAffineMap());
  else if (auto most = dyn_cast<affine::AffineMaxOp>(call.operation()))
    results = numbers(most.getAffineMap());
  else
    return std::nullopt;
  if (results.empty()) // a division by zero
    return Result<Tensors>(Error{"expected divisors above 0"});
  Result<HostTensor> number = HostTensor::create(DType::I64, {});
  if (number)
    reference::setInteger(*number, 0,
                          static_cast<uint64_t>(isa<affine::AffineMaxOp>(call.operation())
                                                    ? *llvm::max_element(results)
                                                    : *llvm::min_element(results)));
  return single(std::move(number));
}

/// A tensor that is to be computed in the memory of another.
static Outcome evaluateMaterialize(const OpCall &call) {
  if (!isa<bufferization::MaterializeInDestinationOp>(call.operation()))
    return std::nullopt;
  return single(call.operand(0));
}

Outcome interpreter::evaluateTensor(const OpCall &call) {
  for (auto *group :
       {evaluateShapes, evaluateSlices, evaluateLinalg, evaluateAffine, evaluateMaterialize})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
