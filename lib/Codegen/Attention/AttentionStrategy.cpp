#include "AttentionStrategy.h"

#include "AttentionEmitter.h"
#include "AttentionMemory.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

static SmallVector<Operation *> operationsOf(func::FuncOp kernel) {
  return llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
}

/// The attention that `kernel` is on this chip; otherwise `why` says why not.
static std::optional<AttentionProgram> match(func::FuncOp kernel, const GPUChip &chip,
                                             std::string &why) {
  FailureOr<AttentionProgram> program = AttentionProgram::build(operationsOf(kernel), why);
  if (failed(program))
    return std::nullopt;
  if (const char *expected = whyNoAttention(*program, chip)) {
    why = std::string("something else than ") + expected;
    return std::nullopt;
  }
  for (const AttentionRead &read : {program->query, program->key, program->value}) {
    Value root = alignedRoot(program->memoryOf(read));
    if (!root || !isPlainArgument(root)) {
      why = "queries, keys or values at places that are no multiples of 16 bytes";
      return std::nullopt;
    }
  }
  return std::move(*program);
}

static constexpr StringLiteral kFields[] = {"keys", "split_kv", "threads"};

/// Of the floor, on an H200: 16 sequences of 4,096 keys 0.83, 64 of them 0.93, one sequence of
/// 32,768 keys, whose 64 blocks are half of the multiprocessors, 0.46; with 8 rows for each head of
/// keys 0.56 on an H100 (docs/gpu-h200.md). Of few keys it was not measured.
static constexpr double kShare = 0.83, kShareOfManyBlocks = 0.93, kShareOfManyRows = 0.56,
                        kShareOfFewKeys = 0.7, kLeastPart = 0.55;

static double shareOf(const AttentionProgram &program, const GPUChip &chip) {
  constexpr int64_t kManyKeys = 2048, kMostRows = 4;
  int64_t keys = program.extents[program.keyAxis()].size;
  if (!ShapedType::isDynamic(keys) && keys < kManyKeys)
    return kShareOfFewKeys;
  if (program.numRows() > kMostRows)
    return kShareOfManyRows;
  double blocks = static_cast<double>(numPlaces(program) * planAttention(program, chip).pieces);
  double part = blocks / static_cast<double>(chip.processors);
  return part >= 2 ? kShareOfManyBlocks : kShare * std::clamp(1.2 * part, kLeastPart, 1.0);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::string why;
  std::optional<AttentionProgram> program = match(kernel, chip, why);
  std::optional<double> floor = predictFloor(kernel, chip);
  return program && floor ? std::optional(*floor / shareOf(*program, chip)) : std::nullopt;
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  std::string why;
  std::optional<AttentionProgram> program = match(kernel, chip, why);
  if (!program) {
    whyNot("it takes attention of a few rows, but found " + why);
    return failure();
  }
  AttentionPlan plan = planAttention(*program, chip, given);
  return given.orSize("keys", plan.keys)
      .orSize("split_kv", plan.pieces)
      .orSize("threads", plan.threads);
}

static AttentionPlan planOf(ScheduleAttr schedule) {
  return {schedule.size("keys"), schedule.size("split_kv"), schedule.size("threads")};
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::string why;
  std::optional<AttentionProgram> program = match(kernel, chip, why);
  if (!program)
    return emitScheduleError(kernel,
                             "expected attention of a few rows for strategy attention, but found ")
           << why;
  AttentionPlan plan = planOf(schedule);
  AttentionLanes lanes(*program);
  if (!llvm::isPowerOf2_64(plan.threads) ||
      plan.threads < std::max({chip.warpSize, lanes.keyThreads, lanes.valueThreads}))
    return emitScheduleError(kernel, "expected a power of two of threads, a warp of ")
           << chip.warpSize << " or more, but got " << plan.threads;
  int64_t atOnce = plan.threads / std::min(lanes.keyThreads, lanes.valueThreads);
  int64_t unit = std::max(atOnce, chip.warpSize);
  if (plan.keys < unit || plan.keys % unit != 0 || plan.keys > 32 * unit)
    return emitScheduleError(kernel, "expected 1 to 32 times ")
           << unit << " keys in a chunk, but got " << plan.keys;
  if (!llvm::isPowerOf2_64(plan.pieces) || plan.pieces > chip.maxCluster ||
      program->numRows() * program->columns() % plan.pieces != 0)
    return emitScheduleError(kernel, "expected a power of two of at most ")
           << chip.maxCluster << " blocks that share the keys, but got " << plan.pieces;
  if (int64_t bytes = sharedBytesOf(*program, plan, chip); bytes > chip.sharedBytes)
    return emitScheduleError(kernel, "expected at most ")
           << chip.sharedBytes << " bytes of shared memory, but got " << bytes;
  return success();
}

/// Blocks: places of the outer axes, times the blocks of each.
static OpFoldResult gridOf(AttentionBuilder &b, const AttentionProgram &program,
                           const AttentionPlan &plan) {
  int64_t known = plan.pieces;
  Value total;
  for (auto [axis, row] : llvm::enumerate(program.isRow)) {
    if (row)
      continue;
    int64_t size = program.extents[axis].size;
    if (!ShapedType::isDynamic(size)) {
      known *= size;
      continue;
    }
    Value extent = sizeOf(b, program, axis);
    total = total ? arith::MulIOp::create(b, total, extent).getResult() : extent;
  }
  if (!total)
    return b.getIndexAttr(known);
  return b.mul(total, known);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  std::string why;
  std::optional<AttentionProgram> program = match(kernel, chip, why);
  if (!program)
    return emitScheduleError(kernel,
                             "expected attention of a few rows for strategy attention, but found ")
               << why,
           failure();
  AttentionPlan plan = planOf(schedule);
  AttentionBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = gridOf(b, *program, plan);
  shape.block[0] = plan.threads;
  shape.cluster = plan.pieces;
  shape.dynamicSharedBytes = b.getIndexAttr(0);
  SmallVector<Operation *> operations = operationsOf(kernel);
  emitAttention(b, *program, plan, chip);
  for (Operation *op : llvm::reverse(operations))
    if (isa<linalg::LinalgOp, memref::DeallocOp>(op) ||
        (isa<memref::AllocOp>(op) && op->use_empty()))
      op->erase();
  return shape;
}

constexpr Strategy forge::attentionStrategy = {"attention",
                                               kFields,
                                               /*orderFields=*/kFields,
                                               plan,
                                               predict,
                                               verify,
                                               lower,
                                               /*callsLibrary=*/false,
                                               /*writeTiles=*/nullptr,
                                               "parts of the keys for all multiprocessors, and "
                                               "accesses under way that hide the memory's latency"};
