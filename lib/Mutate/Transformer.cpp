// Mistakes in what a transformer operation is asked to do, for every operation of the dialect
// alike: by its attributes and operands, not by what they are called.
#include "Families.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

static bool isValid(Operation *op) {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(op));
}

static SmallVector<OpFoldResult> attributes(OpBuilder &builder, ArrayRef<int64_t> numbers) {
  return getAsIndexOpFoldResult(builder.getContext(), numbers);
}

/// The tensors of static shape one after the other along `dimension`, before `op`.
static Value joined(Operation *op, ArrayRef<Value> parts, int64_t dimension) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  auto first = cast<RankedTensorType>(parts[0].getType());
  SmallVector<int64_t> shape(first.getShape()), offsets(shape.size(), 0);
  shape[dimension] = 0;
  for (Value part : parts)
    shape[dimension] += cast<RankedTensorType>(part.getType()).getDimSize(dimension);
  Value whole = tensor::EmptyOp::create(builder, location, shape, first.getElementType());
  for (Value part : parts) {
    ArrayRef<int64_t> sizes = cast<RankedTensorType>(part.getType()).getShape();
    whole = tensor::InsertSliceOp::create(
        builder, location, part, whole, attributes(builder, offsets), attributes(builder, sizes),
        attributes(builder, SmallVector<int64_t>(sizes.size(), 1)));
    offsets[dimension] += sizes[dimension];
  }
  return whole;
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
    return "an epsilon next to a variance of about 1 is smaller than the rounding of bf16 and f16";
  }
};

/// A soft cap, a window, a scale of routing weights that is forgotten.
struct DropNumber : Mutator {
  DropNumber()
      : Mutator("drop-number", "an optional number, as a soft cap or window, is left out") {}
  static SmallVector<StringAttr> optional(Operation *op) {
    SmallVector<StringAttr> names;
    for (StringAttr name : ChangeNumber::numbersOf(op)) {
      Operation *copy = op->clone();
      copy->removeAttr(name);
      if (isValid(copy))
        names.push_back(name);
      copy->destroy();
    }
    return names;
  }
  unsigned sites(Operation *op) const override { return optional(op).size(); }
  void plant(Operation *op, unsigned site) const override { op->removeAttr(optional(op)[site]); }
};

/// A length that counts a key too many, a position of the query that follows, the neighbour of the
/// one that was chosen. Integers of 32 bits and more: narrower ones are quantised numbers.
struct ShiftNumber : Mutator {
  ShiftNumber()
      : Mutator("shift-number",
                "an integer operand or result, as a length, position or expert, is one too large") {
  }
  static bool counts(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() &&
           (type.getElementType().isInteger(32) || type.getElementType().isInteger(64));
  }
  static SmallVector<Value> numbers(Operation *op) {
    SmallVector<Value> list;
    if (isTransformer(op) && !isa<transformer::MatmulOp>(op)) {
      llvm::copy_if(op->getOperands(), std::back_inserter(list), counts);
      llvm::copy_if(op->getResults(), std::back_inserter(list), counts);
    }
    return list;
  }
  unsigned sites(Operation *op) const override { return numbers(op).size(); }
  void plant(Operation *op, unsigned site) const override {
    Value number = numbers(op)[site];
    bool isResult = number.getDefiningOp() == op;
    OpBuilder builder(op);
    if (isResult)
      builder.setInsertionPointAfter(op);
    auto type = cast<RankedTensorType>(number.getType());
    Attribute one = builder.getIntegerAttr(type.getElementType(), 1);
    Value ones = create(builder, op->getLoc(), "arith.constant", {}, type,
                        builder.getNamedAttr("value", DenseElementsAttr::get(type, one)));
    Value sum = create(builder, op->getLoc(), "arith.addi", {number, ones}, type);
    if (isResult)
      return number.replaceAllUsesExcept(sum, sum.getDefiningOp());
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == number)
        operand.set(sum);
  }
};

/// Query head h reads key head h mod Hkv in place of h div (Hq / Hkv).
struct WrongGrouping : Mutator {
  WrongGrouping() : Mutator("wrong-grouping", "query heads take their key heads in turn") {}
  /// Hq / Hkv; 0 where there is nothing to mistake.
  static int64_t groupOf(Operation *op) {
    if (!isa<transformer::AttentionOp, transformer::PagedAttentionOp>(op))
      return 0;
    auto query = cast<ShapedType>(op->getOperand(0).getType()),
         key = cast<ShapedType>(op->getOperand(1).getType());
    if (!key.hasStaticShape() || query.isDynamicDim(1) || key.getDimSize(1) == 1)
      return 0;
    int64_t group = query.getDimSize(1) / key.getDimSize(1);
    return group > 1 ? group : 0;
  }
  unsigned sites(Operation *op) const override { return groupOf(op) > 0; }
  void plant(Operation *op, unsigned) const override {
    int64_t group = groupOf(op);
    for (unsigned i : {1u, 2u})
      op->setOperand(i, joined(op, SmallVector<Value>(group, op->getOperand(i)), 1));
  }
};

/// The matrices of experts are in another order: those of the first at the end.
struct RotateExperts : Mutator {
  RotateExperts()
      : Mutator("rotate-experts", "every group of rows takes the next expert's matrix") {}
  unsigned sites(Operation *op) const override {
    auto grouped = dyn_cast<transformer::GroupedMatmulOp>(op);
    return grouped && grouped.getRhs().getType().hasStaticShape() &&
           grouped.getRhs().getType().getDimSize(0) > 1;
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(op->getOperand(1).getType());
    auto part = [&](int64_t first, int64_t count) -> Value {
      SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
      offsets[0] = first;
      sizes[0] = count;
      return tensor::ExtractSliceOp::create(
          builder, op->getLoc(), op->getOperand(1), attributes(builder, offsets),
          attributes(builder, sizes), attributes(builder, SmallVector<int64_t>(type.getRank(), 1)));
    };
    int64_t experts = type.getDimSize(0);
    op->setOperand(1, joined(op, {part(1, experts - 1), part(0, 1)}, 0));
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
  add<DropNumber>(mutators);
  add<ShiftNumber>(mutators);
  add<WrongGrouping>(mutators);
  add<RotateExperts>(mutators);
  add<WrongScale>(mutators);
  add<ExchangeInputs>(mutators);
  add<SkipOperation>(mutators);
}
