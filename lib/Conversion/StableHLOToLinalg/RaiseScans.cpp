#include "ScanTree.h"

#include "forge/Conversion/StableHLOToLinalg/Passes.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace forge {
#define GEN_PASS_DEF_RAISESCANSPASS
#include "forge/Conversion/StableHLOToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-raise-scans"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Shorter lines are few operations as they are.
static constexpr int64_t kShortest = 16;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Whether steps one after the other take no longer than the levels of the tree. A group of steps
/// waits for memory and the group before; each level of the tree is a launch, and together they
/// read and write about three times what is read and written once.
static bool isWorthwhile(const ScanTree &tree) {
  constexpr double step = 45e-9, launch = 2.5e-6, bytesPerSecond = 4.8e12;
  double bytes = 0;
  for (Value input : tree.inputs)
    bytes += static_cast<double>(typeOf(input).getNumElements()) *
             (typeOf(input).getElementTypeBitWidth() + 7) / 8;
  double levels = 2.0 * llvm::Log2_64_Ceil(tree.size);
  return static_cast<double>(tree.size) * step < levels * launch + 3 * bytes / bytesPerSecond;
}

/// Whether bodies on scalars compute with the types as they are.
static bool isOfKnownTypes(const ScanTree &tree) {
  return llvm::all_of(tree.inputs, [](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    return type.isSignlessInteger() || type.isF16() || type.isBF16() || type.isF32() ||
           type.isF64();
  });
}

namespace {
/// 1. Match trees from the last operation on: the levels of a tree are trees as well.
/// 2. Leave those alone of which something else is read: a gradient reads what every level made.
/// 3. Write the rest as loops, behind the last of their inputs.
struct RaiseScansPass : forge::impl::RaiseScansPassBase<RaiseScansPass> {
  void runOnOperation() override {
    SmallVector<Operation *> sums;
    getOperation().walk([&](Operation *op) {
      if (isa<AddOp, OrOp>(op))
        sums.push_back(op);
    });
    DenseSet<Operation *> ops;
    std::vector<ScanTree> trees;
    for (Operation *sum : llvm::reverse(sums)) {
      if (ops.contains(sum))
        continue;
      std::optional<ScanTree> tree = matchScanTree(sum);
      if (!tree || !isSuitable(*tree))
        continue;
      ops.insert(tree->ops.begin(), tree->ops.end());
      trees.push_back(std::move(*tree));
    }
    // A tree that stays reads what others make.
    size_t count;
    do {
      count = trees.size();
      ops.clear();
      for (const ScanTree &tree : trees)
        ops.insert(tree.ops.begin(), tree.ops.end());
      llvm::erase_if(trees, [&](const ScanTree &tree) { return !isReadAsWhole(tree, ops); });
    } while (trees.size() < count);
    for (const ScanTree &tree : trees)
      raise(tree);
  }

  static bool isSuitable(const ScanTree &tree) {
    return tree.size >= kShortest && typeOf(tree.inputs.front()).getRank() > 1 &&
           typeOf(tree.inputs.front()).getNumElements() > 0 && isOfKnownTypes(tree) &&
           isWorthwhile(tree) && hasScalarForm(tree);
  }

  /// The shortest levels have nothing in between.
  static bool hasNoElements(Operation *op) {
    auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                         : RankedTensorType();
    return type && type.hasStaticShape() && type.getNumElements() == 0;
  }

  static bool isReadAsWhole(const ScanTree &tree, const DenseSet<Operation *> &ops) {
    return llvm::all_of(tree.ops, [&](Operation *op) {
      bool isResult = llvm::any_of(
          tree.results, [&](auto &result) { return result.second.getDefiningOp() == op; });
      // Inputs are there for everybody.
      bool isOfInput = isa<SliceOp>(op) && !tree.ops.contains(op->getOperand(0).getDefiningOp());
      return isResult || isOfInput || llvm::all_of(op->getUsers(), [&](Operation *user) {
               return ops.contains(user) || hasNoElements(user);
             });
    });
  }

  static void raise(const ScanTree &tree) {
    Operation *last = nullptr;
    Block *block = tree.results.front().second.getDefiningOp()->getBlock();
    for (Value input : tree.inputs)
      if (Operation *maker = input.getDefiningOp();
          maker && maker->getBlock() == block && (!last || last->isBeforeInBlock(maker)))
        last = maker;
    OpBuilder b(block, last ? std::next(last->getIterator()) : block->begin());
    SmallVector<Value> scans = emitScanLoops(b, tree.results.front().second.getLoc(), tree);
    for (auto [index, result] : llvm::enumerate(tree.results)) {
      Value whole = result.second;
      whole.replaceAllUsesWith(scans[index]);
    }
  }
};
} // namespace
