#include "Generic.h"
#include "../Strategy/FactorPadding.h"
#include "LocalMemory.h"
#include "Neighbours.h"
#include "ThreadTile.h"
#include "Transposition.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/KernelWork.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

static constexpr int64_t kThreads = 256;

/// Elements of the first result that is not a scalar, as far as the types say.
static int64_t elementsOf(func::FuncOp kernel) {
  int64_t most = 1;
  for (Type type : kernel.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return kThreads;
    most = std::max(most, tensor.getNumElements());
  }
  return most;
}

/// Lines up to this length are one thread's.
static constexpr int64_t kThreadLine = 32;

/// How many slices there are; as many as can be where the types do not say.
static int64_t numSlices(const Slices &slices) {
  int64_t count = 1;
  for (const SliceDim &dim : slices.dims) {
    int64_t size = ShapedType::kDynamic;
    if (dim.places.empty()) {
      scf::ForOp loop = dim.loops.front();
      size = getConstantIntValue(loop.getUpperBound()).value_or(size);
    } else {
      auto [base, number] = dim.places.front();
      size = cast<ShapedType>(base.getType()).getDimSize(number);
    }
    if (ShapedType::isDynamic(size))
      return std::numeric_limits<int64_t>::max();
    count = saturatingMul(count, size);
  }
  return count;
}

/// Whether the threads of a block share a slice.
static bool isByBlock(const Slices &slices) {
  return !slices.chunkLoops.empty() &&
         (slices.hasBlockMemory || slices.dims.empty() ||
          ShapedType::isDynamic(slices.lineLength) || slices.lineLength > kThreadLine);
}

/// Threads of a block that shares slices: as many as there are steps to share, up to this.
static constexpr int64_t kMostShared = 512;
static int64_t threadsOf(const Slices &slices, const GPUChip &chip) {
  if (!slices.hasBlockMemory)
    return kThreads;
  int64_t most = 1;
  for (scf::ForOp loop : slices.chunkLoops)
    most = std::max(most, getConstantIntValue(loop.getUpperBound()).value_or(kThreads));
  return std::min<int64_t>(kMostShared, llvm::alignTo(most, chip.warpSize));
}

/// Slices of which each multiprocessor has some, in blocks of a warp.
static constexpr int64_t kManySlices = 4096;

/// Whether `loop` goes along a line: it is marked, or carries a number from step to step.
static bool goesAlongLine(scf::ForOp loop) {
  return loop->hasAttr(kScanAttr) ||
         llvm::any_of(loop.getResultTypes(), [](Type type) { return type.isIntOrFloat(); });
}

/// Threads of a block whose threads have a slice each. Where each goes along a line, blocks of few
/// slices are small, so that all multiprocessors have some; others share a launch with their
/// neighbours, whose blocks are of kThreads.
static int64_t threadsOf(func::FuncOp kernel, int64_t slices, const GPUChip &chip) {
  constexpr int64_t blocks = 512;
  WalkResult found = kernel.walk([&](scf::ForOp loop) {
    bool isLine = slices < kManySlices ? loop->hasAttr(kScanAttr) : goesAlongLine(loop);
    return isLine ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return std::min<int64_t>(kThreads, llvm::alignTo(slices, chip.warpSize));
  return std::clamp<int64_t>(llvm::bit_floor(static_cast<uint64_t>(slices / blocks)), chip.warpSize,
                             kThreads);
}

/// True for a fill that a later operation starts from, on tensors or on buffers.
static bool isStart(linalg::FillOp fill) {
  Value output = fill.hasPureTensorSemantics() ? fill.getResult(0) : fill.getDpsInits().front();
  return llvm::any_of(output.getUsers(), [&](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && fill->isBeforeInBlock(op) && llvm::is_contained(op.getDpsInits(), output);
  });
}

/// True if `op` is elementwise and alone reads what `producer` computes, element by element: then
/// one thread can compute both.
static bool canInline(Operation *producer, Operation *op) {
  auto source = dyn_cast<linalg::LinalgOp>(producer);
  auto target = dyn_cast<linalg::GenericOp>(op);
  if (!source || !target || isa<linalg::FillOp>(producer) || source.getNumDpsInits() != 1 ||
      target.getNumReductionLoops() > 0 ||
      !source.getMatchingIndexingMap(source.getDpsInitOperand(0)).isProjectedPermutation())
    return false;
  Value made =
      source.hasPureTensorSemantics() ? Value(source->getResult(0)) : source.getDpsInits().front();
  int reads = 0;
  for (OpOperand *input : target.getDpsInputOperands())
    if (input->get() == made) {
      if (!target.getMatchingIndexingMap(input).isPermutation())
        return false;
      ++reads;
    }
  // On buffers the temporary is the kernel's own.
  Operation *maker = made.getDefiningOp();
  bool isOwn = source.hasPureTensorSemantics() || isa_and_nonnull<memref::AllocOp>(maker);
  return reads == 1 && isOwn && llvm::all_of(made.getUsers(), [&](Operation *user) {
           return user == producer || user == op || isa<linalg::FillOp, memref::DeallocOp>(user);
         });
}

/// The operations of a kernel that compute, without the fills they start from and zeros around
/// factors; empty if there is anything that they do not say.
static SmallVector<Operation *> computingOps(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  int64_t temporaries = llvm::range_size(kernel.getOps<memref::AllocOp>());
  for (Operation &op : kernel.getBody().front()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op); fill && isStart(fill))
      continue;
    if (auto padding = dyn_cast<linalg::GenericOp>(op); padding && readsInside(padding)) {
      --temporaries;
      continue;
    }
    if (isa<linalg::LinalgOp, memref::CopyOp, tensor::InsertSliceOp,
            bufferization::MaterializeInDestinationOp>(op))
      ops.push_back(&op);
    else if (op.getNumRegions() > 0 || isa<memref::StoreOp, tensor::InsertOp>(op))
      return {};
  }
  return temporaries > 0 && ops.size() != 2 ? SmallVector<Operation *>() : ops;
}

/// True if what `op` writes in a step of its reduction loops, it writes when they have ended.
static bool writesAfterReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return true;
  SmallVector<unsigned> loops;
  linalgOp.getReductionDims(loops);
  return llvm::none_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&init);
    return llvm::any_of(loops, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  });
}

/// True if the kernel is one parallel operation, or one whose input another computes.
static bool isParallel(func::FuncOp kernel) {
  SmallVector<Operation *> ops = computingOps(kernel);
  if (!llvm::all_of(ops, writesAfterReduction))
    return false;
  return ops.size() == 1 || (ops.size() == 2 && canInline(ops[0], ops[1]));
}

/// The one operation of the kernel, if it is a reduction that threads can share; null otherwise.
static linalg::LinalgOp sharedReduction(func::FuncOp kernel) {
  SmallVector<Operation *> ops = computingOps(kernel);
  auto op = ops.size() == 1 ? dyn_cast<linalg::LinalgOp>(ops.front()) : linalg::LinalgOp();
  return op && canShare(op) ? op : linalg::LinalgOp();
}

/// Updates that one thread does by itself sooner than a block finds those that are its own.
static constexpr int64_t kFewUpdates = 16;

/// Where updates go, if blocks should own parts of what is written: not where slices leave each
/// thread a few steps.
static Destinations usefulDestinations(func::FuncOp kernel, const Slices &slices) {
  Destinations destinations = findDestinations(kernel);
  int64_t steps = 1;
  for (Operation *op : destinations.path) {
    auto loop = dyn_cast<scf::ForOp>(op);
    bool isSliced = llvm::any_of(
        slices.dims, [&](const SliceDim &dim) { return llvm::is_contained(dim.loops, loop); });
    if (!loop || isSliced)
      continue;
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    steps = end ? saturatingMul(steps, std::max<int64_t>(*end, 0))
                : std::numeric_limits<int64_t>::max();
  }
  return steps > kFewUpdates ? destinations : Destinations();
}

static constexpr StringLiteral kFields[] = {"threads", "reduce_threads"};
static constexpr StringLiteral kOrderFields[] = {"reduce_threads"};

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot) {
  int64_t threads = 1, parts = 1;
  linalg::LinalgOp shared = sharedReduction(kernel);
  if (std::optional<Sharing> sharing = shared ? planSharing(shared, chip) : std::nullopt) {
    parts = sharing->parts;
    while (given.has("threads") && given.size("threads") % parts != 0)
      parts /= 2;
    threads = given.findSize("reduce_threads").value_or(parts) * sharing->elements;
  } else if (isParallel(kernel))
    threads = std::min<int64_t>(kThreads, llvm::alignTo(elementsOf(kernel), chip.warpSize));
  else if (Slices slices = findSlices(kernel); isByBlock(slices))
    threads = threadsOf(slices, chip);
  else if (usefulDestinations(kernel, slices))
    threads = kThreads;
  else if (!slices.dims.empty())
    threads = threadsOf(kernel, numSlices(joinNeighbours(slices)), chip);
  return given.orSize("threads", threads).orSize("reduce_threads", parts);
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &) {
  int64_t parts = schedule.size("reduce_threads"), threads = schedule.size("threads");
  if (!llvm::isPowerOf2_64(parts) || threads % parts != 0)
    return emitScheduleError(
               kernel,
               "expected a power of two of threads that share a reduction, and that divides ")
           << threads << ", but got " << parts;
  if (parts > 1 && !sharedReduction(kernel))
    return emitScheduleError(kernel, "expected one reduction where threads share it");
  return success();
}

/// The scalar that `output` was filled with just before `op`, or null; the fill goes.
static Value takeFill(Value output, linalg::LinalgOp op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (auto fill = dyn_cast<linalg::FillOp>(before);
        fill && fill.getDpsInits().front() == output) {
      Value scalar = fill.getInputs().front();
      fill.erase();
      return scalar;
    }
  return Value();
}

/// `main`, the last operation of a parallel kernel, and what computes its input. Gives the number
/// of blocks.
static OpFoldResult emitParallel(func::FuncOp kernel, linalg::LinalgOp main, int64_t threads,
                                 int64_t parts) {
  SmallVector<Value> inits;
  for (Value output : main.getDpsInits())
    inits.push_back(isa<linalg::FillOp>(main.getOperation()) ? Value() : takeFill(output, main));
  SmallVector<Operation *> ops = computingOps(kernel);
  OpFoldResult blocks;
  if (ops.size() == 2) {
    auto op = cast<linalg::LinalgOp>(ops.front());
    Value init = takeFill(op.getDpsInits().front(), op);
    blocks = emitPerElement(op, init, threads, Epilogue{main, inits, {}});
  } else if (std::optional<Transposition> plan = findTransposition(main)) {
    blocks = emitTransposedTiles(main, inits, threads, *plan);
  } else if (parts > 1) {
    blocks = emitSharedElements(main, inits, threads, parts);
  } else {
    blocks = emitPerElement(main, inits, threads);
  }
  for (auto padding : llvm::to_vector(kernel.getOps<linalg::GenericOp>()))
    if (paddingOf(padding))
      padding.erase();
  for (auto alloc : llvm::to_vector(kernel.getOps<memref::AllocOp>())) {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    if (alloc.use_empty())
      alloc.erase();
  }
  return blocks;
}

/// 1. Copies are elementwise operations like others.
/// 2. One parallel operation: a thread for each of its elements; the fill it starts from becomes
///    the value its reductions start from. The threads of a block share long reductions.
/// 3. An elementwise operation on what one other computes (a product and its epilogue): the other's
///    element is computed where it is read, and there is no temporary.
/// 4. Updates of elements at computed positions (a scatter): a block owns some of the elements, and
///    does the updates that go there, in order.
/// 5. Other loops over elements (a sort, a scan) with slices that do not depend on each other: a
///    thread for each slice, or a block where the slice itself can be shared.
/// 6. Anything else: one thread, loop by loop.
static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  bool parallel = isParallel(kernel);
  IRRewriter rewriter(kernel.getContext());
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  }
  int64_t threads = schedule.size("threads");
  LaunchShape shape;
  shape.grid.fill(rewriter.getIndexAttr(1));
  shape.dynamicSharedBytes = rewriter.getIndexAttr(0);
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  if (!parallel) {
    Slices slices = findSlices(kernel);
    if (slices.hasBlockMemory) {
      FailureOr<int64_t> bytes = allocateShared(kernel, chip);
      if (failed(bytes))
        return failure();
      shape.dynamicSharedBytes = rewriter.getIndexAttr(*bytes);
      shape.grid[0] = emitPerSlice(kernel, slices, /*byBlock=*/true, threads);
      shape.block[0] = threads;
      return shape;
    }
    if (failed(checkLocalBytes(kernel)))
      return failure();
    allocateLocally(kernel);
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op)))
        return op->emitError("cannot be written as loops"), failure();
      op->erase();
    }
    slices = findSlices(kernel);
    bool byBlock = isByBlock(slices);
    Destinations destinations =
        byBlock || threads == 1 ? Destinations() : usefulDestinations(kernel, slices);
    if (destinations) {
      shape.grid[0] = emitPerDestination(destinations, threads);
      shape.block[0] = threads;
    } else if (threads > 1 && (byBlock || !slices.dims.empty())) {
      shape.grid[0] = emitPerSlice(kernel, assignNeighbours(slices), byBlock, threads);
      shape.block[0] = threads;
    }
    return shape;
  }
  shape.grid[0] = emitParallel(kernel, ops.back(), threads, schedule.size("reduce_threads"));
  shape.block[0] = threads;
  return shape;
}

/// Seconds of one thread per iteration of an operation's loops, loads and stores included: 21 to 32
/// ns for norms and softmaxes of 16 x 4,096 to 32,768 x 4,096 elements on an H200
/// (docs/gpu-h200.md, "Kernels beside their floors").
static constexpr double kSecondsOfPoint = 25e-9;

/// Whether a single thread computes all of the kernel, or each thread would pad a factor by itself.
static bool isOneThread(func::FuncOp kernel) {
  if (isParallel(kernel) || sharedReduction(kernel))
    return false;
  Slices slices = findSlices(kernel);
  return (slices.dims.empty() && !isByBlock(slices) && !usefulDestinations(kernel, slices)) ||
         llvm::any_of(kernel.getOps<linalg::LinalgOp>(), padsFactor);
}

/// The points of the loops of all operations, as far as sizes are known.
static double pointsOf(func::FuncOp kernel) {
  double points = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    double here = 1;
    for (int64_t size : op.getStaticLoopRanges())
      here *= ShapedType::isDynamic(size) ? 1 : static_cast<double>(size);
    points += here;
  });
  return points;
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  SmallVector<Operation *> ops =
      isParallel(kernel) ? computingOps(kernel) : SmallVector<Operation *>();
  auto isTiled = [&](linalg::LinalgOp op) { return ops.size() == 1 && findTransposition(op); };
  std::optional<double> cost;
  if (auto main = ops.empty() ? linalg::LinalgOp() : dyn_cast<linalg::LinalgOp>(ops.front()))
    if (ThreadTile tile = chooseThreadTile(main, accessesOf(main), /*mayRepeat=*/true);
        tile.positions > 1)
      cost = kPositionsBesides * costOfProducts(main, tile);
  std::optional<double> seconds = predictByThreads(kernel, chip, isTiled, cost);
  std::optional<KernelWork> work = workOf(kernel);
  if (!seconds || !work)
    return std::nullopt;
  double alone = isOneThread(kernel) ? pointsOf(kernel) * kSecondsOfPoint : 0;
  return std::max({*seconds, static_cast<double>(work->terms) * kSecondsOfTerm, alone});
}

static constexpr StringLiteral kChoice = "a thread an element, several where elements are few";
constexpr Strategy forge::genericStrategy = {"generic", kFields, kOrderFields, plan,    predict,
                                             verify,    lower,   false,        nullptr, kChoice};
