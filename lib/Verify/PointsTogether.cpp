#include "PointsTogether.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

bool interpreter::runsTogether(linalg::LinalgOp op) {
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

/// Points of which the values of a body are in memory together: a few values of 8 bytes fit a
/// second-level cache.
static constexpr int64_t kPointsTogether = 1 << 13;

namespace {
/// 1. Up to kPointsTogether points of the parallel loops, in row-major order.
/// 2. For each point of the other loops, in row-major order, the body once for all of them. What it
///    makes of the outputs is what the next point begins with.
class TogetherRunner {
public:
  TogetherRunner(linalg::LinalgOp op, ArrayRef<OperandElements> operands,
                 ArrayRef<HostTensor *> outputs, ArrayRef<int64_t> sizes)
      : op(op), operands(operands), outputs(outputs), maps(op.getIndexingMapsArray()),
        numInputs(static_cast<size_t>(op.getNumDpsInputs())), point(sizes.size(), 0) {
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      bool isParallel = type == utils::IteratorType::parallel;
      (isParallel ? parallel : others).push_back(loop);
      (isParallel ? parallelSizes : otherSizes).push_back(sizes[loop]);
    }
    for (auto [operand, map] : llvm::zip_equal(operands, maps))
      places.push_back(operand.placesOf(map, sizes));
  }

  Result<void> run(BodyAtPoints body) {
    int64_t total = 1;
    for (int64_t size : parallelSizes)
      total *= size;
    for (int64_t first = 0; first < total; first += kPointsTogether)
      if (Result<void> done = runBatch(first, std::min(kPointsTogether, total - first), body);
          !done)
        return done;
    return {};
  }

private:
  /// Sets the parallel loops of `point` to number `index` in row-major order.
  void goTo(int64_t index) {
    for (size_t i = parallel.size(); i-- > 0;) {
      point[parallel[i]] = index % parallelSizes[i];
      index /= parallelSizes[i];
    }
  }

  /// Calls `use` with runs of `length` points along the innermost parallel loop, of which the
  /// first is number `at` of the batch, and with `point` there.
  Result<void> forRuns(int64_t first, int64_t count,
                       function_ref<Result<void>(int64_t at, int64_t length)> use) {
    unsigned innermost = parallel.back();
    for (int64_t at = 0, length; at < count; at += length) {
      goTo(first + at);
      length = std::min(count - at, parallelSizes.back() - point[innermost]);
      if (Result<void> done = use(at, length); !done)
        return done;
    }
    return {};
  }

  /// The run of places of operand `i` from `point` on, along the innermost parallel loop.
  Result<reference::ElementRun> placesFrom(size_t i) {
    if (!places[i]) {
      Result<int64_t> place = operands[i].placeOf(maps[i], point);
      if (!place)
        return place.error();
      return reference::ElementRun{*place, 0};
    }
    int64_t place = places[i]->first;
    for (auto [step, at] : llvm::zip_equal(places[i]->steps, point))
      place += step * at;
    return reference::ElementRun{place, places[i]->steps[parallel.back()]};
  }

  /// Calls `use` for the places of operand `i` at all points of the batch, with the number of the
  /// first and how many.
  Result<void>
  forPlaces(size_t i, int64_t first, int64_t count,
            function_ref<void(reference::ElementRun, int64_t at, int64_t length)> use) {
    return forRuns(first, count, [&](int64_t at, int64_t length) -> Result<void> {
      int64_t step = places[i] ? length : 1;
      for (int64_t done = 0; done < length; done += step) {
        Result<reference::ElementRun> run = placesFrom(i);
        if (!run)
          return run.error();
        use(*run, at + done, step);
        point[parallel.back()] += step;
      }
      return {};
    });
  }

  Result<TensorRef> gather(size_t i, int64_t first, int64_t count) {
    const HostTensor &source = *operands[i].tensor;
    Result<HostTensor> gathered = HostTensor::createUnset(source.type(), {count});
    if (!gathered)
      return gathered.error();
    auto take = [&](reference::ElementRun from, int64_t at, int64_t length) {
      reference::copyElements(*gathered, {at, 1}, source, from, length);
    };
    if (Result<void> done = forPlaces(i, first, count, take); !done)
      return done.error();
    return TensorRef(std::make_shared<const HostTensor>(std::move(*gathered)));
  }

  Result<void> scatter(size_t output, const HostTensor &value, int64_t first, int64_t count) {
    return forPlaces(numInputs + output, first, count,
                     [&](reference::ElementRun to, int64_t at, int64_t length) {
                       reference::ElementRun from{0, 0};
                       if (value.rank() > 0)
                         from = {at, 1};
                       reference::copyElements(*outputs[output], to, value, from, length);
                     });
  }

  /// Where the loops are at all points of the batch.
  Points pointsOf(int64_t first, int64_t count) {
    Points points{count, {}};
    if (!op.hasIndexSemantics())
      return points;
    points.loops.resize(point.size());
    for (unsigned loop : others)
      points.loops[loop].assign(static_cast<size_t>(count), point[loop]);
    (void)forRuns(first, count, [&](int64_t, int64_t length) -> Result<void> {
      for (int64_t i = 0; i < length; ++i, ++point[parallel.back()])
        for (unsigned loop : parallel)
          points.loops[loop].push_back(point[loop]);
      return {};
    });
    return points;
  }

  /// Whether operand `i` is the same at all points of the other loops.
  bool isFixed(size_t i) const {
    return places[i] &&
           llvm::all_of(others, [&](unsigned loop) { return places[i]->steps[loop] == 0; });
  }

  Result<void> runBatch(int64_t first, int64_t count, BodyAtPoints body) {
    std::vector<TensorRef> elements(operands.size());
    reference::Dims other(others.size(), 0);
    do {
      for (auto [loop, at] : llvm::zip_equal(others, other))
        point[loop] = at;
      for (size_t i = 0; i < operands.size(); ++i) {
        bool isKept = elements[i] && (i >= numInputs || isFixed(i));
        if (isKept)
          continue;
        Result<TensorRef> gathered = gather(i, first, count);
        if (!gathered)
          return gathered.error();
        elements[i] = *gathered;
      }
      Result<std::vector<TensorRef>> made = body(elements, pointsOf(first, count));
      if (!made)
        return made.error();
      llvm::copy(*made, elements.begin() + static_cast<ptrdiff_t>(numInputs));
    } while (reference::advance(other, otherSizes));
    for (size_t i = 0; i < outputs.size(); ++i)
      if (Result<void> done = scatter(i, *elements[numInputs + i], first, count); !done)
        return done;
    return {};
  }

  linalg::LinalgOp op;
  ArrayRef<OperandElements> operands;
  ArrayRef<HostTensor *> outputs;
  SmallVector<AffineMap> maps;
  size_t numInputs;
  SmallVector<unsigned> parallel, others;
  reference::Dims parallelSizes, otherSizes;
  /// Of each operand, where they are linear.
  SmallVector<std::optional<LoopPlaces>> places;
  /// Where the loops are.
  SmallVector<int64_t> point;
};
} // namespace

Result<void> interpreter::runPointsTogether(linalg::LinalgOp op, ArrayRef<OperandElements> operands,
                                            ArrayRef<HostTensor *> outputs, ArrayRef<int64_t> sizes,
                                            BodyAtPoints body) {
  if (llvm::is_contained(sizes, 0))
    return {};
  return TogetherRunner(op, operands, outputs, sizes).run(body);
}
