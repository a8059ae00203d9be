#include "Transposition.h"

#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Elements of a tile along a side at most, and of one that is worth a tile; elements in all.
static constexpr int64_t kTile = 64, kLeastSide = 16, kManyElements = 1 << 16;
/// Bytes that a thread moves at once: words of shared memory. Wider ones have threads meet in
/// banks.
static constexpr int64_t kWordBytes = 4;
/// Bytes of shared memory for the tiles of all inputs: so few that several blocks fit.
static constexpr int64_t kMostStagedBytes = 40 * 1024;

/// The loop of `op` along which elements of `access` are side by side; nothing if there is none.
static std::optional<unsigned> alongMemory(const Access &access, ArrayRef<int64_t> sizes) {
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (access.isInnermost(loop, sizes))
      return loop;
  return std::nullopt;
}

/// What an operation that reads an element reads of.
static Value sourceOf(Operation *read) {
  return isa<tensor::ExtractOp, memref::LoadOp>(read) ? read->getOperand(0) : Value();
}

/// Whether `index`, computed in the body of an operation, depends on nothing in it but loops'
/// indices, that of `loop` not among them.
static bool isIndependentOf(Value index, unsigned loop) {
  Operation *op = index.getDefiningOp();
  if (!op)
    return !isa<linalg::LinalgOp>(cast<BlockArgument>(index).getOwner()->getParentOp());
  if (auto own = dyn_cast<linalg::IndexOp>(op))
    return own.getDim() != loop;
  if (!isa<linalg::LinalgOp>(op->getParentOp()))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) && !sourceOf(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isIndependentOf(operand, loop); });
}

/// The loop whose steps side by side read elements side by side by `read`; nothing if it is none.
static std::optional<unsigned> alongMemory(Operation *read) {
  Value source = sourceOf(read);
  auto type = source ? dyn_cast<ShapedType>(source.getType()) : ShapedType();
  if (!type || type.getRank() == 0 || !isContiguous(type) || bytesOfElement(type) == 0)
    return std::nullopt;
  auto last = read->getOperand(type.getRank()).getDefiningOp<linalg::IndexOp>();
  bool isOther =
      last && llvm::all_of(read->getOperands().slice(1, type.getRank() - 1),
                           [&](Value index) { return isIndependentOf(index, last.getDim()); });
  return isOther ? std::optional<unsigned>(last.getDim()) : std::nullopt;
}

/// Elements of a row of a tile in shared memory: rows begin in banks of their own.
static int64_t pitchOf(const Transposition &plan, Value source) {
  return plan.tileAcross + std::max<int64_t>(kWordBytes / bytesOfElement(source.getType()), 1);
}

static SmallVector<Value> stagedSources(const Transposition &plan, linalg::LinalgOp op) {
  SmallVector<Value> sources;
  for (unsigned number : plan.inputs)
    sources.push_back(op->getOperand(number));
  for (Operation *read : plan.reads)
    sources.push_back(sourceOf(read));
  return sources;
}

static int64_t stepsAcross(const Transposition &plan, ArrayRef<int64_t> sizes) {
  int64_t steps = 1;
  for (unsigned loop : plan.across)
    steps *= sizes[loop];
  return steps;
}

/// The loop that all inputs of `plan` have next to those across, on the outside, if they are
/// contiguous; nothing if there is none that the tile may have.
static std::optional<unsigned> nextAcross(linalg::LinalgOp op, const Transposition &plan) {
  std::optional<unsigned> next;
  for (unsigned number : plan.inputs) {
    OpOperand &input = op->getOpOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&input);
    if (map.getNumResults() <= plan.across.size() ||
        !isContiguous(cast<ShapedType>(input.get().getType())))
      return std::nullopt;
    for (auto [place, loop] : llvm::enumerate(llvm::reverse(plan.across)))
      if (map.getDimPosition(map.getNumResults() - 1 - place) != loop)
        return std::nullopt;
    unsigned loop = map.getDimPosition(map.getNumResults() - 1 - plan.across.size());
    if (loop == plan.along || (next && next != loop))
      return std::nullopt;
    next = loop;
  }
  return next;
}

/// Sets the lanes and the tile of `plan`, if all tiles can be in shared memory.
static bool chooseTile(linalg::LinalgOp op, ArrayRef<int64_t> sizes, Transposition &plan) {
  SmallVector<Value> sources = stagedSources(plan, op);
  int64_t widest = 1, along = sizes[plan.along], across = stepsAcross(plan, sizes);
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op.getDpsInits()), sources))
    widest = std::max(widest, bytesOfElement(value.getType()));
  for (OpOperand *input : op.getDpsInputOperands())
    widest = std::max(widest, bytesOfElement(input->get().getType()));
  plan.lanes = std::max<int64_t>(kWordBytes / widest, 1);
  while (along % plan.lanes != 0 || sizes[plan.across.back()] % plan.lanes != 0)
    plan.lanes /= 2;
  for (int64_t side = kTile; side >= kLeastSide; side /= 2) {
    plan.tileAlong = std::min<int64_t>(side, llvm::PowerOf2Ceil(along));
    plan.tileAcross = std::min<int64_t>(side, llvm::PowerOf2Ceil(across));
    int64_t bytes = 0;
    for (Value source : sources)
      bytes += plan.tileAlong * pitchOf(plan, source) * bytesOfElement(source.getType());
    if (bytes <= kMostStagedBytes)
      return true;
  }
  return false;
}

std::optional<Transposition> forge::findTransposition(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t total = 1;
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(total, size, total))
      return std::nullopt;
  if (op.getNumReductionLoops() > 0 || total < kManyElements || isa<linalg::FillOp>(op))
    return std::nullopt;
  Access output{op.getDpsInits().front(), op.getMatchingIndexingMap(op.getDpsInitOperand(0)), true};
  std::optional<unsigned> along = alongMemory(output, sizes), across;
  if (!along)
    return std::nullopt;
  Transposition plan;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    Access access{operand.get(), op.getMatchingIndexingMap(&operand), op.isDpsInit(&operand)};
    if (!access.differsAlong(*along) && !access.isOutput)
      continue;
    std::optional<unsigned> inner = alongMemory(access, sizes);
    if (inner == along)
      continue;
    if (access.isOutput || !inner || !access.map.isProjectedPermutation() ||
        (across && inner != across))
      return std::nullopt;
    across = inner;
    plan.inputs.push_back(operand.getOperandNumber());
  }
  for (Operation &inner : *op.getBlock()) {
    std::optional<unsigned> loop = alongMemory(&inner);
    if (!loop || loop == along || (across && loop != across))
      continue;
    // Neighbours along the output's memory read the same element.
    auto indices = inner.getOperands().drop_front();
    if (llvm::all_of(indices, [&](Value index) { return isIndependentOf(index, *along); }))
      continue;
    across = loop;
    plan.reads.push_back(&inner);
  }
  if (!across)
    return std::nullopt;
  plan.along = *along;
  plan.across = {*across};
  while (plan.reads.empty() && stepsAcross(plan, sizes) < kTile) {
    std::optional<unsigned> next = nextAcross(op, plan);
    if (!next)
      break;
    plan.across.insert(plan.across.begin(), *next);
  }
  if (sizes[*along] < kLeastSide || stepsAcross(plan, sizes) < kLeastSide)
    return std::nullopt;
  return chooseTile(op, sizes, plan) ? std::optional(plan) : std::nullopt;
}

namespace {
// 1. A block is one tile: of the loops along and across memory, at one index of each other loop.
//    Several loops across are one, whose steps are divided.
// 2. Its threads read the tile of each input that is read across, along the input's memory, all
//    loads before the first of them is waited for, and leave it in shared memory.
// 3. Each element is computed, and stored along the outputs' memory.
// In tiles that reach past the end of a loop, loads read its last elements instead, and those
// results are not stored.
class TransposedTiles : ElementEmitter {
public:
  TransposedTiles(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads, Transposition plan)
      : ElementEmitter(op, threads, std::nullopt), inits(inits), plan(std::move(plan)) {}

  OpFoldResult emit() {
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    tile.lanes = plan.lanes;
    tile.laneLoop = plan.along;
    int64_t blocks = locateTile();
    for (unsigned number : plan.inputs) {
      OpOperand &input = op->getOpOperand(number);
      staged[&input] = stage(input.get(), [&] { return loadVector(input, plan.lanes); });
    }
    for (Operation *read : plan.reads)
      stagedReads[read] = stage(sourceOf(read), [&] { return readVector(read); });
    gpu::BarrierOp::create(builder, loc);
    for (int64_t round = 0; round < rounds(); ++round)
      emitRound(round);
    return builder.getIndexAttr(blocks);
  }

private:
  int64_t extent(unsigned loop) { return *getConstantIntValue(extents[loop]); }

  int64_t stepsAlong() { return extent(plan.along); }
  int64_t stepsAcross() {
    int64_t steps = 1;
    for (unsigned loop : plan.across)
      steps *= extent(loop);
    return steps;
  }

  /// Sets the indices of the loops across to those of step `step` of all of them.
  void setAcross(Value step) {
    for (unsigned loop : llvm::reverse(ArrayRef(plan.across).drop_front())) {
      indices[loop] = builder.createOrFold<arith::RemUIOp>(loc, step, constant(extent(loop)));
      step = builder.createOrFold<arith::DivUIOp>(loc, step, constant(extent(loop)));
    }
    indices[plan.across.front()] = step;
  }

  /// Sets the indices of the tile's first element. Gives the number of tiles.
  int64_t locateTile() {
    Value rest = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    int64_t tiles = 1;
    auto next = [&](int64_t steps, int64_t side) {
      int64_t count = llvm::divideCeil(steps, side);
      Value index = builder.createOrFold<arith::RemUIOp>(loc, rest, constant(count));
      rest = builder.createOrFold<arith::DivUIOp>(loc, rest, constant(count));
      tiles *= count;
      return builder.createOrFold<arith::MulIOp>(loc, index, constant(side));
    };
    for (unsigned loop : llvm::reverse(parallel)) {
      if (loop == plan.along)
        firstAlong = indices[loop] = next(stepsAlong(), plan.tileAlong);
      else if (loop == plan.across.back())
        setAcross(firstAcross = next(stepsAcross(), plan.tileAcross));
      else if (!llvm::is_contained(plan.across, loop))
        indices[loop] = next(extent(loop), 1);
    }
    return tiles;
  }

  int64_t rounds() {
    return llvm::divideCeil(plan.tileAlong * plan.tileAcross / plan.lanes, threads);
  }

  /// The thread's place in `round`, by row, then by groups of lanes of a row of `width` elements;
  /// and whether there is one.
  struct Place {
    Value row, column, isInside;
  };
  Place placeOf(int64_t round, int64_t width, int64_t height) {
    Value number = builder.createOrFold<arith::AddIOp>(loc, thread, constant(round * threads));
    int64_t groups = width / plan.lanes;
    Value column = builder.createOrFold<arith::MulIOp>(
        loc, builder.createOrFold<arith::RemUIOp>(loc, number, constant(groups)),
        constant(plan.lanes));
    Value row = builder.createOrFold<arith::DivUIOp>(loc, number, constant(groups));
    Place place{row, column, Value()};
    if ((round + 1) * threads > groups * height)
      place.isInside =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, row, constant(height));
    return place;
  }

  /// `first` + `offset`, or where that is behind the last group of `lanes` of `steps`, that group.
  Value clamp(Value first, Value offset, int64_t steps, int64_t side, int64_t lanes) {
    Value index = builder.createOrFold<arith::AddIOp>(loc, first, offset);
    if (steps % side == 0)
      return index;
    return arith::MinUIOp::create(builder, loc, index, constant(steps - lanes));
  }

  template <typename Body> void when(Value condition, Body body) {
    if (!condition)
      return body();
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    body();
  }

  /// What `read` reads along memory at the present indices.
  Value readVector(Operation *read) {
    IRMapping mapping;
    SmallVector<Value> at;
    for (Value index : read->getOperands().drop_front())
      at.push_back(computeIndex(index, mapping));
    auto type = VectorType::get(plan.lanes, read->getResult(0).getType());
    return vector::LoadOp::create(builder, loc, type, sourceOf(read), at, /*nontemporal=*/false,
                                  alignmentOf(type));
  }

  /// `index` of the body at the present indices of the loops.
  Value computeIndex(Value index, IRMapping &mapping) {
    Operation *made = index.getDefiningOp();
    if (!made || made->getBlock() != op.getBlock())
      return index;
    if (Value known = mapping.lookupOrNull(index))
      return known;
    if (auto own = dyn_cast<linalg::IndexOp>(made))
      return indices[own.getDim()];
    for (Value operand : made->getOperands())
      mapping.map(operand, computeIndex(operand, mapping));
    builder.clone(*made, mapping);
    return mapping.lookup(index);
  }

  /// Leaves the tile of `source`, which `load` loads along memory, in shared memory.
  Staged stage(Value source, llvm::function_ref<Value()> load) {
    auto space =
        gpu::AddressSpaceAttr::get(op.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    auto type = MemRefType::get({plan.tileAlong, pitchOf(plan, source)},
                                getElementTypeOrSelf(source), MemRefLayoutAttrInterface(), space);
    Value buffer = memref::AllocOp::create(builder, loc, type);
    SmallVector<Place> places;
    SmallVector<Value> values;
    for (int64_t round = 0; round < rounds(); ++round) {
      Place at = placeOf(round, plan.tileAcross, plan.tileAlong);
      // Threads behind the tile read its last row.
      Value row = at.row;
      if (at.isInside)
        row = arith::MinUIOp::create(builder, loc, row, constant(plan.tileAlong - 1));
      indices[plan.along] = clamp(firstAlong, row, stepsAlong(), plan.tileAlong, 1);
      setAcross(clamp(firstAcross, at.column, stepsAcross(), plan.tileAcross, plan.lanes));
      values.push_back(load());
      places.push_back(at);
    }
    for (auto [at, value] : llvm::zip_equal(places, values))
      when(at.isInside,
           [&, at = at, value = value] { storeVector(value, buffer, {at.row, at.column}); });
    return {buffer, Value(), Value()};
  }

  void emitRound(int64_t round) {
    Place at = placeOf(round, plan.tileAlong, plan.tileAcross);
    indices[plan.along] = builder.createOrFold<arith::AddIOp>(loc, firstAlong, at.column);
    Value step = builder.createOrFold<arith::AddIOp>(loc, firstAcross, at.row);
    setAcross(step);
    Value isInside = at.isInside;
    auto check = [&](Value index, int64_t steps, int64_t side) {
      if (steps % side == 0)
        return;
      Value isHere =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, constant(steps));
      isInside = isInside ? builder.createOrFold<arith::AndIOp>(loc, isInside, isHere) : isHere;
    };
    check(indices[plan.along], stepsAlong(), plan.tileAlong);
    check(step, stepsAcross(), plan.tileAcross);
    for (auto &[operand, there] : staged)
      there = {there.buffer, at.column, at.row};
    for (auto &[read, there] : stagedReads)
      there = {there.buffer, at.column, at.row};
    when(isInside, [&] { storeResults(emitReductions(0, loadStarts(op, inits))); });
  }

  ArrayRef<Value> inits;
  Transposition plan;
  Value thread, firstAlong, firstAcross;
};
} // namespace

OpFoldResult forge::emitTransposedTiles(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
                                        const Transposition &plan) {
  OpFoldResult blocks = TransposedTiles(op, inits, threads, plan).emit();
  op->erase();
  return blocks;
}
