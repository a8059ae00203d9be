// linalg operations with a body: element by element.
#include "Buffer.h"
#include "InterpreterImpl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstring>

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
    SmallVector<int64_t> index;
    for (AffineExpr expr : map.getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        return placeOf(map.compose(point));
      index.push_back(point[loop.getPosition()]);
    }
    return placeOf(index);
  }
  Result<int64_t> placeOf(ArrayRef<int64_t> index) const {
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

//===----------------------------------------------------------------------===//
// Many points at a time
//===----------------------------------------------------------------------===//

/// Whether the body of `op` is plain arithmetic, and points that differ in parallel loops make
/// different elements.
static bool runsTogether(linalg::LinalgOp op) {
  auto makesElements = [&](OpOperand &output) {
    AffineMap map = op.getMatchingIndexingMap(&output);
    return map.isProjectedPermutation() && map.getNumResults() == op.getNumParallelLoops() &&
           llvm::all_of(map.getResults(), [&](AffineExpr expr) {
             return op.getIteratorTypesArray()[cast<AffineDimExpr>(expr).getPosition()] ==
                    utils::IteratorType::parallel;
           });
  };
  bool isPlain = op.getNumParallelLoops() == op.getNumLoops() ||
                 llvm::all_of(op.getDpsInitsMutable(), makesElements);
  return op.getNumParallelLoops() > 0 && isPlain && isa<linalg::GenericOp>(op) &&
         llvm::all_of(*op.getBlock(), [](Operation &inner) {
           return isa<linalg::IndexOp, tensor::ExtractOp, linalg::YieldOp>(inner) ||
                  (isa<arith::ArithDialect, math::MathDialect>(inner.getDialect()) &&
                   inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
                   inner.getResult(0).getType().isIntOrIndexOrFloat());
         });
}

using Values = std::vector<TensorRef>;
using Points = std::vector<std::vector<int64_t>>;

/// Points of which the values of a body are in memory together.
static constexpr int64_t kPointsTogether = 1 << 16;

/// The body once for the points `next` of each loop: of all operands the elements there, and what
/// it yields at their places in `outputs`.
static Result<void> runAtPoints(linalg::LinalgOp op, ArrayRef<Elements> elementsOf,
                                ArrayRef<HostTensor *> outputs, const Points &next,
                                function_ref<Result<Values>(const Values &)> body) {
  size_t count = next.front().size();
  Values elements;
  std::vector<std::vector<int64_t>> places;
  SmallVector<int64_t> at(next.size());
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    std::vector<int64_t> &ofOperand = places.emplace_back();
    for (size_t k = 0; k < count; ++k) {
      for (size_t loop = 0; loop < next.size(); ++loop)
        at[loop] = next[loop][k];
      Result<int64_t> place = elementsOf[i].placeOf(map, at);
      if (!place)
        return place.error();
      ofOperand.push_back(*place);
    }
    if (!op.getMatchingBlockArgument(&op->getOpOperand(i)))
      continue;
    const HostTensor &source = *elementsOf[i].tensor;
    Result<HostTensor> gathered = HostTensor::create(source.type(), {static_cast<int64_t>(count)});
    if (!gathered)
      return gathered.error();
    for (size_t k = 0; k < count; ++k)
      reference::copyElement(*gathered, static_cast<int64_t>(k), source, ofOperand[k]);
    elements.push_back(std::make_shared<const HostTensor>(std::move(*gathered)));
  }
  Result<Values> made = body(elements);
  if (!made)
    return made.error();
  auto firstOutput = places.begin() + op.getNumDpsInputs();
  for (auto [i, value] : llvm::enumerate(*made))
    for (size_t k = 0; k < count; ++k)
      reference::copyElement(*outputs[i], firstOutput[i][k], *value,
                             value->rank() > 0 ? static_cast<int64_t>(k) : 0);
  return {};
}

/// 1. Up to kPointsTogether points of the parallel loops, in row-major order.
/// 2. For each point of the other loops, in row-major order, `runPoints` once for all of them: so
///    each element is made in the order in which one point after the other would make it.
static Result<void> forPointsTogether(linalg::LinalgOp op, ArrayRef<int64_t> sizes,
                                      function_ref<Result<void>(const Points &)> runPoints) {
  SmallVector<unsigned> parallel, others;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    (type == utils::IteratorType::parallel ? parallel : others).push_back(loop);
  auto sizesOf = [&](ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
  };
  SmallVector<int64_t> parallelSizes = sizesOf(parallel), otherSizes = sizesOf(others);
  SmallVector<int64_t> at(parallel.size(), 0);
  bool isEmpty = llvm::is_contained(sizes, 0);
  while (!isEmpty) {
    Points next(sizes.size());
    int64_t count = 0;
    for (; count < kPointsTogether && !isEmpty; ++count) {
      for (auto [loop, index] : llvm::zip_equal(parallel, at))
        next[loop].push_back(index);
      isEmpty = !advance(at, parallelSizes);
    }
    SmallVector<int64_t> other(others.size(), 0);
    do {
      for (auto [loop, index] : llvm::zip_equal(others, other))
        next[loop].assign(count, index);
      if (Result<void> done = runPoints(next); !done)
        return done;
    } while (advance(other, otherSizes));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// One point at a time
//===----------------------------------------------------------------------===//

/// Every point by itself; `point` is where the loops are.
static Result<void> runOneByOne(linalg::LinalgOp op, ArrayRef<Elements> elementsOf,
                                ArrayRef<HostTensor *> outputs, ArrayRef<int64_t> sizes,
                                SmallVector<int64_t> &point,
                                function_ref<Result<Values>(const Values &)> body) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t numInputs = static_cast<size_t>(op.getNumDpsInputs());
  SmallVector<int64_t> outer = std::exchange(point, SmallVector<int64_t>(sizes.size(), 0));
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
    isEmpty = !advance(point, sizes);
  }
  point = outer;
  return {};
}

/// Whether an input is in the memory of an output, so that what one point writes another may read.
static bool sharesMemory(ArrayRef<Elements> elementsOf, size_t numInputs) {
  return llvm::any_of(elementsOf.take_front(numInputs), [&](const Elements &input) {
    return llvm::any_of(elementsOf.drop_front(numInputs),
                        [&](const Elements &output) { return input.tensor == output.tensor; });
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
  Result<void> done;
  if (runsTogether(op) && !sharesMemory(elementsOf, numInputs)) {
    auto outer = std::exchange(points, {});
    done = forPointsTogether(op, *sizes, [&](const Points &next) {
      return runAtPoints(op, elementsOf, outputs, next, [&](const Values &elements) {
        points = next;
        ++structured;
        Result<Values> made = runBlock(*op.getBlock(), elements, frame, inDouble);
        --structured;
        points.clear();
        return made;
      });
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
  if (!points.empty()) {
    Result<HostTensor> numbers =
        HostTensor::create(DType::I64, {static_cast<int64_t>(points[dim].size())});
    if (!numbers)
      return report(op, numbers.error());
    llvm::copy(points[dim], numbers->dataAs<int64_t>());
    return Values{std::make_shared<const HostTensor>(std::move(*numbers))};
  }
  Result<TensorRef> number = numberOf(DType::I64, point[dim]);
  return number ? Result<Values>(Values{*number}) : report(op, number.error());
}

Result<TensorRef> Interpreter::Impl::forAllPoints(const TensorRef &value) const {
  if (value->rank() > 0)
    return value;
  auto count = static_cast<int64_t>(points.front().size());
  Result<HostTensor> all = HostTensor::create(value->type(), {count});
  if (!all)
    return all.error();
  size_t each = all->numBytes() / static_cast<size_t>(count);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(all->dataAs<char>() + static_cast<size_t>(i) * each, value->data(), each);
  return TensorRef(std::make_shared<const HostTensor>(std::move(*all)));
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runExtract(Operation *op,
                                                                const Values &operands) {
  Elements elements(*operands[0]);
  auto count = static_cast<int64_t>(points.front().size());
  Result<HostTensor> result = HostTensor::create(operands[0]->type(), {count});
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
