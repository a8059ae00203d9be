#include "forge/Kernels/Kernel.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "forge-scalarize-loops"

namespace forge {
#define GEN_PASS_DEF_SCALARIZELOOPSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// True for tensor<T>.
static bool isScalarTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

/// True for tensor<T> which becomes a T: any, or those of integers.
static bool isCarried(Type type, bool integersOnly) {
  return isScalarTensor(type) && (!integersOnly || getElementTypeOrSelf(type).isIntOrIndex());
}

static Value toScalar(OpBuilder &builder, Value value) {
  if (!isScalarTensor(value.getType()))
    return value;
  return tensor::ExtractOp::create(builder, value.getLoc(), value, ValueRange());
}

static Value toTensor(OpBuilder &builder, Value scalar, Type wanted) {
  if (scalar.getType() == wanted)
    return scalar;
  return tensor::FromElementsOp::create(builder, scalar.getLoc(), wanted, scalar);
}

namespace {
/// linalg on tensors of rank 0: its body, once.
struct InlineScalarOperation : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  InlineScalarOperation(MLIRContext *context, bool integersOnly)
      : OpInterfaceRewritePattern(context), integersOnly(integersOnly) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (op.getNumLoops() != 0 || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "has loops");
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()) && !isCarried(operand.getType(), integersOnly))
        return rewriter.notifyMatchFailure(op, "an operand is no scalar");
    Block *body = op.getBlock();
    IRMapping mapping;
    for (auto [argument, operand] : llvm::zip_equal(body->getArguments(), op->getOperands()))
      if (!argument.use_empty())
        mapping.map(argument, toScalar(rewriter, operand));
    for (Operation &inner : body->without_terminator())
      rewriter.clone(inner, mapping);
    SmallVector<Value> results;
    for (auto [yielded, result] :
         llvm::zip_equal(body->getTerminator()->getOperands(), op->getResults()))
      results.push_back(toTensor(rewriter, mapping.lookupOrDefault(yielded), result.getType()));
    rewriter.replaceOp(op, results);
    return success();
  }

  bool integersOnly;
};

/// scf.while with scalars in place of tensors of rank 0.
struct CarryScalars : public OpRewritePattern<scf::WhileOp> {
  CarryScalars(MLIRContext *context, bool integersOnly)
      : OpRewritePattern(context), integersOnly(integersOnly) {}

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    auto carried = [&](Type type) { return isCarried(type, integersOnly); };
    if (llvm::none_of(loop.getInits().getTypes(), carried) &&
        llvm::none_of(loop.getResultTypes(), carried))
      return rewriter.notifyMatchFailure(loop, "carries no tensor of rank 0");
    SmallVector<Value> inits;
    for (Value init : loop.getInits())
      inits.push_back(carry(rewriter, init));
    SmallVector<Type> types = carriedTypes(loop.getResultTypes());
    auto scalarLoop = scf::WhileOp::create(rewriter, loop.getLoc(), types, inits);
    convertRegion(loop.getBefore(), scalarLoop.getBefore(), rewriter);
    convertRegion(loop.getAfter(), scalarLoop.getAfter(), rewriter);
    rewriter.setInsertionPointAfter(scalarLoop);
    SmallVector<Value> results;
    for (auto [scalar, old] : llvm::zip_equal(scalarLoop.getResults(), loop.getResults()))
      results.push_back(toTensor(rewriter, scalar, old.getType()));
    rewriter.replaceOp(loop, results);
    return success();
  }

  /// Moves a region; its arguments become scalars, and what its terminator hands on too.
  void convertRegion(Region &from, Region &to, PatternRewriter &rewriter) const {
    Block *old = &from.front();
    SmallVector<Location> locations =
        llvm::map_to_vector(old->getArguments(), [](Value v) { return v.getLoc(); });
    SmallVector<Type> types = carriedTypes(old->getArgumentTypes());
    Block *block = rewriter.createBlock(&to, to.end(), types, locations);
    SmallVector<Value> arguments;
    for (auto [argument, oldArgument] : llvm::zip_equal(block->getArguments(), old->getArguments()))
      arguments.push_back(toTensor(rewriter, argument, oldArgument.getType()));
    rewriter.mergeBlocks(old, block, arguments);
    Operation *terminator = block->getTerminator();
    rewriter.setInsertionPoint(terminator);
    SmallVector<Value> operands =
        llvm::map_to_vector(terminator->getOperands(), [&](Value v) { return carry(rewriter, v); });
    rewriter.modifyOpInPlace(terminator, [&] { terminator->setOperands(operands); });
  }

  Value carry(OpBuilder &builder, Value value) const {
    return isCarried(value.getType(), integersOnly) ? toScalar(builder, value) : value;
  }

  SmallVector<Type> carriedTypes(TypeRange types) const {
    return llvm::map_to_vector(types, [&](Type type) {
      return isCarried(type, integersOnly) ? getElementTypeOrSelf(type) : type;
    });
  }

  bool integersOnly;
};

/// Counting loops. Upstream's rewrite does not ask whether the step is positive, and gives the
/// counter's last value inside the loop as its result: both are asked here.
struct CountUp : public OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
      return rewriter.notifyMatchFailure(loop, "condition is not <");
    auto counter = dyn_cast<BlockArgument>(compare.getLhs());
    if (!counter || counter.getOwner() != loop.getBeforeBody())
      return rewriter.notifyMatchFailure(loop, "left of < is no loop argument");
    unsigned index = counter.getArgNumber();
    if (index >= loop.getNumResults() || !loop.getResult(index).use_empty())
      return rewriter.notifyMatchFailure(loop, "the counter is used after the loop");
    auto next = loop.getYieldOp().getOperand(index).getDefiningOp<arith::AddIOp>();
    APInt step;
    if (!next || !matchPattern(next.getRhs(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
      return rewriter.notifyMatchFailure(loop, "the step is no positive constant");
    return scf::upliftWhileToForLoop(rewriter, loop);
  }
};

struct ScalarizeLoopsPass : public forge::impl::ScalarizeLoopsPassBase<ScalarizeLoopsPass> {
  using ScalarizeLoopsPassBase::ScalarizeLoopsPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<InlineScalarOperation, CarryScalars>(context, integersOnly);
    patterns.add<CountUp>(context);
    for (StringRef name : {"tensor", "arith", "scf"})
      context->getLoadedDialect(name)->getCanonicalizationPatterns(patterns);
    tensor::ExtractOp::getCanonicalizationPatterns(patterns, context);
    scf::WhileOp::getCanonicalizationPatterns(patterns, context);
    FrozenRewritePatternSet frozen(std::move(patterns));
    // Kernel functions stay as they are.
    getOperation()->walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
      if (!forge::isKernel(function) && failed(applyPatternsGreedily(function, frozen)))
        signalPassFailure();
      return WalkResult::skip();
    });
  }
};
} // namespace
