// Mistakes in loops: a trip too few, a lane too few of the last, a value that is not carried on.
#include "Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

/// A loop that is known not to run has no trip to lose.
static bool runs(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound());
  return !lower || !upper || *lower < *upper;
}

namespace {
/// A mistake in the bounds of a loop that runs.
struct WrongBound : Mutator {
  using Mutator::Mutator;
  unsigned sites(Operation *op) const override {
    auto loop = dyn_cast<scf::ForOp>(op);
    return loop && runs(loop);
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    move(cast<scf::ForOp>(op), builder);
  }
  virtual void move(scf::ForOp loop, OpBuilder &builder) const = 0;
};

struct ShortenLoop : WrongBound {
  ShortenLoop() : WrongBound("shorten-loop", "a loop leaves out its last trip") {}
  void move(scf::ForOp loop, OpBuilder &builder) const override {
    loop.setUpperBound(
        arith::SubIOp::create(builder, loop.getLoc(), loop.getUpperBound(), loop.getStep()));
  }
};

struct StartLoopLate : WrongBound {
  StartLoopLate() : WrongBound("start-loop-late", "a loop leaves out its first trip") {}
  void move(scf::ForOp loop, OpBuilder &builder) const override {
    loop.setLowerBound(
        arith::AddIOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getStep()));
  }
};

/// The mask of what is left over at the end of a row.
struct ShortenMask : Mutator {
  ShortenMask() : Mutator("shorten-mask", "a mask of vector lanes lacks its last one") {}
  unsigned sites(Operation *op) const override { return isa<vector::CreateMaskOp>(op); }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    unsigned last = op->getNumOperands() - 1;
    op->setOperand(last, shifted(builder, op->getLoc(), op->getOperand(last), -1));
  }
};

struct StaleCarry : Mutator {
  StaleCarry() : Mutator("stale-carry", "a value goes round a loop without its update") {}
  unsigned sites(Operation *op) const override {
    auto loop = dyn_cast<scf::ForOp>(op);
    return loop && runs(loop) ? loop.getNumRegionIterArgs() : 0;
  }
  void plant(Operation *op, unsigned site) const override {
    auto loop = cast<scf::ForOp>(op);
    loop.getBody()->getTerminator()->setOperand(site, loop.getRegionIterArgs()[site]);
  }
};
} // namespace

void mutate::addLoops(Mutators &mutators) {
  add<ShortenLoop>(mutators);
  add<StartLoopLate>(mutators);
  add<ShortenMask>(mutators);
  add<StaleCarry>(mutators);
}
