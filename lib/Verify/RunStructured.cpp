// linalg operations with a body: element by element.
#include "InterpreterImpl.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace forge;

/// How often each loop runs, from the shapes of the operands; fails where these do not agree.
static Result<SmallVector<int64_t>> loopSizes(linalg::LinalgOp op,
                                              const std::vector<TensorRef> &operands) {
  SmallVector<int64_t> sizes(op.getNumLoops(), -1);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [map, operand] : llvm::zip_equal(maps, operands))
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), operand->dims()))
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

/// The place in `tensor` of the element that `map` tells at `point`; fails outside of it.
static Result<int64_t> placeOf(AffineMap map, ArrayRef<int64_t> point, const HostTensor &tensor) {
  SmallVector<int64_t> index = map.compose(point);
  int64_t place = 0;
  for (auto [i, size] : llvm::zip_equal(index, tensor.dims())) {
    if (i < 0 || i >= size)
      return Error{"no element " + std::to_string(i) + " of " + typeString(tensor)};
    place = place * size + i;
  }
  return place;
}

/// The next point in row-major order; false behind the last.
static bool advance(SmallVectorImpl<int64_t> &point, ArrayRef<int64_t> sizes) {
  for (size_t loop = sizes.size(); loop-- > 0;) {
    if (++point[loop] < sizes[loop])
      return true;
    point[loop] = 0;
  }
  return false;
}

/// 1. Results begin as the inits. 2. At every point, in row-major order, the body makes new
/// elements of the results of one element of each operand.
Result<Interpreter::Impl::Values> Interpreter::Impl::runStructured(Operation *operation,
                                                                   const Values &operands,
                                                                   Frame &frame, bool inDouble) {
  auto op = cast<linalg::LinalgOp>(operation);
  Result<SmallVector<int64_t>> sizes = loopSizes(op, operands);
  if (!sizes)
    return report(op, sizes.error());
  int64_t numInputs = op.getNumDpsInputs();
  std::vector<HostTensor> results;
  for (size_t i = numInputs; i < operands.size(); ++i)
    results.push_back(*operands[i]);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> outer = std::exchange(point, SmallVector<int64_t>(sizes->size(), 0));
  bool isEmpty = llvm::is_contained(*sizes, 0);
  while (!isEmpty) {
    Values elements;
    SmallVector<int64_t> places;
    for (auto [i, map] : llvm::enumerate(maps)) {
      const HostTensor &tensor =
          static_cast<int64_t>(i) < numInputs ? *operands[i] : results[i - numInputs];
      Result<int64_t> place = placeOf(map, point, tensor);
      if (!place)
        return report(op, place.error());
      places.push_back(*place);
      Result<HostTensor> element = reference::scalarAt(tensor, *place);
      if (!element)
        return report(op, element.error());
      if (op.getMatchingBlockArgument(&op->getOpOperand(i)))
        elements.push_back(std::make_shared<const HostTensor>(std::move(*element)));
    }
    ++structured;
    Result<Values> made = runBlock(*op.getBlock(), elements, frame, inDouble);
    --structured;
    if (!made)
      return made;
    for (auto [i, value] : llvm::enumerate(*made))
      reference::copyElement(results[i], places[numInputs + i], *value, 0);
    isEmpty = !advance(point, *sizes);
  }
  point = outer;
  Values values;
  for (HostTensor &result : results)
    values.push_back(std::make_shared<const HostTensor>(std::move(result)));
  return values;
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runIndex(Operation *op) {
  Result<HostTensor> number = HostTensor::create(DType::I64, {});
  if (!number)
    return report(op, number.error());
  reference::setInteger(*number, 0,
                        static_cast<uint64_t>(point[cast<linalg::IndexOp>(op).getDim()]));
  return Values{std::make_shared<const HostTensor>(std::move(*number))};
}
