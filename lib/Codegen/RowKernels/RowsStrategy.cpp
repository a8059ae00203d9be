#include "RowsStrategy.h"
#include "RowEmitter.h"

#include "forge/Codegen/KernelWork.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

static SmallVector<Operation *> operationsOf(func::FuncOp kernel) {
  return llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
}

static constexpr StringLiteral kFields[] = {"vector", "loads", "rows", "blocks", "threads"};

static RowPlan planOf(ScheduleAttr schedule) {
  RowPlan plan;
  plan.vector = schedule.size("vector");
  plan.chunks = schedule.size("loads");
  plan.rows = schedule.size("rows");
  plan.pieces = schedule.size("blocks");
  plan.threads = schedule.size("threads") / plan.rows;
  return plan;
}

RowPlanLimits forge::rowLimitsOf(const GPUChip &chip) {
  return {chip.warpSize,    chip.maxThreads, chip.maxCluster,
          chip.sharedBytes, chip.processors, chip.hardwareExp2};
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(operationsOf(kernel), why);
  if (failed(program)) {
    whyNot("it takes operations over rows, but found " + why);
    return failure();
  }
  if (!program->reducesAlongMemory()) {
    whyNot("what it reduces is not along a row in memory");
    return failure();
  }
  RowPlan plan = planRows(*program, rowLimitsOf(chip), given);
  return given.orSize("vector", plan.vector)
      .orSize("loads", plan.chunks)
      .orSize("rows", plan.rows)
      .orSize("blocks", plan.pieces)
      .orSize("threads", plan.blockSize());
}

/// Several blocks that reduce a row together.
static LogicalResult verifyCluster(func::FuncOp kernel, const RowProgram &program,
                                   const RowPlan &plan, const GPUChip &chip) {
  if (!program.hasReduction() || !plan.loops() || !canExchangeInCluster(program))
    return emitScheduleError(
               kernel, "expected one block for a row that is looped over or reduced, but got ")
           << plan.pieces;
  if (!llvm::isPowerOf2_64(plan.pieces) || plan.pieces > chip.maxCluster)
    return emitScheduleError(kernel, "expected a power of two of at most ")
           << chip.maxCluster << " blocks that reduce a row, but got " << plan.pieces;
  if (plan.threads < chip.warpSize)
    return emitScheduleError(kernel, "expected a warp of ")
           << chip.warpSize << " threads in each block of a cluster, but got " << plan.threads;
  int64_t size = program.column.size;
  if (ShapedType::isDynamic(size) || (plan.pieces - 1) * plan.span(size) >= size)
    return emitScheduleError(kernel, "expected columns for each of ") << plan.pieces << " blocks";
  return success();
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto isPowerOf2 = [](int64_t x) { return x > 0 && (x & (x - 1)) == 0; };
  int64_t vector = schedule.size("vector"), chunks = schedule.size("loads"),
          rows = schedule.size("rows"), pieces = schedule.size("blocks"),
          threads = schedule.size("threads");
  if (!isPowerOf2(vector) || vector > 16)
    return emitScheduleError(kernel, "expected accesses of 1, 2, 4, 8 or 16 elements, but got ")
           << vector;
  if (chunks < 0 || chunks > 64)
    return emitScheduleError(kernel, "expected 0 to 64 accesses of each thread, but got ")
           << chunks;
  if (rows < 1 || threads % rows != 0 || !isPowerOf2(threads / rows))
    return emitScheduleError(kernel, "expected a power of two of threads for each of ")
           << rows << " rows, but got a block of " << threads;
  if (threads > chip.maxThreads)
    return emitScheduleError(kernel, "expected at most ")
           << chip.maxThreads << " threads, but got " << threads;
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(operationsOf(kernel), why);
  if (failed(program))
    return emitScheduleError(kernel, "expected a kernel over rows, but found ") << why;
  if (rows > 1 && threads / rows > chip.warpSize && program->hasReduction())
    return emitScheduleError(
        kernel,
        "expected one row per block where a row that is reduced has more threads than a warp");
  RowPlan plan = planOf(schedule);
  int64_t size = program->column.size;
  if (pieces < 1 || (pieces > 1 && rows > 1))
    return emitScheduleError(kernel, "expected one block for rows that share it, but got ")
           << pieces;
  if (pieces > 1 && (program->hasReduction() || plan.loops()) &&
      failed(verifyCluster(kernel, *program, plan, chip)))
    return failure();
  if (ShapedType::isDynamic(size) ? vector != 1 || chunks != 0 : size % vector != 0)
    return emitScheduleError(kernel, "expected accesses that divide the row, but got ")
           << vector << " elements";
  if (chunks > 0 && plan.span(size) * pieces < size)
    return emitScheduleError(kernel, "expected accesses for a whole row of ")
           << size << " elements, but got " << plan.span(size) * pieces;
  if (chunks > 0 && (pieces - 1) * plan.span(size) >= size)
    return emitScheduleError(kernel, "expected columns for each of ") << pieces << " blocks";
  return success();
}

/// Blocks: rows over rows of a block, times the blocks of a row.
static OpFoldResult gridOf(ImplicitLocOpBuilder &b, const RowProgram &program,
                           const RowPlan &plan) {
  int64_t known = 1;
  Value total;
  for (const RowProgram::Extent &extent : program.rows) {
    if (!ShapedType::isDynamic(extent.size)) {
      known *= extent.size;
      continue;
    }
    Value size = extent.sizeValue(b, b.getLoc());
    total = total ? arith::MulIOp::create(b, total, size).getResult() : size;
  }
  if (!total)
    return b.getIndexAttr(llvm::divideCeil(known, plan.rows) * plan.pieces);
  total = arith::MulIOp::create(b, total, arith::ConstantIndexOp::create(b, known));
  Value blocks = arith::CeilDivUIOp::create(b, total, arith::ConstantIndexOp::create(b, plan.rows));
  return arith::MulIOp::create(b, blocks, arith::ConstantIndexOp::create(b, plan.pieces))
      .getResult();
}

/// 1. The kernel as a graph of values over rows and columns.
/// 2. One thread's part of it.
/// 3. What it replaces goes.
static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  std::string why;
  SmallVector<Operation *> operations = operationsOf(kernel);
  FailureOr<RowProgram> program = RowProgram::build(operations, why);
  if (failed(program))
    return emitScheduleError(kernel, "expected a kernel over rows, but found ") << why, failure();
  RowPlan plan = planOf(schedule);
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = gridOf(b, *program, plan);
  shape.block[0] = plan.blockSize();
  shape.dynamicSharedBytes = b.getIndexAttr(0);
  shape.cluster = plan.isCluster() ? plan.pieces : 1;
  emitRows(b, *program, plan, rowLimitsOf(chip));
  for (Operation *op : llvm::reverse(operations))
    if (isa<linalg::LinalgOp, memref::CopyOp, memref::DeallocOp>(op) ||
        (isa<memref::AllocOp>(op) && op->use_empty()))
      op->erase();
  return shape;
}

static std::optional<ScheduleFit> fit(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &) {
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(operationsOf(kernel), why);
  if (failed(program) || ShapedType::isDynamic(program->column.size))
    return std::nullopt;
  RowPlan plan = planOf(schedule);
  int64_t rows = 1;
  for (const RowProgram::Extent &extent : program->rows) {
    if (ShapedType::isDynamic(extent.size))
      return std::nullopt;
    rows *= extent.size;
  }
  ScheduleFit fit;
  fit.tiles = llvm::divideCeil(rows, plan.rows) * plan.pieces;
  fit.threads = plan.blockSize();
  return fit;
}

constexpr Strategy forge::rowsStrategy = {
    "rows",
    kFields,
    /*orderFields=*/kFields,
    plan,
    predictByThreads,
    verify,
    lower,
    /*callsLibrary=*/false,
    /*writeTiles=*/nullptr,
    "the widest access that divides the row; threads that keep a few accesses each in registers; "
    "rows share a block where one needs a warp or less, and blocks a row that registers cannot "
    "hold",
    fit};
