// Expectations inside a module: check.*, their custom_call forms, and the shape assertions of
// jax.export.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Verify/Compare.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static Outcome nothing() { return Result<Tensors>(Tensors{}); }

static Outcome expect(const OpCall &call, StringRef name, const HostTensor &actual,
                      const HostTensor &expected, const Tolerance &tolerance, int64_t &checks) {
  if (call.isDouble())
    return nothing();
  ++checks;
  Comparison comparison = compare(actual, expected, tolerance);
  if (comparison.agree)
    return nothing();
  return Result<Tensors>(Error{(name + " does not hold: ").str() + describe(comparison)});
}

static Outcome expectConstant(const OpCall &call, StringRef name, ElementsAttr value,
                              const Tolerance &tolerance, int64_t &checks) {
  Result<HostTensor> expected = tensorOf(value);
  if (!expected)
    return Result<Tensors>(expected.error());
  return expect(call, name, call.operand(0), *expected, tolerance, checks);
}

static Outcome evaluateCheckOp(const OpCall &call, int64_t &checks) {
  Operation *operation = call.operation();
  StringRef name = operation->getName().getStringRef();
  if (isa<check::ExpectEqOp>(operation))
    return expect(call, name, call.operand(0), call.operand(1), Tolerance::exact(), checks);
  if (auto op = dyn_cast<check::ExpectEqConstOp>(operation))
    return expectConstant(call, name, op.getValue(), Tolerance::exact(), checks);
  if (auto op = dyn_cast<check::ExpectAlmostEqOp>(operation))
    return expect(call, name, call.operand(0), call.operand(1),
                  Tolerance::almost(op.getTolerance().convertToDouble()), checks);
  if (auto op = dyn_cast<check::ExpectAlmostEqConstOp>(operation))
    return expectConstant(call, name, op.getValue(),
                          Tolerance::almost(op.getTolerance().convertToDouble()), checks);
  if (auto op = dyn_cast<check::ExpectCloseOp>(operation))
    return expect(call, name, call.operand(0), call.operand(1),
                  Tolerance::ulps(op.getMaxUlpDifference()), checks);
  return std::nullopt;
}

/// The message of a shape assertion with {0}, {1}, … replaced by the operands after the condition.
static std::string assertionMessage(const OpCall &call, stablehlo::CustomCallOp op) {
  std::string message = "shape assertion failed";
  if (auto text = op->getAttrOfType<StringAttr>("error_message"))
    message = text.getValue().str();
  for (size_t i = 1; i < call.numOperands(); ++i) {
    std::string placeholder = "{" + std::to_string(i - 1) + "}",
                value = elementString(call.operand(i), 0);
    for (size_t at = message.find(placeholder); at != std::string::npos;
         at = message.find(placeholder, at))
      message.replace(at, placeholder.size(), value);
  }
  return message;
}

static Outcome evaluateCustomCall(const OpCall &call, int64_t &checks) {
  auto op = dyn_cast<stablehlo::CustomCallOp>(call.operation());
  if (!op)
    return std::nullopt;
  StringRef target = op.getCallTargetName();
  bool comparison = target == "check.expect_eq" || target == "check.expect_close" ||
                    target == "check.expect_almost_eq";
  if (comparison && call.numOperands() == 2) {
    Tolerance tolerance = target == "check.expect_eq"      ? Tolerance::exact()
                          : target == "check.expect_close" ? Tolerance::ulps(3)
                                                           : Tolerance::almost(1e-3);
    return expect(call, target, call.operand(0), call.operand(1), tolerance, checks);
  }
  if (target == "shape_assertion" && call.numOperands() >= 1) {
    if (call.operand(0).numElements() == 1 && call.operand(0).getBits(0))
      return nothing();
    return Result<Tensors>(Error{assertionMessage(call, op)});
  }
  // Keeps its operands from being dropped as unused, and does nothing.
  if (target == "dce_sink" && op->getNumResults() == 0)
    return nothing();
  return std::nullopt;
}

Outcome interpreter::evaluateChecks(const OpCall &call, int64_t &checks) {
  if (Outcome outcome = evaluateCheckOp(call, checks))
    return outcome;
  return evaluateCustomCall(call, checks);
}
