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
/// The reduction loop that is split, and into how many parts.
struct Split {
  unsigned loop;
  int64_t parts;
};
} // namespace

static std::optional<Split> planSplit(linalg::GenericOp op) {
  if (op.getNumReductionLoops() != 1 || op.hasIndexSemantics() || forge::isMatrixProduct(op) ||
      op->hasAttr(forge::kScheduleAttr) || op->hasAttr(forge::kClusterAttr))
    return std::nullopt;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  unsigned loop = loops.front();
  int64_t results = 1;
  for (auto [number, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    if (number != loop && llvm::MulOverflow(results, size, results))
      return std::nullopt;
  }
  if (results == 0 || (results == 1 ? joinsOthers(op) : reducesAlongMemory(op, loop)))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool isSimple = llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!isSimple || !llvm::all_equal(ArrayRef(maps).drop_front(op.getNumDpsInputs())))
    return std::nullopt;
  for (Value init : op.getDpsInits())
    if (!init.getDefiningOp<linalg::FillOp>() && !splatOf(init))
      return std::nullopt;
  int64_t parts = partsOf(results, op.getStaticLoopRanges()[loop]);
  bool isEnough = results == 1 ? parts >= kFewestParts : parts > 1;
  return isEnough ? std::optional(Split{loop, parts}) : std::nullopt;
}

namespace {
/// 1. The dimension that is reduced becomes two, the first of which numbers parts.
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

  /// `input` with two dimensions where `map` has the loop that is split, and the map of that: the
  /// loop's number is now that of its parts, and the next one's that of the elements of a part.
  static std::pair<Value, AffineMap> splitInput(OpBuilder &b, Location loc, Value input,
                                                AffineMap map, const Split &plan) {
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    auto type = cast<RankedTensorType>(input.getType());
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(result).getPosition();
      results.push_back(b.getAffineDimExpr(loop <= plan.loop ? loop : loop + 1));
      groups.push_back({static_cast<int64_t>(shape.size())});
      shape.push_back(type.getDimSize(dim));
      if (loop != plan.loop)
        continue;
      results.push_back(b.getAffineDimExpr(loop + 1));
      groups.back().push_back(shape.size());
      shape.back() = plan.parts;
      shape.push_back(type.getDimSize(dim) / plan.parts);
    }
    if (shape.size() > map.getNumResults())
      input = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), input, groups);
    return {input, AffineMap::get(map.getNumDims() + 1, 0, results, b.getContext())};
  }

  /// One result of each part, part by part.
  static SmallVector<Value> partialResults(OpBuilder &b, linalg::GenericOp op,
                                           const forge::RowReduction &reduction,
                                           const Split &plan) {
    Location loc = op.getLoc();
    SmallVector<Value> inputs, starts;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto [input, map] =
          splitInput(b, loc, operand->get(), op.getMatchingIndexingMap(operand), plan);
      inputs.push_back(input);
      maps.push_back(map);
    }
    for (auto [init, neutral] : llvm::zip_equal(op.getDpsInitsMutable(), reduction.neutral)) {
      TypedAttr constant = neutral ? neutral : splatOf(init.get());
      Value scalar = constant ? arith::ConstantOp::create(b, loc, constant).getResult()
                              : init.get().getDefiningOp<linalg::FillOp>().getInputs().front();
      SmallVector<int64_t> shape{plan.parts};
      llvm::append_range(shape, cast<RankedTensorType>(init.get().getType()).getShape());
      Value empty = tensor::EmptyOp::create(b, loc, shape, scalar.getType());
      starts.push_back(linalg::FillOp::create(b, loc, scalar, empty).getResult(0));
      AffineMap map = op.getMatchingIndexingMap(&init);
      SmallVector<AffineExpr> results{b.getAffineDimExpr(plan.loop)};
      for (AffineExpr result : map.getResults()) {
        unsigned loop = cast<AffineDimExpr>(result).getPosition();
        results.push_back(b.getAffineDimExpr(loop < plan.loop ? loop : loop + 1));
      }
      maps.push_back(AffineMap::get(map.getNumDims() + 1, 0, results, b.getContext()));
    }
    SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
    loops.insert(loops.begin() + plan.loop, utils::IteratorType::parallel);
    auto partial =
        linalg::GenericOp::create(b, loc, TypeRange(starts), inputs, starts, maps, loops);
    IRMapping mapping;
    op.getRegion().cloneInto(&partial.getRegion(), mapping);
    return SmallVector<Value>(partial.getResults());
  }

  static void split(linalg::GenericOp op, const forge::RowReduction &reduction, const Split &plan) {
    OpBuilder b(op);
    SmallVector<Value> partial = partialResults(b, op, reduction, plan);
    // The first dimension of the partial results numbers parts; the others are the results'.
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    SmallVector<AffineMap> maps(partial.size(), b.getMultiDimIdentityMap(rank + 1));
    AffineMap results = b.getMultiDimIdentityMap(rank + 1).dropResult(0);
    maps.append(partial.size(), results);
    SmallVector<utils::IteratorType> loops(rank + 1, utils::IteratorType::parallel);
    loops.front() = utils::IteratorType::reduction;
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
