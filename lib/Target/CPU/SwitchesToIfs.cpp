// forge-switches-to-ifs
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {
#define GEN_PASS_DEF_SWITCHESTOIFSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-switches-to-ifs"

using namespace mlir;

/// Replaces `op`, which has cases, by a chain of conditions.
static void chain(IRRewriter &rewriter, scf::IndexSwitchOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  scf::IfOp first;
  for (auto [number, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    Value constant = arith::ConstantIndexOp::create(rewriter, loc, number);
    Value chosen =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getArg(), constant);
    auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), chosen,
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
    branch.getThenRegion().takeBody(region);
    if (first)
      scf::YieldOp::create(rewriter, loc, branch.getResults());
    else
      first = branch;
    if (number == op.getCases().back())
      branch.getElseRegion().takeBody(op.getDefaultRegion());
    else
      rewriter.setInsertionPointToStart(&branch.getElseRegion().emplaceBlock());
  }
  rewriter.replaceOp(op, first.getResults());
}

/// Replaces `op`, which has only a default, by what that computes.
static void inlineDefault(IRRewriter &rewriter, scf::IndexSwitchOp op) {
  Block &body = op.getDefaultRegion().front();
  Operation *yield = body.getTerminator();
  SmallVector<Value> results(yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&body, op);
  rewriter.replaceOp(op, results);
}

namespace {
/// 1. A switch whose results include tensors becomes a chain of scf.if, one for each case in order;
///    the default is the last else.
struct SwitchesToIfsPass : forge::impl::SwitchesToIfsPassBase<SwitchesToIfsPass> {
  void runOnOperation() final {
    SmallVector<scf::IndexSwitchOp> switches;
    getOperation()->walk([&](scf::IndexSwitchOp op) {
      if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
        switches.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (scf::IndexSwitchOp op : switches) {
      if (op.getCases().empty())
        inlineDefault(rewriter, op);
      else
        chain(rewriter, op);
    }
  }
};
} // namespace
