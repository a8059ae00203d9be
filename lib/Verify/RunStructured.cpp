// linalg operations with a body: element by element.
#include "InterpreterImpl.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

/// How often each loop runs, from the shapes of the operands; fails where these do not agree.
static Result<reference::Dims> loopSizes(linalg::LinalgOp op, ArrayRef<OperandElements> operands) {
  reference::Dims sizes(op.getNumLoops(), -1);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [map, operand] : llvm::zip_equal(maps, operands))
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), operand.sizes))
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        int64_t &known = sizes[loop.getPosition()];
        if (known >= 0 && known != size)
          return Error{"expected size " + std::to_string(known) + " for loop " +
                       std::to_string(loop.getPosition()) + ", but got " + std::to_string(size)};
        known = size;
      }
  if (llvm::is_contained(sizes, -1))
    return Error{"unsupported loop that indexes no operand alone"};
  return sizes;
}

using Values = std::vector<TensorRef>;

/// Every point by itself; `point` is where the loops are.
static Result<void> runOneByOne(linalg::LinalgOp op, ArrayRef<OperandElements> elementsOf,
                                ArrayRef<HostTensor *> outputs, const reference::Dims &sizes,
                                reference::Dims &point,
                                function_ref<Result<Values>(const Values &)> body) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t numInputs = static_cast<size_t>(op.getNumDpsInputs());
  reference::Dims outer = std::exchange(point, reference::Dims(sizes.size(), 0));
  bool isEmpty = llvm::is_contained(sizes, 0);
  while (!isEmpty) {
    Values elements;
    SmallVector<int64_t> places;
    for (auto [i, map] : llvm::enumerate(maps)) {
      Result<int64_t> place = elementsOf[i].placeOf(map, point);
      if (!place)
        return place.error();
      places.push_back(*place);
      if (op.getMatchingBlockArgument(&op->getOpOperand(i)))
        elements.push_back(
            std::make_shared<const HostTensor>(reference::scalarAt(*elementsOf[i].tensor, *place)));
    }
    Result<Values> made = body(elements);
    if (!made)
      return made.error();
    for (auto [i, value] : llvm::enumerate(*made))
      reference::copyElement(*outputs[i], places[numInputs + i], *value, 0);
    isEmpty = !reference::advance(point, sizes);
  }
  point = outer;
  return {};
}

/// Whether an input is in the memory of an output, so that what one point writes another may read.
static bool sharesMemory(ArrayRef<OperandElements> elementsOf, size_t numInputs) {
  return llvm::any_of(elementsOf.take_front(numInputs), [&](const OperandElements &input) {
    return llvm::any_of(elementsOf.drop_front(numInputs), [&](const OperandElements &output) {
      return input.tensor == output.tensor;
    });
  });
}

/// 1. Results begin as the inits; outputs in memory are changed there.
/// 2. At every point, in row-major order, the body makes new elements of the outputs of one element
///    of each operand; where it may, at many points at a time.
Result<Interpreter::Impl::Values> Interpreter::Impl::runStructured(Operation *operation,
                                                                   const Values &operands,
                                                                   Frame &frame, bool inDouble) {
  auto op = cast<linalg::LinalgOp>(operation);
  size_t numInputs = static_cast<size_t>(op.getNumDpsInputs());
  std::vector<HostTensor> results(operands.size() - numInputs);
  SmallVector<HostTensor *> outputs;
  SmallVector<OperandElements> elementsOf;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isOutput = i >= numInputs;
    if (isa<MemRefType>(op->getOperand(i).getType())) {
      elementsOf.emplace_back(bufferOf(operand));
      if (isOutput)
        outputs.push_back(bufferOf(operand).memory.get());
      continue;
    }
    if (isOutput) {
      results[i - numInputs] = *operand;
      outputs.push_back(&results[i - numInputs]);
    }
    elementsOf.emplace_back(isOutput ? results[i - numInputs] : *operand);
  }
  Result<reference::Dims> sizes = loopSizes(op, elementsOf);
  if (!sizes)
    return report(op, sizes.error());
  Result<void> done;
  if (runsTogether(op) && !sharesMemory(elementsOf, numInputs)) {
    Points outer = std::exchange(points, {});
    done = runPointsTogether(
        op, elementsOf, outputs, *sizes, [&](const Values &elements, Points next) {
          points = std::move(next);
          ++structured;
          Result<Values> made = runBlock(*op.getBlock(), elements, frame, inDouble);
          --structured;
          points = {};
          return made;
        });
    points = std::move(outer);
  } else {
    done = runOneByOne(op, elementsOf, outputs, *sizes, point, [&](const Values &elements) {
      ++structured;
      Result<Values> made = runBlock(*op.getBlock(), elements, frame, inDouble);
      --structured;
      return made;
    });
  }
  if (!done)
    return report(op, done.error());
  Values values;
  if (op.hasPureTensorSemantics())
    for (HostTensor &result : results)
      values.push_back(std::make_shared<const HostTensor>(std::move(result)));
  return values;
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runIndex(Operation *op) {
  uint64_t dim = cast<linalg::IndexOp>(op).getDim();
  if (points.count > 0) {
    Result<HostTensor> numbers = HostTensor::createUnset(DType::I64, {points.count});
    if (!numbers)
      return report(op, numbers.error());
    llvm::copy(points.loops[dim], numbers->dataAs<int64_t>());
    return Values{std::make_shared<const HostTensor>(std::move(*numbers))};
  }
  Result<TensorRef> number = numberOf(DType::I64, point[dim]);
  return number ? Result<Values>(Values{*number}) : report(op, number.error());
}

Result<TensorRef> Interpreter::Impl::forAllPoints(const TensorRef &value) const {
  if (value->rank() > 0)
    return value;
  Result<HostTensor> all = HostTensor::createUnset(value->type(), {points.count});
  if (!all)
    return all.error();
  reference::copyElements(*all, {0, 1}, *value, {0, 0}, points.count);
  return TensorRef(std::make_shared<const HostTensor>(std::move(*all)));
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runExtract(Operation *op,
                                                                const Values &operands) {
  OperandElements elements(*operands[0]);
  int64_t count = points.count;
  Result<HostTensor> result = HostTensor::createUnset(operands[0]->type(), {count});
  if (!result)
    return report(op, result.error());
  SmallVector<int64_t> index(elements.sizes.size());
  for (int64_t i = 0; i < count; ++i) {
    for (auto [dim, value] : llvm::enumerate(llvm::drop_begin(operands)))
      index[dim] = reference::getInteger(*value, value->rank() > 0 ? i : 0);
    Result<int64_t> place = elements.placeOf(index);
    if (!place)
      return report(op, place.error());
    reference::copyElement(*result, i, *operands[0], *place);
  }
  return Values{std::make_shared<const HostTensor>(std::move(*result))};
}
