#include "ThreadTile.h"
#include "SharedTerms.h"

#include "forge/Support/Divisors.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Threads that are to be left: some blocks for every multiprocessor; of those that have several
/// positions each, which have more to do at once, a quarter is enough.
static constexpr int64_t kEnoughThreads = int64_t(1) << 16;
/// Positions of a thread, its results (which are in registers), steps that it does at once, and the
/// times that a body is written, at most.
static constexpr int64_t kMostPositions = 8, kMostResults = 64, kMostSteps = 32, kMostBodies = 2048;

bool Access::differsAlong(unsigned loop) const { return map.isFunctionOfDim(loop); }

/// A row that begins at a multiple of so many elements begins at one of 16 bytes, whatever their
/// type.
static constexpr int64_t kAlignedElements = 16;

bool forge::isContiguous(ShapedType type) {
  if (!type.hasStaticShape())
    return false;
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(buffer.getStridesAndOffset(strides, offset)) || strides.empty() ||
      ShapedType::isDynamic(offset) || offset % kAlignedElements != 0)
    return false;
  // Dimensions of one element have any stride.
  bool isInner = true;
  for (auto [stride, size] : llvm::reverse(llvm::zip_equal(strides, type.getShape()))) {
    if (size == 1)
      continue;
    if (isInner ? stride != 1 : ShapedType::isDynamic(stride) || stride % kAlignedElements != 0)
      return false;
    isInner = false;
  }
  return true;
}

int64_t forge::bytesOfElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isWhole = element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  return isWhole ? element.getIntOrFloatBitWidth() / 8 : 0;
}

/// The loop that the last dimension of more than one element is; nothing where the operand is read
/// by windows there. Loops of one iteration, as those of a window of one place, do not matter.
static std::optional<unsigned> innermostLoop(const Access &access, ArrayRef<int64_t> sizes) {
  auto type = cast<ShapedType>(access.operand.getType());
  if (!isContiguous(type))
    return std::nullopt;
  MLIRContext *context = type.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [loop, size] : llvm::enumerate(sizes))
    dims.push_back(size == 1 ? getAffineConstantExpr(0, context)
                             : getAffineDimExpr(static_cast<unsigned>(loop), context));
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    if (type.getDimSize(dim) != 1) {
      auto loop = dyn_cast<AffineDimExpr>(access.map.getResult(dim).replaceDims(dims));
      return loop ? std::optional(loop.getPosition()) : std::nullopt;
    }
  return std::nullopt;
}

bool Access::isInnermost(unsigned loop, ArrayRef<int64_t> sizes) const {
  return bytesOfElement(operand.getType()) > 0 && innermostLoop(*this, sizes) == loop;
}

SmallVector<Access> forge::accessesOf(linalg::LinalgOp op) {
  SmallVector<Access> accesses;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()))
      accesses.push_back(
          {operand.get(), op.getMatchingIndexingMap(&operand), op.isDpsInit(&operand)});
  return accesses;
}

/// Bytes of the narrowest element that differs between lanes of `loop`; nothing where one of them
/// is not side by side with its neighbour, or an output has all lanes in one element.
static std::optional<int64_t> narrowestBytes(ArrayRef<Access> accesses, unsigned loop,
                                             ArrayRef<int64_t> sizes) {
  int64_t narrowest = kLaneBytes;
  for (const Access &access : accesses) {
    if (!access.differsAlong(loop)) {
      if (access.isOutput)
        return std::nullopt;
      continue;
    }
    if (!access.isInnermost(loop, sizes))
      return std::nullopt;
    narrowest = std::min(narrowest, bytesOfElement(access.operand.getType()));
  }
  return narrowest;
}

/// Sets the lanes of `tile`, of `total` results.
static void chooseLanes(ArrayRef<Access> accesses, ArrayRef<int64_t> sizes,
                        ArrayRef<utils::IteratorType> types, int64_t total, ThreadTile &tile) {
  std::optional<unsigned> loop;
  for (const Access &access : accesses)
    if (access.isOutput && !loop)
      loop = innermostLoop(access, sizes);
  if (!loop || types[*loop] != utils::IteratorType::parallel)
    return;
  std::optional<int64_t> narrowest = narrowestBytes(accesses, *loop, sizes);
  if (!narrowest)
    return;
  for (int64_t count = kLaneBytes / std::max<int64_t>(*narrowest, 2); count > 1; count /= 2)
    if (sizes[*loop] % count == 0 && total / count >= kEnoughThreads) {
      tile.lanes = count;
      tile.laneLoop = *loop;
      return;
    }
}

/// A parallel loop of more than one iteration along which windows move that `reduction` goes
/// through; nothing where there is none, or where an output has all of its iterations in one
/// element.
static std::optional<unsigned> loopOfWindows(ArrayRef<Access> accesses, unsigned reduction,
                                             ArrayRef<int64_t> sizes,
                                             ArrayRef<utils::IteratorType> types) {
  for (const Access &access : accesses)
    for (AffineExpr index : access.map.getResults()) {
      if (access.isOutput || !index.isFunctionOfDim(reduction))
        continue;
      for (auto [loop, type] : llvm::enumerate(types))
        if (type == utils::IteratorType::parallel && sizes[loop] > 1 &&
            index.isFunctionOfDim(loop) && llvm::all_of(accesses, [&](const Access &other) {
              return !other.isOutput || other.differsAlong(loop);
            }))
          return loop;
    }
  return std::nullopt;
}

/// Terms at most of sums whose factors are shared by several positions, and those positions at
/// most: larger ones are products of matrices, or rows.
static constexpr int64_t kMostSharedTerms = 16, kMostSharedPositions = 16;

/// A parallel loop of more than one iteration along which all lanes of an input are the same, so
/// that several positions read them once: of a product with a small matrix, that of its columns.
/// Nothing where there is none.
static std::optional<unsigned> loopOfShared(ArrayRef<Access> accesses, ArrayRef<int64_t> sizes,
                                            ArrayRef<utils::IteratorType> types,
                                            const ThreadTile &tile) {
  int64_t terms = 1;
  for (auto [size, type] : llvm::zip_equal(sizes, types))
    if (type == utils::IteratorType::reduction)
      terms = saturatingMul(terms, size);
  if (tile.lanes == 1 || terms > kMostSharedTerms)
    return std::nullopt;
  for (auto [loop, type] : llvm::enumerate(types)) {
    auto isShared = [&](const Access &access) {
      return !access.isOutput && access.differsAlong(tile.laneLoop) && !access.differsAlong(loop);
    };
    if (type == utils::IteratorType::parallel && sizes[loop] > 1 && loop != tile.laneLoop &&
        llvm::any_of(accesses, isShared) && llvm::all_of(accesses, [&](const Access &access) {
          return !access.isOutput || access.differsAlong(loop);
        }))
      return loop;
  }
  return std::nullopt;
}

/// Positions along a loop of `size`, `most` at most: as many as divide it, or, where results
/// `mayRepeat` and those are few, as many as few tiles of equal size have.
static int64_t positionsOf(int64_t size, int64_t most, bool mayRepeat) {
  int64_t divisor = largestDivisor(size, most);
  if (!mayRepeat || most < 2)
    return divisor;
  int64_t repeating = llvm::divideCeil(size, llvm::divideCeil(size, most));
  return 2 * repeating >= 3 * divisor ? repeating : divisor;
}

/// Sets the positions and steps of `tile`, of `total` results.
static void choosePositions(ArrayRef<Access> accesses, unsigned reduction, ArrayRef<int64_t> sizes,
                            ArrayRef<utils::IteratorType> types, int64_t total, bool mayRepeat,
                            ThreadTile &tile) {
  std::optional<unsigned> loop = loopOfWindows(accesses, reduction, sizes, types);
  int64_t mostHere = kMostPositions;
  if (!loop) {
    loop = loopOfShared(accesses, sizes, types, tile);
    mostHere = kMostSharedPositions;
  }
  if (!loop || (tile.lanes > 1 && *loop == tile.laneLoop) || sizes[reduction] == 1)
    return;
  int64_t most =
      std::min({mostHere, kMostResults / tile.lanes, total / tile.lanes / (kEnoughThreads / 4)});
  int64_t positions = positionsOf(sizes[*loop], most, mayRepeat);
  int64_t steps = largestDivisor(sizes[reduction],
                                 std::min(kMostSteps, kMostBodies / (positions * tile.lanes)));
  if (positions == 1 || steps == 1)
    return;
  tile.positions = positions;
  tile.positionLoop = *loop;
  tile.steps = steps;
  tile.stepLoop = reduction;
}

/// The same by the reduction loop with which products cost least: with another than the innermost
/// one, threads side by side may read elements side by side where windows move along memory.
static void chooseWindows(linalg::LinalgOp op, ArrayRef<Access> accesses,
                          ArrayRef<unsigned> reductions, int64_t total, bool mayRepeat,
                          ThreadTile &tile) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  ThreadTile best = tile;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned reduction : llvm::reverse(reductions)) {
    ThreadTile other = tile;
    choosePositions(accesses, reduction, sizes, types, total, mayRepeat, other);
    if (double cost = other.positions > 1 ? costOfProducts(op, other) : least; cost < least) {
      least = cost;
      best = other;
    }
  }
  tile = best;
}

ThreadTile forge::chooseThreadTile(linalg::LinalgOp op, ArrayRef<Access> accesses, bool mayRepeat) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  ThreadTile tile;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  bool isKnown = !llvm::is_contained(sizes, ShapedType::kDynamic);
  int64_t total = 1;
  for (auto [size, type] : llvm::zip_equal(sizes, types))
    if (isKnown && type == utils::IteratorType::parallel)
      isKnown = !llvm::MulOverflow(total, size, total);
  if (isKnown)
    chooseLanes(accesses, sizes, types, total, tile);
  if (reductions.empty())
    return tile;
  tile.stepLoop = innermostReduction(op);
  if (isKnown)
    chooseWindows(op, accesses, reductions, total, mayRepeat, tile);
  if (std::optional<unsigned> loop = loopOfSharedTerms(op);
      loop && isKnown && tile.results() == 1) {
    tile.positions = sizes[*loop];
    tile.positionLoop = *loop;
  }
  if (tile.results() == 1)
    tile.steps = chooseSteps(op, tile.stepLoop);
  return tile;
}

int64_t forge::lanesOfWord(linalg::LinalgOp op, unsigned loop) {
  constexpr int64_t wordBytes = 4;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return 1;
  std::optional<int64_t> narrowest = narrowestBytes(accessesOf(op), loop, sizes);
  int64_t lanes = narrowest ? wordBytes / std::min(*narrowest, wordBytes) : 1;
  while (sizes[loop] % lanes != 0)
    lanes /= 2;
  return lanes;
}

unsigned forge::innermostReduction(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : llvm::reverse(reductions))
    if (sizes[loop] != 1)
      return loop;
  return reductions.back();
}

int64_t forge::chooseSteps(linalg::LinalgOp op, unsigned loop) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t size = sizes[loop], narrowest = kLaneBytes;
  for (const Access &access : accessesOf(op))
    if (!access.isOutput && access.isInnermost(loop, sizes))
      narrowest = std::min(narrowest, bytesOfElement(access.operand.getType()));
  // A thread's values are in registers.
  int64_t count = kLaneBytes / std::max<int64_t>(narrowest, 2);
  while (ShapedType::isDynamic(size) ? count > 1 : size % count != 0)
    count /= 2;
  return count;
}
