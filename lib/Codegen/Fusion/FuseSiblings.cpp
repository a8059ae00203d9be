// Merging of operations that walk the same tensor in the same order, such as the sums for mean and
// variance.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace forge {
namespace {

/// The input that both read element by element in the same order, over all loops; or null.
Value sharedFullInput(linalg::GenericOp first, linalg::GenericOp second) {
  for (OpOperand *a : first.getDpsInputOperands()) {
    AffineMap map = first.getMatchingIndexingMap(a);
    if (!map.isPermutation())
      continue;
    for (OpOperand *b : second.getDpsInputOperands())
      if (a->get() == b->get() && second.getMatchingIndexingMap(b) == map)
        return a->get();
  }
  return {};
}

/// Whether no input has an element for each step of `op`, a reduction: of the sums of such
/// operations only what they compute counts, and equal parts of that are computed once.
bool readsSmallInputs(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0 &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *in) {
           return op.getMatchingIndexingMap(in).getNumResults() < op.getNumLoops();
         });
}

/// Whether both compute of small inputs, one of which they read in the same order.
bool shareSmallInput(linalg::GenericOp first, linalg::GenericOp second) {
  return readsSmallInputs(first) && readsSmallInputs(second) &&
         first.getStaticLoopRanges() == second.getStaticLoopRanges() &&
         llvm::any_of(first.getDpsInputOperands(), [&](OpOperand *a) {
           return llvm::any_of(second.getDpsInputOperands(), [&](OpOperand *b) {
             return a->get() == b->get() &&
                    first.getMatchingIndexingMap(a) == second.getMatchingIndexingMap(b);
           });
         });
}

bool isCandidate(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && !op->hasAttr(kScheduleAttr) &&
         !linalg::isaContractionOpInterface(op) && !linalg::isaConvolutionOpInterface(op);
}

bool areMergeable(linalg::GenericOp first, linalg::GenericOp second) {
  return isCandidate(second) && first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         (sharedFullInput(first, second) || shareSmallInput(first, second)) &&
         !isTooLargeToFuse(first, second);
}

/// One operation with the operands, bodies and results of both, at the insertion point of
/// `rewriter`.
linalg::GenericOp mergeSiblings(RewriterBase &rewriter, linalg::GenericOp first,
                                linalg::GenericOp second) {
  SmallVector<Value> inputs(first.getInputs()), inits(first.getOutputs());
  llvm::append_range(inputs, second.getInputs());
  llvm::append_range(inits, second.getOutputs());
  SmallVector<AffineMap> maps;
  for (linalg::GenericOp op : {first, second})
    for (OpOperand *operand : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(operand));
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &operand : op.getDpsInitsMutable())
      maps.push_back(op.getMatchingIndexingMap(&operand));

  SmallVector<Type> types(first->getResultTypes());
  llvm::append_range(types, second->getResultTypes());
  auto merged = linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}), types, inputs, inits, maps,
      first.getIteratorTypesArray(), [&](OpBuilder &builder, Location loc, ValueRange args) {
        SmallVector<Value> yielded;
        size_t input = 0, init = inputs.size();
        for (linalg::GenericOp op : {first, second}) {
          IRMapping mapping;
          for (BlockArgument argument : op.getRegionInputArgs())
            mapping.map(argument, args[input++]);
          for (BlockArgument argument : op.getRegionOutputArgs())
            mapping.map(argument, args[init++]);
          for (Operation &inner : op.getBody()->without_terminator())
            builder.clone(inner, mapping);
          for (Value value : op.getBody()->getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(builder, loc, yielded);
      });
  unsigned count = first->getNumResults();
  rewriter.replaceOp(first, merged->getResults().take_front(count));
  rewriter.replaceOp(second, merged->getResults().drop_front(count));
  return merged;
}

/// The later of the two may move up if all it reads is there; the earlier one may move down if its
/// users are after the later, and what it reads is not overwritten between. Either way the later
/// does not depend on the earlier: it would have to go through one of those users.
Operation *placeToMerge(linalg::GenericOp first, linalg::GenericOp second) {
  // What the body takes from outside counts as read, as the operands do.
  SetVector<Value> read(second->operand_begin(), second->operand_end());
  getUsedValuesDefinedAbove(second->getRegions(), read);
  bool canMoveUp = llvm::all_of(read, [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return !def || def->getBlock() != first->getBlock() || def->isBeforeInBlock(first);
  });
  if (canMoveUp)
    return first;
  bool canMoveDown = llvm::all_of(first->getUsers(), [&](Operation *user) {
    Operation *ancestor = first->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && second->isBeforeInBlock(ancestor);
  });
  return canMoveDown && !wouldReadOverwritten(first, second) ? second.getOperation() : nullptr;
}

/// The operations behind `op` in its block that read one of its inputs, in order. Of a tensor that
/// a great many operations read, only the readers near by, or each reader would look at all others.
SmallVector<linalg::GenericOp> laterReaders(linalg::GenericOp op) {
  constexpr unsigned kManyReaders = 256, kNearBy = 512;
  llvm::SetVector<Operation *> readers;
  bool readsSmall = readsSmallInputs(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.getMatchingIndexingMap(input).isPermutation() && !readsSmall)
      continue;
    auto add = [&](Operation *user) {
      if (isa<linalg::GenericOp>(user) && user->getBlock() == op->getBlock() &&
          op->isBeforeInBlock(user))
        readers.insert(user);
    };
    if (!input->get().hasNUsesOrMore(kManyReaders)) {
      llvm::for_each(input->get().getUsers(), add);
      continue;
    }
    Operation *later = op->getNextNode();
    for (unsigned steps = 0; later && steps < kNearBy; ++steps, later = later->getNextNode())
      if (llvm::is_contained(later->getOperands(), input->get()))
        add(later);
  }
  auto ordered = llvm::map_to_vector(
      readers, [](Operation *reader) { return cast<linalg::GenericOp>(reader); });
  llvm::sort(ordered,
             [](linalg::GenericOp a, linalg::GenericOp b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// Merges `op` with the siblings behind it, in order, that it can be merged with. Returns whether
/// there is one.
bool mergeWithSiblings(linalg::GenericOp op, RewriterBase &rewriter) {
  if (!isCandidate(op))
    return false;
  bool changed = false;
  for (linalg::GenericOp sibling : laterReaders(op)) {
    if (!areMergeable(op, sibling))
      continue;
    if (Operation *place = placeToMerge(op, sibling)) {
      rewriter.setInsertionPoint(place);
      op = mergeSiblings(rewriter, op, sibling);
      changed = true;
    }
  }
  return changed;
}

/// One walk down the block; what was merged where it stood is looked at again.
bool mergeInBlock(Block &block, RewriterBase &rewriter) {
  bool changed = false;
  Operation *op = block.empty() ? nullptr : &block.front();
  while (op) {
    Operation *before = op->getPrevNode();
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !mergeWithSiblings(generic, rewriter)) {
      op = op->getNextNode();
      continue;
    }
    changed = true;
    op = before ? before->getNextNode() : &block.front();
  }
  return changed;
}

} // namespace

bool fuseSiblings(Operation *root) {
  IRRewriter rewriter(root->getContext());
  bool changed = false;
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) {
    if (!block->getOps<linalg::GenericOp>().empty())
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    while (mergeInBlock(*block, rewriter))
      changed = true;
  return changed;
}

} // namespace forge
