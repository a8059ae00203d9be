// The choice of the vector loop, and what vector code cannot do.
#include "RowVectorizer.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forge {
namespace {

std::optional<vector::CombiningKind> combiningKind(Operation *op) {
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return Kind::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return Kind::MINIMUMF; })
      .Case<arith::MaxSIOp>([](auto) { return Kind::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return Kind::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return Kind::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return Kind::MINUI; })
      .Case<arith::AndIOp>([](auto) { return Kind::AND; })
      .Case<arith::OrIOp>([](auto) { return Kind::OR; })
      .Case<arith::XOrIOp>([](auto) { return Kind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Element types with vector instructions, or whose vectors LLVM splits without harm. Floats of
/// eight bits are emulated by scalar code.
bool isVectorElement(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return floatType.getWidth() >= 16 && floatType.getWidth() <= 64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 || (integer.getWidth() >= 8 && integer.getWidth() <= 64);
  return type.isIndex();
}

int64_t byteWidth(Type type) {
  return type.isIndex() ? 8 : std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

/// An integer division by the zero of a masked lane would trap.
bool mayTrap(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

std::string checkBody(linalg::GenericOp op, int64_t &widest) {
  for (BlockArgument argument : op.getBody()->getArguments()) {
    if (!isVectorElement(argument.getType()))
      return "an operand has an element type without vector instructions";
    widest = std::max(widest, byteWidth(argument.getType()));
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumRegions() != 0 || inner.getNumResults() != 1 || mayTrap(&inner) ||
        !(isa<linalg::IndexOp>(inner) || inner.hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(&inner)))
      return "the body holds an operation without a vector form: " +
             inner.getName().getStringRef().str();
    if (!isVectorElement(inner.getResult(0).getType()))
      return "the body computes in a type without vector instructions";
    // Indices of loops are wide, but few: their vectors are split, rather than all others halved.
    if (isa<FloatType>(inner.getResult(0).getType()) && !inner.hasTrait<OpTrait::ConstantLike>())
      widest = std::max(widest, byteWidth(inner.getResult(0).getType()));
  }
  return {};
}

LaneAccess accessAlong(linalg::GenericOp op, OpOperand *operand, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto position = map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  if (!type || !position)
    return LaneAccess::Invariant;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides[*position] != 1)
    return LaneAccess::Gathered;
  return LaneAccess::Contiguous;
}

bool planLoop(linalg::GenericOp op, unsigned loop, VectorPlan &plan) {
  plan.loop = loop;
  plan.isReduction = linalg::isReductionIterator(op.getIteratorTypesArray()[loop]);
  plan.access.clear();
  for (OpOperand &operand : op->getOpOperands())
    plan.access.push_back(accessAlong(op, &operand, loop));
  for (OpOperand &init : op.getDpsInitsMutable()) {
    LaneAccess wanted = plan.isReduction ? LaneAccess::Invariant : LaneAccess::Contiguous;
    if (plan.access[init.getOperandNumber()] != wanted)
      return false;
  }
  return true;
}

/// Finds the combiners of all results, or says why there are none.
std::string planCombiners(linalg::GenericOp op, VectorPlan &plan) {
  SmallVector<Operation *> found;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    SmallVector<Operation *> combiners;
    Value reduced = matchReduction(op.getRegionOutputArgs(), i, combiners);
    if (!reduced || combiners.size() != 1 || !combiningKind(combiners[0]) ||
        !arith::getNeutralElement(combiners[0]))
      return "the reduction is not one associative operation";
    found.push_back(combiners[0]);
  }
  for (Operation *combiner : found) {
    plan.combiners.push_back(combiner);
    plan.kinds.push_back(*combiningKind(combiner));
  }
  return {};
}

} // namespace

std::variant<VectorPlan, std::string> planVectorCode(linalg::GenericOp op, int64_t vectorBytes) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0)
    return std::string("not a loop nest on buffers");
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::string("an operand is not indexed by loops alone");
  int64_t widest = 1;
  if (std::string reason = checkBody(op, widest); !reason.empty())
    return reason;
  // The loop with most contiguous operands; of equals, the innermost.
  std::optional<VectorPlan> best;
  int64_t bestCount = -1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    VectorPlan plan;
    if (!planLoop(op, loop, plan))
      continue;
    int64_t count = 2 * llvm::count(plan.access, LaneAccess::Contiguous) -
                    3 * llvm::count(plan.access, LaneAccess::Gathered);
    if (llvm::is_contained(plan.access, LaneAccess::Contiguous) && count >= bestCount) {
      best = plan;
      bestCount = count;
    }
  }
  if (!best)
    return std::string("no loop along which results are contiguous, or reduced");
  best->lanes = std::max<int64_t>(vectorBytes / widest, 2);
  if (op.getNumReductionLoops() == 0)
    return *best;
  std::string reason = planCombiners(op, *best);
  if (best->isReduction && !reason.empty())
    return reason;
  best->isColumns = !best->isReduction && reason.empty();
  return *best;
}

} // namespace forge
