#include "GradientBuilders.h"

#include "forge/Dialect/Transformer/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// Everything that `op` reads: its operands, and what its regions take from outside.
SmallVector<Value> valuesRead(Operation *op) {
  SmallVector<Value> values;
  op->walk([&](Operation *inner) { llvm::append_range(values, inner->getOperands()); });
  return values;
}

bool isInteger(Type type) { return isa<IntegerType>(getElementTypeOrSelf(type)); }

/// Whether values of a type change with what they are computed from: numbers do, also those stored
/// in narrow types; truth values and indices only select, and so do wider integers that no rounded
/// number has become.
bool holdsNumbers(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType, ComplexType>(element) || element.isInteger(4) || element.isInteger(8);
}
bool onlySelects(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() || element.isInteger(1);
}

bool isLocallyConstant(Operation *op) {
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  return differentiable && differentiable.isLocallyConstant();
}

/// Whether `op` reads `value` as a number: integers only select what comes out of an operation with
/// a gradient, unless integers come out as well, as of a product of i8.
bool readsNumber(Operation *op, Value value) {
  if (onlySelects(value.getType()))
    return false;
  return holdsNumbers(value.getType()) || !isa<DifferentiableOpInterface>(op) ||
         llvm::any_of(op->getResultTypes(), isInteger);
}

/// Adds to `active` what operations of `block` make of active values.
void activate(Block &block, DenseSet<Value> &active);

/// A branch's results are active where one of both yields is.
void activateBranch(scf::IfOp op, DenseSet<Value> &active) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    activate(region.front(), active);
    for (auto [result, value] :
         llvm::zip(op.getResults(), region.front().getTerminator()->getOperands()))
      if (active.contains(value))
        active.insert(result);
  }
}

void activate(Block &block, DenseSet<Value> &active) {
  for (Operation &op : block) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      activateBranch(branch, active);
      continue;
    }
    auto isRead = [&](Value value) { return active.contains(value) && readsNumber(&op, value); };
    SmallVector<Value> read = llvm::filter_to_vector(valuesRead(&op), isRead);
    if (read.empty() || isLocallyConstant(&op))
      continue;
    // What an operation with a gradient makes of floats is integers only where it tells places.
    bool rounded = !isa<DifferentiableOpInterface>(op) ||
                   llvm::any_of(read, [](Value value) { return isInteger(value.getType()); });
    for (Value result : op.getResults())
      if (holdsNumbers(result.getType()) || (rounded && !onlySelects(result.getType())))
        active.insert(result);
  }
}

/// Turns a copy of a function into its backward function.
///
/// 1. Forward: find the active values, those that depend on a chosen argument.
/// 2. Add an argument per float result: its cotangent.
/// 3. Backward: for each operation between a chosen argument and a result, in reverse order, build
///    the gradients of its active operands from the cotangents of its results.
/// 4. Return the cotangents of the chosen arguments, and drop what nothing reads of the forward
///    pass.
class Backward {
public:
  Backward(func::FuncOp function, ArrayRef<int64_t> arguments)
      : function(function), block(function.getBody().front()), arguments(arguments) {}

  LogicalResult build(bool primalResults) {
    DenseSet<Value> active;
    for (int64_t number : arguments)
      active.insert(block.getArgument(number));
    activate(block, active);
    Cotangents cotangents(std::move(active));
    if (failed(checkLeaving(cotangents)))
      return failure();
    Operation *terminator = block.getTerminator();
    SmallVector<Value> results(terminator->getOperands()), differentiable;
    ImplicitLocOpBuilder b(terminator->getLoc(), terminator);
    for (Value result : results)
      if (isFloatTensor(result.getType())) {
        differentiable.push_back(result);
        cotangents.add(b, result, addArgument(result));
      }
    if (failed(sweep(block, differentiable, b, cotangents)))
      return failure();
    b.setLoc(terminator->getLoc());
    if (!primalResults)
      results.clear();
    for (int64_t number : arguments) {
      Value argument = block.getArgument(number), gradient = cotangents.lookup(argument);
      results.push_back(gradient ? gradient : zerosLike(b, argument));
    }
    terminator->setOperands(results);
    function.setType(b.getFunctionType(block.getArgumentTypes(), ValueRange(results).getTypes()));
    eraseUnread(block);
    return success();
  }

private:
  /// Fails where what depends on a chosen argument leaves the function by another way than a
  /// tensor of floats: its gradient would be missing without a word.
  LogicalResult checkLeaving(const Cotangents &cotangents) {
    auto isActive = [&](Value value) { return cotangents.isActive(value); };
    WalkResult toMemory = block.walk([&](Operation *op) {
      bool isMemory = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
      if (!isMemory || llvm::none_of(op->getOperands(), isActive))
        return WalkResult::advance();
      op->emitError("'") << op->getName()
                         << "' is not differentiable: a chosen argument goes to memory";
      return WalkResult::interrupt();
    });
    if (toMemory.wasInterrupted())
      return failure();
    for (OpOperand &result : block.getTerminator()->getOpOperands()) {
      Type type = result.get().getType();
      if (isActive(result.get()) && !isFloatTensor(type) && !isInteger(type))
        return block.getTerminator()->emitError(
                   "expected a tensor of f64, f32, f16 or bf16 for result ")
               << result.getOperandNumber() << ", which depends on a chosen argument, but got "
               << type;
    }
    return success();
  }

  Value addArgument(Value result) {
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, result.getType(), {}, result.getLoc())))
      return {};
    return block.getArgument(number);
  }

  static void eraseUnread(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          eraseUnread(inner);
    }
  }

  func::FuncOp function;
  Block &block;
  ArrayRef<int64_t> arguments;
};

/// The arguments asked for, or all of floats. Fails at one that has no gradient.
FailureOr<SmallVector<int64_t>> chosenArguments(func::FuncOp function, ArrayRef<int64_t> asked) {
  SmallVector<int64_t> chosen(asked);
  if (asked.empty())
    for (BlockArgument argument : function.getArguments())
      if (isFloatTensor(argument.getType()))
        chosen.push_back(argument.getArgNumber());
  if (chosen.empty())
    return function.emitError("expected a function with an argument of floats");
  int64_t count = function.getNumArguments();
  for (int64_t number : chosen) {
    if (number < 0 || number >= count)
      return function.emitError("expected arguments below ") << count << ", but got " << number;
    if (!isFloatTensor(function.getArgumentTypes()[number]))
      return function.emitError("expected a tensor of f64, f32, f16 or bf16 for argument ")
             << number << ", but got " << function.getArgumentTypes()[number];
  }
  return chosen;
}

/// Blocks, quantised layers, epilogues and attention over pages as what they are made of, so that
/// gradients need not know them, and share what the forward pass computes.
LogicalResult decompose(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  populateTransformerDecomposePatterns(patterns);
  populateDecomposePagedAttentionPatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return function.emitError("cannot be decomposed");
  sinkIntoScores(function);
  return success();
}

} // namespace

LogicalResult sweep(Block &block, ArrayRef<Value> results, ImplicitLocOpBuilder &b,
                    Cotangents &cotangents) {
  /// Values that a result is computed from.
  DenseSet<Value> needed(results.begin(), results.end());
  SmallVector<Operation *> forward;
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      forward.push_back(&op);
  for (Operation *op : llvm::reverse(forward)) {
    bool reaches = llvm::any_of(
        op->getResults(), [&](Value v) { return needed.contains(v) && cotangents.isActive(v); });
    if (!reaches || isLocallyConstant(op))
      continue;
    for (Value value : valuesRead(op))
      if (readsNumber(op, value))
        needed.insert(value);
    if (isa<scf::ForOp>(op))
      return op->emitError(
                 "'scf.for' is not differentiable: expected constant bounds, and at most ")
             << kMostUnrolled << " operations in all of its rounds";
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op->emitError("'") << op->getName()
                                << "' is not differentiable: it has no DifferentiableOpInterface";
    b.setLoc(op->getLoc());
    bool has = llvm::any_of(op->getResults(), [&](Value v) { return cotangents.lookup(v); });
    if (has && failed(differentiable.buildGradients(b, cotangents)))
      return failure();
  }
  return success();
}

FailureOr<func::FuncOp> differentiate(func::FuncOp function,
                                      const DifferentiationOptions &options) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block");
  FailureOr<SmallVector<int64_t>> arguments = chosenArguments(function, options.arguments);
  if (failed(arguments))
    return failure();
  std::string name = options.name.empty() ? function.getName().str() + "_grad" : options.name;
  if (function->getParentOfType<ModuleOp>().lookupSymbol(name))
    return function.emitError("expected a new name for the backward function, but '@")
           << name << "' exists";
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(function);
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  copy.setName(name);
  copy.removeResAttrsAttr();
  // What the caller of the function no longer needs, and which result may take its place, says
  // nothing of this one's.
  for (unsigned number = 0; number < copy.getNumArguments(); ++number)
    for (StringRef attribute : {"jax.buffer_donor", "tf.aliasing_output"})
      copy.removeArgAttr(number, attribute);
  auto build = [&]() -> LogicalResult {
    if (failed(inlineCallsInto(copy)))
      return failure();
    unrollLoops(copy);
    return failed(decompose(copy)) ? failure()
                                   : Backward(copy, *arguments).build(options.primalResults);
  };
  if (failed(build())) {
    copy.erase();
    return failure();
  }
  return copy;
}

} // namespace forge::transformer
