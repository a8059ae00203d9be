// Gradients of branches; loops are unrolled before differentiation.
#include "GradientBuilders.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace forge::transformer {

/// Fills `to`, one side of the backward branch, from `from`, that of the branch:
///
/// 1. The operations again: what they compute is not known outside.
/// 2. Cotangents of what the branch yields are those of its results. The operations in reverse give
///    those of `captured`, the active values from outside.
/// 3. These are yielded, zeros where this side does not read a value.
static LogicalResult differentiateSide(scf::IfOp op, Region &from, Block &to,
                                       ArrayRef<Value> captured, Location loc,
                                       const Cotangents &outer) {
  ImplicitLocOpBuilder b(loc, OpBuilder::atBlockEnd(&to));
  IRMapping again;
  DenseSet<Value> active(captured.begin(), captured.end());
  SmallVector<std::pair<Value, Value>> results;
  if (!from.empty()) {
    for (Operation &inner : from.front().without_terminator()) {
      b.clone(inner, again);
      inner.walk([&](Operation *nested) {
        for (Value value : nested->getResults())
          if (outer.isActive(value))
            active.insert(again.lookup(value));
      });
    }
    for (auto [result, value] :
         llvm::zip(op.getResults(), from.front().getTerminator()->getOperands()))
      if (Value cotangent = outer.lookup(result))
        results.emplace_back(again.lookupOrDefault(value), cotangent);
  }
  Cotangents cotangents(std::move(active));
  SmallVector<Value> yielded;
  for (auto [value, cotangent] : results) {
    yielded.push_back(value);
    cotangents.add(b, value, cotangent);
  }
  if (failed(sweep(to, yielded, b, cotangents)))
    return failure();
  SmallVector<Value> gradients;
  for (Value value : captured) {
    Value gradient = cotangents.lookup(value);
    gradients.push_back(gradient ? gradient : zerosLike(b, value));
  }
  scf::YieldOp::create(b, gradients);
  return success();
}

/// A branch by the same condition, which yields the gradients of what is active around.
static LogicalResult branchGradients(scf::IfOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  SmallVector<Value> captured = llvm::filter_to_vector(used, [&](Value value) {
    return c.isActive(value) && isDifferentiableType(value.getType());
  });
  auto grad = scf::IfOp::create(b, ValueRange(captured).getTypes(), op.getCondition(),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (unsigned side : {0, 1})
    if (failed(differentiateSide(op, op->getRegion(side), grad->getRegion(side).front(), captured,
                                 b.getLoc(), c)))
      return failure();
  for (auto [value, gradient] : llvm::zip_equal(captured, grad.getResults()))
    c.add(b, value, gradient);
  return success();
}

void attachControlFlowModels(MLIRContext *context) {
  attachGradient<scf::IfOp, branchGradients>(context);
}

/// How often the loop runs, where its bounds are constants.
static std::optional<int64_t> roundsOf(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound()),
       end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  int64_t way = 0;
  if (!begin || !end || !step || *step <= 0 || loop.getUnsignedCmp())
    return std::nullopt;
  if (*end <= *begin)
    return 0;
  return llvm::SubOverflow(*end, *begin, way) ? std::nullopt
                                              : std::optional((way - 1) / *step + 1);
}

/// The body once for each round, in place of the loop.
static void unroll(scf::ForOp loop, int64_t rounds) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<Value> carried(loop.getInitArgs());
  int64_t begin = *getConstantIntValue(loop.getLowerBound()),
          step = *getConstantIntValue(loop.getStep());
  for (int64_t round = 0; round < rounds; ++round) {
    IRMapping mapping;
    auto index = b.getIntegerAttr(loop.getInductionVar().getType(), begin + round * step);
    mapping.map(loop.getInductionVar(), Value(arith::ConstantOp::create(b, index)));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getBody()->getTerminator()->getOperands()))
      value = mapping.lookupOrDefault(yielded);
  }
  loop->replaceAllUsesWith(carried);
  loop->erase();
}

void unrollLoops(func::FuncOp function) {
  int64_t left = kMostUnrolled;
  // Inner loops first: the size of a round counts theirs unrolled.
  function.walk([&](scf::ForOp loop) {
    std::optional<int64_t> rounds = roundsOf(loop);
    int64_t size = 0;
    loop.walk([&](Operation *) { ++size; });
    if (!rounds || loop->getNumResults() == 0 || *rounds > left / size)
      return;
    left -= *rounds * size;
    unroll(loop, *rounds);
  });
}

} // namespace forge::transformer
