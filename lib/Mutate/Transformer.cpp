// Mistakes in what a transformer operation is asked to do, for every operation of the dialect
// alike: by its attributes and operands, whatever they are called.
#include "Families.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

static bool isTransformer(Operation *op) {
  return isa_and_nonnull<transformer::TransformerDialect>(op->getDialect());
}

/// The flags that `op` has or may have, in the order of their declaration.
static SmallVector<StringAttr> flagsOf(Operation *op) {
  SmallVector<StringAttr> flags;
  if (!isTransformer(op))
    return flags;
  for (StringAttr name : op->getName().getAttributeNames()) {
    if (op->getAttr(name)) {
      if (isa<UnitAttr>(op->getAttr(name)))
        flags.push_back(name);
      continue;
    }
    // Only a flag takes a unit.
    Operation *trial = op->clone();
    trial->setAttr(name, UnitAttr::get(op->getContext()));
    if (isa_and_nonnull<UnitAttr>(trial->getAttr(name)))
      flags.push_back(name);
    trial->destroy();
  }
  return flags;
}

namespace {
/// causal, transpose_rhs, interleaved, unit_offset, ...
struct ToggleFlag : Mutator {
  ToggleFlag() : Mutator("toggle-flag", "a flag, as causal or interleaved, is set or not set") {}
  unsigned sites(Operation *op) const override { return flagsOf(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    StringAttr name = flagsOf(op)[site];
    if (op->getAttr(name))
      op->removeAttr(name);
    else
      op->setAttr(name, UnitAttr::get(op->getContext()));
  }
};

/// The segments of operands that `op` may do without: a bias, a residual, a mask.
struct DropOptional : Mutator {
  DropOptional()
      : Mutator("drop-optional", "an optional operand, as a bias or mask, is left out") {}
  static DenseI32ArrayAttr segmentsOf(Operation *op) {
    return dyn_cast_or_null<DenseI32ArrayAttr>(
        op->getInherentAttr("operandSegmentSizes").value_or(Attribute()));
  }
  static Operation *without(Operation *op, unsigned segment) {
    SmallVector<int32_t> sizes(segmentsOf(op).asArrayRef());
    unsigned at = 0;
    for (unsigned i = 0; i < segment; ++i)
      at += static_cast<unsigned>(sizes[i]);
    Operation *copy = op->clone();
    copy->eraseOperand(at);
    sizes[segment] = 0;
    copy->setInherentAttr(StringAttr::get(op->getContext(), "operandSegmentSizes"),
                          DenseI32ArrayAttr::get(op->getContext(), sizes));
    return copy;
  }
  static bool isValid(Operation *op) {
    ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
    return succeeded(verify(op));
  }
  /// The last operand of an op without segments.
  static bool lastIsOptional(Operation *op) {
    if (!isTransformer(op) || segmentsOf(op) || op->getNumOperands() < 2)
      return false;
    Operation *copy = op->clone();
    copy->eraseOperand(copy->getNumOperands() - 1);
    bool valid = isValid(copy);
    copy->destroy();
    return valid;
  }
  static SmallVector<unsigned> optional(Operation *op) {
    SmallVector<unsigned> list;
    if (!isTransformer(op) || !segmentsOf(op))
      return list;
    for (auto [i, size] : llvm::enumerate(segmentsOf(op).asArrayRef())) {
      if (size != 1)
        continue;
      Operation *copy = without(op, i);
      if (isValid(copy))
        list.push_back(i);
      copy->destroy();
    }
    return list;
  }
  unsigned sites(Operation *op) const override {
    return lastIsOptional(op) ? 1 : optional(op).size();
  }
  void plant(Operation *op, unsigned site) const override {
    if (lastIsOptional(op))
      return op->eraseOperand(op->getNumOperands() - 1);
    Operation *copy = without(op, optional(op)[site]);
    OpBuilder(op).insert(copy);
    op->replaceAllUsesWith(copy);
    op->erase();
  }
};

/// Another of the values an enumeration has: gelu by tanh for the exact one.
struct ChangeKind : Mutator {
  ChangeKind() : Mutator("change-kind", "another activation: exact gelu for gelu by tanh, ...") {}
  static StringRef kindOf(Operation *op) {
    for (StringRef name : {"kind", "activation"})
      if (isTransformer(op) && op->getAttrOfType<transformer::ActivationKindAttr>(name))
        return name;
    return "";
  }
  static transformer::ActivationKind wrong(transformer::ActivationKind kind) {
    using K = transformer::ActivationKind;
    switch (kind) {
    case K::Relu:
      return K::ReluSquared;
    case K::ReluSquared:
      return K::Relu;
    case K::Gelu:
      return K::GeluTanh;
    case K::GeluTanh:
      return K::Gelu;
    case K::Silu:
      return K::Gelu;
    case K::Sigmoid:
      return K::Tanh;
    case K::Tanh:
      return K::Sigmoid;
    }
    llvm_unreachable("all kinds are named above");
  }
  unsigned sites(Operation *op) const override { return !kindOf(op).empty(); }
  void plant(Operation *op, unsigned) const override {
    auto kind = op->getAttrOfType<transformer::ActivationKindAttr>(kindOf(op));
    op->setAttr(kindOf(op),
                transformer::ActivationKindAttr::get(op->getContext(), wrong(kind.getValue())));
  }
  StringRef excuse() const override {
    return "the two gelu differ by 5e-4 at most, which f16 and bf16 may round away";
  }
};

/// epsilon, scale, window, offset, base, soft cap, ...
struct ChangeNumber : Mutator {
  ChangeNumber() : Mutator("change-number", "a number, as an epsilon or window, is another") {}
  static SmallVector<StringAttr> numbersOf(Operation *op) {
    SmallVector<StringAttr> numbers;
    if (isTransformer(op))
      for (StringAttr name : op->getName().getAttributeNames()) {
        // A dimension is changed by change-axis; an enumeration is no number.
        Attribute value = op->getAttr(name);
        bool isInteger = isa_and_nonnull<IntegerAttr>(value) && !isa<BoolAttr>(value);
        if (name.getValue() != "dimension" && (isInteger || isa_and_nonnull<FloatAttr>(value)))
          numbers.push_back(name);
      }
    return numbers;
  }
  unsigned sites(Operation *op) const override { return numbersOf(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    StringAttr name = numbersOf(op)[site];
    if (auto number = dyn_cast<FloatAttr>(op->getAttr(name))) {
      double value = number.getValueAsDouble();
      op->setAttr(name, FloatAttr::get(number.getType(), value == 0 ? 1 : 10 * value));
    } else {
      auto integer = cast<IntegerAttr>(op->getAttr(name));
      op->setAttr(name, IntegerAttr::get(integer.getType(), integer.getInt() + 1));
    }
  }
  StringRef excuse() const override {
    return "an epsilon beside a variance of about 1 is smaller than the rounding of bf16 and f16";
  }
};

/// 1 for 1/sqrt(d), or 0: uniform weights.
struct WrongScale : Mutator {
  WrongScale() : Mutator("wrong-scale", "a missing 1/sqrt(d), or uniform attention weights") {}
  unsigned sites(Operation *op) const override {
    bool has = isTransformer(op) && op->getNumOperands() >= 3 &&
               llvm::any_of(op->getName().getAttributeNames(),
                            [](StringAttr name) { return name.getValue() == "scale"; });
    return has ? 2 : 0;
  }
  void plant(Operation *op, unsigned site) const override {
    op->setAttr("scale", Builder(op).getF32FloatAttr(site == 0 ? 1 : 0));
  }
};

/// Keys for values, lhs for rhs.
struct ExchangeInputs : Mutator {
  ExchangeInputs() : Mutator("exchange-inputs", "two operands of one type are exchanged") {}
  static SmallVector<unsigned> firsts(Operation *op) {
    SmallVector<unsigned> list;
    for (unsigned i = 0; isTransformer(op) && i + 1 < op->getNumOperands(); ++i)
      if (op->getOperand(i).getType() == op->getOperand(i + 1).getType() &&
          op->getOperand(i) != op->getOperand(i + 1) && !op->hasTrait<OpTrait::IsCommutative>())
        list.push_back(i);
    return list;
  }
  unsigned sites(Operation *op) const override { return firsts(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    unsigned i = firsts(op)[site];
    SmallVector<Value> operands(op->getOperands());
    std::swap(operands[i], operands[i + 1]);
    op->setOperands(operands);
  }
};

/// A norm, a rotation, an activation that does not happen.
struct SkipOperation : Mutator {
  SkipOperation() : Mutator("skip-operation", "an operation gives its input back unchanged") {}
  static SmallVector<unsigned> same(Operation *op) {
    SmallVector<unsigned> list;
    if (isTransformer(op) && op->getNumResults() == 1 && !op->hasTrait<OpTrait::IsCommutative>())
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        if (op->getOperand(i).getType() == op->getResult(0).getType() && list.empty())
          list.push_back(i);
    return list;
  }
  unsigned sites(Operation *op) const override { return same(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    replaceBy(op, op->getOperand(same(op)[site]));
  }
};
} // namespace

void mutate::addTransformer(Mutators &mutators) {
  add<ToggleFlag>(mutators);
  add<DropOptional>(mutators);
  add<ChangeKind>(mutators);
  add<ChangeNumber>(mutators);
  add<WrongScale>(mutators);
  add<ExchangeInputs>(mutators);
  add<SkipOperation>(mutators);
}
