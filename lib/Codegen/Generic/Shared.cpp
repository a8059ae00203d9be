// Which reductions the threads of a block share, element by element.
#include "Generic.h"

#include "../RowKernels/RowReduction.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Steps that are too few to be shared where there are elements for all multiprocessors, and that a
/// thread should have at least.
static constexpr int64_t kFewSteps = 128, kStepsOfThread = 8;
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

/// Elements of an operand that `map` reads, of loops of `sizes`.
static double elementsOf(AffineMap map, ArrayRef<int64_t> sizes) {
  constexpr double kOpenSize = 1024;
  double elements = 1;
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (map.isFunctionOfDim(static_cast<unsigned>(loop)))
      elements *= ShapedType::isDynamic(size) ? kOpenSize : static_cast<double>(size);
  return elements;
}

bool forge::sharesAlongMemory(linalg::GenericOp op) {
  AffineExpr loop = getAffineDimExpr(sharedLoop(op), op.getContext());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // A number for each step, as the mean of a row whose columns are added up, is read by the way.
  double most = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    most = std::max(most, elementsOf(op.getMatchingIndexingMap(input), sizes));
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() > 0 && map.getResults().back() == loop &&
           elementsOf(map, sizes) == most;
  });
}

std::optional<Sharing> forge::planSharing(linalg::LinalgOp op, const GPUChip &chip) {
  if (!canShare(op))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t steps = sizes[sharedLoop(cast<linalg::GenericOp>(op.getOperation()))];
  // 0: known at run time.
  int64_t elements = 1;
  for (auto [size, type] : llvm::zip_equal(sizes, op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel)
      elements *= ShapedType::isDynamic(size) ? 0 : size;
  bool isFew = elements > 0 && elements < kLineElements * chip.processors;
  if (!ShapedType::isDynamic(steps) && steps < (isFew ? 2 * kStepsOfThread : kFewSteps))
    return std::nullopt;
  Sharing sharing;
  sharing.elements = kLineElements;
  if (isFew)
    sharing.elements = std::min<int64_t>(kSectorElements, llvm::PowerOf2Ceil(elements));
  sharing.parts = kSharingThreads / sharing.elements;
  if (!ShapedType::isDynamic(steps))
    sharing.parts =
        std::min<int64_t>(sharing.parts, llvm::bit_floor<uint64_t>(steps / kStepsOfThread));
  return sharing;
}
