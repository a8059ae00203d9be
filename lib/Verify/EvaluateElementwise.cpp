#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Shape.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;
using reference::BinaryOp;
using reference::UnaryOp;

static std::optional<UnaryOp> unaryNamed(StringRef name) {
  static const llvm::StringMap<UnaryOp> table = {
      {"stablehlo.abs", UnaryOp::Abs},
      {"stablehlo.cbrt", UnaryOp::Cbrt},
      {"stablehlo.ceil", UnaryOp::Ceil},
      {"stablehlo.cosine", UnaryOp::Cosine},
      {"stablehlo.count_leading_zeros", UnaryOp::CountLeadingZeros},
      {"stablehlo.exponential", UnaryOp::Exponential},
      {"stablehlo.exponential_minus_one", UnaryOp::ExponentialMinusOne},
      {"stablehlo.floor", UnaryOp::Floor},
      {"stablehlo.is_finite", UnaryOp::IsFinite},
      {"stablehlo.log", UnaryOp::Log},
      {"stablehlo.log_plus_one", UnaryOp::LogPlusOne},
      {"stablehlo.logistic", UnaryOp::Logistic},
      {"stablehlo.negate", UnaryOp::Negate},
      {"stablehlo.not", UnaryOp::Not},
      {"stablehlo.popcnt", UnaryOp::PopulationCount},
      {"stablehlo.round_nearest_afz", UnaryOp::RoundNearestAfz},
      {"stablehlo.round_nearest_even", UnaryOp::RoundNearestEven},
      {"stablehlo.rsqrt", UnaryOp::Rsqrt},
      {"stablehlo.sign", UnaryOp::Sign},
      {"stablehlo.sine", UnaryOp::Sine},
      {"stablehlo.sqrt", UnaryOp::Sqrt},
      {"stablehlo.tan", UnaryOp::Tan},
      {"stablehlo.tanh", UnaryOp::Tanh},
      {"chlo.acos", UnaryOp::Acos},
      {"chlo.acosh", UnaryOp::Acosh},
      {"chlo.asin", UnaryOp::Asin},
      {"chlo.asinh", UnaryOp::Asinh},
      {"chlo.atan", UnaryOp::Atan},
      {"chlo.atanh", UnaryOp::Atanh},
      {"chlo.bessel_i1e", UnaryOp::BesselI1e},
      {"chlo.cosh", UnaryOp::Cosh},
      {"chlo.digamma", UnaryOp::Digamma},
      {"chlo.erf", UnaryOp::Erf},
      {"chlo.erf_inv", UnaryOp::ErfInv},
      {"chlo.erfc", UnaryOp::Erfc},
      {"chlo.is_inf", UnaryOp::IsInf},
      {"chlo.is_neg_inf", UnaryOp::IsNegInf},
      {"chlo.is_pos_inf", UnaryOp::IsPosInf},
      {"chlo.lgamma", UnaryOp::Lgamma},
      {"chlo.sinh", UnaryOp::Sinh},
      {"chlo.square", UnaryOp::Square},
      {"chlo.tan", UnaryOp::Tan},
  };
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::optional<BinaryOp> interpreter::binaryNamed(StringRef name) {
  static const llvm::StringMap<BinaryOp> table = {
      {"add", BinaryOp::Add},
      {"and", BinaryOp::And},
      {"atan2", BinaryOp::Atan2},
      {"divide", BinaryOp::Divide},
      {"maximum", BinaryOp::Maximum},
      {"minimum", BinaryOp::Minimum},
      {"mulhi", BinaryOp::MultiplyHigh},
      {"multiply", BinaryOp::Multiply},
      {"next_after", BinaryOp::NextAfter},
      {"or", BinaryOp::Or},
      {"polygamma", BinaryOp::Polygamma},
      {"power", BinaryOp::Power},
      {"remainder", BinaryOp::Remainder},
      {"shift_left", BinaryOp::ShiftLeft},
      {"shift_right_arithmetic", BinaryOp::ShiftRightArithmetic},
      {"shift_right_logical", BinaryOp::ShiftRightLogical},
      {"subtract", BinaryOp::Subtract},
      {"xor", BinaryOp::Xor},
      {"zeta", BinaryOp::Zeta},
  };
  if (!name.consume_front("stablehlo.") && !name.consume_front("chlo."))
    return std::nullopt;
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// Runs `compute` on operands rounded to the types the module gives them, where bits matter even if
/// floats are carried as f64, and widens the result again.
static Result<HostTensor>
onStorageTypes(const OpCall &call,
               llvm::function_ref<Result<HostTensor>(const Tensors &)> compute) {
  Tensors rounded;
  for (size_t i = 0; i < call.numOperands(); ++i) {
    Result<HostTensor> operand =
        call.operand(i).type() == call.declaredOperandType(i)
            ? call.operand(i)
            : reference::convert(call.operand(i), call.declaredOperandType(i));
    if (!operand)
      return operand;
    rounded.push_back(std::move(*operand));
  }
  Result<HostTensor> result = compute(rounded);
  if (!result || result->type() == call.resultType(0))
    return result;
  return reference::convert(*result, call.resultType(0));
}

static Result<HostTensor> binaryOn(const OpCall &call, BinaryOp op, const HostTensor &lhs,
                                   const HostTensor &rhs) {
  if (op == BinaryOp::NextAfter && call.isDouble())
    return onStorageTypes(call, [&](const Tensors &rounded) {
      return reference::binary(op, rounded[0], rounded[1]);
    });
  return reference::binary(op, lhs, rhs);
}

/// The shape that broadcasting two shapes gives when the dimensions of each are placed at the end,
/// or at `positions` for the one of lower rank; and where each operand's dimensions go.
static Result<HostTensor> broadcastTo(const HostTensor &operand, const Dims &shape,
                                      std::optional<ArrayRef<int64_t>> positions) {
  Dims places;
  int64_t rank = static_cast<int64_t>(shape.size());
  if (positions && operand.rank() < rank)
    places.assign(positions->begin(), positions->end());
  else
    for (int64_t d = rank - operand.rank(); d < rank; ++d)
      places.push_back(d);
  return reference::broadcastInDim(operand, places, shape);
}

static Result<Dims> broadcastShape(const Tensors &operands,
                                   std::optional<ArrayRef<int64_t>> positions) {
  int64_t rank = 0;
  for (const HostTensor &operand : operands)
    rank = std::max(rank, operand.rank());
  Dims shape(rank, 1);
  for (const HostTensor &operand : operands)
    for (int64_t d = 0; d < operand.rank(); ++d) {
      int64_t place =
          positions && operand.rank() < rank ? (*positions)[d] : rank - operand.rank() + d;
      int64_t size = operand.dims()[d];
      if (shape[place] != 1 && size != 1 && shape[place] != size)
        return Error{"cannot broadcast " + typeString(operand) + " to " +
                     reference::dimsString(shape)};
      if (size != 1)
        shape[place] = size;
    }
  return shape;
}

static Result<Tensors> broadcastTogether(const OpCall &call,
                                         std::optional<ArrayRef<int64_t>> positions) {
  Tensors operands = call.operands(0, call.numOperands());
  Result<Dims> shape = broadcastShape(operands, positions);
  if (!shape)
    return shape.error();
  for (HostTensor &operand : operands) {
    Result<HostTensor> wide = broadcastTo(operand, *shape, positions);
    if (!wide)
      return wide.error();
    operand = std::move(*wide);
  }
  return operands;
}

reference::Direction interpreter::directionNamed(StringRef name) {
  return llvm::StringSwitch<reference::Direction>(name)
      .Case("EQ", reference::Direction::EQ)
      .Case("NE", reference::Direction::NE)
      .Case("GE", reference::Direction::GE)
      .Case("GT", reference::Direction::GT)
      .Case("LE", reference::Direction::LE)
      .Default(reference::Direction::LT);
}

/// chlo.broadcast_*: the op of the same name on operands made equal in shape.
static Outcome evaluateBroadcasting(const OpCall &call) {
  StringRef name = call.operation()->getName().getStringRef();
  if (!name.consume_front("chlo.broadcast_"))
    return std::nullopt;
  std::optional<ArrayRef<int64_t>> positions;
  if (auto attribute = call.operation()->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions"))
    positions = attribute.asArrayRef();
  Result<Tensors> operands = broadcastTogether(call, positions);
  if (!operands)
    return Result<Tensors>(operands.error());
  if (auto compare = dyn_cast<chlo::BroadcastCompareOp>(call.operation())) {
    bool totalOrder =
        compare.getCompareType() && stringifyEnum(*compare.getCompareType()) == "TOTALORDER";
    return single(
        reference::compare(directionNamed(stringifyEnum(compare.getComparisonDirection())),
                           totalOrder, (*operands)[0], (*operands)[1]));
  }
  if (isa<chlo::BroadcastSelectOp>(call.operation()))
    return single(reference::select((*operands)[0], (*operands)[1], (*operands)[2]));
  std::optional<BinaryOp> op = binaryNamed(("stablehlo." + name).str());
  if (!op || (*op == BinaryOp::NextAfter && call.isDouble()))
    return std::nullopt;
  return single(reference::binary(*op, (*operands)[0], (*operands)[1]));
}

static Outcome evaluateConversion(const OpCall &call) {
  if (isa<stablehlo::ConvertOp>(call.operation()))
    return single(reference::convert(call.operand(0), call.resultType(0)));
  if (isa<stablehlo::BitcastConvertOp>(call.operation()))
    return single(onStorageTypes(call, [&](const Tensors &rounded) {
      return reference::bitcastConvert(rounded[0], call.declaredResultType(0));
    }));
  if (auto op = dyn_cast<stablehlo::ReducePrecisionOp>(call.operation()))
    return single(onStorageTypes(call, [&](const Tensors &rounded) {
      return reference::reducePrecision(rounded[0], static_cast<int>(op.getExponentBits()),
                                        static_cast<int>(op.getMantissaBits()));
    }));
  return std::nullopt;
}

static Outcome evaluateSelection(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::CompareOp>(call.operation())) {
    bool totalOrder = op.getCompareType() == stablehlo::ComparisonType::TOTALORDER;
    return single(reference::compare(directionNamed(stringifyEnum(op.getComparisonDirection())),
                                     totalOrder, call.operand(0), call.operand(1)));
  }
  if (isa<stablehlo::SelectOp>(call.operation()))
    return single(reference::select(call.operand(0), call.operand(1), call.operand(2)));
  if (isa<stablehlo::ClampOp>(call.operation()))
    return single(reference::clamp(call.operand(0), call.operand(1), call.operand(2)));
  return std::nullopt;
}

Outcome interpreter::evaluateElementwise(const OpCall &call) {
  StringRef name = call.operation()->getName().getStringRef();
  if (std::optional<UnaryOp> op = unaryNamed(name))
    return single(reference::unary(*op, call.operand(0)));
  if (std::optional<BinaryOp> op = binaryNamed(name))
    return single(binaryOn(call, *op, call.operand(0), call.operand(1)));
  for (auto *group : {evaluateConversion, evaluateSelection, evaluateBroadcasting})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
