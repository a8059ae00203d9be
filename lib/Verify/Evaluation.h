// How the interpreter and the families of ops talk to each other.
#ifndef FORGE_LIB_VERIFY_EVALUATION_H
#define FORGE_LIB_VERIFY_EVALUATION_H

#include "forge/Reference/Elementwise.h"
#include "forge/Verify/Interpreter.h"

#include <functional>
#include <optional>

namespace forge::interpreter {

using reference::Dims;
using Tensors = std::vector<HostTensor>;

inline Dims dimsOf(llvm::ArrayRef<int64_t> list) { return Dims(list.begin(), list.end()); }

/// One op about to be executed: its operands' values, and how to run its regions.
class OpCall {
public:
  /// Runs a region on scalars or tensors, carrying floats as f64 where `inDouble`.
  using RunRegion = std::function<Result<Tensors>(mlir::Region &, const Tensors &, bool inDouble)>;

  OpCall(mlir::Operation *op, std::vector<TensorRef> operands, bool inDouble, RunRegion runRegion)
      : op(op), values(std::move(operands)), inDouble(inDouble), runRegion(std::move(runRegion)) {}

  mlir::Operation *operation() const { return op; }
  /// Whether floats are carried as f64 (InterpreterOptions::Precision::Double).
  bool isDouble() const { return inDouble; }
  size_t numOperands() const { return values.size(); }
  const HostTensor &operand(size_t i) const { return *values[i]; }
  /// Copies of `count` operands from `begin`.
  Tensors operands(size_t begin, size_t count) const;
  /// Operand `i`, a rank-0 or rank-1 integer tensor, as numbers.
  Dims integers(size_t i) const;

  /// The element type of operand or result `i`: as the module says, and as it is carried.
  DType declaredOperandType(size_t i) const;
  DType declaredResultType(size_t i) const;
  DType resultType(size_t i) const;
  /// The shape of result `i` as the module says; sizes it leaves open are
  /// mlir::ShapedType::kDynamic.
  Dims resultDims(size_t i) const;

  Result<Tensors> region(unsigned index, const Tensors &arguments, bool asDouble) const {
    return runRegion(op->getRegion(index), arguments, asDouble);
  }
  /// The same for a region elsewhere: the function that a custom call names as its computation.
  Result<Tensors> computation(mlir::Region &body, const Tensors &arguments, bool asDouble) const {
    return runRegion(body, arguments, asDouble);
  }

private:
  mlir::Operation *op;
  std::vector<TensorRef> values;
  bool inDouble;
  RunRegion runRegion;
};

/// What a family says to an op: nothing if it is none of its ops, else results or what went wrong.
using Outcome = std::optional<Result<Tensors>>;
/// Wraps the result of an op with one result.
Outcome single(Result<HostTensor> result);
Outcome several(Result<Tensors> results);

/// The op of two operands of this name ("stablehlo.add"), if it is one.
std::optional<reference::BinaryOp> binaryNamed(llvm::StringRef name);
/// Of a comparison direction as StableHLO spells it.
reference::Direction directionNamed(llvm::StringRef name);

/// The op of a region that is nothing but `op(%lhs, %rhs)` on its two arguments.
std::optional<reference::BinaryOp> singleOp(mlir::Region &region);

Outcome evaluateElementwise(const OpCall &call);
Outcome evaluateShape(const OpCall &call);
Outcome evaluateStructured(const OpCall &call);
Outcome evaluateReduction(const OpCall &call);
Outcome evaluateLibrary(const OpCall &call);
/// Random numbers without a state; `draws` counts those of the run.
Outcome evaluateRng(const OpCall &call, int64_t &draws);
/// Programs of the register dialect.
Outcome evaluateRegisters(const OpCall &call);
/// arith and math, on tensors and on numbers.
Outcome evaluateArith(const OpCall &call);
/// tensor and the data movement of linalg, on tensors and on numbers.
Outcome evaluateTensor(const OpCall &call);
/// One family of the transformer dialect each.
Outcome evaluateTransformerActivation(const OpCall &call);
Outcome evaluateTransformerAttention(const OpCall &call);
Outcome evaluateTransformerBlock(const OpCall &call);
Outcome evaluateTransformerContraction(const OpCall &call);
Outcome evaluateTransformerGradients(const OpCall &call);
Outcome evaluateTransformerNormalization(const OpCall &call);
Outcome evaluateTransformerPosition(const OpCall &call);
Outcome evaluateTransformerQuantization(const OpCall &call);
Outcome evaluateTransformerSelection(const OpCall &call);
/// check.*, and the custom_call forms of checks and shape assertions. `checks` counts what was
/// checked; with call.isDouble() nothing is, since the expectations are about rounded values.
Outcome evaluateChecks(const OpCall &call, int64_t &checks);

/// Calls of the runtime that lowering makes: assertions, checks (as evaluateChecks has them),
/// functions of numbers.
Outcome evaluateRuntimeCalls(const OpCall &call, int64_t &checks);

/// A rank-0 tensor of an integer type.
Result<TensorRef> numberOf(DType type, int64_t value);

/// A constant's value; fails on attributes that hold no elements Forge knows.
Result<HostTensor> tensorOf(mlir::ElementsAttr attribute);

/// What a type is carried as.
inline DType carried(DType type, bool inDouble) {
  return inDouble && isFloat(type) ? DType::F64 : type;
}

/// The element type that a tensor type, or a number's, has in host memory. Only for types that
/// dtypeOf knows.
DType elementTypeOf(mlir::Type type);

} // namespace forge::interpreter

#endif // FORGE_LIB_VERIFY_EVALUATION_H
