// Sums of scatters into zeros, as gradients of several lookups in one table are.
#include "RowScatters.h"
#include "Zeros.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace forge {
#define GEN_PASS_DEF_JOINSCATTERSPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-join-scatters"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Whether `op` moves elements of its operand, or repeats them, and else gives zeros: it may be
/// applied to a sum.
static bool isOfSums(Operation *op) {
  if (auto pad = dyn_cast_or_null<PadOp>(op))
    return isZeros(pad.getPaddingValue());
  return isa_and_nonnull<ReshapeOp, BroadcastInDimOp, TransposeOp>(op);
}

/// Whether both are one operation but for what they are applied to.
static bool isAlike(Operation *a, Operation *b) {
  auto scatter = dyn_cast<ScatterOp>(a);
  if (a->getName() != b->getName() || a->getResultTypes() != b->getResultTypes())
    return false;
  if (!scatter)
    return a->getAttrDictionary() == b->getAttrDictionary() &&
           a->getOperand(0).getType() == b->getOperand(0).getType();
  auto other = cast<ScatterOp>(b);
  auto windows = [](ScatterOp op) {
    return tensorTypeOf(op.getUpdates()[0])
        .getShape()
        .drop_front(tensorTypeOf(op.getScatterIndices()).getRank() - 1);
  };
  ScatterDimensionNumbersAttr dims = scatter.getScatterDimensionNumbers(),
                              others = other.getScatterDimensionNumbers();
  return dims.getInsertedWindowDims() == others.getInsertedWindowDims() &&
         dims.getScatterDimsToOperandDims() == others.getScatterDimsToOperandDims() &&
         windows(scatter) == windows(other) &&
         tensorTypeOf(scatter.getScatterIndices()).getElementType() ==
             tensorTypeOf(other.getScatterIndices()).getElementType();
}

namespace {
/// What is added up, alike.
using Group = SmallVector<Value>;

/// A sum of values that are used nowhere else, if some of them are scatters that can be one.
class JoinedSum {
public:
  explicit JoinedSum(AddOp root) : root(root) { collect(root, leaves, /*isRoot=*/true); }

  bool joins() const { return joins(leaves); }
  Value build(OpBuilder &builder) const { return build(builder, leaves); }

private:
  /// The terms of `value`, if it is a sum that only another one reads.
  void collect(Value value, SmallVectorImpl<Value> &terms, bool isRoot = false) const {
    auto sum = value.getDefiningOp<AddOp>();
    if (!sum || sum->getBlock() != root->getBlock() || !(isRoot || value.hasOneUse())) {
      terms.push_back(value);
      return;
    }
    collect(sum.getLhs(), terms);
    collect(sum.getRhs(), terms);
  }

  SmallVector<Group> groupsOf(ArrayRef<Value> terms) const {
    SmallVector<Group> groups;
    for (Value term : terms) {
      Operation *op = term.getDefiningOp();
      auto scatter = dyn_cast_or_null<ScatterOp>(op);
      bool mayJoin = op && term.hasOneUse() && op->getBlock() == root->getBlock() &&
                     (scatter ? addsRowsToZeros(scatter) : isOfSums(op));
      auto *group =
          mayJoin ? llvm::find_if(groups,
                                  [&](const Group &some) {
                                    Operation *other = some.front().getDefiningOp();
                                    return other && joinable.contains(other) && isAlike(other, op);
                                  })
                  : groups.end();
      if (mayJoin)
        joinable.insert(op);
      if (group == groups.end())
        groups.push_back({term});
      else
        group->push_back(term);
    }
    return groups;
  }

  SmallVector<Value> operandsOf(const Group &group) const {
    SmallVector<Value> operands;
    for (Value value : group)
      collect(value.getDefiningOp()->getOperand(0), operands);
    return operands;
  }

  bool joins(ArrayRef<Value> terms) const {
    return llvm::any_of(groupsOf(terms), [&](const Group &group) {
      return group.size() > 1 &&
             (isa<ScatterOp>(group.front().getDefiningOp()) || joins(operandsOf(group)));
    });
  }

  Value build(OpBuilder &builder, ArrayRef<Value> terms) const {
    Value all;
    for (const Group &group : groupsOf(terms)) {
      Value sum = group.front();
      Operation *op = sum.getDefiningOp();
      if (group.size() > 1 && isa<ScatterOp>(op)) {
        sum = join(builder, group);
      } else if (group.size() > 1) {
        Value operand = build(builder, operandsOf(group));
        Operation *applied = builder.clone(*op);
        applied->setOperand(0, operand);
        sum = applied->getResult(0);
      }
      all = all ? AddOp::create(builder, root.getLoc(), all, sum) : sum;
    }
    return all;
  }

  /// One scatter of all updates: places in one dimension, those of one scatter after the other's.
  static Value join(OpBuilder &builder, const Group &group) {
    auto first = group.front().getDefiningOp<ScatterOp>();
    Location loc = first.getLoc();
    SmallVector<Value> indices, updates;
    int64_t count = 0;
    auto flat = [&](Value value, int64_t places, int64_t number) -> Value {
      RankedTensorType type = tensorTypeOf(value);
      SmallVector<int64_t> shape = {number};
      llvm::append_range(shape, type.getShape().drop_front(places));
      return type.getShape() == ArrayRef(shape)
                 ? value
                 : ReshapeOp::create(builder, loc, type.clone(shape), value);
    };
    for (Value value : group) {
      auto scatter = value.getDefiningOp<ScatterOp>();
      RankedTensorType type = tensorTypeOf(scatter.getScatterIndices());
      int64_t places = type.getRank() - 1, number = 1;
      for (int64_t size : type.getShape().drop_back())
        number *= size;
      indices.push_back(flat(scatter.getScatterIndices(), places, number));
      updates.push_back(flat(scatter.getUpdates()[0], places, number));
      count += number;
    }
    auto concatenate = [&](ArrayRef<Value> parts) -> Value {
      SmallVector<int64_t> shape(tensorTypeOf(parts.front()).getShape());
      shape[0] = count;
      return ConcatenateOp::create(builder, loc, tensorTypeOf(parts.front()).clone(shape), parts,
                                   0);
    };
    Value allIndices = concatenate(indices), allUpdates = concatenate(updates);
    ScatterDimensionNumbersAttr dims = first.getScatterDimensionNumbers();
    auto windows = llvm::to_vector(
        llvm::seq<int64_t>(1, 1 + static_cast<int64_t>(dims.getUpdateWindowDims().size())));
    auto joined = cast<ScatterOp>(builder.clone(*first));
    joined.getScatterIndicesMutable().assign(allIndices);
    joined.getUpdatesMutable().assign(allUpdates);
    joined.setScatterDimensionNumbersAttr(ScatterDimensionNumbersAttr::get(
        builder.getContext(), windows, dims.getInsertedWindowDims(), dims.getInputBatchingDims(),
        dims.getScatterIndicesBatchingDims(), dims.getScatterDimsToOperandDims(), 1));
    joined.setIndicesAreSorted(false);
    joined.setUniqueIndices(false);
    return joined.getResult(0);
  }

  mutable AddOp root; // a handle: reading it changes nothing
  SmallVector<Value> leaves;
  mutable llvm::SmallPtrSet<Operation *, 16> joinable;
};

/// 1. A sum that no other sum takes as a term of its own has its terms, and those of sums in them.
/// 2. Terms that are alike are one: a scatter of all their updates, or a reshape or padding of the
///    sum of what they are applied to.
/// 3. What is left is added up in the order of its first terms.
struct JoinScattersPass : public forge::impl::JoinScattersPassBase<JoinScattersPass> {
  void runOnOperation() override {
    SmallVector<AddOp> roots;
    getOperation().walk([&](AddOp op) {
      auto reader = op->hasOneUse() ? dyn_cast<AddOp>(*op->user_begin()) : AddOp();
      bool isTerm = reader && reader->getBlock() == op->getBlock();
      if (!isTerm && isa<RankedTensorType>(op.getType()))
        roots.push_back(op);
    });
    // The last ones first: what sums of sums read may be joined with them.
    for (AddOp root : llvm::reverse(roots)) {
      JoinedSum sum(root);
      if (root->use_empty() || !sum.joins())
        continue;
      OpBuilder builder(root);
      root.getResult().replaceAllUsesWith(sum.build(builder));
    }
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }
};
} // namespace
