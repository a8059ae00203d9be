#include "SplitPlan.h"

#include "../Generic/SharedTerms.h"
#include "../Strategy/ProductAxes.h"
#include "../Strategy/RowReduction.h"
#include "BodyReads.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Support/Divisors.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Elements that few blocks take long for; parts at least and at most that are worth a second
/// launch.
static constexpr int64_t kManyElements = 1 << 18, kFewestParts = 16, kMostParts = 512;
/// Elements from which on a sum is split even if the same kernel could compute its operands, too:
/// one cluster of blocks would read them all.
static constexpr int64_t kMoreElements = 1 << 22;
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

TypedAttr forge::splatOf(Value value) {
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

/// Whether an input, or what the body reads by itself, has the elements of one result side by side:
/// row kernels share those among blocks. What has fewer loops than others (a factor for each row)
/// is in the caches.
static bool reducesAlongMemory(linalg::GenericOp op, unsigned loop) {
  auto loopsOf = [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return llvm::count_if(llvm::seq<unsigned>(0, map.getNumDims()),
                          [&](unsigned other) { return map.isFunctionOfDim(other); });
  };
  int64_t most = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    most = std::max<int64_t>(most, loopsOf(input));
  SmallVector<BodyRead> reads = bodyReadsOf(op);
  for (const BodyRead &read : reads)
    most = std::max<int64_t>(most, read.allLoops().count());
  return llvm::any_of(op.getDpsInputOperands(),
                      [&](OpOperand *input) {
                        AffineMap map = op.getMatchingIndexingMap(input);
                        return loopsOf(input) == most && map.getNumResults() > 0 &&
                               map.getResults().back().isFunctionOfDim(loop);
                      }) ||
         llvm::any_of(reads, [&](const BodyRead &read) {
           return static_cast<int64_t>(read.allLoops().count()) == most &&
                  read.innermostLoops().any() && read.innermostLoops().test(loop);
         });
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

/// Whether `op` is a contraction that reads windows, of so few rows or columns that threads compute
/// it: the gradient of a grouped convolution's weights.
static bool hasNarrowWindows(linalg::GenericOp op) {
  if (!readsWindows(op) || op.getNumDpsInputs() != 2)
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  std::array<int64_t, 2> own = {1, 1};
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isIn[2];
    for (unsigned factor : {0, 1})
      isIn[factor] = op.getMatchingIndexingMap(op.getDpsInputOperand(factor)).isFunctionOfDim(loop);
    if (type == utils::IteratorType::parallel && isIn[0] != isIn[1])
      own[isIn[1]] = saturatingMul(own[isIn[1]], sizes[loop]);
  }
  return std::min(own[0], own[1]) < kPatchUses;
}

/// How many results a reduction has whose parts can be reduced apart; none for another operation.
static std::optional<int64_t> resultsOf(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || (hasRowsAndColumns(op) && !hasNarrowWindows(op)) ||
      op->hasAttr(kScheduleAttr) || op->hasAttr(kClusterAttr))
    return std::nullopt;
  int64_t results = 1;
  for (auto [size, type] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    if (type == utils::IteratorType::parallel && llvm::MulOverflow(results, size, results))
      return std::nullopt;
  }
  // Threads that share what terms of several results have in common are many in each block.
  if (std::optional<unsigned> loop = loopOfSharedTerms(op);
      loop && results / op.getStaticLoopRanges()[*loop] >= kEnoughBlocks)
    return std::nullopt;
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
  bool isWindowed = readsWindows(op);
  // A row kernel gives each result a block.
  int64_t few = isWindowed ? kFewWindows : kEnoughBlocks * kLineResults;
  if (results > few || terms < (isWindowed ? kManyWindowTerms : kManyTerms) || all < kManyElements)
    return std::nullopt;
  int64_t wanted =
      std::min(llvm::divideCeil(isWindowed ? kWantedWindows : kWantedResults, results),
               static_cast<uint64_t>(terms / (isWindowed ? kFewestWindowTerms : kFewestElements)));
  // Where each input goes over one of the loops (pairs of points), the last one stays whole.
  bool areAllAlong =
      llvm::all_of(loops, [&](unsigned loop) { return reducesAlongMemory(op, loop); });
  Split split;
  for (unsigned loop : loops) {
    bool staysWhole = areAllAlong ? loop == loops.back() : reducesAlongMemory(op, loop);
    if (staysWhole || !hasOwnDimension(op, loop))
      continue;
    int64_t parts = largestDivisor(sizes[loop], std::min(wanted, sizes[loop]));
    if (parts > 1)
      split.divisions.push_back({loop, parts, sizes[loop] / parts});
    wanted /= parts;
  }
  return split.divisions.empty() ? std::nullopt : std::optional(split);
}

std::optional<Split> forge::planSplit(linalg::GenericOp op) {
  std::optional<int64_t> results = resultsOf(op);
  if (!results)
    return std::nullopt;
  bool isSimple = llvm::all_of(op.getIndexingMapsArray(),
                               [](AffineMap map) { return map.isProjectedPermutation(); });
  bool hasOneLoop = op.getNumReductionLoops() == 1;
  if (!isSimple || (!hasOneLoop && op.hasIndexSemantics()))
    return planLoops(op, *results);
  if (!hasOneLoop) {
    std::optional<Split> nest = planNest(op, *results);
    return nest ? nest : planLoops(op, *results);
  }
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  unsigned loop = loops.front();
  int64_t size = op.getStaticLoopRanges()[loop], parts = partsOf(*results, size);
  // A matrix and a vector: strategy gemv, or the library, divides the sum.
  if (isMatrixProduct(op) ||
      (*results == 1 ? size < kMoreElements && joinsOthers(op) : reducesAlongMemory(op, loop)))
    return std::nullopt;
  if (parts < (*results == 1 ? kFewestParts : 2))
    return std::nullopt;
  Split split;
  split.divisions.push_back({loop, parts, size / parts});
  return split;
}
