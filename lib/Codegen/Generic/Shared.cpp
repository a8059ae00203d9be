// Which reductions the threads of a block share, element by element.
#include "Generic.h"
#include "SharedTerms.h"
#include "ThreadTile.h"

#include "../Strategy/RowReduction.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Steps that are too few to be shared where there are elements for all multiprocessors, and that a
/// thread should have at least.
static constexpr int64_t kFewSteps = 128, kStepsOfThread = 8;
/// Threads of a block where elements are many, and steps that one of them should have then, by
/// measurements in models (docs/gpu-h200.md); by events one thread an element can look faster.
static constexpr int64_t kThreadsOfMany = 256, kStepsOfMany = 32;
/// Threads of a block that shares elements; elements of one: a line of memory, or where there are
/// few elements for many multiprocessors, the least that memory gives.
static constexpr int64_t kSharingThreads = 512, kLineElements = 32, kSectorElements = 8;

bool forge::canShare(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  std::string why;
  return generic && generic.getNumReductionLoops() > 0 && !isMatrixProduct(op) &&
         llvm::all_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) {
                        return op.getMatchingIndexingMap(&init).isProjectedPermutation();
                      }) &&
         succeeded(RowReduction::match(generic, why));
}

unsigned forge::sharedLoop(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return *std::max_element(loops.begin(), loops.end(), [&](unsigned x, unsigned y) {
    auto length = [&](unsigned loop) {
      return ShapedType::isDynamic(sizes[loop]) ? std::numeric_limits<int64_t>::max() : sizes[loop];
    };
    return length(x) < length(y);
  });
}

/// Sectors of memory that the threads of a warp access by `map` if they are at neighbouring steps
/// of `loop`.
static int64_t sectorsOf(AffineMap map, int64_t bytes, unsigned loop) {
  if (!map.isFunctionOfDim(loop))
    return 1;
  bool isInnermost = map.getResults().back().isFunctionOfDim(loop) &&
                     llvm::none_of(map.getResults().drop_back(),
                                   [&](AffineExpr outer) { return outer.isFunctionOfDim(loop); });
  return isInnermost ? llvm::divideCeil(kWarpThreads * bytes, kSectorBytes) : kWarpThreads;
}

namespace {
/// Sectors of the inputs of a reduction: of those that are read at each step, and of the others.
struct InputSectors {
  int64_t ofSteps = 0, once = 0;
};
} // namespace

static InputSectors sectorsOfInputs(linalg::LinalgOp op, unsigned loop) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  InputSectors sectors;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    bool isOfSteps = llvm::any_of(
        reductions, [&](unsigned reduction) { return map.isFunctionOfDim(reduction); });
    (isOfSteps ? sectors.ofSteps : sectors.once) +=
        sectorsOf(map, bytesOfElement(input->get().getType()), loop);
  }
  return sectors;
}

/// The loop of the last result of `map`, if that is a parallel loop of `op`.
static std::optional<unsigned> innermostParallel(linalg::LinalgOp op, AffineMap map) {
  auto last = map.getNumResults() == 0 ? AffineExpr() : map.getResults().back();
  auto dim = dyn_cast_or_null<AffineDimExpr>(last);
  bool isParallel =
      dim && op.getIteratorTypesArray()[dim.getPosition()] == utils::IteratorType::parallel;
  return isParallel ? std::optional(dim.getPosition()) : std::nullopt;
}

AffineMap forge::orderOfElements(linalg::LinalgOp op, AffineMap output) {
  std::optional<unsigned> loop = innermostParallel(op, output);
  if (op.getNumReductionLoops() == 0 || !loop)
    return output;
  // Results are stored once, inputs read at each step.
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t steps = 1, bytes = bytesOfElement(op.getDpsInits().front().getType());
  for (auto [size, type] : llvm::zip_equal(sizes, op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      steps =
          llvm::SaturatingMultiply<uint64_t>(steps, ShapedType::isDynamic(size) ? kFewSteps : size);
  auto cost = [&](unsigned of) {
    InputSectors inputs = sectorsOfInputs(op, of);
    return static_cast<double>(steps) * static_cast<double>(inputs.ofSteps) +
           static_cast<double>(inputs.once + sectorsOf(output, bytes, of));
  };
  AffineMap best = output;
  double least = cost(*loop);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<unsigned> other = innermostParallel(op, map);
    bool fillsWarp =
        other && (ShapedType::isDynamic(sizes[*other]) || sizes[*other] >= kWarpThreads);
    if (fillsWarp && cost(*other) < least) {
      least = cost(*other);
      best = map;
    }
  }
  return best;
}

bool forge::sharesAlongMemory(linalg::GenericOp op) {
  AffineMap order = orderOfElements(op, op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  std::optional<unsigned> loop = innermostParallel(op, order);
  int64_t ofSharing = sectorsOfInputs(op, sharedLoop(op)).ofSteps;
  // A single element, or elements that are neighbours in no operand, share nothing.
  return loop ? ofSharing < sectorsOfInputs(op, *loop).ofSteps
              : ofSharing < kWarpThreads * static_cast<int64_t>(op.getNumDpsInputs());
}

std::optional<Sharing> forge::planSharing(linalg::LinalgOp op, const GPUChip &chip) {
  if (!canShare(op))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t steps = sizes[sharedLoop(cast<linalg::GenericOp>(op.getOperation()))];
  // 0: known at run time. Results that share terms are one.
  int64_t elements = 1;
  std::optional<unsigned> together = loopOfSharedTerms(op);
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel && loop != together)
      elements *= ShapedType::isDynamic(sizes[loop]) ? 0 : sizes[loop];
  bool isFew = elements > 0 && elements < kLineElements * chip.processors;
  if (!ShapedType::isDynamic(steps) && steps < (isFew ? 2 * kStepsOfThread : kFewSteps))
    return std::nullopt;
  bool isAlongMemory = sharesAlongMemory(cast<linalg::GenericOp>(op.getOperation()));
  bool isMany = elements > 0 && !isFew && !isAlongMemory;
  Sharing sharing;
  sharing.elements = kLineElements;
  if (isFew)
    sharing.elements = std::min<int64_t>(kSectorElements, llvm::PowerOf2Ceil(elements));
  // Threads with several results each have many registers; what they read is small.
  if (together && elements > 0)
    sharing.elements = std::clamp<int64_t>(
        llvm::bit_floor<uint64_t>(elements / (2 * chip.processors)), 1, kSectorElements);
  sharing.parts = (together ? kThreadsOfMany : kSharingThreads) / sharing.elements;
  if (!ShapedType::isDynamic(steps))
    sharing.parts = std::min<int64_t>(
        sharing.parts, llvm::bit_floor<uint64_t>(steps / (isMany ? kStepsOfMany : kStepsOfThread)));
  if (isMany)
    sharing.elements = kThreadsOfMany / sharing.parts;
  return sharing;
}
