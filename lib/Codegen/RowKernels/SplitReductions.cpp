#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "../Strategy/ProductAxes.h"
#include "RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

namespace forge {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-reductions"

using namespace mlir;

/// Elements that few blocks take long for; parts at least and at most that are worth a second
/// launch.
static constexpr int64_t kManyElements = 1 << 18, kFewestParts = 16, kMostParts = 512;
/// Of several results: those of one block, blocks that are enough, blocks that parts are to make,
/// and elements of one result in a part at least.
static constexpr int64_t kLineResults = 32, kEnoughBlocks = 128, kWantedBlocks = 512,
                         kFewestElements = 256;
/// Of several dimensions that one loop cannot stand for, a thread adds up what belongs to a result:
/// terms of each result that are many, and partial results for all threads of a GPU.
static constexpr int64_t kManyTerms = 1 << 12, kWantedResults = 1 << 18;
/// Of sums through windows a thread computes several results (ThreadTile.h): results that are few,
/// terms that are many, those of a part at least, and partial results for all threads.
static constexpr int64_t kFewWindows = 1 << 17, kManyWindowTerms = 1 << 10, kFewestWindowTerms = 64,
                         kWantedWindows = 1 << 21;

/// The one value of a constant; null for another value, or for several.
static TypedAttr splatOf(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return {};
  return constant.getSplatValue<TypedAttr>();
}

/// Whether something else is read, or computed,  with the reduction in one kernel: what
/// is computed element by element stays there.
static bool joinsOthers(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return !op.getMatchingIndexingMap(input).isIdentity() ||
           isa_and_nonnull<linalg::LinalgOp>(input->get().getDefiningOp());
  });
}

/// Whether an input has the elements of one result side by side: row kernels share those among
/// blocks. Inputs that have fewer loops than others (a factor for each row) are in the caches.
static bool reducesAlongMemory(linalg::GenericOp op, unsigned loop) {
  auto loopsOf = [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return llvm::count_if(llvm::seq<unsigned>(0, map.getNumDims()),
                          [&](unsigned other) { return map.isFunctionOfDim(other); });
  };
  int64_t most = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    most = std::max<int64_t>(most, loopsOf(input));
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return loopsOf(input) == most && map.getNumResults() > 0 &&
           map.getResults().back().isFunctionOfDim(loop);
  });
}

/// The largest divisor of `size` that is at most `most`.
static int64_t largestDivisor(int64_t size, int64_t most) {
  int64_t divisor = std::max<int64_t>(most, 1);
  while (size % divisor != 0)
    --divisor;
  return divisor;
}

/// Parts of equal size for `results` results that sum `size` elements each; 1 for no split.
static int64_t partsOf(int64_t results, int64_t size) {
  if (results == 1)
    return size < kManyElements ? 1 : std::min(size & -size, kMostParts);
  int64_t blocks = llvm::divideCeil(results, kLineResults);
  if (blocks >= kEnoughBlocks || size < kManyElements / results)
    return 1;
  return largestDivisor(
      size, std::min<int64_t>(llvm::divideCeil(kWantedBlocks, blocks), size / kFewestElements));
}

namespace {
/// A reduction loop and the number of parts it is divided into: all its elements, or a divisor of
/// their number.
struct Division {
  unsigned loop;
  int64_t parts;
  int64_t elementsOfPart;

  /// Whether a part has a loop of its own.
  bool hasLoop() const { return elementsOfPart > 1; }
};

/// What a second reduction is left with.
struct Split {
  /// The reduction loops that are divided, in order.
  SmallVector<Division, 2> divisions;
  /// A reduction loop that the first reduction leaves alone.
  std::optional<unsigned> inner;

  const Division *find(unsigned loop) const {
    const Division *found =
        llvm::find_if(divisions, [&](const Division &division) { return division.loop == loop; });
    return found == divisions.end() ? nullptr : found;
  }

  /// The number of a loop, or of that of its parts, once each divided one has become two: that of
  /// its parts, then that of the elements of a part.
  unsigned numberOf(unsigned loop) const {
    return loop + llvm::count_if(divisions, [&](const Division &division) {
             return division.loop < loop && division.hasLoop();
           });
  }

  unsigned numLoops(linalg::GenericOp op) const { return numberOf(op.getNumLoops()); }

  /// The index of an old loop in terms of the new ones.
  AffineExpr indexOf(unsigned loop, MLIRContext *context) const {
    AffineExpr index = getAffineDimExpr(numberOf(loop), context);
    const Division *division = find(loop);
    if (!division || !division->hasLoop())
      return index;
    return index * division->elementsOfPart + getAffineDimExpr(numberOf(loop) + 1, context);
  }
};
} // namespace

/// How many results a reduction has whose parts can be reduced apart; none for another operation.
static std::optional<int64_t> resultsOf(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || forge::hasRowsAndColumns(op) ||
      op->hasAttr(forge::kScheduleAttr) || op->hasAttr(forge::kClusterAttr))
    return std::nullopt;
  int64_t results = 1;
  for (auto [size, type] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    if (type == utils::IteratorType::parallel && llvm::MulOverflow(results, size, results))
      return std::nullopt;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ArrayRef<AffineMap> outputs = ArrayRef(maps).drop_front(op.getNumDpsInputs());
  if (results == 0 || !outputs.front().isProjectedPermutation() || !llvm::all_equal(outputs))
    return std::nullopt;
  for (Value init : op.getDpsInits())
    if (!init.getDefiningOp<linalg::FillOp>() && !splatOf(init))
      return std::nullopt;
  return results;
}

/// Of a reduction of two loops with few results, the inner one side by side in memory and short
/// (the mean of a group of channels): the outer one is reduced first, in parts, so that memory is
/// read side by side.
static std::optional<Split> planNest(linalg::GenericOp op, int64_t results) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() != 2 || reducesAlongMemory(op, loops[0]) == reducesAlongMemory(op, loops[1]))
    return std::nullopt;
  bool isLastInner = reducesAlongMemory(op, loops[1]);
  unsigned inner = loops[isLastInner], outer = loops[!isLastInner];
  SmallVector<int64_t, 4> sizes = op.getStaticLoopRanges();
  if (results >= kEnoughBlocks * kLineResults || sizes[inner] > kFewestElements ||
      sizes[outer] < kFewestElements || sizes[outer] < kManyElements / (results * sizes[inner]))
    return std::nullopt;
  Split split;
  split.inner = inner;
  if (int64_t parts = partsOf(results * sizes[inner], sizes[outer]); parts > 1)
    split.divisions.push_back({outer, parts, sizes[outer] / parts});
  return split;
}

/// Whether some input has a dimension that `loop` alone goes over: its parts can be told there.
static bool hasOwnDimension(linalg::GenericOp op, unsigned loop) {
  AffineExpr index = getAffineDimExpr(loop, op.getContext());
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return llvm::is_contained(op.getMatchingIndexingMap(input).getResults(), index);
  });
}

/// Of a reduction of several loops that no one loop can replace, or through windows (the gradient
/// of a depthwise convolution's weights): loops that are not along memory, the outer ones first,
/// until there are partial results for all threads.
static std::optional<Split> planLoops(linalg::GenericOp op, int64_t results) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  SmallVector<int64_t, 4> sizes = op.getStaticLoopRanges();
  int64_t terms = 1, all = results;
  for (unsigned loop : loops)
    if (llvm::MulOverflow(terms, sizes[loop], terms) || llvm::MulOverflow(all, sizes[loop], all))
      return std::nullopt;
  bool isWindowed = forge::readsWindows(op);
  // A row kernel gives each result a block.
  int64_t few = isWindowed ? kFewWindows : kEnoughBlocks * kLineResults;
  if (results > few || terms < (isWindowed ? kManyWindowTerms : kManyTerms) || all < kManyElements)
    return std::nullopt;
  int64_t wanted =
      std::min(llvm::divideCeil(isWindowed ? kWantedWindows : kWantedResults, results),
               static_cast<uint64_t>(terms / (isWindowed ? kFewestWindowTerms : kFewestElements)));
  Split split;
  for (unsigned loop : loops) {
    if (reducesAlongMemory(op, loop) || !hasOwnDimension(op, loop))
      continue;
    int64_t parts = largestDivisor(sizes[loop], std::min(wanted, sizes[loop]));
    if (parts > 1)
      split.divisions.push_back({loop, parts, sizes[loop] / parts});
    wanted /= parts;
  }
  return split.divisions.empty() ? std::nullopt : std::optional(split);
}

static std::optional<Split> planSplit(linalg::GenericOp op) {
  std::optional<int64_t> results = resultsOf(op);
  if (!results)
    return std::nullopt;
  bool isSimple = !op.hasIndexSemantics() &&
                  llvm::all_of(op.getIndexingMapsArray(),
                               [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!isSimple)
    return planLoops(op, *results);
  if (op.getNumReductionLoops() != 1) {
    std::optional<Split> nest = planNest(op, *results);
    return nest ? nest : planLoops(op, *results);
  }
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  unsigned loop = loops.front();
  // A matrix and a vector: strategy gemv, or the library, divides the sum.
  if (forge::isMatrixProduct(op) ||
      (*results == 1 ? joinsOthers(op) : reducesAlongMemory(op, loop)))
    return std::nullopt;
  int64_t size = op.getStaticLoopRanges()[loop], parts = partsOf(*results, size);
  if (parts < (*results == 1 ? kFewestParts : 2))
    return std::nullopt;
  Split split;
  split.divisions.push_back({loop, parts, size / parts});
  return split;
}

namespace {
/// 1. Each dimension that is divided becomes two, the first of which numbers parts; one whose parts
///    are single elements stays. Of two that are reduced, the inner one becomes one of the partial
///    results.
/// 2. Each part is reduced by the body, from the combiner's neutral element, or from the initial
///    value where joining that several times does no harm.
/// 3. The combiner joins the parts' results, beginning with the initial value.
struct SplitReductionsPass : public forge::impl::SplitReductionsPassBase<SplitReductionsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<std::pair<linalg::GenericOp, Split>> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      std::optional<Split> split = op.hasPureTensorSemantics() ? planSplit(op) : std::nullopt;
      if (split)
        reductions.emplace_back(op, *split);
    });
    for (auto [op, plan] : reductions) {
      std::string why;
      FailureOr<forge::RowReduction> reduction = forge::RowReduction::match(op, why);
      if (succeeded(reduction))
        split(op, *reduction, plan);
    }
  }

  /// `input` with two dimensions where a divided loop alone goes over one, and the map of that.
  static std::pair<Value, AffineMap> splitInput(OpBuilder &b, linalg::GenericOp op,
                                                OpOperand &operand, const Split &plan) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> indices =
        llvm::map_to_vector(llvm::seq<unsigned>(op.getNumLoops()),
                            [&](unsigned loop) { return plan.indexOf(loop, b.getContext()); });
    Value input = operand.get();
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    auto type = dyn_cast<RankedTensorType>(input.getType());
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      shape.push_back(type.getDimSize(dim));
      auto loop = dyn_cast<AffineDimExpr>(result);
      const Division *division = loop ? plan.find(loop.getPosition()) : nullptr;
      if (!division || !division->hasLoop()) {
        results.push_back(result.replaceDims(indices));
        continue;
      }
      unsigned number = plan.numberOf(division->loop);
      results.push_back(b.getAffineDimExpr(number));
      results.push_back(b.getAffineDimExpr(number + 1));
      groups.back().push_back(shape.size());
      shape.back() = division->parts;
      shape.push_back(division->elementsOfPart);
    }
    if (shape.size() > map.getNumResults())
      input = tensor::ExpandShapeOp::create(
          b, op.getLoc(), RankedTensorType::get(shape, type.getElementType()), input, groups);
    return {input, AffineMap::get(plan.numLoops(op), 0, results, b.getContext())};
  }

  /// What partial results begin with, by part, then as the result, then by the inner loop; and the
  /// map of that.
  static std::pair<Value, AffineMap> partialStart(OpBuilder &b, linalg::GenericOp op,
                                                  OpOperand &init, TypedAttr neutral,
                                                  const Split &plan) {
    Location loc = op.getLoc();
    TypedAttr constant = neutral ? neutral : splatOf(init.get());
    Value scalar = constant ? arith::ConstantOp::create(b, loc, constant).getResult()
                            : init.get().getDefiningOp<linalg::FillOp>().getInputs().front();
    AffineMap map = op.getMatchingIndexingMap(&init);
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> places;
    auto add = [&](unsigned loop, int64_t size) {
      places.push_back(b.getAffineDimExpr(plan.numberOf(loop)));
      shape.push_back(size);
    };
    for (const Division &division : plan.divisions)
      add(division.loop, division.parts);
    for (auto [result, size] :
         llvm::zip_equal(map.getResults(), cast<RankedTensorType>(init.get().getType()).getShape()))
      add(cast<AffineDimExpr>(result).getPosition(), size);
    if (plan.inner)
      add(*plan.inner, op.getStaticLoopRanges()[*plan.inner]);
    Value empty = tensor::EmptyOp::create(b, loc, shape, scalar.getType());
    return {linalg::FillOp::create(b, loc, scalar, empty).getResult(0),
            AffineMap::get(plan.numLoops(op), 0, places, b.getContext())};
  }

  /// The indices that the body of `partial` reads are those of the new loops: makes them the old
  /// ones'.
  static void rewriteIndices(OpBuilder &b, linalg::GenericOp partial, const Split &plan) {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<linalg::IndexOp> reads;
    partial.getBody()->walk([&](linalg::IndexOp index) { reads.push_back(index); });
    for (linalg::IndexOp read : reads) {
      b.setInsertionPoint(read);
      unsigned loop = read.getDim(), number = plan.numberOf(loop);
      Value index = linalg::IndexOp::create(b, read.getLoc(), number);
      if (const Division *division = plan.find(loop); division && division->hasLoop()) {
        Value size = arith::ConstantIndexOp::create(b, read.getLoc(), division->elementsOfPart);
        Value inPart = linalg::IndexOp::create(b, read.getLoc(), number + 1);
        index = arith::AddIOp::create(b, read.getLoc(),
                                      arith::MulIOp::create(b, read.getLoc(), index, size), inPart);
      }
      read.replaceAllUsesWith(index);
      read.erase();
    }
  }

  static SmallVector<Value> partialResults(OpBuilder &b, linalg::GenericOp op,
                                           const forge::RowReduction &reduction,
                                           const Split &plan) {
    SmallVector<Value> inputs, starts;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto [input, map] = splitInput(b, op, *operand, plan);
      inputs.push_back(input);
      maps.push_back(map);
    }
    for (auto [init, neutral] : llvm::zip_equal(op.getDpsInitsMutable(), reduction.neutral)) {
      auto [start, map] = partialStart(b, op, init, neutral, plan);
      starts.push_back(start);
      maps.push_back(map);
    }
    SmallVector<utils::IteratorType> loops;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      const Division *division = plan.find(loop);
      bool isParallel = division || loop == plan.inner;
      loops.push_back(isParallel ? utils::IteratorType::parallel : type);
      if (division && division->hasLoop())
        loops.push_back(utils::IteratorType::reduction);
    }
    auto partial =
        linalg::GenericOp::create(b, op.getLoc(), TypeRange(starts), inputs, starts, maps, loops);
    IRMapping mapping;
    op.getRegion().cloneInto(&partial.getRegion(), mapping);
    rewriteIndices(b, partial, plan);
    SmallVector<Value> results(partial.getResults());
    if (plan.divisions.size() > 1)
      for (Value &result : results)
        result = numberParts(b, op.getLoc(), result, plan.divisions.size());
    return results;
  }

  /// `value` with one dimension for the first `divisions`.
  static Value numberParts(OpBuilder &b, Location loc, Value value, size_t divisions) {
    SmallVector<ReassociationIndices> groups(1);
    for (int64_t dim = 0, rank = cast<RankedTensorType>(value.getType()).getRank(); dim < rank;
         ++dim) {
      if (dim >= static_cast<int64_t>(divisions))
        groups.emplace_back();
      groups.back().push_back(dim);
    }
    return tensor::CollapseShapeOp::create(b, loc, value, groups);
  }

  static void split(linalg::GenericOp op, const forge::RowReduction &reduction, const Split &plan) {
    OpBuilder b(op);
    SmallVector<Value> partial = partialResults(b, op, reduction, plan);
    // The first dimension of the partial results numbers parts, the last one is the inner loop's;
    // the others are the results'.
    int64_t rank = cast<RankedTensorType>(partial.front().getType()).getRank();
    SmallVector<AffineMap> maps(partial.size(), b.getMultiDimIdentityMap(rank));
    AffineMap results = b.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    if (plan.inner) {
      loops.back() = utils::IteratorType::reduction;
      results = results.dropResult(rank - 1);
    }
    if (!plan.divisions.empty()) {
      loops.front() = utils::IteratorType::reduction;
      results = results.dropResult(0);
    }
    maps.append(partial.size(), results);
    auto whole = linalg::GenericOp::create(
        b, op.getLoc(), op->getResultTypes(), partial, op.getDpsInits(), maps, loops,
        [&](OpBuilder &inner, Location loc, ValueRange values) {
          size_t count = partial.size();
          linalg::YieldOp::create(
              inner, loc,
              reduction.combine(inner, op, values.drop_front(count), values.take_front(count)));
        });
    op->replaceAllUsesWith(whole);
    op->erase();
  }
};
} // namespace
