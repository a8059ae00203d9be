// Gradients of linalg operations, from what their bodies compute of one element of each operand.
#include "ForwardMode.h"
#include "GradientBuilders.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// One result y of an operation: y = f(operands) at every point of the loops, or, where loops are
/// reductions, y = the sum over them, or the largest or smallest, of f(inputs) and of what the
/// result begins as.
///
/// 1. The derivative of f by an operand, times the cotangent of y at the point, goes to the element
///    of the operand that the point reads: a sum over the loops that the operand does not have.
/// 2. What a sum begins as gets the cotangent.
/// 3. The cotangent of a largest number goes to those points whose f is that number, in equal
/// shares.
class ResultGradients {
public:
  ResultGradients(linalg::GenericOp op, OpResult y, Value dy, ImplicitLocOpBuilder &b,
                  Cotangents &c)
      : op(op), y(y), result(y.getResultNumber()), dy(dy), b(b), c(c),
        maps(op.getIndexingMapsArray()), isSum(op.getNumReductionLoops() != 0) {}

  LogicalResult build() {
    term = op.getBlock()->getTerminator()->getOperand(result);
    if (isSum && failed(findTerm()))
      return failure();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!c.isActive(operand.get()) || (isSum && op.isDpsInit(&operand)))
        continue;
      FailureOr<Value> gradient = gradientOf(operand);
      if (failed(gradient))
        return failure();
      c.add(b, operand.get(), *gradient);
    }
    return success();
  }

private:
  /// What a reduction adds up, or picks from.
  LogicalResult findTerm() {
    BlockArgument sum = op.getRegionOutputArgs()[result];
    Operation *last = term.getDefiningOp();
    bool adds = isa_and_nonnull<arith::AddFOp>(last);
    bool picks =
        isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
            last);
    if ((adds || picks) && (last->getOperand(0) == sum) != (last->getOperand(1) == sum))
      term = last->getOperand(last->getOperand(0) == sum);
    if (!(adds || picks) || term == last->getResult(0) || readsResults(term))
      return op.emitError(
          "'linalg' reduction is not differentiable: expected a sum, a maximum or a "
          "minimum of what its inputs give");
    Value init = op.getDpsInitOperand(result)->get();
    if (adds)
      c.add(b, init, dy);
    else if (c.isActive(init))
      return op.emitError("'linalg' reduction is not differentiable by what a maximum or minimum "
                          "begins as");
    else
      shareAmongEqual();
    return success();
  }

  /// Whether `value` is computed from what a result holds so far.
  bool readsResults(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return llvm::is_contained(op.getRegionOutputArgs(), argument);
    Operation *producer = value.getDefiningOp();
    return producer->getBlock() == op.getBlock() &&
           llvm::any_of(producer->getOperands(),
                        [&](Value operand) { return readsResults(operand); });
  }

  /// The points that give the extreme number are counted, and the cotangent divided by that.
  void shareAmongEqual() {
    extreme = y;
    SmallVector<Value> inputs(op.getDpsInputs());
    SmallVector<AffineMap> places(ArrayRef(maps).take_front(inputs.size()));
    inputs.push_back(extreme);
    places.append(2, maps[op.getNumDpsInputs() + result]);
    Value zeros = zerosLike(b, dy);
    auto count = linalg::GenericOp::create(
        b, zeros.getType(), inputs, zeros, places, op.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          ImplicitLocOpBuilder inner(loc, builder);
          IRMapping mapping;
          mapTo(mapping, args);
          ForwardMode copy(*op.getBlock(), term, inner, mapping, "");
          Value one = splatLike(inner, args.back(), 1.0);
          Value more = where(inner, mapping.lookupOrDefault(term), args.drop_back().back(), one);
          linalg::YieldOp::create(inner, Value(arith::AddFOp::create(inner, args.back(), more)));
        });
    dy = arith::DivFOp::create(b, dy, count.getResult(0));
  }

  /// `value` where `term` is `extreme`, elsewhere 0.
  static Value where(ImplicitLocOpBuilder &inner, Value term, Value extreme, Value value) {
    Value same = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, term, extreme);
    return arith::SelectOp::create(inner, same, value, splatLike(inner, value, 0.0));
  }

  /// The arguments of the body as those of an operation with the same first operands.
  void mapTo(IRMapping &mapping, ValueRange args) {
    unsigned count = isSum ? op.getNumDpsInputs() : op->getNumOperands();
    for (unsigned i = 0; i < count; ++i)
      mapping.map(op.getBlock()->getArgument(i), args[i]);
  }

  FailureOr<Value> gradientOf(OpOperand &operand) {
    if (!isFloatTensor(operand.get().getType()))
      return op.emitError("'linalg' operation is not differentiable for ")
             << operand.get().getType();
    Type element = typeOf(operand.get()).getElementType();
    Type compute =
        element.isF64() || term.getType().isF64() ? Type(b.getF64Type()) : Type(b.getF32Type());
    // 1. The operands, the cotangent, and the sums begin as zero.
    SmallVector<Value> inputs(op.getDpsInputs());
    SmallVector<AffineMap> places(ArrayRef(maps).take_front(inputs.size()));
    if (!isSum) {
      llvm::append_range(inputs, op.getDpsInits());
      places = maps;
    }
    if (extreme)
      inputs.push_back(extreme);
    inputs.push_back(dy);
    places.append(extreme ? 2 : 1, maps[op.getNumDpsInputs() + result]);
    AffineMap map = maps[operand.getOperandNumber()];
    addsUp = map.getNumResults() < op.getNumLoops();
    Value sums = addsUp ? zerosOf(operand.get(), compute) : emptyLike(operand.get());
    places.push_back(map);
    SmallVector<utils::IteratorType> loops(op.getNumLoops(), utils::IteratorType::reduction);
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      loops[map.getDimPosition(i)] = utils::IteratorType::parallel;
    // 2. The body.
    LogicalResult isKnown = success();
    auto grad = linalg::GenericOp::create(
        b, sums.getType(), inputs, sums, places, loops,
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          ImplicitLocOpBuilder inner(loc, builder);
          FailureOr<Value> next =
              emitTerm(inner, args, operand.getOperandNumber(), addsUp ? compute : element);
          isKnown = next;
          linalg::YieldOp::create(inner, succeeded(next) ? *next : args.back());
        });
    if (failed(isKnown))
      return failure();
    return convertTo(b, withoutUnread(grad), element);
  }

  Value emptyLike(Value value) {
    return tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), value),
                                   typeOf(value).getElementType());
  }
  Value zerosOf(Value value, Type element) {
    return zerosLike(
        b, tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), value), element));
  }

  /// The term at one point as `type`, and the sum so far where there is one.
  FailureOr<Value> emitTerm(ImplicitLocOpBuilder &inner, ValueRange args, unsigned by, Type type) {
    Block &body = *op.getBlock();
    IRMapping mapping;
    mapTo(mapping, args);
    ForwardMode forward(body, term, inner, mapping, "in a linalg operation");
    FailureOr<Value> slope = forward.derivative(term, body.getArgument(by));
    if (failed(slope))
      return failure();
    Value cotangent = args.drop_back().back();
    if (extreme)
      cotangent = where(inner, mapping.lookupOrDefault(term), args.drop_back(2).back(), cotangent);
    Value product = matchPattern(*slope, m_OneFloat())
                        ? cotangent
                        : Value(arith::MulFOp::create(inner, cotangent, *slope));
    product = convertTo(inner, product, type);
    return addsUp ? Value(arith::AddFOp::create(inner, args.back(), product)) : product;
  }

  /// The operation without the inputs that its body does not read, as far as the others tell how
  /// often its loops run.
  Value withoutUnread(linalg::GenericOp grad) {
    for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*grad.getBlock())))
      if (isOpTriviallyDead(&inner))
        inner.erase();
    SmallVector<AffineMap> places = grad.getIndexingMapsArray();
    SmallVector<Value> inputs(grad.getDpsInputs());
    for (unsigned i = inputs.size(); i-- > 0;) {
      SmallVector<AffineMap> left = places;
      left.erase(left.begin() + i);
      bool isRead = !grad.getBlock()->getArgument(i).use_empty();
      if (isRead || !inversePermutation(concatAffineMaps(left, b.getContext())))
        continue;
      places = left;
      inputs.erase(inputs.begin() + i);
      grad.getBlock()->eraseArgument(i);
    }
    auto smaller = linalg::GenericOp::create(b, grad.getResultTypes(), inputs, grad.getDpsInits(),
                                             places, grad.getIteratorTypesArray());
    smaller.getRegion().takeBody(grad.getRegion());
    grad.erase();
    return smaller.getResult(0);
  }

  linalg::GenericOp op;
  /// The result, of the operation or of the one that it is a copy of.
  Value y;
  unsigned result;
  Value dy;
  ImplicitLocOpBuilder &b;
  Cotangents &c;
  SmallVector<AffineMap> maps;
  bool isSum;
  /// Whether an operand lacks a loop, so that its gradient is a sum.
  bool addsUp = false;
  /// f, a value of the body.
  Value term;
  /// The result, where it is the largest or smallest f; else null.
  Value extreme;
};

/// Fails at an operation whose elements' places, or whose body, no gradient is known for.
LogicalResult check(linalg::LinalgOp op, const Cotangents &c) {
  if (!op.hasOnlyProjectedPermutations())
    return op.emitError("'") << op->getName()
                             << "' is not differentiable: expected operands indexed by loops alone";
  for (Operation &inner : *op.getBlock())
    if (llvm::any_of(inner.getOperands(), [&](Value value) { return c.isActive(value); }))
      return inner.emitError("'") << inner.getName()
                                  << "' in a linalg operation is not differentiable by what it "
                                     "reads from outside";
  return success();
}

/// Of the form that says everything in its body and maps; a copy, unless it is of that form.
LogicalResult structuredGradients(linalg::LinalgOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (failed(check(op, c)))
    return failure();
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    IRRewriter rewriter(b);
    auto copy = cast<linalg::LinalgOp>(b.clone(*op));
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, copy);
    if (failed(made))
      return op.emitError("'") << op->getName()
                               << "' is not differentiable: it has no general form";
    generic = *made;
  }
  LogicalResult built = success();
  for (OpResult result : op->getResults())
    if (Value dy = c.lookup(result); dy && succeeded(built))
      built = ResultGradients(generic, result, dy, b, c).build();
  if (generic.getOperation() != op.getOperation())
    generic.erase();
  return built;
}

template <typename Op> LogicalResult namedGradients(Op op, ImplicitLocOpBuilder &b, Cotangents &c) {
  return structuredGradients(cast<linalg::LinalgOp>(op.getOperation()), b, c);
}
template <typename... Ops> void attachStructured(MLIRContext *context) {
  (attachGradient<Ops, namedGradients<Ops>>(context), ...);
}

} // namespace

void attachStructuredModels(MLIRContext *context) {
  using namespace linalg;
  attachStructured<AbsOp, linalg::AddOp, BatchMatmulOp, BatchMatvecOp, BatchReduceMatmulOp,
                   BatchVecmatOp, ContractOp, CopyOp, DivOp, DotOp, ElementwiseOp, ErfOp, ExpOp,
                   GenericOp, LogOp, MapOp, linalg::MatmulOp, MatvecOp, MaxOp, MinOp, MulOp, NegFOp,
                   PowFOp, ReciprocalOp, ReduceOp, RsqrtOp, linalg::SelectOp, SqrtOp, SquareOp,
                   SubOp, TanhOp, VecmatOp>(context);
  attachConstant<CeilOp, FloorOp, RoundOp>(context);
}

} // namespace forge::transformer
