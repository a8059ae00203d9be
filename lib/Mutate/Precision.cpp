// Mistakes in types: sums and factors in a type too narrow, wrong conversions.
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

/// What is rounded to nearest is cut off: of numbers that become whole, and of f32 in bf16 and f16.
struct CutOff : Mutator {
  CutOff() : Mutator("cut-off", "a number is cut off where it should be rounded to nearest") {}
  /// Bits of an f32 that `type` has no place for.
  static unsigned lostBits(Type type) { return type.isBF16() ? 16 : type.isF16() ? 13 : 0; }
  unsigned sites(Operation *op) const override {
    if (isNamed(op, "math.roundeven") || isNamed(op, "stablehlo.round_nearest_even"))
      return 1;
    return isNamed(op, "arith.truncf") && isF32(op->getOperand(0)) &&
           lostBits(getElementTypeOrSelf(op->getResult(0).getType())) > 0;
  }
  void plant(Operation *op, unsigned) const override {
    if (isNamed(op, "math.roundeven")) {
      rename(op, "math.trunc");
      return;
    }
    if (isNamed(op, "stablehlo.round_nearest_even")) {
      rename(op, "stablehlo.floor");
      return;
    }
    OpBuilder builder(op);
    Location location = op->getLoc();
    Type floats = op->getOperand(0).getType(), i32 = builder.getI32Type();
    auto shaped = dyn_cast<ShapedType>(floats);
    Type integers = shaped ? Type(shaped.clone(i32)) : i32;
    unsigned lost = lostBits(getElementTypeOrSelf(op->getResult(0).getType()));
    APInt kept = APInt::getBitsSetFrom(32, lost);
    TypedAttr mask = shaped ? TypedAttr(DenseElementsAttr::get(cast<ShapedType>(integers), kept))
                            : TypedAttr(builder.getIntegerAttr(i32, kept));
    Value bits = create(builder, location, "arith.bitcast", op->getOperand(0), integers);
    Value masks = create(builder, location, "arith.constant", {}, integers,
                         builder.getNamedAttr("value", mask));
    Value cut = create(builder, location, "arith.andi", {bits, masks}, integers);
    op->setOperand(0, create(builder, location, "arith.bitcast", cut, floats));
  }
  StringRef excuse() const override {
    return "one rounding in the type of the result is within what any execution may differ by";
  }
};

constexpr NamePair kUnsigned[] = {{"arith.extsi", "arith.extui"}, {"arith.sitofp", "arith.uitofp"}};

/// A weight of -1 becomes 255. Of quantised numbers alone: wider ones are positions and counts,
/// which have no sign to lose.
struct UnsignedForSigned : Mutator {
  UnsignedForSigned()
      : Mutator("unsigned-for-signed", "a number is extended or converted without its sign") {}
  unsigned sites(Operation *op) const override {
    return !counterpart(op, kUnsigned).empty() &&
           getElementTypeOrSelf(op->getOperand(0).getType()).getIntOrFloatBitWidth() <= 8;
  }
  void plant(Operation *op, unsigned) const override { rename(op, counterpart(op, kUnsigned)); }
};
} // namespace

void mutate::addPrecision(Mutators &mutators) {
  add<NarrowSum>(mutators);
  add<NarrowFactor>(mutators);
  add<CutOff>(mutators);
  add<UnsignedForSigned>(mutators);
}
