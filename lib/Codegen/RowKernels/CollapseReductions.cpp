#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "../Strategy/RowReduction.h"
#include "SplitPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_COLLAPSEREDUCTIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-collapse-reductions"

using namespace mlir;

namespace {

/// Makes one loop of a group of reduction loops that an operand holds side by side:
/// 1. The group is the longest run of reduction loops in the map of an input, its last dimensions
///    before others.
/// 2. An operand that holds several loops of the group side by side is collapsed there; where it
///    lacks some, its place is the quotient and remainder of the new loop.
/// 3. An index of an old loop is computed from the new one.
class GroupCollapser {
public:
  explicit GroupCollapser(linalg::GenericOp op) : op(op), sizes(op.getStaticLoopRanges()) {}

  /// The operation with one loop for the group; null if it has no group.
  linalg::GenericOp run() {
    findGroup();
    if (group.size() < 2 || !canCollapse())
      return nullptr;
    OpBuilder b(op);
    numberLoops(b);
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (OpOperand &operand : op->getOpOperands()) {
      auto [value, map] = collapse(b, operand);
      operands.push_back(value);
      maps.push_back(map);
    }
    SmallVector<utils::IteratorType> iterators;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (loop == group.front() || !llvm::is_contained(group, loop))
        iterators.push_back(type);
    auto collapsed = linalg::GenericOp::create(
        b, op.getLoc(), op->getResultTypes(), ArrayRef(operands).take_front(op.getNumDpsInputs()),
        ArrayRef(operands).drop_front(op.getNumDpsInputs()), maps, iterators);
    collapsed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    collapsed.getRegion().takeBody(op.getRegion());
    rewriteIndices(collapsed);
    op->replaceAllUsesWith(collapsed);
    op->erase();
    return collapsed;
  }

private:
  /// The place in the group of what `result` of a map is; nothing for another loop, or for no loop.
  std::optional<size_t> placeOf(AffineExpr result) const {
    auto loop = dyn_cast<AffineDimExpr>(result);
    const auto *found = loop ? llvm::find(group, loop.getPosition()) : group.end();
    return found == group.end() ? std::nullopt : std::optional<size_t>(found - group.begin());
  }

  void findGroup() {
    auto types = op.getIteratorTypesArray();
    bool groupIsLast = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      SmallVector<unsigned> current;
      AffineMap map = op.getMatchingIndexingMap(input);
      auto end = [&](bool isLast) {
        if (current.size() >= 2 &&
            std::pair(isLast, current.size()) > std::pair(groupIsLast, group.size())) {
          group = current;
          groupIsLast = isLast;
        }
        current.clear();
      };
      for (AffineExpr result : map.getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(result);
        if (loop && types[loop.getPosition()] == utils::IteratorType::reduction &&
            !llvm::is_contained(current, loop.getPosition()))
          current.push_back(loop.getPosition());
        else
          end(/*isLast=*/false);
      }
      end(/*isLast=*/true);
    }
  }

  /// Elements of the loops from place `begin` to before `end`; nothing if not known.
  std::optional<int64_t> extent(size_t begin, size_t end) const {
    int64_t product = 1;
    for (unsigned loop : ArrayRef(group).slice(begin, end - begin)) {
      if (ShapedType::isDynamic(sizes[loop]))
        return std::nullopt;
      product *= sizes[loop];
    }
    return product;
  }

  /// Whether the loops from `begin` to before `end` can be told from the new loop's counter: which
  /// follows from sizes that are known.
  bool isKnown(size_t begin, size_t end) const {
    return extent(end, group.size()) && (begin == 0 || extent(begin, end));
  }

  /// Where the run of loops of the group that begins at result `from` of `map` ends.
  size_t endOfRun(AffineMap map, size_t from) const {
    size_t end = from + 1;
    std::optional<size_t> place = placeOf(map.getResult(from));
    while (end < map.getNumResults() && placeOf(map.getResult(end)) == *place + (end - from))
      ++end;
    return end;
  }

  bool canCollapse() {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (size_t at = 0; at < map.getNumResults();) {
        std::optional<size_t> place = placeOf(map.getResult(at));
        if (place && op.isDpsInit(&operand))
          return false;
        if (!place) {
          if (llvm::any_of(group,
                           [&](unsigned loop) { return map.getResult(at).isFunctionOfDim(loop); }))
            return false;
          ++at;
          continue;
        }
        size_t end = endOfRun(map, at);
        if (!isKnown(*place, *place + (end - at)))
          return false;
        at = end;
      }
    }
    auto isUnknown = [&](linalg::IndexOp index) {
      std::optional<size_t> place = placeOf(getAffineDimExpr(index.getDim(), op.getContext()));
      return place && !isKnown(*place, *place + 1) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    };
    return !op.getBody()->walk(isUnknown).wasInterrupted();
  }

  /// New loops in the order of the old ones, the group's where its first was.
  void numberLoops(OpBuilder &b) {
    unsigned next = 0;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      numbers.push_back(loop != group.front() && llvm::is_contained(group, loop) ? 0 : next++);
    numLoops = next;
    counter = b.getAffineDimExpr(numbers[group.front()]);
  }

  std::pair<Value, AffineMap> collapse(OpBuilder &b, OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> dims, results;
    for (unsigned number : numbers)
      dims.push_back(b.getAffineDimExpr(number));
    SmallVector<ReassociationIndices> reassociation;
    for (size_t at = 0; at < map.getNumResults();) {
      std::optional<size_t> place = placeOf(map.getResult(at));
      size_t end = place ? endOfRun(map, at) : at + 1;
      results.push_back(place ? placeInGroup(*place, *place + (end - at))
                              : map.getResult(at).replaceDims(dims));
      reassociation.push_back(llvm::to_vector(llvm::seq<int64_t>(at, end)));
      at = end;
    }
    Value value = operand.get();
    if (reassociation.size() < map.getNumResults())
      value = tensor::CollapseShapeOp::create(b, op.getLoc(), value, reassociation);
    return {value, AffineMap::get(numLoops, 0, results, b.getContext())};
  }

  /// The number that the loops from `begin` to before `end` make together.
  AffineExpr placeInGroup(size_t begin, size_t end) const {
    AffineExpr place = counter.floorDiv(*extent(end, group.size()));
    return begin == 0 ? place : place % *extent(begin, end);
  }

  void rewriteIndices(linalg::GenericOp collapsed) {
    for (linalg::IndexOp index : llvm::to_vector(collapsed.getBody()->getOps<linalg::IndexOp>())) {
      OpBuilder b(index);
      Location loc = index.getLoc();
      std::optional<size_t> place = placeOf(b.getAffineDimExpr(index.getDim()));
      Value value =
          linalg::IndexOp::create(b, loc, numbers[place ? group.front() : index.getDim()]);
      auto constant = [&](int64_t number) {
        return arith::ConstantIndexOp::create(b, loc, number);
      };
      if (place && *place + 1 < group.size())
        value = arith::DivUIOp::create(b, loc, value, constant(*extent(*place + 1, group.size())));
      if (place && *place > 0)
        value = arith::RemUIOp::create(b, loc, value, constant(*extent(*place, *place + 1)));
      index.replaceAllUsesWith(value);
      index.erase();
    }
  }

  linalg::GenericOp op;
  SmallVector<int64_t> sizes;
  /// The loops that become one, outermost first.
  SmallVector<unsigned> group;
  /// For each old loop the new one.
  SmallVector<unsigned> numbers;
  unsigned numLoops = 0;
  AffineExpr counter;
};

/// Operations of linalg that use what `op` computes, and what they compute, a few steps on.
llvm::SmallPtrSet<Operation *, 8> followersOf(linalg::GenericOp op) {
  constexpr size_t most = 16;
  SmallVector<Operation *> found = {op};
  llvm::SmallPtrSet<Operation *, 8> followers;
  for (size_t i = 0; i < found.size() && found.size() < most; ++i)
    for (Operation *user : found[i]->getUsers()) {
      // A scalar is extracted inside of what uses it.
      if (!isa<linalg::GenericOp>(user))
        user = user->getParentOfType<linalg::GenericOp>();
      if (user && followers.insert(user).second)
        found.push_back(user);
    }
  return followers;
}

/// Makes one loop for each of `groups`, dimensions of `value`, of an elementwise operation that
/// reads it, if all its operands have their elements side by side or not at all.
void collapseElementwise(linalg::GenericOp op, Value value, ArrayRef<ReassociationIndices> groups) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() > 0 || op.hasIndexSemantics() ||
      op.hasDynamicShape() || op->hasAttr(forge::kScheduleAttr) || op->hasAttr(forge::kClusterAttr))
    return;
  AffineMap map;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == value)
      map = op.getMatchingIndexingMap(input);
  if (!map || !map.isPermutation())
    return;
  SmallVector<ReassociationIndices> loops;
  for (const ReassociationIndices &group : groups)
    if (group.size() > 1)
      loops.push_back(llvm::map_to_vector<2>(
          group, [&](int64_t dim) { return int64_t(map.getDimPosition(dim)); }));
  bool inOrder = llvm::all_of(loops, [](const ReassociationIndices &run) {
    return llvm::all_of(llvm::seq<size_t>(1, run.size()),
                        [&](size_t i) { return run[i] == run[i - 1] + 1; });
  });
  if (!inOrder || !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), loops))
    return;
  IRRewriter rewriter(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, loops, rewriter);
  if (succeeded(collapsed))
    rewriter.replaceOp(op, collapsed->results);
}

/// What follows from a reduction and reads the same elements, as a norm does, has them in one loop
/// too, so that one kernel can do both.
void collapseFollowers(linalg::GenericOp reduction) {
  for (Value input : reduction.getDpsInputs()) {
    auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse)
      continue;
    Value value = collapse.getSrc();
    llvm::SmallPtrSet<Operation *, 8> followers = followersOf(reduction);
    for (Operation *user : llvm::to_vector(value.getUsers()))
      if (auto op = dyn_cast<linalg::GenericOp>(user); op && followers.contains(op))
        collapseElementwise(op, value, collapse.getReassociationIndices());
  }
}

/// Whether `op` reduces much to few results, and an input has some of the loops alone, as a factor
/// for each row: where that would be read at quotients and remainders of one loop, of which no
/// parts can be told, an outer loop is divided instead.
bool isDividedByLoops(linalg::GenericOp op) {
  constexpr int64_t mostResults = 16;
  int64_t results = 1;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (auto [size, type] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel)
      results = llvm::SaturatingMultiply<uint64_t>(
          results, ShapedType::isDynamic(size) ? mostResults : size);
  bool hasPartly = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto reads = [&](unsigned loop) { return map.isFunctionOfDim(loop); };
    return llvm::any_of(loops, reads) && !llvm::all_of(loops, reads);
  });
  return results < mostResults && hasPartly && forge::planSplit(op);
}

struct CollapseReductionsPass
    : public forge::impl::CollapseReductionsPassBase<CollapseReductionsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      // Products of matrices have kernels of their own, which recognise them by their loops.
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 1 &&
          !forge::isMatrixProduct(op) && !op->hasAttr(forge::kScheduleAttr) &&
          !op->hasAttr(forge::kClusterAttr) && !isDividedByLoops(op))
        reductions.push_back(op);
    });
    for (linalg::GenericOp op : reductions) {
      linalg::GenericOp collapsed;
      while (op) {
        op = GroupCollapser(op).run();
        collapsed = op ? op : collapsed;
      }
      if (collapsed)
        collapseFollowers(collapsed);
    }
  }
};

} // namespace
