// Loops of few steps whose steps are elementwise become straight code, which fusion makes one
// operation of.
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_UNROLLLOOPSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-unroll-loops"

using namespace mlir;

namespace {

/// Steps of a loop, and operations on elements of all of them, at most: fusion makes one operation
/// of as many, after constants have been folded.
constexpr int64_t kMostSteps = 8;
constexpr int64_t kMostOps = 640;
/// Elements of a table of constants whose parts become constants, at most.
constexpr int64_t kMostTableElements = 64;

bool isOfScalars(Operation &op) {
  return llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
}

/// Operations on one element that a step runs, if it only computes element by element, besides
/// scalars and reshapes; none else.
std::optional<int64_t> elementwiseOps(Block &body) {
  int64_t ops = 0;
  bool isWhole = false;
  for (Operation &op : body.without_terminator()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (!generic.hasPureTensorSemantics() || generic.getNumReductionLoops() != 0 ||
          generic->hasAttr(forge::kScheduleAttr) ||
          llvm::any_of(*generic.getBody(), [](Operation &inner) {
            return inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner) ||
                   isa<tensor::ExtractOp>(inner);
          }))
        return std::nullopt;
      ops += static_cast<int64_t>(generic.getBody()->getOperations().size()) - 1;
      isWhole |= generic.getNumLoops() > 0;
    } else if (!isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                    tensor::ExpandShapeOp, tensor::CastOp, tensor::FromElementsOp, linalg::FillOp>(
                   op) &&
               (!isOfScalars(op) || op.getNumRegions() != 0 || !isPure(&op)) &&
               !op.hasTrait<OpTrait::ConstantLike>()) {
      return std::nullopt;
    }
  }
  return isWhole ? std::optional<int64_t>(ops) : std::nullopt;
}

/// How often a counter that begins with `value` and is raised by `step` satisfies `predicate`
/// against `limit`: nothing if that is more than kMostSteps times.
std::optional<int64_t> countSteps(APInt value, const APInt &step, arith::CmpIPredicate predicate,
                                  const APInt &limit) {
  for (int64_t steps = 0; steps <= kMostSteps; ++steps, value += step)
    if (!arith::applyCmpPredicate(predicate, value, limit))
      return steps;
  return std::nullopt;
}

/// The steps of a loop that counts from a constant, and does nothing else before a step than to
/// compare the counter with a constant.
std::optional<int64_t> stepsOf(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != loop.getBeforeBody() ||
      !llvm::all_of(loop.getBeforeBody()->without_terminator(), [&](Operation &op) {
        return &op == compare || op.hasTrait<OpTrait::ConstantLike>();
      }))
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  APInt limit, initial, step;
  if (!counter || counter.getOwner() != loop.getBeforeBody() ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&limit)) ||
      !matchPattern(loop.getInits()[counter.getArgNumber()], m_ConstantInt(&initial)))
    return std::nullopt;
  auto add = loop.getYieldOp().getOperand(counter.getArgNumber()).getDefiningOp<arith::AddIOp>();
  if (!add || !matchPattern(add.getRhs(), m_ConstantInt(&step)))
    return std::nullopt;
  auto carried = dyn_cast<BlockArgument>(add.getLhs());
  if (!carried || carried.getOwner() != loop.getAfterBody() ||
      condition.getArgs()[carried.getArgNumber()] != counter)
    return std::nullopt;
  return countSteps(initial, step, compare.getPredicate(), limit);
}

std::optional<int64_t> stepsOf(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  return countSteps(lower, step,
                    loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
                    upper);
}

bool isWorthUnrolling(std::optional<int64_t> steps, Block &body) {
  std::optional<int64_t> ops = steps ? elementwiseOps(body) : std::nullopt;
  return ops && *steps * *ops <= kMostOps;
}

/// The operations of `body` with `mapping`, but for the terminator, whose operands it returns.
SmallVector<Value> cloneBody(OpBuilder &b, Block &body, IRMapping &mapping) {
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

void unroll(IRRewriter &b, scf::WhileOp loop, int64_t steps) {
  b.setInsertionPoint(loop);
  SmallVector<Value> values(loop.getInits());
  for (int64_t step = 0;; ++step) {
    IRMapping before;
    before.map(loop.getBeforeArguments(), values);
    // Behind the condition, what the loop hands to the step, or returns.
    values = llvm::to_vector(ArrayRef(cloneBody(b, *loop.getBeforeBody(), before)).drop_front());
    if (step == steps)
      break;
    IRMapping after;
    after.map(loop.getAfterArguments(), values);
    values = cloneBody(b, *loop.getAfterBody(), after);
  }
  b.replaceOp(loop, values);
}

void unroll(IRRewriter &b, scf::ForOp loop, int64_t steps) {
  b.setInsertionPoint(loop);
  APInt counter, by;
  matchPattern(loop.getLowerBound(), m_ConstantInt(&counter));
  matchPattern(loop.getStep(), m_ConstantInt(&by));
  Type type = loop.getInductionVar().getType();
  SmallVector<Value> values(loop.getInitArgs());
  for (int64_t step = 0; step < steps; ++step, counter += by) {
    IRMapping mapping;
    mapping.map(loop.getRegionIterArgs(), values);
    mapping.map(
        loop.getInductionVar(),
        arith::ConstantOp::create(b, loop.getLoc(), b.getIntegerAttr(type, counter)).getResult());
    values = cloneBody(b, *loop.getBody(), mapping);
  }
  b.replaceOp(loop, values);
}

/// 1. Inner loops first, each whose steps are known and few, and elementwise, becomes its steps.
/// 2. What they look up in tables of constants, as the rotations of a counter-based generator of
///    random numbers, becomes constants.
struct UnrollLoopsPass : public forge::impl::UnrollLoopsPassBase<UnrollLoopsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    IRRewriter b(&getContext());
    SmallVector<Operation *> loops;
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op))
        loops.push_back(op);
    });
    bool changed = false;
    for (Operation *op : loops) {
      if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        std::optional<int64_t> steps = stepsOf(loop);
        if (!isWorthUnrolling(steps, *loop.getAfterBody()))
          continue;
        unroll(b, loop, *steps);
      } else {
        auto counted = cast<scf::ForOp>(op);
        std::optional<int64_t> steps = stepsOf(counted);
        if (!isWorthUnrolling(steps, *counted.getBody()))
          continue;
        unroll(b, counted, *steps);
      }
      changed = true;
    }
    if (changed && failed(foldTables()))
      signalPassFailure();
  }

  LogicalResult foldTables() {
    RewritePatternSet patterns(&getContext());
    tensor::populateFoldConstantExtractSlicePatterns(patterns, [](tensor::ExtractSliceOp slice) {
      return slice.getType().hasStaticShape() &&
             slice.getType().getNumElements() <= kMostTableElements;
    });
    tensor::ExtractOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::populateInlineConstantOperandsPatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
