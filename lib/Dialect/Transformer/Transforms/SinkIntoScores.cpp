// Numbers that score regions take from outside are computed inside, before differentiation.
#include "GradientBuilders.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// Copies, once each and what they read first, the operations outside of a region that compute
/// numbers into its begin.
class Sinking {
public:
  explicit Sinking(Region &region) : region(region), b(OpBuilder::atBlockBegin(&region.front())) {}

  void sink(Value value) {
    Operation *producer = value.getDefiningOp();
    if (!producer || region.isAncestor(producer->getParentRegion()) ||
        producer->getNumRegions() != 0 || !isPure(producer) || !isa<FloatType>(value.getType()) ||
        copies.contains(value))
      return;
    for (Value operand : producer->getOperands())
      sink(operand);
    b.clone(*producer, copies);
  }

  void replaceUses() {
    for (Operation &op : region.front())
      for (OpOperand &operand : op.getOpOperands())
        operand.set(copies.lookupOrDefault(operand.get()));
  }

private:
  Region &region;
  OpBuilder b;
  IRMapping copies;
};

} // namespace

void sinkIntoScores(func::FuncOp function) {
  function.walk([](AttentionOp op) {
    if (op.getScore().empty())
      return;
    Sinking sinking(op.getScore());
    for (Operation &inner : llvm::make_early_inc_range(op.getScore().front()))
      for (Value operand : inner.getOperands())
        sinking.sink(operand);
    sinking.replaceUses();
  });
}

} // namespace forge::transformer
