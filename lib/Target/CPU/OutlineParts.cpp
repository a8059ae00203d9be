#include "OutlineOps.h"

#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#define DEBUG_TYPE "forge-outline-parts"

namespace forge {
#define GEN_PASS_DEF_OUTLINEPARTSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::CastOp>(op);
}

/// The place of the argument that the function updates and returns, or -1.
static int64_t updatedArgument(func::FuncOp function) {
  if (!function || !function.getBody().hasOneBlock() || function.getNumResults() != 1)
    return -1;
  Value value = function.getBody().front().getTerminator()->getOperand(0);
  while (Operation *op = value.getDefiningOp()) {
    auto result = cast<OpResult>(value);
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      value = destination.getTiedOpOperand(result)->get();
    else if (auto insert = dyn_cast<tensor::InsertOp>(op))
      value = insert.getDest();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getInitArgs()[result.getResultNumber()];
    else
      return -1;
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == &function.getBody().front() ? argument.getArgNumber() : -1;
}

static bool carriesTensors(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp>(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

namespace {
/// 1. Chains: an update, and as long as its result is the destination of one other update in the
///    block, and nothing else, that one too. Between two of them nothing else computes a tensor, so
///    that no read moves behind a write.
/// 2. As many as a function may have become one; then calls of these, until there are few.
/// 3. Loops, inner ones first: the one that makes a nest as deep as it may be becomes a function.
struct OutlinePartsPass : public forge::impl::OutlinePartsPassBase<OutlinePartsPass> {
  using OutlinePartsPassBase::OutlinePartsPassBase;

  void runOnOperation() override {
    if (maxLength < 2 || maxDepth < 1) {
      getOperation().emitError("expected max-length of 2 and more and max-depth of 1 and more");
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<SmallVector<Operation *>> chains;
      function.walk([&](Block *block) { findChains(*block, symbols, chains); });
      for (MutableArrayRef<Operation *> chain : chains)
        outlineChain(llvm::to_vector(chain), symbols);
      for (Block &block : function.getBody())
        outlineLoops(block, symbols);
    }
  }

private:
  Operation *outline(ArrayRef<Operation *> ops, SymbolTable &symbols) {
    auto parent = ops.front()->getParentOfType<func::FuncOp>();
    func::CallOp call = forge::outlineOps(ops, parent.getName() + "__part", symbols);
    symbols.lookup(call.getCallee())->setAttr(forge::kPartAttr, UnitAttr::get(&getContext()));
    return call;
  }

  //===--- chains ---===//

  /// The operand that `op` updates, or null.
  static OpOperand *updatedOperand(Operation *op, const SymbolTable &symbols) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return &insert.getDestMutable();
    if (auto insert = dyn_cast<tensor::InsertOp>(op))
      return &insert.getDestMutable();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || call.getNumResults() != 1)
      return nullptr;
    int64_t place = updatedArgument(symbols.lookup<func::FuncOp>(call.getCallee()));
    return place < 0 ? nullptr : &call->getOpOperand(place);
  }

  static bool computesTensor(Operation *op) {
    return !isView(op) && !isa<tensor::EmptyOp, tensor::DimOp, arith::ConstantOp>(op) &&
           (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>));
  }

  /// The update of the result of `op` if nothing else uses it and nothing is computed in between.
  static Operation *nextInChain(Operation *op, const SymbolTable &symbols) {
    if (!op->getResult(0).hasOneUse())
      return nullptr;
    OpOperand &use = *op->getResult(0).getUses().begin();
    Operation *next = use.getOwner();
    if (next->getBlock() != op->getBlock() || updatedOperand(next, symbols) != &use)
      return nullptr;
    for (Operation *between = op->getNextNode(); between != next; between = between->getNextNode())
      if (computesTensor(between))
        return nullptr;
    return next;
  }

  void findChains(Block &block, const SymbolTable &symbols,
                  SmallVectorImpl<SmallVector<Operation *>> &chains) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    for (Operation &op : block) {
      if (seen.contains(&op) || !updatedOperand(&op, symbols))
        continue;
      SmallVector<Operation *> chain;
      for (Operation *next = &op; next; next = nextInChain(next, symbols)) {
        seen.insert(next);
        chain.push_back(next);
      }
      if (static_cast<int64_t>(chain.size()) > maxLength)
        chains.push_back(std::move(chain));
    }
  }

  /// `updates`, and the views that only they read: as an argument, a view would have to be dense.
  static SmallVector<Operation *> withViews(ArrayRef<Operation *> updates) {
    SmallVector<Operation *> ops;
    for (Operation *update : updates) {
      size_t end = ops.size();
      for (Value operand : update->getOperands())
        for (Operation *view = operand.getDefiningOp();
             view && isView(view) && view->hasOneUse() && view->getBlock() == update->getBlock();
             view = view->getOperand(0).getDefiningOp())
          ops.insert(ops.begin() + end, view);
      ops.push_back(update);
    }
    return ops;
  }

  void outlineChain(SmallVector<Operation *> chain, SymbolTable &symbols) {
    while (static_cast<int64_t>(chain.size()) > maxLength) {
      SmallVector<Operation *> calls;
      for (ArrayRef<Operation *> rest = chain; !rest.empty();
           rest = rest.drop_front(std::min<size_t>(maxLength, rest.size())))
        calls.push_back(outline(withViews(rest.take_front(maxLength)), symbols));
      chain = std::move(calls);
    }
  }

  //===--- loops ---===//

  /// Returns how deep the loops left in the block are.
  int64_t outlineLoops(Block &block, SymbolTable &symbols) {
    int64_t depth = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      int64_t within = 0;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          within = std::max(within, outlineLoops(inner, symbols));
      if (carriesTensors(&op) && ++within == maxDepth && op.getParentOfType<LoopLikeOpInterface>()) {
        outline(&op, symbols);
        within = 0;
      }
      depth = std::max(depth, within);
    }
    return depth;
  }
};
} // namespace
