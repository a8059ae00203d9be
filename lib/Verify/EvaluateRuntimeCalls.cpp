// Calls of the runtime, which take the places of checks and of functions that math does not have.
#include "Buffer.h"
#include "Evaluation.h"

#include "forge/Reference/SpecialFunctions.h"
#include "forge/Verify/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

/// What lowering names messages of assertions by (forge/Target/CPU/RuntimeCalls.h).
static constexpr StringLiteral kAssertMessage = "forge.assert_message";

/// An assertion: its condition, and numbers for the places {0}, {1} ... of its message.
static Outcome evaluateAssertion(const OpCall &call, func::FuncOp callee) {
  auto text = callee->getAttrOfType<StringAttr>(kAssertMessage);
  if (!text || call.numOperands() == 0)
    return std::nullopt;
  if (call.operand(0).getBits(0))
    return Result<Tensors>(Tensors{});
  std::string message = text.getValue().str();
  for (size_t i = 1; i < call.numOperands(); ++i) {
    std::string place = "{" + std::to_string(i - 1) + "}";
    if (size_t at = message.find(place); at != std::string::npos)
      message.replace(at, place.size(), std::to_string(reference::getInteger(call.operand(i), 0)));
  }
  return Result<Tensors>(Error{message});
}

/// Operand `i`, a tensor or memory, with elements of `type`: the call names the sign of integers.
static Result<HostTensor> valueOf(const OpCall &call, size_t i, DType type) {
  Type declared = call.operation()->getOperand(static_cast<unsigned>(i)).getType();
  Result<HostTensor> tensor = isa<BaseMemRefType>(declared)
                                  ? static_cast<const Buffer &>(call.operand(i)).read()
                                  : Result<HostTensor>(call.operand(i));
  return tensor && tensor->type() != type ? reference::bitcastConvert(*tensor, type)
                                          : std::move(tensor);
}

/// The type whose name is `suffix` in lower case.
static std::optional<DType> typeOfSuffix(StringRef suffix) {
  for (int i = 0; i <= static_cast<int>(DType::U64); ++i)
    if (suffix.equals_insensitive(dtypeName(static_cast<DType>(i))))
      return static_cast<DType>(i);
  return std::nullopt;
}

/// forge_rt_expect_eq_f32(actual, expected), forge_rt_expect_almost_eq_f32 with a distance as f64,
/// forge_rt_expect_close_f32 with one in ulp as i64.
static Outcome evaluateExpectation(const OpCall &call, StringRef name, int64_t &checks) {
  if (!name.consume_front("forge_rt_expect_"))
    return std::nullopt;
  auto [kind, suffix] = name.rsplit('_');
  std::optional<DType> type = typeOfSuffix(suffix);
  size_t numOperands = kind == "eq" ? 2 : 3;
  if (!type || call.numOperands() != numOperands)
    return std::nullopt;
  if (call.isDouble())
    return Result<Tensors>(Tensors{});
  Tolerance tolerance;
  if (kind == "eq")
    tolerance = Tolerance::exact();
  else if (kind == "almost_eq")
    tolerance = Tolerance::almost(call.operand(2).getDouble(0));
  else if (kind == "close")
    tolerance = Tolerance::ulps(static_cast<uint64_t>(reference::getInteger(call.operand(2), 0)));
  else
    return std::nullopt;
  Result<HostTensor> actual = valueOf(call, 0, *type), expected = valueOf(call, 1, *type);
  if (!actual || !expected)
    return Result<Tensors>(actual ? expected.error() : actual.error());
  ++checks;
  Comparison comparison = compare(*actual, *expected, tolerance);
  if (comparison.agree)
    return Result<Tensors>(Tensors{});
  return Result<Tensors>(
      Error{("check.expect_" + kind + " does not hold: ").str() + describe(comparison)});
}

/// forge_rt_lgamma_f32 and the like: numbers.
static Outcome evaluateFunction(const OpCall &call, StringRef name) {
  if (!name.consume_front("forge_rt_") || call.operation()->getNumResults() != 1)
    return std::nullopt;
  if (!name.consume_back("_f32") && !name.consume_back("_f64"))
    return std::nullopt;
  auto argument = [&](size_t i) { return call.operand(i).getDouble(0); };
  std::optional<double> value;
  if (call.numOperands() == 1)
    value = name == "lgamma"       ? std::optional(reference::lgamma(argument(0)))
            : name == "digamma"    ? std::optional(reference::digamma(argument(0)))
            : name == "erf_inv"    ? std::optional(reference::erfInv(argument(0)))
            : name == "bessel_i1e" ? std::optional(reference::besselI1e(argument(0)))
                                   : std::nullopt;
  else if (call.numOperands() == 2)
    value = name == "polygamma" ? std::optional(reference::polygamma(argument(0), argument(1)))
            : name == "zeta"    ? std::optional(reference::zeta(argument(0), argument(1)))
                                : std::nullopt;
  if (!value)
    return std::nullopt;
  Result<HostTensor> result = HostTensor::create(call.resultType(0), {});
  if (result)
    result->setDouble(0, *value);
  return single(std::move(result));
}

Outcome interpreter::evaluateRuntimeCalls(const OpCall &call, int64_t &checks) {
  auto op = dyn_cast<func::CallOp>(call.operation());
  auto callee = op ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr())
                   : func::FuncOp();
  if (!callee || !callee.isExternal())
    return std::nullopt;
  if (Outcome outcome = evaluateAssertion(call, callee))
    return outcome;
  if (Outcome outcome = evaluateExpectation(call, callee.getName(), checks))
    return outcome;
  return evaluateFunction(call, callee.getName());
}
