// Mistakes at edges and in choices.
#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

static std::optional<stablehlo::ComparisonDirection>
moved(stablehlo::ComparisonDirection direction) {
  using D = stablehlo::ComparisonDirection;
  switch (direction) {
  case D::LT:
    return D::LE;
  case D::LE:
    return D::LT;
  case D::GT:
    return D::GE;
  case D::GE:
    return D::GT;
  default:
    return std::nullopt;
  }
}

static std::optional<arith::CmpIPredicate> moved(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sle;
  case P::sle:
    return P::slt;
  case P::sgt:
    return P::sge;
  case P::sge:
    return P::sgt;
  case P::ult:
    return P::ule;
  case P::ule:
    return P::ult;
  case P::ugt:
    return P::uge;
  case P::uge:
    return P::ugt;
  default:
    return std::nullopt;
  }
}

/// Equal floats fall otherwise: the order of ties in a sort.
static std::optional<arith::CmpFPredicate> moved(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OLT:
    return P::OLE;
  case P::OLE:
    return P::OLT;
  case P::OGT:
    return P::OGE;
  case P::OGE:
    return P::OGT;
  case P::ULT:
    return P::ULE;
  case P::ULE:
    return P::ULT;
  case P::UGT:
    return P::UGE;
  case P::UGE:
    return P::UGT;
  default:
    return std::nullopt;
  }
}

namespace {
/// A causal mask that is off by one.
struct MoveEdge : Mutator {
  MoveEdge() : Mutator("move-edge", "< for <= and the like, as at the edge of a mask") {}
  unsigned sites(Operation *op) const override {
    if (auto compare = dyn_cast<stablehlo::CompareOp>(op))
      return moved(compare.getComparisonDirection()).has_value();
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return moved(compare.getPredicate()).has_value();
    auto compare = dyn_cast<arith::CmpIOp>(op);
    return compare && moved(compare.getPredicate()).has_value();
  }
  void plant(Operation *op, unsigned) const override {
    if (auto compare = dyn_cast<stablehlo::CompareOp>(op))
      compare.setComparisonDirection(*moved(compare.getComparisonDirection()));
    else if (auto compare = dyn_cast<arith::CmpFOp>(op))
      compare.setPredicate(*moved(compare.getPredicate()));
    else
      cast<arith::CmpIOp>(op).setPredicate(*moved(cast<arith::CmpIOp>(op).getPredicate()));
  }
  StringRef excuse() const override { return "sizes may never meet the edge"; }
};

/// One of several masks: causality, a window, a length.
struct DropCondition : Mutator {
  DropCondition() : Mutator("drop-condition", "one of two conditions is left out") {}
  unsigned sites(Operation *op) const override {
    bool joins = isa<arith::AndIOp, arith::OrIOp, stablehlo::AndOp, stablehlo::OrOp>(op);
    return joins && getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1) ? 2 : 0;
  }
  void plant(Operation *op, unsigned site) const override { replaceBy(op, op->getOperand(site)); }
  StringRef excuse() const override { return "one of the two may follow from the other"; }
};

struct ExchangeChoices : Mutator {
  ExchangeChoices() : Mutator("exchange-choices", "a selection takes the other value") {}
  unsigned sites(Operation *op) const override {
    return isa<stablehlo::SelectOp, arith::SelectOp>(op) && op->getOperand(1) != op->getOperand(2);
  }
  void plant(Operation *op, unsigned) const override {
    op->setOperands({op->getOperand(0), op->getOperand(2), op->getOperand(1)});
  }
};

/// The condition of a branch is taken for always true, or for always false.
struct FixBranch : Mutator {
  FixBranch() : Mutator("fix-branch", "a condition is taken to hold always, or never") {}
  unsigned sites(Operation *op) const override { return isa<scf::IfOp>(op) ? 2 : 0; }
  void plant(Operation *op, unsigned site) const override {
    OpBuilder builder(op);
    op->setOperand(0, arith::ConstantIntOp::create(builder, op->getLoc(), site == 0, 1));
  }
  StringRef excuse() const override { return "shapes may leave one of the branches empty"; }
};
} // namespace

void mutate::addComparison(Mutators &mutators) {
  add<MoveEdge>(mutators);
  add<DropCondition>(mutators);
  add<ExchangeChoices>(mutators);
  add<FixBranch>(mutators);
}
