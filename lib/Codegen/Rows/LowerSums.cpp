// Plain loops for sums, in blocks.
#include "BlockedSum.h"

#include "forge/Codegen/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace forge {
#define GEN_PASS_DEF_LOWERSUMSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-lower-sums"

using namespace mlir;

namespace forge {
namespace {

/// The addition of floats, or other operation with a neutral element, that alone makes result
/// `number`; null if there is none.
Operation *combinerOf(linalg::LinalgOp op, unsigned number) {
  SmallVector<Operation *> combiners;
  Value reduced = matchReduction(op.getRegionOutputArgs(), number, combiners);
  if (!reduced || combiners.size() != 1 || !arith::getNeutralElement(combiners[0]))
    return nullptr;
  return combiners[0];
}

bool isFloatSum(Operation *combiner) {
  auto add = dyn_cast<arith::AddFOp>(combiner);
  return add && cast<FloatType>(add.getType()).getWidth() >= 16;
}

/// Scalar loops around the body of one operation.
class SumEmitter {
public:
  SumEmitter(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<Operation *> combiners)
      : b(rewriter), op(op), combiners(combiners), loc(op.getLoc()), ivs(op.getNumLoops()) {
    for (Range range : op.createLoopRanges(b, loc))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      (linalg::isReductionIterator(type) ? reductions : parallel).push_back(loop);
  }

  void run(bool useParallel) {
    if (useParallel && !parallel.empty())
      return emitParallel();
    emitSequential(parallel);
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  void emitParallel() {
    SmallVector<Value> zeros(parallel.size(), index(0)), ones(parallel.size(), index(1)), ends;
    for (unsigned loop : parallel)
      ends.push_back(sizes[loop]);
    auto nest = scf::ParallelOp::create(b, loc, zeros, ends, ones);
    for (auto [loop, iv] : llvm::zip_equal(parallel, nest.getInductionVars()))
      ivs[loop] = iv;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(nest.getBody());
    emitElement();
  }

  void emitSequential(ArrayRef<unsigned> loops) {
    if (loops.empty())
      return emitElement();
    auto loop = scf::ForOp::create(b, loc, index(0), sizes[loops.front()], index(1));
    ivs[loops.front()] = loop.getInductionVar();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitSequential(loops.drop_front());
  }

  SmallVector<Value> position(OpOperand *operand) {
    SmallVector<Value> indices;
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (unsigned i = 0; i < map.getNumResults(); ++i) {
      auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
      indices.push_back(dim ? ivs[dim.getPosition()]
                            : affine::AffineApplyOp::create(b, loc, map.getSubMap({i}), ivs));
    }
    return indices;
  }

  Value join(Operation *combiner, Value x, Value y) {
    IRMapping mapping;
    mapping.map(combiner->getOperand(0), x);
    mapping.map(combiner->getOperand(1), y);
    return b.clone(*combiner, mapping)->getResult(0);
  }
  Accumulators joinAll(ValueRange x, ValueRange y) {
    Accumulators joined;
    for (auto [combiner, a, c] : llvm::zip_equal(combiners, x, y))
      joined.push_back(join(combiner, a, c));
    return joined;
  }

  /// The first value of every partial result; for a sum -0, which changes nothing.
  Accumulators neutrals() {
    Accumulators values;
    for (Operation *combiner : combiners) {
      TypedAttr value = *arith::getNeutralElement(combiner);
      if (isa<arith::AddFOp>(combiner))
        value = b.getFloatAttr(combiner->getResult(0).getType(), -0.0);
      values.push_back(arith::ConstantOp::create(b, loc, value));
    }
    return values;
  }

  /// What the body has for the accumulators, at the indices in `ivs`.
  Accumulators emitTerms() {
    IRMapping mapping;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!op.payloadUsesValueFromOperand(operand))
        continue;
      Value element = operand->get();
      if (isa<MemRefType>(element.getType()))
        element = memref::LoadOp::create(b, loc, element, position(operand));
      mapping.map(op.getMatchingBlockArgument(operand), element);
    }
    for (Operation &inner : op.getBlock()->without_terminator()) {
      if (auto indexOp = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(indexOp.getResult(), ivs[indexOp.getDim()]);
      else if (!llvm::is_contained(combiners, &inner))
        b.clone(inner, mapping);
    }
    Accumulators terms;
    for (auto [combiner, accumulator] : llvm::zip_equal(combiners, op.getRegionOutputArgs())) {
      bool isFirst = combiner->getOperand(0) == accumulator;
      terms.push_back(mapping.lookupOrDefault(combiner->getOperand(isFirst ? 1 : 0)));
    }
    return terms;
  }

  Accumulators reduce(ArrayRef<unsigned> loops) {
    if (loops.empty())
      return emitTerms();
    Value size = sizes[loops.front()];
    return emitBlockedReduction(
        b, loc, {index(0), size}, blocksOfSum(getConstantIntValue(size)), neutrals(),
        [&](Value at, ValueRange accumulators) {
          ivs[loops.front()] = at;
          return joinAll(accumulators, reduce(loops.drop_front()));
        },
        [&](ValueRange x, ValueRange y) { return joinAll(x, y); });
  }

  void emitElement() {
    Accumulators sums = reduce(reductions);
    for (auto [combiner, sum, init] : llvm::zip_equal(combiners, sums, op.getDpsInitsMutable())) {
      SmallVector<Value> indices = position(&init);
      Value before = memref::LoadOp::create(b, loc, init.get(), indices);
      memref::StoreOp::create(b, loc, join(combiner, before, sum), init.get(), indices);
    }
  }

  RewriterBase &b;
  linalg::LinalgOp op;
  ArrayRef<Operation *> combiners;
  Location loc;
  SmallVector<Value> ivs, sizes;
  SmallVector<unsigned> parallel, reductions;
};

/// 1. Every operation on buffers whose reduction loops add floats up, each result by one operation
///    of its own,
/// 2. becomes loops over its results, in parallel if asked for, and in them
/// 3. loops over the terms, in blocks, whose partial results are values, not memory.
struct LowerSums : impl::LowerSumsPassBase<LowerSums> {
  using LowerSumsPassBase::LowerSumsPassBase;

  void lower(RewriterBase &rewriter, linalg::LinalgOp op) {
    if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0)
      return;
    SmallVector<Operation *> combiners;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      combiners.push_back(combinerOf(op, i));
    if (llvm::is_contained(combiners, nullptr) || llvm::none_of(combiners, isFloatSum))
      return;
    // A result that a reduction loop moves along is no sum.
    for (OpOperand &init : op.getDpsInitsMutable())
      for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
        if (linalg::isReductionIterator(type) &&
            op.getMatchingIndexingMap(&init).isFunctionOfDim(loop))
          return;
    rewriter.setInsertionPoint(op);
    SumEmitter(rewriter, op, combiners).run(parallel);
    rewriter.eraseOp(op);
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      lower(rewriter, op);
  }
};

} // namespace
} // namespace forge
