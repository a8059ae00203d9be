#include "Buffer.h"
#include "InterpreterImpl.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Reference/Elementwise.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

//===----------------------------------------------------------------------===//
// OpCall
//===----------------------------------------------------------------------===//

Tensors OpCall::operands(size_t begin, size_t count) const {
  Tensors copies;
  for (size_t i = begin; i < begin + count; ++i)
    copies.push_back(*values[i]);
  return copies;
}

Dims OpCall::integers(size_t i) const {
  Dims numbers;
  for (int64_t k = 0; k < values[i]->numElements(); ++k) {
    int64_t value = reference::getInteger(*values[i], k);
    // An unsigned index beyond the signed range is very large, not negative.
    bool large = isUnsignedInteger(values[i]->type()) && value < 0;
    numbers.push_back(large ? std::numeric_limits<int64_t>::max() : value);
  }
  return numbers;
}

DType OpCall::declaredOperandType(size_t i) const {
  return elementTypeOf(op->getOperand(i).getType());
}
DType OpCall::declaredResultType(size_t i) const {
  return elementTypeOf(op->getResult(i).getType());
}
DType OpCall::resultType(size_t i) const { return carried(declaredResultType(i), inDouble); }

Dims OpCall::resultDims(size_t i) const {
  auto type = dyn_cast<ShapedType>(op->getResult(i).getType());
  ArrayRef<int64_t> shape = type ? type.getShape() : ArrayRef<int64_t>();
  return Dims(shape.begin(), shape.end());
}

Outcome interpreter::single(Result<HostTensor> result) {
  if (!result)
    return Result<Tensors>(result.error());
  Tensors tensors;
  tensors.push_back(std::move(*result));
  return Result<Tensors>(std::move(tensors));
}

Outcome interpreter::several(Result<Tensors> results) { return results; }

//===----------------------------------------------------------------------===//
// Interpreter::Impl
//===----------------------------------------------------------------------===//

Error Interpreter::Impl::report(Operation *op, const Error &error) {
  if (!error.message.empty())
    op->emitError(error.message);
  return reported();
}

/// Whether a tensor may stand for a value of `type`: element type as carried, sizes where the
/// module gives them.
static bool fits(const HostTensor &tensor, Type type, bool inDouble, int64_t points = 0) {
  // A number is carried as a tensor of rank 0, those of points that run together as one of rank 1.
  if (type.isIntOrIndexOrFloat())
    return (tensor.rank() == 0 || (points > 0 && tensor.dims() == Dims{points})) &&
           carried(elementTypeOf(type), inDouble) == tensor.type();
  if (isa<UnrankedTensorType>(type))
    return carried(elementTypeOf(type), inDouble) == tensor.type();
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped || shaped.getRank() != tensor.rank() ||
      carried(elementTypeOf(type), inDouble) != tensor.type())
    return false;
  for (int64_t d = 0; d < tensor.rank(); ++d)
    if (!shaped.isDynamicDim(d) && shaped.getDimSize(d) != tensor.dims()[d])
      return false;
  return true;
}

Result<Interpreter::Impl::Values>
Interpreter::Impl::checkResults(Operation *op, Result<Tensors> results, bool inDouble) {
  if (!results)
    return report(op, results.error());
  Values values;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i >= results->size() || !fits((*results)[i], result.getType(), inDouble, points.count)) {
      std::string type;
      llvm::raw_string_ostream(type) << result.getType();
      return report(op,
                    Error{"expected a result of type " + type + ", but got " +
                          (i < results->size() ? typeString((*results)[i]) : std::string("none"))});
    }
    values.push_back(std::make_shared<const HostTensor>(std::move((*results)[i])));
  }
  return values;
}

static Error unsupported(Operation *op) {
  if (auto custom = dyn_cast<stablehlo::CustomCallOp>(op))
    return Error{"unsupported custom_call target '" + custom.getCallTargetName().str() + "'"};
  if (auto call = dyn_cast<func::CallOp>(op))
    return Error{"unsupported call of '" + call.getCallee().str() + "', which has no body"};
  if (auto function = op->getParentOfType<func::FuncOp>();
      function && function->hasAttr("tile.grid"))
    return Error{"expected forge.reference = @FUNCTION, a linalg form, on the tile program '" +
                 function.getName().str() + "'"};
  return Error{"unsupported op '" + op->getName().getStringRef().str() + "' in the reference"};
}

/// The element types must be ours before anything asks for them.
static bool hasKnownTypes(Operation *op) {
  auto known = [](Type type) {
    bool holdsElements = isa<TensorType, BaseMemRefType>(type) || type.isIntOrIndexOrFloat();
    return !holdsElements || succeeded(dtypeOf(getElementTypeOrSelf(type)));
  };
  return llvm::all_of(op->getOperandTypes(), known) && llvm::all_of(op->getResultTypes(), known);
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runOp(Operation *op, const Values &operands,
                                                           Frame &frame, bool inDouble) {
  if (++steps > options.maxSteps)
    return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
  if (!hasKnownTypes(op))
    return report(op, Error{"unsupported element type"});
  ElementsAttr value;
  if (op->hasTrait<OpTrait::ConstantLike>())
    value = op->getAttrOfType<ElementsAttr>("value");
  if (value) {
    TensorRef &constant = constants[{op, inDouble}];
    if (!constant) {
      Result<HostTensor> tensor = tensorOf(value);
      if (tensor && inDouble && isFloat(tensor->type()))
        tensor = reference::convert(*tensor, DType::F64);
      if (!tensor)
        return report(op, tensor.error());
      constant = std::make_shared<const HostTensor>(std::move(*tensor));
    }
    return Values{constant};
  }
  if (auto results = runControlFlow(op, operands, frame, inDouble))
    return std::move(*results);
  if (auto results = runMemory(op, operands, inDouble))
    return std::move(*results);
  if (llvm::is_contained(operands, nullptr))
    return report(op, unsupported(op)); // a token, where only tensors are understood
  Values taken = operands;
  bool differ = points.count > 0 &&
                llvm::any_of(taken, [](const TensorRef &value) { return value->rank() > 0; });
  for (TensorRef &value : taken)
    if (differ) {
      Result<TensorRef> all = forAllPoints(value);
      if (!all)
        return report(op, all.error());
      value = *all;
    }
  if (!options.hook || bodies > 0)
    return evaluate(op, taken, frame, inDouble);
  options.hook->before(op, taken);
  if (options.hook->stops())
    return report(op, Error{"the execution was ended here"});
  Result<Values> results = evaluate(op, taken, frame, inDouble);
  if (results)
    options.hook->after(op, taken, *results);
  return results;
}

Result<Interpreter::Impl::Values> Interpreter::Impl::evaluate(Operation *op, const Values &operands,
                                                              Frame &frame, bool inDouble) {
  OpCall call(op, operands, inDouble,
              [&](Region &region, const Tensors &arguments, bool asDouble) -> Result<Tensors> {
                Values values;
                for (const HostTensor &argument : arguments)
                  values.push_back(std::make_shared<const HostTensor>(argument));
                ++bodies;
                Result<Values> results = runBlock(region.front(), values, frame, asDouble);
                --bodies;
                if (!results)
                  return results.error();
                Tensors tensors;
                for (const TensorRef &result : *results)
                  tensors.push_back(*result);
                return tensors;
              });
  for (auto *family : {evaluateChecks, evaluateRuntimeCalls})
    if (Outcome outcome = family(call, checks))
      return checkResults(op, std::move(*outcome), inDouble);
  if (Outcome outcome = evaluateRng(call, draws))
    return checkResults(op, std::move(*outcome), inDouble);
  for (auto *family :
       {evaluateElementwise, evaluateShape, evaluateStructured, evaluateReduction, evaluateLibrary,
        evaluateArith, evaluateTensor, evaluateRegisters, evaluateTransformerActivation,
        evaluateTransformerAttention, evaluateTransformerBlock, evaluateTransformerContraction,
        evaluateTransformerGradients, evaluateTransformerNormalization, evaluateTransformerPosition,
        evaluateTransformerQuantization, evaluateTransformerSelection})
    if (Outcome outcome = family(call))
      return checkResults(op, std::move(*outcome), inDouble);
  return report(op, unsupported(op));
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runBlock(Block &block, const Values &arguments,
                                                              Frame &frame, bool inDouble) {
  bool keep = options.keepValues && bodies == 0 && structured == 0;
  auto define = [&](Value value, TensorRef tensor) {
    if (keep)
      kept[value] = tensor;
    frame[value] = std::move(tensor);
  };
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    define(argument, value);
  for (Operation &op : block) {
    Values operands;
    for (Value operand : op.getOperands())
      operands.push_back(frame.lookup(operand));
    if (op.hasTrait<OpTrait::IsTerminator>())
      return operands;
    Result<Values> results = runOp(&op, operands, frame, inDouble);
    if (!results)
      return results;
    for (auto [result, value] : llvm::zip(op.getResults(), *results))
      define(result, value);
    if (options.observer && bodies == 0 && structured == 0)
      options.observer(&op, *results);
  }
  return report(block.getParentOp(), Error{"region has no terminator"});
}

Result<Interpreter::Impl::Values>
Interpreter::Impl::runFunction(func::FuncOp function, const Values &arguments, bool inDouble) {
  if (function.isExternal())
    return report(function, Error{"function '" + function.getName().str() + "' has no body"});
  if (!function.getBody().hasOneBlock())
    return report(function, Error{"expected a function of one block"});
  if (depth >= 200)
    return report(function, Error{"calls are nested too deeply"});
  ++depth;
  Frame frame;
  Result<Values> results = runBlock(function.getBody().front(), arguments, frame, inDouble);
  --depth;
  return results;
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

Interpreter::Interpreter(ModuleOp module, InterpreterOptions options)
    : impl(std::make_unique<Impl>(module, std::move(options))) {}
Interpreter::~Interpreter() = default;

TensorRef Interpreter::valueOf(Value value) const { return impl->kept.lookup(value); }
int64_t Interpreter::checksRun() const { return impl->checks; }

/// Whether lowered modules have `lowered` for `source`: an integer of the same width, without its
/// sign, or for a float that is only stored.
static bool isLoweredTo(DType source, DType lowered) {
  return source != lowered && !isFloat(lowered) && bitWidth(source) == bitWidth(lowered) &&
         (!isFloat(source) || bitWidth(source) <= 8);
}

/// Input `i` as argument `i` is carried: floats are rounded to the argument's type first.
static Result<HostTensor> argumentFrom(const HostTensor &input, Type type, size_t i,
                                       bool inDouble) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!isa<RankedTensorType, MemRefType>(type) || failed(dtypeOf(shaped.getElementType())))
    return Error{"unsupported type of argument " + std::to_string(i)};
  type = RankedTensorType::get(shaped.getShape(), shaped.getElementType());
  DType declared = elementTypeOf(type);
  if (isLoweredTo(input.type(), declared))
    return argumentFrom(*reference::bitcastConvert(input, declared), type, i, inDouble);
  if (input.type() != declared && !(isFloat(input.type()) && isFloat(declared)))
    return Error{"expected argument " + std::to_string(i) + " of element type " +
                 std::string(dtypeName(declared)) + ", but got " + typeString(input)};
  Result<HostTensor> rounded =
      input.type() == declared ? input : reference::convert(input, declared);
  if (rounded && inDouble && isFloat(declared))
    rounded = reference::convert(*rounded, DType::F64);
  if (rounded && !fits(*rounded, type, inDouble)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return Error{"expected argument " + std::to_string(i) + " of type " + text + ", but got " +
                 typeString(input)};
  }
  return rounded;
}

FailureOr<std::vector<HostTensor>> Interpreter::run(func::FuncOp function,
                                                    const std::vector<HostTensor> &inputs) {
  bool inDouble = impl->options.precision == InterpreterOptions::Precision::Double;
  if (inputs.size() != function.getNumArguments()) {
    function.emitError("expected ")
        << function.getNumArguments() << " inputs, but got " << inputs.size();
    return failure();
  }
  Impl::Values arguments;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    Result<HostTensor> argument = argumentFrom(input, function.getArgumentTypes()[i], i, inDouble);
    if (!argument) {
      function.emitError(argument.error().message);
      return failure();
    }
    if (isa<MemRefType>(function.getArgumentTypes()[i]))
      arguments.push_back(Buffer::holding(std::move(*argument)));
    else
      arguments.push_back(std::make_shared<const HostTensor>(std::move(*argument)));
  }
  impl->draws = 0;
  Result<Impl::Values> values = impl->runFunction(function, arguments, inDouble);
  if (!values)
    return failure();
  // The types that the source had, where lowering has recorded them.
  std::optional<FunctionSignature> recorded = recordedSignature(function);
  std::vector<HostTensor> results;
  for (auto [value, type] : llvm::zip_equal(*values, function.getResultTypes())) {
    if (!value) {
      function.emitError("unsupported result type: a token");
      return failure();
    }
    Result<HostTensor> result =
        isa<MemRefType>(type) ? bufferOf(value).read() : Result<HostTensor>(*value);
    if (result && recorded && isLoweredTo(recorded->results[results.size()].type, result->type()))
      result = reference::bitcastConvert(*result, recorded->results[results.size()].type);
    if (!result) {
      function.emitError(result.error().message);
      return failure();
    }
    results.push_back(std::move(*result));
  }
  return results;
}
