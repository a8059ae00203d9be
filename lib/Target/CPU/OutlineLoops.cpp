#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

#define DEBUG_TYPE "forge-outline-loops"

namespace forge {
#define GEN_PASS_DEF_OUTLINELOOPSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::ParallelOp, scf::ForallOp>(op); }

static int64_t countLoops(Operation *root) {
  int64_t loops = 0;
  root->walk([&](Operation *op) { loops += isLoop(op); });
  return loops;
}

namespace {
/// 1. Functions of few loops stay as they are.
/// 2. In others, the outermost loops that yield nothing and hold few loops themselves.
/// 3. Each moves into a private function that is not inlined again. What it takes from outside
///    becomes arguments; constants are made again inside.
struct OutlineLoopsPass : public forge::impl::OutlineLoopsPassBase<OutlineLoopsPass> {
  using OutlineLoopsPassBase::OutlineLoopsPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> chosen;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (countLoops(function) <= maxLoops)
        continue;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isLoop(op) || op->getNumResults() != 0 || countLoops(op) > maxLoops)
          return WalkResult::advance();
        chosen.push_back(op);
        return WalkResult::skip();
      });
    }
    if (chosen.empty())
      return;
    SymbolTable symbols(getOperation());
    for (auto [index, loop] : llvm::enumerate(chosen))
      outline(loop, index, symbols);
  }

  func::FuncOp createFunction(Operation *loop, size_t index, ValueRange arguments,
                              SymbolTable &symbols) {
    auto parent = loop->getParentOfType<func::FuncOp>();
    OpBuilder builder(&getContext());
    auto function =
        func::FuncOp::create(loop->getLoc(), (parent.getName() + "__loop_" + Twine(index)).str(),
                             builder.getFunctionType(arguments.getTypes(), TypeRange()));
    function.setPrivate();
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    symbols.insert(function, ++Block::iterator(parent));
    return function;
  }

  void outline(Operation *loop, size_t index, SymbolTable &symbols) {
    llvm::SetVector<Value> captured(loop->operand_begin(), loop->operand_end());
    getUsedValuesDefinedAbove(loop->getRegions(), captured);
    SmallVector<Value> constants, arguments;
    for (Value value : captured) {
      Operation *maker = value.getDefiningOp();
      bool isConstant =
          maker && (maker->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(maker));
      (isConstant ? constants : arguments).push_back(value);
    }
    func::FuncOp function = createFunction(loop, index, arguments, symbols);
    Block *body = function.addEntryBlock();
    OpBuilder builder(loop);
    func::CallOp::create(builder, loop->getLoc(), function, arguments);
    builder.setInsertionPointToStart(body);
    IRMapping inside;
    inside.map(arguments, body->getArguments());
    for (Value constant : constants)
      builder.clone(*constant.getDefiningOp(), inside);
    Operation *end = func::ReturnOp::create(builder, loop->getLoc());
    loop->moveBefore(end);
    // Not by the uses of what was captured: all loops of a function may share a constant.
    loop->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(inside.lookupOrDefault(operand.get()));
    });
  }
};
} // namespace
