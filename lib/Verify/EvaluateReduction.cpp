// Ops with a scalar region applied along dimensions: reductions, windows, sort, map.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/ApproxTopK.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Reference/Reduce.h"
#include "forge/Reference/Shape.h"
#include "forge/Reference/Sort.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;
using reference::BinaryOp;

std::optional<BinaryOp> interpreter::singleOp(Region &region) {
  Block &block = region.front();
  if (block.getNumArguments() != 2 || !llvm::hasSingleElement(block.without_terminator()))
    return std::nullopt;
  Operation &op = block.front();
  bool plain = op.getNumOperands() == 2 && op.getNumResults() == 1 &&
               block.getTerminator()->getNumOperands() == 1 &&
               block.getTerminator()->getOperand(0) == op.getResult(0);
  if (!plain)
    return std::nullopt;
  bool inOrder =
      op.getOperand(0) == block.getArgument(0) && op.getOperand(1) == block.getArgument(1);
  bool swapped =
      op.getOperand(0) == block.getArgument(1) && op.getOperand(1) == block.getArgument(0);
  if (!inOrder && !(swapped && op.hasTrait<mlir::OpTrait::IsCommutative>()))
    return std::nullopt;
  std::optional<BinaryOp> binary = binaryNamed(op.getName().getStringRef());
  return binary == BinaryOp::NextAfter ? std::nullopt : binary;
}

/// Float tensors as f64, so that a body accumulates without rounding in between.
static Result<Tensors> widened(Tensors tensors) {
  for (HostTensor &tensor : tensors) {
    if (!isFloat(tensor.type()))
      continue;
    Result<HostTensor> wide = reference::convert(tensor, DType::F64);
    if (!wide)
      return wide.error();
    tensor = std::move(*wide);
  }
  return tensors;
}

/// Tensors rounded to the types of the op's results.
static Outcome rounded(const OpCall &call, Result<Tensors> tensors) {
  if (!tensors)
    return tensors;
  for (auto [i, tensor] : llvm::enumerate(*tensors)) {
    Result<HostTensor> narrow = reference::convert(tensor, call.resultType(i));
    if (!narrow)
      return Result<Tensors>(narrow.error());
    tensor = std::move(*narrow);
  }
  return tensors;
}

/// Runs region `index` with floats as f64.
static reference::Body bodyOf(const OpCall &call, unsigned index) {
  return [&call, index](const Tensors &arguments) { return call.region(index, arguments, true); };
}

static Outcome evaluateReduce(const OpCall &call) {
  auto op = dyn_cast<stablehlo::ReduceOp>(call.operation());
  if (!op)
    return std::nullopt;
  size_t count = op.getInputs().size();
  Dims dimensions = dimsOf(op.getDimensions());
  std::optional<BinaryOp> simple = count == 1 ? singleOp(op.getBody()) : std::nullopt;
  if (simple && reference::isDefined(*simple, call.operand(0).type()))
    return single(reference::reduce(call.operand(0), call.operand(1), dimensions, *simple,
                                    call.resultType(0)));
  Result<Tensors> inputs = widened(call.operands(0, count)),
                  inits = widened(call.operands(count, count));
  if (!inputs || !inits)
    return Result<Tensors>(inputs ? inits.error() : inputs.error());
  return rounded(call, reference::reduce(*inputs, *inits, dimensions, bodyOf(call, 0)));
}

/// A window from attributes, of which all but the sizes may be absent; `padding` holds low and high
/// in turn.
static reference::Window windowOf(ArrayRef<int64_t> sizes, std::optional<ArrayRef<int64_t>> strides,
                                  std::optional<DenseIntElementsAttr> padding) {
  reference::Window window = reference::Window::of(dimsOf(sizes));
  if (strides)
    window.strides = dimsOf(*strides);
  if (padding)
    for (auto [i, value] : llvm::enumerate(padding->getValues<APInt>()))
      (i % 2 ? window.high : window.low)[i / 2] = value.getSExtValue();
  return window;
}

/// The windows of the first `count` operands, reduced from the `count` next.
static Outcome reduceWindows(const OpCall &call, size_t count, const reference::Window &window,
                             Region &body) {
  std::optional<BinaryOp> simple = count == 1 ? singleOp(body) : std::nullopt;
  if (simple && reference::isDefined(*simple, call.operand(0).type()))
    return single(reference::reduceWindow(call.operand(0), call.operand(1), window, *simple,
                                          call.resultType(0)));
  Result<Tensors> inputs = widened(call.operands(0, count)),
                  inits = widened(call.operands(count, count));
  if (!inputs || !inits)
    return Result<Tensors>(inputs ? inits.error() : inputs.error());
  auto run = [&](const Tensors &arguments) { return call.computation(body, arguments, true); };
  return rounded(call, reference::reduceWindow(*inputs, *inits, window, run));
}

static Outcome evaluateReduceWindow(const OpCall &call) {
  auto op = dyn_cast<stablehlo::ReduceWindowOp>(call.operation());
  if (!op)
    return std::nullopt;
  reference::Window window =
      windowOf(op.getWindowDimensions(), op.getWindowStrides(), op.getPadding());
  if (op.getBaseDilations())
    window.baseDilations = dimsOf(*op.getBaseDilations());
  if (op.getWindowDilations())
    window.windowDilations = dimsOf(*op.getWindowDilations());
  return reduceWindows(call, op.getInputs().size(), window, op.getBody());
}

/// reduce_window with its attributes as operands.
static Outcome evaluateDynamicReduceWindow(const OpCall &call) {
  auto op = dyn_cast<stablehlo::CustomCallOp>(call.operation());
  if (!op || op.getCallTargetName() != stablehlo::kDynamicReduceWindow)
    return std::nullopt;
  stablehlo::DynamicReduceWindow form(op);
  auto function = stablehlo::getCalledComputation(op, 2 * form.inputs, form.inputs);
  if (failed(function))
    return Result<Tensors>(Error{""}); // reported there
  reference::Window window = reference::Window::of(call.integers(form.windowDimensions()));
  window.strides = call.integers(form.windowStrides());
  window.baseDilations = call.integers(form.baseDilations());
  window.windowDilations = call.integers(form.windowDilations());
  for (auto [i, value] : llvm::enumerate(call.integers(form.padding())))
    (i % 2 ? window.high : window.low)[i / 2] = value;
  return reduceWindows(call, form.inputs, window, function->getBody());
}

static Outcome evaluateSelectAndScatter(const OpCall &call) {
  auto op = dyn_cast<stablehlo::SelectAndScatterOp>(call.operation());
  if (!op)
    return std::nullopt;
  Dims ones(call.operand(0).rank(), 1);
  reference::Window window = windowOf(op.getWindowDimensions().value_or(ArrayRef<int64_t>(ones)),
                                      op.getWindowStrides(), op.getPadding());
  Result<Tensors> operands = widened(call.operands(0, 3));
  if (!operands)
    return operands;
  Result<HostTensor> result = reference::selectAndScatter(
      (*operands)[0], (*operands)[1], (*operands)[2], window, bodyOf(call, 0), bodyOf(call, 1));
  return single(result ? reference::convert(*result, call.resultType(0)) : std::move(result));
}

/// What `comparator` compares, where it is one comparison of the two elements of an input.
static std::optional<reference::SortKey> keyOf(Region &comparator) {
  Block &body = comparator.front();
  auto compare = dyn_cast_or_null<stablehlo::CompareOp>(
      body.getTerminator()->getNumOperands() == 1
          ? body.getTerminator()->getOperand(0).getDefiningOp()
          : nullptr);
  auto lhs = compare ? dyn_cast<BlockArgument>(compare.getLhs()) : BlockArgument();
  auto rhs = compare ? dyn_cast<BlockArgument>(compare.getRhs()) : BlockArgument();
  if (!lhs || !rhs || lhs.getOwner() != &body || rhs.getOwner() != &body ||
      lhs.getArgNumber() % 2 != 0 || rhs.getArgNumber() != lhs.getArgNumber() + 1)
    return std::nullopt;
  return reference::SortKey{lhs.getArgNumber() / 2,
                            directionNamed(stringifyEnum(compare.getComparisonDirection())),
                            compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER};
}

/// `inputs` sorted together; `run` runs the comparator.
static Result<Tensors> sortBy(const Tensors &inputs, int64_t dimension, Region &comparator,
                              const reference::Body &run) {
  if (std::optional<reference::SortKey> key = keyOf(comparator))
    return reference::sort(inputs, dimension, *key);
  return reference::sort(inputs, dimension, run);
}

static Outcome evaluateSort(const OpCall &call) {
  auto op = dyn_cast<stablehlo::SortOp>(call.operation());
  if (!op)
    return std::nullopt;
  auto comparator = [&](const Tensors &arguments) {
    return call.region(0, arguments, call.isDouble());
  };
  return several(sortBy(call.operands(0, call.numOperands()), op.getDimension(), op.getComparator(),
                        comparator));
}

/// custom_call @ApproxTopK, exactly.
static Outcome evaluateApproxTopK(const OpCall &call) {
  auto op = dyn_cast<stablehlo::CustomCallOp>(call.operation());
  if (!op || op.getCallTargetName() != stablehlo::kApproxTopK)
    return std::nullopt;
  FailureOr<stablehlo::ApproxTopK> form = stablehlo::getApproxTopK(op);
  if (failed(form))
    return Result<Tensors>(Error{""}); // reported there
  auto comparator = [&](const Tensors &arguments) {
    return call.computation(*form->comparator, arguments, call.isDouble());
  };
  Result<Tensors> sorted =
      sortBy(call.operands(0, form->inputs), form->dimension, *form->comparator, comparator);
  if (!sorted)
    return sorted;
  Dims limit = call.resultDims(0), start(limit.size(), 0), strides(limit.size(), 1);
  for (HostTensor &tensor : *sorted) {
    Result<HostTensor> first = reference::slice(tensor, start, limit, strides);
    if (!first)
      return Result<Tensors>(first.error());
    tensor = std::move(*first);
  }
  return sorted;
}

static Outcome evaluateMap(const OpCall &call) {
  if (!isa<stablehlo::MapOp>(call.operation()))
    return std::nullopt;
  auto body = [&](const Tensors &arguments) { return call.region(0, arguments, call.isDouble()); };
  return single(reference::map(call.operands(0, call.numOperands()), call.resultType(0), body));
}

/// chlo.top_k, and the custom calls frameworks print for it: k is an operand, or comes with the
/// result's shape.
static Outcome evaluateTopK(const OpCall &call) {
  auto custom = dyn_cast<stablehlo::CustomCallOp>(call.operation());
  StringRef target = custom ? custom.getCallTargetName() : "";
  bool isDynamic = target == stablehlo::kDynamicTopK;
  if (target != "mhlo.topk" && !isDynamic && !isa<chlo::TopKOp>(call.operation()))
    return std::nullopt;
  if (call.operation()->getNumResults() != 2 || call.resultDims(0).empty())
    return Result<Tensors>(Error{"expected top_k to have values and indices as results"});
  bool largest = true;
  if (auto attributes = call.operation()->getAttrOfType<DictionaryAttr>("mhlo.attributes"))
    if (auto flag = attributes.getAs<BoolAttr>("largest"))
      largest = flag.getValue();
  int64_t k = isDynamic ? call.integers(1)[0] : call.resultDims(0).back();
  Result<reference::TopK> top = reference::topK(call.operand(0), k, largest);
  if (!top)
    return Result<Tensors>(top.error());
  Tensors results;
  results.push_back(std::move(top->values));
  results.push_back(std::move(top->indices));
  return Result<Tensors>(std::move(results));
}

Outcome interpreter::evaluateReduction(const OpCall &call) {
  for (auto *group :
       {evaluateReduce, evaluateReduceWindow, evaluateDynamicReduceWindow, evaluateSelectAndScatter,
        evaluateSort, evaluateMap, evaluateTopK, evaluateApproxTopK})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
