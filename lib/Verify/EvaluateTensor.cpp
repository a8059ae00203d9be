// tensor, arith, math and the data movement of linalg, as they stand between transformer ops.
#include "Evaluation.h"

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;
using reference::BinaryOp;
using reference::Direction;
using reference::UnaryOp;

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
    const HostTensor &tensor = call.operand(0);
    Dims place;
    for (int64_t d = 0; d < tensor.rank(); ++d) {
      place.push_back(reference::getInteger(call.operand(d + 1), 0));
      if (place.back() < 0 || place.back() >= tensor.dims()[d])
        return Result<Tensors>(Error{"no element " + std::to_string(place.back()) +
                                     " along dimension " + std::to_string(d) + " of " +
                                     typeString(tensor)});
    }
    return single(reference::scalarAt(
        tensor, reference::flatten(place, reference::stridesOf(tensor.dims()))));
  }
  if (auto op = dyn_cast<tensor::InsertSliceOp>(call.operation())) {
    size_t next = 2;
    Dims offsets = mixed(call, op.getStaticOffsets(), next),
         sizes = mixed(call, op.getStaticSizes(), next),
         strides = mixed(call, op.getStaticStrides(), next);
    Result<HostTensor> update = reference::reshape(call.operand(0), sizes);
    return single(update ? reference::insertSlice(call.operand(1), *update, offsets, strides)
                         : std::move(update));
  }
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

/// arith.constant of a number; constants of tensors are the interpreter's.
static Outcome evaluateConstant(const OpCall &call) {
  auto op = dyn_cast<arith::ConstantOp>(call.operation());
  if (!op || isa<ShapedType>(op.getType()))
    return std::nullopt;
  Result<HostTensor> scalar = HostTensor::create(call.resultType(0), {});
  if (!scalar)
    return single(std::move(scalar));
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    scalar->setDouble(0, number.getValueAsDouble());
  else
    reference::setInteger(*scalar, 0, cast<IntegerAttr>(op.getValue()).getValue().getZExtValue());
  return single(std::move(scalar));
}

/// The comparisons that are false on NaN, and != that is true: those that models write.
static std::optional<Direction> directionOf(Operation *operation) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  auto lookup = [](auto predicate, auto table) -> std::optional<Direction> {
    for (auto [from, to] : table)
      if (from == predicate)
        return to;
    return std::nullopt;
  };
  if (auto op = dyn_cast<arith::CmpFOp>(operation))
    return lookup(op.getPredicate(),
                  std::initializer_list<std::pair<F, Direction>>{{F::OEQ, Direction::EQ},
                                                                 {F::UNE, Direction::NE},
                                                                 {F::OGT, Direction::GT},
                                                                 {F::OGE, Direction::GE},
                                                                 {F::OLT, Direction::LT},
                                                                 {F::OLE, Direction::LE}});
  if (auto op = dyn_cast<arith::CmpIOp>(operation))
    return lookup(op.getPredicate(),
                  std::initializer_list<std::pair<I, Direction>>{{I::eq, Direction::EQ},
                                                                 {I::ne, Direction::NE},
                                                                 {I::sgt, Direction::GT},
                                                                 {I::sge, Direction::GE},
                                                                 {I::slt, Direction::LT},
                                                                 {I::sle, Direction::LE}});
  return std::nullopt;
}

static Outcome evaluateArithmetic(const OpCall &call) {
  static const llvm::StringMap<BinaryOp> binaries = {
      {"arith.addf", BinaryOp::Add},         {"arith.addi", BinaryOp::Add},
      {"arith.subf", BinaryOp::Subtract},    {"arith.subi", BinaryOp::Subtract},
      {"arith.mulf", BinaryOp::Multiply},    {"arith.muli", BinaryOp::Multiply},
      {"arith.divf", BinaryOp::Divide},      {"arith.divsi", BinaryOp::Divide},
      {"arith.maximumf", BinaryOp::Maximum}, {"arith.maxsi", BinaryOp::Maximum},
      {"arith.minimumf", BinaryOp::Minimum}, {"arith.minsi", BinaryOp::Minimum},
      {"arith.remsi", BinaryOp::Remainder},  {"arith.andi", BinaryOp::And},
      {"arith.ori", BinaryOp::Or},           {"arith.xori", BinaryOp::Xor},
      {"math.powf", BinaryOp::Power},
  };
  static const llvm::StringMap<UnaryOp> unaries = {
      {"arith.negf", UnaryOp::Negate},    {"math.absf", UnaryOp::Abs},
      {"math.cos", UnaryOp::Cosine},      {"math.erf", UnaryOp::Erf},
      {"math.exp", UnaryOp::Exponential}, {"math.log", UnaryOp::Log},
      {"math.rsqrt", UnaryOp::Rsqrt},     {"math.sin", UnaryOp::Sine},
      {"math.sqrt", UnaryOp::Sqrt},       {"math.tanh", UnaryOp::Tanh},
  };
  Operation *operation = call.operation();
  StringRef name = operation->getName().getStringRef();
  if (auto found = binaries.find(name); found != binaries.end())
    return single(reference::binary(found->second, call.operand(0), call.operand(1)));
  if (auto found = unaries.find(name); found != unaries.end())
    return single(reference::unary(found->second, call.operand(0)));
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp, arith::IndexCastOp,
          arith::ExtSIOp, arith::TruncIOp>(operation))
    return single(reference::convert(call.operand(0), call.resultType(0)));
  if (isa<arith::SelectOp>(operation))
    return single(reference::select(call.operand(0), call.operand(1), call.operand(2)));
  if (std::optional<Direction> direction = directionOf(operation))
    return single(reference::compare(*direction, false, call.operand(0), call.operand(1)));
  return std::nullopt;
}

Outcome interpreter::evaluateTensor(const OpCall &call) {
  for (auto *group :
       {evaluateShapes, evaluateSlices, evaluateLinalg, evaluateConstant, evaluateArithmetic})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
