#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace forge {
#define GEN_PASS_DEF_UPDATEINPLACEPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-update-in-place"

using namespace mlir;

/// Of the names of variants.
static constexpr StringLiteral kSuffix = "_in_place";

namespace {
/// A call whose kernel computes the next value of a carried tensor of the value it reads, element
/// by element.
struct Update {
  func::CallOp call;
  func::FuncOp kernel;
  /// Numbers of arguments: what is read, and what the next value is computed in.
  unsigned source, target;
};
} // namespace

/// The elementwise operation that is all a kernel computes; null if it is anything else.
static linalg::GenericOp onlyOperation(func::FuncOp kernel) {
  linalg::GenericOp only;
  if (!kernel || !kernel.getBody().hasOneBlock())
    return {};
  for (Operation &op : kernel.front().without_terminator()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic ? static_cast<bool>(only) : (op.getNumRegions() > 0 || !isMemoryEffectFree(&op)))
      return {};
    if (generic)
      only = generic;
  }
  bool isElementwise = only && only.hasPureTensorSemantics() && only.getNumReductionLoops() == 0;
  return isElementwise ? only : linalg::GenericOp();
}

/// Whether `op`, and nothing else, reads `argument`, each element where it writes that of
/// `written`.
static bool isReadInPlace(linalg::GenericOp op, BlockArgument argument, OpOperand *written) {
  if (!argument.hasOneUse() || argument.getType() != written->get().getType())
    return false;
  OpOperand &use = *argument.use_begin();
  return use.getOwner() == op && op.isDpsInput(&use) &&
         op.getMatchingIndexingMap(&use).isIdentity() &&
         op.getMatchingIndexingMap(written).isIdentity();
}

/// Whether nothing reads `value`, or a view of it, behind `call`, which does itself.
static bool isLastRead(Value value, func::CallOp call) {
  Block *block = call->getBlock();
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == call)
      return true;
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (!inBlock || !inBlock->isBeforeInBlock(call))
      return false;
    bool isView =
        isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(
            user);
    // A view that the call itself reads is one more operand.
    return !isView || (isLastRead(user->getResult(0), call) &&
                       !llvm::is_contained(call.getOperands(), user->getResult(0)));
  });
}

static std::optional<Update> match(Value next, BlockArgument carried) {
  auto call = next.getDefiningOp<func::CallOp>();
  if (!call || call->getBlock() != carried.getOwner() || next.getType() != carried.getType() ||
      llvm::count(call.getOperands(), carried) != 1 || !isLastRead(carried, call))
    return std::nullopt;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  linalg::GenericOp op =
      kernel && forge::isKernel(kernel) ? onlyOperation(kernel) : linalg::GenericOp();
  if (!op)
    return std::nullopt;
  unsigned number = cast<OpResult>(next).getResultNumber();
  auto result = dyn_cast<OpResult>(kernel.front().getTerminator()->getOperand(number));
  if (!result || result.getOwner() != op)
    return std::nullopt;
  OpOperand *written = op.getTiedOpOperand(result);
  auto target = dyn_cast<BlockArgument>(written->get());
  unsigned source = llvm::find(call.getOperands(), carried) - call.getOperands().begin();
  if (!target || !target.hasOneUse() ||
      !call.getOperand(target.getArgNumber()).getDefiningOp<tensor::EmptyOp>() ||
      !isReadInPlace(op, kernel.getArgument(source), written))
    return std::nullopt;
  return Update{call, kernel, source, target.getArgNumber()};
}

/// What each step of a loop hands to the next: the value, and the argument of the body that it
/// becomes.
static SmallVector<std::pair<Value, BlockArgument>> carriedBy(Operation *op) {
  SmallVector<std::pair<Value, BlockArgument>> carried;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (auto [next, argument] : llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
      carried.emplace_back(next, argument);
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return carried;
  OperandRange handedOn = loop.getConditionOp().getArgs();
  for (auto [next, argument] :
       llvm::zip_equal(loop.getYieldOp().getOperands(), loop.getBeforeArguments())) {
    auto found = llvm::find(handedOn, argument);
    if (found != handedOn.end())
      carried.emplace_back(next, loop.getAfterArguments()[found - handedOn.begin()]);
  }
  return carried;
}

namespace {
struct UpdateInPlacePass : public forge::impl::UpdateInPlacePassBase<UpdateInPlacePass> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation()->walk([&](Operation *op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (isa<scf::ForOp, scf::WhileOp>(op) && function && !forge::isKernel(function))
        loops.push_back(op);
    });
    for (Operation *loop : loops)
      // An update replaces its call: what else the loop carries is looked at anew.
      for (size_t number = 0, count = carriedBy(loop).size(); number < count; ++number)
        if (auto [next, argument] = carriedBy(loop)[number]; next)
          if (std::optional<Update> update = match(next, argument))
            rewrite(*update, argument);
    SymbolTable symbols(getOperation());
    for (func::FuncOp kernel : replaced)
      if (kernel.symbolKnownUseEmpty(getOperation()))
        symbols.erase(kernel);
  }

  void rewrite(Update update, BlockArgument carried) {
    func::FuncOp &variant = variants[{update.kernel, {update.source, update.target}}];
    if (!variant)
      variant = variantOf(update);
    SmallVector<Value> operands(update.call.getOperands());
    operands[update.target] = carried;
    operands.erase(operands.begin() + update.source);
    OpBuilder builder(update.call);
    auto call = func::CallOp::create(builder, update.call.getLoc(), variant, operands);
    call->setDiscardableAttrs(update.call->getDiscardableAttrDictionary());
    update.call->replaceAllUsesWith(call);
    update.call->erase();
    replaced.insert(update.kernel);
  }

  /// The kernel, reading what it read from the argument that it writes.
  func::FuncOp variantOf(Update update) {
    auto variant = cast<func::FuncOp>(update.kernel->clone());
    StringRef name = update.kernel.getName();
    variant.setName(name.ends_with(kSuffix) ? name.str() : (name + kSuffix).str());
    SymbolTable symbols(getOperation());
    symbols.insert(variant, std::next(Block::iterator(update.kernel)));
    variant.getArgument(update.source).replaceAllUsesWith(variant.getArgument(update.target));
    (void)variant.eraseArgument(update.source);
    return variant;
  }

  std::map<std::pair<Operation *, std::pair<unsigned, unsigned>>, func::FuncOp> variants;
  SetVector<func::FuncOp> replaced;
};
} // namespace
