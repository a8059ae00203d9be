#include "RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace forge {
namespace {

/// True for an operation that picks one of its operands, so that joining a value twice changes
/// nothing; or that widens it to be compared, and narrows what was picked.
bool isIdempotent(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp,
             arith::OrIOp, arith::SelectOp, arith::CmpFOp, arith::CmpIOp, arith::ExtFOp,
             arith::TruncFOp>(op) ||
         (isa<arith::XOrIOp>(op) &&
          op->getResult(0).getType().isInteger(1)); // a negation in a comparison
}

/// The neutral element of an operation that sums or multiplies; null for others.
TypedAttr neutralOf(Operation *op, Builder b) {
  Type type = op->getResult(0).getType();
  if (isa<arith::AddFOp>(op)) // -0 + x is x for every x
    return b.getFloatAttr(
        type, APFloat::getZero(cast<FloatType>(type).getFloatSemantics(), /*Negative=*/true));
  if (isa<arith::MulFOp>(op))
    return b.getFloatAttr(type, 1.0);
  if (isa<arith::AddIOp>(op))
    return b.getIntegerAttr(type, 0);
  if (isa<arith::MulIOp>(op))
    return b.getIntegerAttr(type, 1);
  return {};
}

/// The values of `crossing` that reach `value` as operands that are carried along, not as
/// conditions.
void collectCarried(Value value, const llvm::SetVector<Value> &crossing,
                    const llvm::SetVector<Operation *> &combiner, llvm::SetVector<Value> &found,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (crossing.contains(value)) {
    found.insert(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !combiner.contains(op) || !seen.insert(op).second)
    return;
  auto operands = isa<arith::SelectOp>(op) ? op->getOperands().drop_front(1) : op->getOperands();
  for (Value operand : operands)
    collectCarried(operand, crossing, combiner, found, seen);
}

/// True if `value` is computed from `elements` and constants alone; the operations that do so are
/// added to `combiner`.
bool followsFrom(Value value, const llvm::DenseSet<Value> &elements,
                 llvm::SetVector<Operation *> &combiner) {
  if (elements.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isPure(op) || isa<linalg::IndexOp>(op))
    return false;
  if (!llvm::all_of(op->getOperands(),
                    [&](Value operand) { return followsFrom(operand, elements, combiner); }))
    return false;
  if (!op->hasTrait<OpTrait::ConstantLike>())
    combiner.insert(op);
  return true;
}

/// The extension of an element of an accumulator's type to another in which it is only compared
/// with an accumulator, extended likewise; null for another value.
Operation *widensToCompare(Value value, linalg::GenericOp op,
                           const llvm::SetVector<Operation *> &combiner) {
  auto wide = value.getDefiningOp<arith::ExtFOp>();
  bool isAlike = wide && llvm::any_of(op.getRegionOutputArgs(), [&](BlockArgument accumulator) {
                   return accumulator.getType() == wide.getIn().getType();
                 });
  bool isCompared = isAlike && llvm::all_of(wide->getUsers(), [&](Operation *user) {
                      return combiner.contains(user) && isIdempotent(user);
                    });
  return isCompared ? wide.getOperation() : nullptr;
}

/// The operations that depend on an accumulator; their results are added to `dependent`. Fails on
/// one with a region.
FailureOr<llvm::SetVector<Operation *>> collectCombiner(Block &body,
                                                        llvm::DenseSet<Value> &dependent) {
  llvm::SetVector<Operation *> combiner;
  for (Operation &inner : body.without_terminator())
    if (llvm::any_of(inner.getOperands(),
                     [&](Value operand) { return dependent.contains(operand); })) {
      if (inner.getNumRegions() != 0)
        return failure();
      combiner.insert(&inner);
      dependent.insert(inner.result_begin(), inner.result_end());
    }
  return combiner;
}

/// The values, other than constants, that `combiner` takes from the rest of the body. Extensions of
/// elements in which they are only compared join the combiner.
llvm::SetVector<Value> collectCrossing(linalg::GenericOp op, const llvm::DenseSet<Value> &dependent,
                                       llvm::SetVector<Operation *> &combiner) {
  SmallVector<Operation *> widened;
  for (Operation *inner : combiner)
    for (Value operand : inner->getOperands())
      if (!dependent.contains(operand))
        if (Operation *wide = widensToCompare(operand, op, combiner))
          widened.push_back(wide);
  combiner.insert(widened.begin(), widened.end());
  llvm::SetVector<Value> crossing;
  for (Operation *inner : combiner)
    for (Value operand : inner->getOperands()) {
      Operation *source = operand.getDefiningOp();
      bool isConstant = source && source->hasTrait<OpTrait::ConstantLike>();
      if (!llvm::is_contained(widened, source) && !dependent.contains(operand) && !isConstant)
        crossing.insert(operand);
    }
  return crossing;
}

/// The operations of `combiner` that `value` is computed by, and the accumulators it follows from.
void collectSlice(Value value, const llvm::SmallPtrSetImpl<Operation *> &combiner,
                  llvm::SmallPtrSetImpl<Operation *> &slice,
                  llvm::SmallPtrSetImpl<Value> &accumulators) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument)
    accumulators.insert(argument);
  Operation *op = value.getDefiningOp();
  if (op && combiner.contains(op) && slice.insert(op).second)
    for (Value operand : op->getOperands())
      collectSlice(operand, combiner, slice, accumulators);
}

/// Accumulators of which one follows from another are of one group; each group has the number of
/// its first.
SmallVector<unsigned> groupsOf(linalg::GenericOp op, const llvm::SetVector<Operation *> &combiner) {
  llvm::SmallPtrSet<Operation *, 8> all(combiner.begin(), combiner.end());
  auto accumulators = op.getRegionOutputArgs();
  SmallVector<unsigned> groups = llvm::to_vector(llvm::seq<unsigned>(0, accumulators.size()));
  for (auto [number, yielded] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    llvm::SmallPtrSet<Operation *, 8> slice;
    llvm::SmallPtrSet<Value, 4> reached;
    collectSlice(yielded, all, slice, reached);
    for (auto [other, accumulator] : llvm::enumerate(accumulators)) {
      if (!reached.contains(accumulator))
        continue;
      auto [least, greatest] = std::minmax(groups[number], groups[other]);
      for (unsigned &group : groups)
        if (group == greatest)
          group = least;
    }
  }
  return groups;
}

/// Whether what each group takes from the element follows from the elements of its own
/// accumulators.
bool keepToTheirGroups(linalg::GenericOp op, const RowReduction &reduction,
                       const llvm::SetVector<Value> &crossing,
                       llvm::SetVector<Operation *> &combiner) {
  llvm::SmallPtrSet<Operation *, 8> all(combiner.begin(), combiner.end());
  for (auto [number, yielded] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    llvm::DenseSet<Value> own;
    for (auto [element, group] : llvm::zip_equal(reduction.elements, reduction.groups))
      if (group == reduction.groups[number])
        own.insert(element);
    llvm::SmallPtrSet<Operation *, 8> slice;
    llvm::SmallPtrSet<Value, 4> reached;
    collectSlice(yielded, all, slice, reached);
    for (Operation *inner : slice)
      for (Value operand : inner->getOperands())
        if (crossing.contains(operand) && !followsFrom(operand, own, combiner))
          return false;
  }
  return true;
}

} // namespace

bool isMatrixProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  AffineMap left = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap right = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  bool isSummed = false, isShared = false;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool inLeft = left.isFunctionOfDim(loop), inRight = right.isFunctionOfDim(loop);
    isSummed |= type == utils::IteratorType::reduction && inLeft && inRight;
    isShared |= type == utils::IteratorType::parallel && inLeft != inRight;
  }
  return isSummed && isShared;
}

/// 1. What depends on an accumulator is the combiner.
/// 2. Values it takes from the rest of the body cross over.
/// 3. Each accumulator is paired with the crossing value that its new value is picked or summed
///    from.
FailureOr<RowReduction> RowReduction::match(linalg::GenericOp op, std::string &why) {
  Block &body = *op.getBody();
  auto accumulators = op.getRegionOutputArgs();
  llvm::DenseSet<Value> dependent(accumulators.begin(), accumulators.end());
  FailureOr<llvm::SetVector<Operation *>> collected = collectCombiner(body, dependent);
  if (failed(collected)) {
    why = "a region in the combiner";
    return failure();
  }
  llvm::SetVector<Operation *> &combiner = *collected;
  llvm::SetVector<Value> crossing = collectCrossing(op, dependent, combiner);

  RowReduction reduction;
  reduction.groups = groupsOf(op, combiner);
  llvm::DenseSet<Value> paired;
  llvm::DenseSet<std::pair<Value, unsigned>> pairedInGroup;
  Builder b(op.getContext());
  for (auto [accumulator, yielded] :
       llvm::zip_equal(accumulators, body.getTerminator()->getOperands())) {
    llvm::SetVector<Value> found;
    llvm::SmallPtrSet<Operation *, 8> seen;
    collectCarried(yielded, crossing, combiner, found, seen);
    unsigned group = reduction.groups[accumulator.getArgNumber() - op.getNumDpsInputs()];
    if (found.size() != 1 || found.front().getType() != accumulator.getType() ||
        !pairedInGroup.insert({found.front(), group}).second) {
      why = "no element of its own for an accumulator";
      return failure();
    }
    reduction.elements.push_back(found.front());
    paired.insert(found.front());
    Operation *last = yielded.getDefiningOp();
    TypedAttr neutral = last ? neutralOf(last, b) : TypedAttr();
    bool direct = neutral && llvm::is_contained(last->getOperands(), accumulator) &&
                  llvm::is_contained(last->getOperands(), found.front());
    if (!direct && !llvm::all_of(seen, isIdempotent)) {
      why = "partial results of the combiner cannot be joined";
      return failure();
    }
    reduction.neutral.push_back(direct ? neutral : TypedAttr());
  }
  // A crossing value that no accumulator stands for must follow from those that one does.
  for (Value value : crossing)
    if (!followsFrom(value, paired, combiner)) {
      why = "the combiner reads more of the element than it keeps";
      return failure();
    }
  if (paired.size() < reduction.elements.size() &&
      !keepToTheirGroups(op, reduction, crossing, combiner)) {
    why = "no element of its own for an accumulator";
    return failure();
  }
  reduction.combiner.assign(combiner.begin(), combiner.end());
  llvm::sort(reduction.combiner, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return reduction;
}

SmallVector<Value> RowReduction::combine(OpBuilder &b, linalg::GenericOp op,
                                         ValueRange accumulators, ValueRange values) const {
  OperandRange yielded = op.getBody()->getTerminator()->getOperands();
  SmallVector<Value> results(yielded.size());
  llvm::SmallPtrSet<Operation *, 8> all(combiner.begin(), combiner.end());
  for (unsigned group : llvm::SetVector<unsigned>(groups.begin(), groups.end())) {
    IRMapping mapping;
    mapping.map(op.getRegionOutputArgs(), accumulators);
    llvm::SmallPtrSet<Operation *, 8> slice;
    llvm::SmallPtrSet<Value, 4> reached;
    for (auto [number, value] : llvm::enumerate(yielded)) {
      if (groups[number] != group)
        continue;
      mapping.map(elements[number], values[number]);
      collectSlice(value, all, slice, reached);
    }
    for (Operation *inner : combiner)
      if (slice.contains(inner))
        b.clone(*inner, mapping);
    for (auto [number, value] : llvm::enumerate(yielded))
      if (groups[number] == group)
        results[number] = mapping.lookup(value);
  }
  return results;
}

} // namespace forge
