// linalg operations with a body: element by element.
#include "Buffer.h"
#include "InterpreterImpl.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

namespace {
/// Where the elements of an operand are: in a tensor, or in memory.
struct Elements {
  const HostTensor *tensor;
  Dims sizes, strides;
  int64_t offset = 0;

  explicit Elements(const HostTensor &tensor)
      : tensor(&tensor), sizes(tensor.dims()), strides(reference::stridesOf(tensor.dims())) {}
  explicit Elements(const Buffer &buffer)
      : tensor(buffer.memory.get()), sizes(buffer.sizes), strides(buffer.strides),
        offset(buffer.offset) {}

  /// The place in `tensor` of the element that `map` tells at `point`; fails outside of it.
  Result<int64_t> placeOf(AffineMap map, ArrayRef<int64_t> point) const {
    SmallVector<int64_t> index = map.compose(point);
    int64_t place = offset;
    for (auto [i, size, stride] : llvm::zip_equal(index, sizes, strides)) {
      if (i < 0 || i >= size)
        return Error{"no element " + std::to_string(i) + " of " +
                     typeString(tensor->type(), sizes)};
      place += i * stride;
    }
    if (place < 0 || place >= tensor->numElements())
      return Error{"no element " + std::to_string(place) + " of " + typeString(*tensor)};
    return place;
  }
};
} // namespace

/// How often each loop runs, from the shapes of the operands; fails where these do not agree.
static Result<SmallVector<int64_t>> loopSizes(linalg::LinalgOp op, ArrayRef<Elements> operands) {
  SmallVector<int64_t> sizes(op.getNumLoops(), -1);
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

/// The next point in row-major order; false behind the last.
static bool advance(SmallVectorImpl<int64_t> &point, ArrayRef<int64_t> sizes) {
  for (size_t loop = sizes.size(); loop-- > 0;) {
    if (++point[loop] < sizes[loop])
      return true;
    point[loop] = 0;
  }
  return false;
}

/// 1. Results begin as the inits; outputs in memory are changed there.
/// 2. At every point, in row-major order, the body makes new elements of the outputs of one element
///    of each operand.
Result<Interpreter::Impl::Values> Interpreter::Impl::runStructured(Operation *operation,
                                                                   const Values &operands,
                                                                   Frame &frame, bool inDouble) {
  auto op = cast<linalg::LinalgOp>(operation);
  size_t numInputs = static_cast<size_t>(op.getNumDpsInputs());
  std::vector<HostTensor> results(operands.size() - numInputs);
  SmallVector<HostTensor *> outputs;
  SmallVector<Elements> elementsOf;
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
  Result<SmallVector<int64_t>> sizes = loopSizes(op, elementsOf);
  if (!sizes)
    return report(op, sizes.error());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> outer = std::exchange(point, SmallVector<int64_t>(sizes->size(), 0));
  bool isEmpty = llvm::is_contained(*sizes, 0);
  while (!isEmpty) {
    Values elements;
    SmallVector<int64_t> places;
    for (auto [i, map] : llvm::enumerate(maps)) {
      Result<int64_t> place = elementsOf[i].placeOf(map, point);
      if (!place)
        return report(op, place.error());
      places.push_back(*place);
      if (op.getMatchingBlockArgument(&op->getOpOperand(i)))
        elements.push_back(
            std::make_shared<const HostTensor>(reference::scalarAt(*elementsOf[i].tensor, *place)));
    }
    ++structured;
    Result<Values> made = runBlock(*op.getBlock(), elements, frame, inDouble);
    --structured;
    if (!made)
      return made;
    for (auto [i, value] : llvm::enumerate(*made))
      reference::copyElement(*outputs[i], places[numInputs + i], *value, 0);
    isEmpty = !advance(point, *sizes);
  }
  point = outer;
  Values values;
  if (op.hasPureTensorSemantics())
    for (HostTensor &result : results)
      values.push_back(std::make_shared<const HostTensor>(std::move(result)));
  return values;
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runIndex(Operation *op) {
  Result<TensorRef> number = numberOf(DType::I64, point[cast<linalg::IndexOp>(op).getDim()]);
  return number ? Result<Values>(Values{*number}) : report(op, number.error());
}
