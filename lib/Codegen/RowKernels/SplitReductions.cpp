#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

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
/// blocks.
static bool reducesAlongMemory(linalg::GenericOp op, unsigned loop) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() > 0 && map.getResults().back().isFunctionOfDim(loop);
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
/// What a second reduction is left with.
struct Split {
  /// The reduction loop that is divided, and into how many parts; 1: none is.
  unsigned loop = 0;
  int64_t parts = 1;
  /// A reduction loop that the first reduction leaves alone.
  std::optional<unsigned> inner;

  bool isDivided() const { return parts > 1; }
  /// The number of a loop once the divided one has become two: that of its parts, then that of the
  /// elements of a part.
  unsigned numberOf(unsigned other) const { return other + (isDivided() && other > loop); }
};
} // namespace

/// How many results a reduction has whose parts can be reduced apart; none for another operation.
static std::optional<int64_t> resultsOf(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.hasIndexSemantics() || forge::isMatrixProduct(op) ||
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
  bool isSimple = llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  if (results == 0 || !isSimple ||
      !llvm::all_equal(ArrayRef(maps).drop_front(op.getNumDpsInputs())))
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
  return Split{outer, partsOf(results * sizes[inner], sizes[outer]), inner};
}

static std::optional<Split> planSplit(linalg::GenericOp op) {
  std::optional<int64_t> results = resultsOf(op);
  if (!results)
    return std::nullopt;
  if (op.getNumReductionLoops() != 1)
    return planNest(op, *results);
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  unsigned loop = loops.front();
  if (*results == 1 ? joinsOthers(op) : reducesAlongMemory(op, loop))
    return std::nullopt;
  int64_t parts = partsOf(*results, op.getStaticLoopRanges()[loop]);
  bool isEnough = *results == 1 ? parts >= kFewestParts : parts > 1;
  return isEnough ? std::optional(Split{loop, parts, std::nullopt}) : std::nullopt;
}

namespace {
/// 1. The dimension that is reduced becomes two, the first of which numbers parts. Of two that are
///    reduced, the inner one becomes one of the partial results.
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

  /// `input` with two dimensions where `map` has the loop that is divided, and the map of that.
  static std::pair<Value, AffineMap> splitInput(OpBuilder &b, Location loc, Value input,
                                                AffineMap map, const Split &plan) {
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    auto type = cast<RankedTensorType>(input.getType());
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(result).getPosition();
      results.push_back(b.getAffineDimExpr(plan.numberOf(loop)));
      groups.push_back({static_cast<int64_t>(shape.size())});
      shape.push_back(type.getDimSize(dim));
      if (!plan.isDivided() || loop != plan.loop)
        continue;
      results.push_back(b.getAffineDimExpr(loop + 1));
      groups.back().push_back(shape.size());
      shape.back() = plan.parts;
      shape.push_back(type.getDimSize(dim) / plan.parts);
    }
    if (shape.size() > map.getNumResults())
      input = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), input, groups);
    return {input, AffineMap::get(map.getNumDims() + plan.isDivided(), 0, results, b.getContext())};
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
      places.push_back(b.getAffineDimExpr(loop));
      shape.push_back(size);
    };
    if (plan.isDivided())
      add(plan.loop, plan.parts);
    for (auto [result, size] :
         llvm::zip_equal(map.getResults(), cast<RankedTensorType>(init.get().getType()).getShape()))
      add(plan.numberOf(cast<AffineDimExpr>(result).getPosition()), size);
    if (plan.inner)
      add(plan.numberOf(*plan.inner), op.getStaticLoopRanges()[*plan.inner]);
    Value empty = tensor::EmptyOp::create(b, loc, shape, scalar.getType());
    return {linalg::FillOp::create(b, loc, scalar, empty).getResult(0),
            AffineMap::get(map.getNumDims() + plan.isDivided(), 0, places, b.getContext())};
  }

  static SmallVector<Value> partialResults(OpBuilder &b, linalg::GenericOp op,
                                           const forge::RowReduction &reduction,
                                           const Split &plan) {
    SmallVector<Value> inputs, starts;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto [input, map] =
          splitInput(b, op.getLoc(), operand->get(), op.getMatchingIndexingMap(operand), plan);
      inputs.push_back(input);
      maps.push_back(map);
    }
    for (auto [init, neutral] : llvm::zip_equal(op.getDpsInitsMutable(), reduction.neutral)) {
      auto [start, map] = partialStart(b, op, init, neutral, plan);
      starts.push_back(start);
      maps.push_back(map);
    }
    SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
    if (plan.inner)
      loops[*plan.inner] = utils::IteratorType::parallel;
    if (plan.isDivided())
      loops.insert(loops.begin() + plan.loop, utils::IteratorType::parallel);
    auto partial =
        linalg::GenericOp::create(b, op.getLoc(), TypeRange(starts), inputs, starts, maps, loops);
    IRMapping mapping;
    op.getRegion().cloneInto(&partial.getRegion(), mapping);
    return SmallVector<Value>(partial.getResults());
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
    if (plan.isDivided()) {
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
