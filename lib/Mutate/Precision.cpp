// Mistakes in types: sums and factors in a type too narrow.
#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

static bool isF32(Value value) { return getElementTypeOrSelf(value.getType()).isF32(); }

/// `value`, an f32, rounded to bf16.
static Value throughBF16(OpBuilder &builder, Location location, Value value, bool isStableHLO) {
  Type wide = value.getType(), bf16 = builder.getBF16Type();
  Type narrow = isa<ShapedType>(wide) ? Type(cast<ShapedType>(wide).clone(bf16)) : bf16;
  Value rounded =
      create(builder, location, isStableHLO ? "stablehlo.convert" : "arith.truncf", value, narrow);
  return create(builder, location, isStableHLO ? "stablehlo.convert" : "arith.extf", rounded, wide);
}

/// A sum whose result goes round a loop.
static bool isAccumulation(Operation *op) {
  if (!isNamed(op, "arith.addf") && !isNamed(op, "math.fma") && !isNamed(op, "vector.fma"))
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp()))
    return generic.getNumReductionLoops() > 0;
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  return loop && llvm::any_of(op->getResult(0).getUsers(),
                              [](Operation *user) { return isa<scf::YieldOp>(user); });
}

namespace {
struct NarrowSum : Mutator {
  NarrowSum() : Mutator("narrow-sum", "a sum is rounded to bf16: a wrong accumulation type") {}
  unsigned sites(Operation *op) const override {
    bool sums = isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op) || isAccumulation(op);
    return sums && op->getNumResults() == 1 && isF32(op->getResult(0));
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    Value rounded = throughBF16(builder, op->getLoc(), result,
                                isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op));
    Operation *narrowing = rounded.getDefiningOp()->getOperand(0).getDefiningOp();
    result.replaceAllUsesExcept(rounded, narrowing);
  }
  StringRef excuse() const override {
    return "a maximum, or a sum that is stored in bf16 anyway, rounds no further";
  }
};

struct NarrowFactor : Mutator {
  NarrowFactor() : Mutator("narrow-factor", "a factor of a product is rounded to bf16") {}
  unsigned sites(Operation *op) const override {
    bool multiplies = isa<stablehlo::DotGeneralOp, transformer::MatmulOp>(op) ||
                      (isNamed(op, "arith.mulf") && isa<linalg::GenericOp>(op->getParentOp()));
    return multiplies && isF32(op->getOperand(0)) && isF32(op->getOperand(1)) ? 2 : 0;
  }
  void plant(Operation *op, unsigned site) const override {
    OpBuilder builder(op);
    op->setOperand(site, throughBF16(builder, op->getLoc(), op->getOperand(site),
                                     isa<stablehlo::DotGeneralOp>(op)));
  }
  StringRef excuse() const override { return "a factor may be exact in bf16, as 1 or 0.5 is"; }
};
} // namespace

void mutate::addPrecision(Mutators &mutators) {
  add<NarrowSum>(mutators);
  add<NarrowFactor>(mutators);
}
