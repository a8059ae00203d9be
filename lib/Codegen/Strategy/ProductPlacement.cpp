#include "ProductPlacement.h"

#include "ColumnsRead.h"

#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace forge;

/// Columns that an element is computed of at most, and steps that are looked at.
static constexpr int64_t kMostGroup = 4, kMostSteps = int64_t(1) << 17;

bool ProductPlacement::canHave(int64_t count) const {
  return count % (group * inner) == 0 || (count % group == 0 && inner % (count / group) == 0);
}

int64_t ProductPlacement::sideBySide(int64_t count) const {
  return count % (group * inner) == 0 ? count : count / group;
}

/// The loops of `root`, outermost first, if there is nothing between them and their steps are
/// independent and of known number.
static bool findLoops(scf::ForOp root, ProductPlacement &placement) {
  int64_t steps = 1;
  for (scf::ForOp loop = root; loop;) {
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    if (!loop->hasAttr(kIndependentAttr) || !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), 1) || !end || *end < 1 ||
        llvm::MulOverflow(steps, *end, steps))
      return false;
    placement.loops.push_back(loop);
    placement.extents.push_back(*end);
    scf::ForOp next;
    size_t others = 0;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto inner = dyn_cast<scf::ForOp>(op); inner && !next)
        next = inner;
      else
        ++others;
    }
    if (next && others > 0)
      return false;
    loop = next;
  }
  // No loops in branches.
  WalkResult result = placement.body().walk([](Operation *op) {
    return isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether counters follow from the number of their element, one of `total`, by division and
/// remainder.
static bool isMixedRadix(const ProductPlacement &placement, int64_t total) {
  SmallVector<std::pair<int64_t, int64_t>> digits;
  int64_t last = 0;
  for (auto [weight, extent] : llvm::zip_equal(placement.weights, placement.extents))
    last += weight * (extent - 1);
  if (last >= total)
    return false;
  for (auto [weight, extent] : llvm::zip_equal(placement.weights, placement.extents))
    if (extent > 1)
      digits.emplace_back(weight, extent);
  llvm::sort(digits);
  for (auto [digit, next] : llvm::zip(digits, ArrayRef(digits).drop_front(!digits.empty())))
    if (digit.first < 1 || next.first % (digit.first * digit.second) != 0)
      return false;
  return digits.empty() || digits.front().first >= 1;
}

namespace {
/// Looks at every step of the loops; of those that do the same for each row, at the first row's.
class Steps {
public:
  Steps(const ProductPlacement &placement, StepsReads &reads, int64_t columns)
      : placement(placement), reads(reads), extents(placement.extents) {
    for (auto [counter, extent] : llvm::enumerate(extents)) {
      int64_t weight = placement.weights[counter];
      if (weight % columns == 0 && reads.isShiftedBy(counter, extent, weight))
        extent = 1;
    }
  }

  bool areFew() const {
    int64_t steps = 1;
    return llvm::all_of(extents, [&](int64_t extent) { return (steps *= extent) <= kMostSteps; });
  }

  /// The elements that the step with `counters` reads.
  using Elements = SmallVector<std::optional<int64_t>>;
  bool run(ArrayRef<int64_t> counters, Elements &elements) {
    return succeeded(reads.run(counters, elements));
  }

  /// False as soon as `check` is, of a step's own element, one that it reads, and the read's
  /// number.
  bool all(llvm::function_ref<bool(int64_t own, int64_t element, size_t read)> check) {
    SmallVector<int64_t> counters(placement.extents.size(), 0);
    Elements elements;
    while (true) {
      if (!run(counters, elements))
        return false;
      int64_t own = 0;
      for (auto [counter, weight] : llvm::zip_equal(counters, placement.weights))
        own += counter * weight;
      for (auto [read, element] : llvm::enumerate(elements))
        if (element && !check(own, *element, read))
          return false;
      size_t dim = counters.size();
      while (dim > 0 && ++counters[dim - 1] == extents[dim - 1])
        counters[--dim] = 0;
      if (dim == 0)
        return true;
    }
  }

private:
  const ProductPlacement &placement;
  StepsReads &reads;
  SmallVector<int64_t, 0> extents;
};
} // namespace

/// The weights by which read number `read` makes its element of the counters, as far as its first
/// steps say.
static std::optional<SmallVector<int64_t, 0>> weightsOf(const ProductPlacement &placement,
                                                        StepsReads &reads, size_t read) {
  SmallVector<std::optional<int64_t>> elements;
  SmallVector<int64_t> counters(placement.extents.size(), 0);
  SmallVector<int64_t, 0> weights(counters.size(), 0);
  if (failed(reads.run(counters, elements)) || elements[read] != 0)
    return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(placement.extents)) {
    if (extent == 1)
      continue;
    counters[dim] = 1;
    if (failed(reads.run(counters, elements)) || !elements[read])
      return std::nullopt;
    weights[dim] = *elements[read];
    counters[dim] = 0;
  }
  return weights;
}

/// Finds which columns belong together; false if they do not.
static bool findGroup(ProductPlacement &placement, StepsReads &reads, int64_t columns) {
  Steps steps(placement, reads, columns);
  if (!steps.areFew())
    return false;
  // 1. All of one row, at multiples of a distance.
  int64_t distance = 0, farthest = 0;
  bool isRow = steps.all([&](int64_t own, int64_t element, size_t) {
    int64_t away = element > own ? element - own : own - element;
    distance = std::gcd(distance, away);
    farthest = std::max(farthest, away);
    return own / columns == element / columns;
  });
  if (!isRow)
    return false;
  placement.inner = distance == 0 ? 1 : distance;
  placement.group = farthest / placement.inner + 1;
  int64_t whole = placement.group * placement.inner;
  if (!llvm::isPowerOf2_64(placement.group) || placement.group > kMostGroup || columns % whole != 0)
    return false;
  // 2. Within groups that are next to each other; and which of a group's columns each read is of.
  placement.placesRead.assign(reads.numReads(), {});
  for (auto &places : placement.placesRead)
    places.resize(placement.group);
  bool isByPlace = true;
  bool isWithin = steps.all([&](int64_t own, int64_t element, size_t read) {
    auto placeOf = [&](int64_t of) { return of % whole / placement.inner; };
    std::optional<int64_t> &place = placement.placesRead[read][placeOf(own)];
    isByPlace &= !place || *place == placeOf(element);
    place = placeOf(element);
    return own / whole == element / whole;
  });
  if (!isByPlace)
    placement.placesRead.clear();
  return isWithin;
}

std::optional<ProductPlacement> forge::matchPlacement(scf::ForOp root, Value values, int64_t rows,
                                                      int64_t columns, std::string &why) {
  ProductPlacement placement;
  if (!findLoops(root, placement)) {
    why = "loops that are not independent";
    return std::nullopt;
  }
  std::optional<StepsReads> reads = StepsReads::of(placement.loops, values);
  if (!reads || reads->numReads() == 0) {
    why = "no elements of the product";
    return std::nullopt;
  }
  int64_t steps = 1;
  for (int64_t extent : placement.extents)
    steps *= extent;
  placement.isForAll = steps == rows * columns;
  // The element of a step is one that it reads.
  for (size_t read = 0; read < reads->numReads(); ++read) {
    std::optional<SmallVector<int64_t, 0>> weights = weightsOf(placement, *reads, read);
    if (!weights)
      continue;
    placement.weights = std::move(*weights);
    if (isMixedRadix(placement, rows * columns) && findGroup(placement, *reads, columns))
      return placement;
  }
  why = "steps that read columns far apart";
  return std::nullopt;
}

void forge::emitPlacement(ImplicitLocOpBuilder &b, const ProductPlacement &placement, Value values,
                          Value row, Value column, int64_t columns,
                          function_ref<Value(Value)> valueAt) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  OpBuilder::InsertionGuard guard(b);
  // 1. The counters of the step.
  Value element = arith::AddIOp::create(b, arith::MulIOp::create(b, row, index(columns)), column);
  IRMapping mapping;
  Value again = index(0);
  for (auto [loop, extent, weight] :
       llvm::zip_equal(placement.loops, placement.extents, placement.weights)) {
    Value counter = index(0);
    if (extent > 1) {
      counter = b.createOrFold<arith::DivUIOp>(element, index(weight));
      counter = b.createOrFold<arith::RemUIOp>(counter, index(extent));
      again = b.createOrFold<arith::AddIOp>(again,
                                            b.createOrFold<arith::MulIOp>(counter, index(weight)));
    }
    mapping.map(scf::ForOp(loop).getInductionVar(), counter);
  }
  if (!placement.isForAll) {
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, again, element);
    auto branch = scf::IfOp::create(b, has, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  // 2. What it does, with values instead of what it reads of them.
  SmallVector<memref::LoadOp> loads;
  for (Operation &op : placement.body().without_terminator())
    b.clone(op, mapping)->walk([&](memref::LoadOp load) {
      if (load.getMemRef() == values)
        loads.push_back(load);
    });
  ArrayRef<int64_t> shape = cast<MemRefType>(values.getType()).getShape();
  for (memref::LoadOp load : loads) {
    b.setInsertionPoint(load);
    Value place = index(0);
    for (auto [at, size] : llvm::zip_equal(load.getIndices(), shape))
      place = b.createOrFold<arith::AddIOp>(b.createOrFold<arith::MulIOp>(place, index(size)), at);
    Value value = valueAt(b.createOrFold<arith::RemUIOp>(place, index(columns)));
    load.replaceAllUsesWith(value);
    load.erase();
  }
}
