// Mistakes in numbers: scales, counts, epsilons, what a mask adds.
#include "Families.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

/// The number of a float constant.
static std::optional<double> numberOf(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() != 1 ||
      !isFloatLike(op->getResult(0).getType()))
    return std::nullopt;
  return splatOf(op->getResult(0));
}

static void setNumber(Operation *op, double value) {
  OpBuilder builder(op);
  replaceBy(op, constantLike(builder, op->getLoc(), op->getResult(0), value));
}

/// Which operand of a product or quotient is a constant other than 1.
static std::optional<unsigned> factorOf(Operation *op) {
  bool divides = isNamed(op, "stablehlo.divide") || isNamed(op, "arith.divf");
  if (!divides && !isNamed(op, "stablehlo.multiply") && !isNamed(op, "arith.mulf"))
    return std::nullopt;
  for (unsigned i : {1u, 0u}) {
    if (i == 0 && divides)
      continue;
    std::optional<double> number = splatOf(op->getOperand(i));
    if (number && *number != 1 && *number != 0)
      return i;
  }
  return std::nullopt;
}

namespace {
/// A missing 1/sqrt(d).
struct DropFactor : Mutator {
  DropFactor() : Mutator("drop-factor", "a constant factor, as 1/sqrt(d), is left out") {}
  unsigned sites(Operation *op) const override { return factorOf(op).has_value(); }
  void plant(Operation *op, unsigned) const override {
    replaceBy(op, op->getOperand(1 - *factorOf(op)));
  }
};

/// Scores times 0 make attention weights uniform.
struct ZeroFactor : Mutator {
  ZeroFactor()
      : Mutator("zero-factor", "a constant factor is 0, as for uniform attention weights") {}
  unsigned sites(Operation *op) const override {
    return factorOf(op) && !isNamed(op, "stablehlo.divide") && !isNamed(op, "arith.divf");
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    unsigned at = *factorOf(op);
    op->setOperand(at, constantLike(builder, op->getLoc(), op->getOperand(at), 0));
  }
};

/// n, or 1 / n, of a mean or variance.
struct CountOffByOne : Mutator {
  CountOffByOne() : Mutator("count-off-by-one", "n - 1 for n, as in a biased variance") {}
  static std::optional<double> wrong(Operation *op) {
    std::optional<double> number = numberOf(op);
    if (!number || !std::isfinite(*number))
      return std::nullopt;
    double count = *number, inverse = 1 / *number;
    if (count >= 2 && count <= 65536 && count == std::round(count))
      return count - 1;
    if (inverse >= 3 && inverse <= 65536 && std::fabs(inverse - std::round(inverse)) < 1e-3)
      return 1 / (std::round(inverse) - 1);
    return std::nullopt;
  }
  unsigned sites(Operation *op) const override { return wrong(op).has_value(); }
  void plant(Operation *op, unsigned) const override { setNumber(op, *wrong(op)); }
  StringRef excuse() const override {
    return "a bound of an expanded function, as 89 for exp, may lie beyond all arguments";
  }
};

struct WrongEpsilon : Mutator {
  WrongEpsilon() : Mutator("wrong-epsilon", "a small constant is ten times as large") {}
  unsigned sites(Operation *op) const override {
    std::optional<double> number = numberOf(op);
    return number && *number > 0 && *number <= 1e-3;
  }
  void plant(Operation *op, unsigned) const override { setNumber(op, 10 * *numberOf(op)); }
  StringRef excuse() const override {
    return "what it is added to may be so much larger that rounding hides it";
  }
};

/// What a mask adds, or puts in the place of a score; where a maximum starts.
struct DropMaskValue : Mutator {
  DropMaskValue() : Mutator("drop-mask-value", "0 for minus infinity, as of a mask") {}
  unsigned sites(Operation *op) const override {
    std::optional<double> number = numberOf(op);
    return number && *number <= -1e4;
  }
  void plant(Operation *op, unsigned) const override { setNumber(op, 0); }
};
} // namespace

void mutate::addConstants(Mutators &mutators) {
  add<DropFactor>(mutators);
  add<ZeroFactor>(mutators);
  add<CountOffByOne>(mutators);
  add<WrongEpsilon>(mutators);
  add<DropMaskValue>(mutators);
}
