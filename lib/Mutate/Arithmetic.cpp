// Mistakes in formulas: sums, products, functions.
#include "Families.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

static bool isOneOf(Operation *op, ArrayRef<StringRef> names) {
  return op->getNumResults() == 1 && isFloatLike(op->getResult(0).getType()) &&
         llvm::is_contained(names, op->getName().getStringRef());
}

/// Of an epsilon next to a large variance, of the last coefficients of a polynomial.
static constexpr StringRef kSmallTerm = "one term, as an epsilon or the end of a polynomial, may "
                                        "be smaller than the rounding of the rest";

namespace {
struct ExchangeOperands : Mutator {
  ExchangeOperands()
      : Mutator("exchange-operands", "the operands of a difference or quotient are exchanged") {}
  unsigned sites(Operation *op) const override {
    return isOneOf(op, {"stablehlo.subtract", "stablehlo.divide", "stablehlo.power", "arith.subf",
                        "arith.divf", "math.powf"}) &&
           op->getOperand(0) != op->getOperand(1);
  }
  void plant(Operation *op, unsigned) const override {
    op->setOperands({op->getOperand(1), op->getOperand(0)});
  }
  StringRef excuse() const override { return "a difference that is squared has no sign"; }
};

constexpr NamePair kSigns[] = {{"stablehlo.add", "stablehlo.subtract"},
                               {"stablehlo.subtract", "stablehlo.add"},
                               {"arith.addf", "arith.subf"},
                               {"arith.subf", "arith.addf"}};

struct FlipSign : Mutator {
  FlipSign() : Mutator("flip-sign", "a sum for a difference, or the reverse") {}
  unsigned sites(Operation *op) const override {
    return !counterpart(op, kSigns).empty() && isFloatLike(op->getResult(0).getType());
  }
  void plant(Operation *op, unsigned) const override { rename(op, counterpart(op, kSigns)); }
  StringRef excuse() const override { return kSmallTerm; }
};

/// A residual, a bias, a missing max subtraction, a gate.
struct DropOperand : Mutator {
  DropOperand() : Mutator("drop-operand", "one operand of a sum, product or extreme is left out") {}
  unsigned sites(Operation *op) const override {
    if (isOneOf(op, {"stablehlo.subtract", "stablehlo.divide", "arith.subf", "arith.divf"}))
      return 1; // x - y becomes x
    return 2 * isOneOf(op, {"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum",
                            "stablehlo.minimum", "arith.addf", "arith.mulf", "arith.maximumf",
                            "arith.minimumf", "arith.maxnumf", "arith.minnumf", "transformer.add",
                            "transformer.multiply"});
  }
  void plant(Operation *op, unsigned site) const override { replaceBy(op, op->getOperand(site)); }
  StringRef excuse() const override { return kSmallTerm; }
};

/// a * b + c as a * b, or as c.
struct SplitFma : Mutator {
  SplitFma() : Mutator("split-fma", "a fused multiply-add forgets its sum or its product") {}
  unsigned sites(Operation *op) const override {
    return 2 * isOneOf(op, {"math.fma", "vector.fma"});
  }
  void plant(Operation *op, unsigned site) const override {
    if (site == 1)
      return replaceBy(op, op->getOperand(2));
    OpBuilder builder(op);
    replaceBy(op, create(builder, op->getLoc(), "arith.mulf",
                         {op->getOperand(0), op->getOperand(1)}, op->getResult(0).getType()));
  }
  StringRef excuse() const override { return kSmallTerm; }
};

constexpr NamePair kExtremes[] = {
    {"stablehlo.maximum", "stablehlo.minimum"}, {"stablehlo.minimum", "stablehlo.maximum"},
    {"arith.maximumf", "arith.minimumf"},       {"arith.minimumf", "arith.maximumf"},
    {"arith.maxnumf", "arith.minnumf"},         {"arith.minnumf", "arith.maxnumf"}};

struct ExchangeExtremes : Mutator {
  ExchangeExtremes() : Mutator("exchange-extremes", "the smaller for the larger, or the reverse") {}
  unsigned sites(Operation *op) const override {
    return !counterpart(op, kExtremes).empty() && isFloatLike(op->getResult(0).getType());
  }
  void plant(Operation *op, unsigned) const override { rename(op, counterpart(op, kExtremes)); }
};

constexpr NamePair kFunctions[] = {{"stablehlo.tanh", "stablehlo.logistic"},
                                   {"stablehlo.logistic", "stablehlo.tanh"},
                                   {"stablehlo.sine", "stablehlo.cosine"},
                                   {"stablehlo.cosine", "stablehlo.sine"},
                                   {"stablehlo.rsqrt", "stablehlo.sqrt"},
                                   {"stablehlo.sqrt", "stablehlo.rsqrt"},
                                   {"stablehlo.log", "stablehlo.log_plus_one"},
                                   {"math.exp", "math.expm1"},
                                   {"math.tanh", "math.atan"},
                                   {"math.sin", "math.cos"},
                                   {"math.cos", "math.sin"},
                                   {"math.rsqrt", "math.sqrt"},
                                   {"math.sqrt", "math.rsqrt"},
                                   {"math.erf", "math.tanh"},
                                   {"math.log", "math.log1p"}};

struct ReplaceFunction : Mutator {
  ReplaceFunction() : Mutator("replace-function", "another function of the same kind") {}
  unsigned sites(Operation *op) const override { return !counterpart(op, kFunctions).empty(); }
  void plant(Operation *op, unsigned) const override { rename(op, counterpart(op, kFunctions)); }
};

struct Exp2ForExp : Mutator {
  Exp2ForExp() : Mutator("exp2-for-exp", "a power of two for a power of e") {}
  unsigned sites(Operation *op) const override {
    return isOneOf(op, {"stablehlo.exponential", "math.exp"});
  }
  void plant(Operation *op, unsigned) const override {
    if (isNamed(op, "math.exp")) {
      rename(op, "math.exp2");
      return;
    }
    OpBuilder builder(op);
    Value ln2 = create(
        builder, op->getLoc(), "stablehlo.constant", {}, op->getOperand(0).getType(),
        builder.getNamedAttr(
            "value",
            DenseElementsAttr::get(
                cast<ShapedType>(op->getOperand(0).getType()),
                builder.getFloatAttr(getElementTypeOrSelf(op->getOperand(0)), 0.6931471805599453)
                    .getValue())));
    op->setOperand(0, create(builder, op->getLoc(), "stablehlo.multiply", {op->getOperand(0), ln2},
                             op->getOperand(0).getType()));
  }
};

struct NegateSine : Mutator {
  NegateSine() : Mutator("negate-sine", "the sign of a sine, as of a rotation the other way") {}
  unsigned sites(Operation *op) const override {
    return isOneOf(op, {"stablehlo.sine", "math.sin"});
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    bool isMath = isNamed(op, "math.sin");
    op->setOperand(0, create(builder, op->getLoc(), isMath ? "arith.negf" : "stablehlo.negate",
                             op->getOperand(0), op->getOperand(0).getType()));
  }
};
} // namespace

void mutate::addArithmetic(Mutators &mutators) {
  add<ExchangeOperands>(mutators);
  add<FlipSign>(mutators);
  add<DropOperand>(mutators);
  add<SplitFma>(mutators);
  add<ExchangeExtremes>(mutators);
  add<ReplaceFunction>(mutators);
  add<Exp2ForExp>(mutators);
  add<NegateSine>(mutators);
}
