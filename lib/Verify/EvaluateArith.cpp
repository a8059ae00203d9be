// arith and math, on tensors and on the numbers of score regions.
#include "Evaluation.h"

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;
using reference::BinaryOp;
using reference::Direction;
using reference::UnaryOp;

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

//===----------------------------------------------------------------------===//
// Integers without a sign
//===----------------------------------------------------------------------===//

/// The unsigned type of the width of a signed one; none for truth values and floats.
static std::optional<DType> unsignedOf(DType type) {
  switch (type) {
  case DType::I2:
    return DType::U2;
  case DType::I4:
    return DType::U4;
  case DType::I8:
    return DType::U8;
  case DType::I16:
    return DType::U16;
  case DType::I32:
    return DType::U32;
  case DType::I64:
    return DType::U64;
  default:
    return std::nullopt;
  }
}

/// The same bits, read without a sign. Truth values have none.
static Result<HostTensor> asUnsigned(const HostTensor &tensor) {
  std::optional<DType> type = unsignedOf(tensor.type());
  return type ? reference::bitcastConvert(tensor, *type) : Result<HostTensor>(tensor);
}

/// An operation on both operands read without a sign; the result has their type.
static Result<HostTensor> unsignedBinary(BinaryOp op, const OpCall &call) {
  Result<HostTensor> lhs = asUnsigned(call.operand(0)), rhs = asUnsigned(call.operand(1));
  if (!lhs || !rhs)
    return lhs ? rhs : lhs;
  Result<HostTensor> result = reference::binary(op, *lhs, *rhs);
  return result ? reference::bitcastConvert(*result, call.operand(0).type()) : result;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// i1 tensor: where one of two floats is NaN.
static Result<HostTensor> isUnordered(const HostTensor &lhs, const HostTensor &rhs) {
  Result<HostTensor> left = reference::compare(Direction::NE, false, lhs, lhs);
  Result<HostTensor> right = reference::compare(Direction::NE, false, rhs, rhs);
  return left && right ? reference::binary(BinaryOp::Or, *left, *right) : left ? right : left;
}

/// Ordered predicates are false on NaN, unordered ones true.
static std::optional<Result<HostTensor>>
compareFloats(arith::CmpFPredicate predicate, const HostTensor &lhs, const HostTensor &rhs) {
  using P = arith::CmpFPredicate;
  static const llvm::DenseMap<P, Direction> directions = {
      {P::OEQ, Direction::EQ}, {P::OGT, Direction::GT}, {P::OGE, Direction::GE},
      {P::OLT, Direction::LT}, {P::OLE, Direction::LE}, {P::ONE, Direction::NE},
      {P::UEQ, Direction::EQ}, {P::UGT, Direction::GT}, {P::UGE, Direction::GE},
      {P::ULT, Direction::LT}, {P::ULE, Direction::LE}, {P::UNE, Direction::NE}};
  Result<HostTensor> unordered = isUnordered(lhs, rhs);
  if (!unordered || predicate == P::UNO)
    return unordered;
  if (predicate == P::ORD)
    return reference::unary(UnaryOp::Not, *unordered);
  auto direction = directions.find(predicate);
  if (direction == directions.end())
    return std::nullopt; // always true or false: no module compares for that
  Result<HostTensor> result = reference::compare(direction->second, false, lhs, rhs);
  if (!result)
    return result;
  if (predicate >= P::UEQ)
    return reference::binary(BinaryOp::Or, *result, *unordered);
  if (predicate != P::ONE)
    return result;
  Result<HostTensor> ordered = reference::unary(UnaryOp::Not, *unordered);
  return ordered ? reference::binary(BinaryOp::And, *result, *ordered) : ordered;
}

static Outcome evaluateComparison(const OpCall &call) {
  if (auto op = dyn_cast<arith::CmpFOp>(call.operation())) {
    auto result = compareFloats(op.getPredicate(), call.operand(0), call.operand(1));
    return result ? single(std::move(*result)) : std::nullopt;
  }
  auto op = dyn_cast<arith::CmpIOp>(call.operation());
  if (!op)
    return std::nullopt;
  using P = arith::CmpIPredicate;
  static const llvm::DenseMap<P, Direction> directions = {
      {P::eq, Direction::EQ},  {P::ne, Direction::NE},  {P::sgt, Direction::GT},
      {P::sge, Direction::GE}, {P::slt, Direction::LT}, {P::sle, Direction::LE},
      {P::ugt, Direction::GT}, {P::uge, Direction::GE}, {P::ult, Direction::LT},
      {P::ule, Direction::LE}};
  Direction direction = directions.lookup(op.getPredicate());
  if (op.getPredicate() < P::ult && op.getPredicate() > P::ne &&
      call.operand(0).type() == DType::I1)
    return std::nullopt; // true is -1 there
  if (op.getPredicate() < P::ult)
    return single(reference::compare(direction, false, call.operand(0), call.operand(1)));
  Result<HostTensor> lhs = asUnsigned(call.operand(0)), rhs = asUnsigned(call.operand(1));
  if (!lhs || !rhs)
    return single(lhs ? std::move(rhs) : std::move(lhs));
  return single(reference::compare(direction, false, *lhs, *rhs));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Outcome evaluateBinary(const OpCall &call) {
  static const llvm::StringMap<BinaryOp> binaries = {
      {"arith.addf", BinaryOp::Add},         {"arith.addi", BinaryOp::Add},
      {"arith.subf", BinaryOp::Subtract},    {"arith.subi", BinaryOp::Subtract},
      {"arith.mulf", BinaryOp::Multiply},    {"arith.muli", BinaryOp::Multiply},
      {"arith.divf", BinaryOp::Divide},      {"arith.divsi", BinaryOp::Divide},
      {"arith.maximumf", BinaryOp::Maximum}, {"arith.maxsi", BinaryOp::Maximum},
      {"arith.minimumf", BinaryOp::Minimum}, {"arith.minsi", BinaryOp::Minimum},
      {"arith.remf", BinaryOp::Remainder},   {"arith.remsi", BinaryOp::Remainder},
      {"arith.andi", BinaryOp::And},         {"arith.ori", BinaryOp::Or},
      {"arith.xori", BinaryOp::Xor},         {"arith.shli", BinaryOp::ShiftLeft},
      {"math.powf", BinaryOp::Power},        {"arith.shrsi", BinaryOp::ShiftRightArithmetic},
      {"math.atan2", BinaryOp::Atan2},       {"arith.shrui", BinaryOp::ShiftRightLogical},
  };
  static const llvm::StringMap<BinaryOp> unsigneds = {
      {"arith.divui", BinaryOp::Divide},
      {"arith.remui", BinaryOp::Remainder},
      {"arith.maxui", BinaryOp::Maximum},
      {"arith.minui", BinaryOp::Minimum},
  };
  StringRef name = call.operation()->getName().getStringRef();
  if (auto found = binaries.find(name); found != binaries.end())
    return single(reference::binary(found->second, call.operand(0), call.operand(1)));
  if (auto found = unsigneds.find(name); found != unsigneds.end())
    return single(unsignedBinary(found->second, call));
  return std::nullopt;
}

static Outcome evaluateUnary(const OpCall &call) {
  static const llvm::StringMap<UnaryOp> unaries = {
      {"arith.negf", UnaryOp::Negate},
      {"math.absf", UnaryOp::Abs},
      {"math.absi", UnaryOp::Abs},
      {"math.acos", UnaryOp::Acos},
      {"math.acosh", UnaryOp::Acosh},
      {"math.asin", UnaryOp::Asin},
      {"math.asinh", UnaryOp::Asinh},
      {"math.atan", UnaryOp::Atan},
      {"math.atanh", UnaryOp::Atanh},
      {"math.cbrt", UnaryOp::Cbrt},
      {"math.ceil", UnaryOp::Ceil},
      {"math.cos", UnaryOp::Cosine},
      {"math.cosh", UnaryOp::Cosh},
      {"math.erf", UnaryOp::Erf},
      {"math.erfc", UnaryOp::Erfc},
      {"math.exp", UnaryOp::Exponential},
      {"math.floor", UnaryOp::Floor},
      {"math.expm1", UnaryOp::ExponentialMinusOne},
      {"math.log", UnaryOp::Log},
      {"math.log1p", UnaryOp::LogPlusOne},
      {"math.round", UnaryOp::RoundNearestAfz},
      {"math.roundeven", UnaryOp::RoundNearestEven},
      {"math.rsqrt", UnaryOp::Rsqrt},
      {"math.sin", UnaryOp::Sine},
      {"math.sinh", UnaryOp::Sinh},
      {"math.sqrt", UnaryOp::Sqrt},
      {"math.tan", UnaryOp::Tan},
      {"math.tanh", UnaryOp::Tanh},
  };
  auto found = unaries.find(call.operation()->getName().getStringRef());
  if (found == unaries.end())
    return std::nullopt;
  return single(reference::unary(found->second, call.operand(0)));
}

static Result<HostTensor> filledLike(const HostTensor &tensor, double value) {
  Result<HostTensor> filled = HostTensor::create(tensor.type(), tensor.dims());
  for (int64_t i = 0; filled && i < tensor.numElements(); ++i)
    filled->setDouble(i, value);
  return filled;
}

/// log(x) / log(base)
static Result<HostTensor> logarithm(const HostTensor &x, double base) {
  Result<HostTensor> log = reference::unary(UnaryOp::Log, x),
                     divisor = filledLike(x, std::log(base));
  return log && divisor ? reference::binary(BinaryOp::Divide, *log, *divisor) : log;
}

/// x without its fraction: the sign of x times the floor of |x|.
static Result<HostTensor> truncated(const HostTensor &x) {
  Result<HostTensor> size = reference::unary(UnaryOp::Abs, x),
                     sign = reference::unary(UnaryOp::Sign, x);
  Result<HostTensor> whole = size ? reference::unary(UnaryOp::Floor, *size) : size;
  return whole && sign ? reference::binary(BinaryOp::Multiply, *sign, *whole) : whole;
}

/// The larger or smaller number, the other one where one is NaN.
static Result<HostTensor> numberOf(BinaryOp op, const HostTensor &x, const HostTensor &y) {
  Result<HostTensor> result = reference::binary(op, x, y), noX = isUnordered(x, x),
                     noY = isUnordered(y, y);
  if (!result || !noX || !noY)
    return Error{"out of memory for a maximum"};
  result = reference::select(*noX, y, *result);
  return result ? reference::select(*noY, x, *result) : result;
}

/// What is made of several of the reference's operations.
static Outcome evaluateComposite(const OpCall &call) {
  Operation *op = call.operation();
  if (isa<math::FmaOp>(op)) {
    Result<HostTensor> product =
        reference::binary(BinaryOp::Multiply, call.operand(0), call.operand(1));
    return single(product ? reference::binary(BinaryOp::Add, *product, call.operand(2))
                          : std::move(product));
  }
  if (isa<math::Exp2Op>(op)) {
    Result<HostTensor> two = filledLike(call.operand(0), 2.0);
    return single(two ? reference::binary(BinaryOp::Power, *two, call.operand(0)) : std::move(two));
  }
  if (isa<math::Log2Op>(op))
    return single(logarithm(call.operand(0), 2.0));
  if (isa<math::Log10Op>(op))
    return single(logarithm(call.operand(0), 10.0));
  if (isa<math::TruncOp>(op))
    return single(truncated(call.operand(0)));
  if (isa<arith::MaxNumFOp>(op))
    return single(numberOf(BinaryOp::Maximum, call.operand(0), call.operand(1)));
  if (isa<arith::MinNumFOp>(op))
    return single(numberOf(BinaryOp::Minimum, call.operand(0), call.operand(1)));
  return std::nullopt;
}

/// Truth values read as signed integers: true is -1.
static Result<HostTensor> convertTruth(const HostTensor &truth, DType type) {
  Result<HostTensor> ones = reference::convert(truth, type);
  if (!ones)
    return ones;
  Result<HostTensor> zeros = reference::binary(BinaryOp::Subtract, *ones, *ones);
  return zeros ? reference::binary(BinaryOp::Subtract, *zeros, *ones) : zeros;
}

/// The lowest bit of every integer.
static Result<HostTensor> lowestBit(const HostTensor &tensor) {
  Result<HostTensor> result = HostTensor::create(DType::I1, tensor.dims());
  for (int64_t i = 0; result && i < tensor.numElements(); ++i)
    result->setBits(i, reference::getInteger(tensor, i) & 1);
  return result;
}

static Outcome evaluateArithConversion(const OpCall &call) {
  Operation *operation = call.operation();
  if (isa<arith::SIToFPOp, arith::ExtSIOp, arith::IndexCastOp>(operation) &&
      call.operand(0).type() == DType::I1)
    return single(convertTruth(call.operand(0), call.resultType(0)));
  if (isa<arith::TruncIOp>(operation) && call.resultType(0) == DType::I1)
    return single(lowestBit(call.operand(0)));
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp, arith::SIToFPOp, arith::IndexCastOp,
          arith::ExtSIOp, arith::TruncIOp>(operation))
    return single(reference::convert(call.operand(0), call.resultType(0)));
  if (isa<arith::UIToFPOp, arith::IndexCastUIOp, arith::ExtUIOp>(operation)) {
    Result<HostTensor> bits = asUnsigned(call.operand(0));
    return single(bits ? reference::convert(*bits, call.resultType(0)) : std::move(bits));
  }
  return std::nullopt;
}

/// Floats are carried in another type than theirs where all is computed in f64.
static Outcome evaluateBitcast(const OpCall &call) {
  auto op = dyn_cast<arith::BitcastOp>(call.operation());
  if (!op)
    return std::nullopt;
  Result<HostTensor> bits =
      reference::convert(call.operand(0), elementTypeOf(op.getIn().getType()));
  if (bits)
    bits = reference::bitcastConvert(*bits, elementTypeOf(op.getType()));
  return single(bits ? reference::convert(*bits, call.resultType(0)) : std::move(bits));
}

Outcome interpreter::evaluateArith(const OpCall &call) {
  if (isa<arith::SelectOp>(call.operation()))
    return single(reference::select(call.operand(0), call.operand(1), call.operand(2)));
  for (auto *group : {evaluateConstant, evaluateComparison, evaluateBinary, evaluateUnary,
                      evaluateComposite, evaluateArithConversion, evaluateBitcast})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
