#include "OutlineOps.h"

#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

  void outline(Operation *loop, size_t index, SymbolTable &symbols) {
    auto parent = loop->getParentOfType<func::FuncOp>();
    func::CallOp call =
        forge::outlineOps(loop, parent.getName() + "__loop_" + Twine(index), symbols);
    auto function = symbols.lookup<func::FuncOp>(call.getCallee());
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    function->setAttr("passthrough", Builder(&getContext()).getStrArrayAttr({"noinline"}));
  }
};
} // namespace
