// Mistakes in sums: too few terms, too many, a wrong start, a wrong dimension.
#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

namespace {
/// An operand of a reduction and the dimension of it that is reduced.
struct Reduced {
  unsigned operand;
  int64_t dimension;
};
} // namespace

static int64_t sizeOf(Operation *op, Reduced reduced) {
  return cast<ShapedType>(op->getOperand(reduced.operand).getType()).getDimSize(reduced.dimension);
}

/// What runs along the first reduced dimension of `op`; empty when it is none we can cut.
static SmallVector<Reduced> reducedOperands(Operation *op) {
  SmallVector<Reduced> operands;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    for (unsigned i = 0; i < reduce.getInputs().size() && !reduce.getDimensions().empty(); ++i)
      operands.push_back({i, reduce.getDimensions()[0]});
  } else if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    auto numbers = dot.getDotDimensionNumbers();
    if (!numbers.getLhsContractingDimensions().empty())
      operands = {{0, numbers.getLhsContractingDimensions()[0]},
                  {1, numbers.getRhsContractingDimensions()[0]}};
  } else if (auto matmul = dyn_cast<transformer::MatmulOp>(op)) {
    operands = {{0, matmul.getLhsContractingDim()}, {1, matmul.getRhsContractingDim()}};
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op);
             generic && generic.hasPureTensorSemantics()) {
    SmallVector<unsigned> loops;
    generic.getReductionDims(loops);
    for (unsigned i = 0; i < generic.getNumDpsInputs() && !loops.empty(); ++i)
      for (auto [d, expr] : llvm::enumerate(generic.getIndexingMapsArray()[i].getResults()))
        if (expr == getAffineDimExpr(loops[0], op->getContext()))
          operands.push_back({i, static_cast<int64_t>(d)});
  }
  bool cuttable = llvm::all_of(operands, [&](Reduced reduced) {
    return !ShapedType::isDynamic(sizeOf(op, reduced)) && sizeOf(op, reduced) >= 2;
  });
  return cuttable ? operands : SmallVector<Reduced>();
}

static bool isLinalg(Operation *op) { return op->getName().getDialectNamespace() == "linalg"; }

/// The operand without its last slice, or only that.
static Value sliceOf(OpBuilder &builder, Operation *op, Reduced reduced, int64_t first,
                     int64_t count) {
  Value value = op->getOperand(reduced.operand);
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[reduced.dimension] = count;
  auto result = RankedTensorType::get(shape, type.getElementType());
  Location location = op->getLoc();
  if (isLinalg(op) || isa<transformer::MatmulOp>(op)) {
    SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
        strides(shape.size(), builder.getIndexAttr(1)), sizes;
    for (auto [d, size] : llvm::enumerate(shape))
      sizes.push_back(ShapedType::isDynamic(size)
                          ? OpFoldResult(Value(tensor::DimOp::create(builder, location, value,
                                                                     static_cast<int64_t>(d))))
                          : builder.getIndexAttr(size));
    offsets[reduced.dimension] = builder.getIndexAttr(first);
    return tensor::ExtractSliceOp::create(builder, location, result, value, offsets, sizes,
                                          strides);
  }
  SmallVector<int64_t> starts(shape.size(), 0), limits(shape), ones(shape.size(), 1);
  starts[reduced.dimension] = first;
  limits[reduced.dimension] = first + count;
  NamedAttribute attributes[] = {
      builder.getNamedAttr("start_indices", builder.getDenseI64ArrayAttr(starts)),
      builder.getNamedAttr("limit_indices", builder.getDenseI64ArrayAttr(limits)),
      builder.getNamedAttr("strides", builder.getDenseI64ArrayAttr(ones))};
  return create(builder, location, "stablehlo.slice", value, result, attributes);
}

static bool isDynamicStableHLO(Operation *op, ArrayRef<Reduced> operands) {
  return op->getName().getDialectNamespace() == "stablehlo" &&
         llvm::any_of(operands, [&](Reduced reduced) {
           return !cast<ShapedType>(op->getOperand(reduced.operand).getType()).hasStaticShape();
         });
}

namespace {
struct TruncateReduction : Mutator {
  TruncateReduction() : Mutator("truncate-reduction", "a sum misses its last term") {}
  unsigned sites(Operation *op) const override {
    SmallVector<Reduced> operands = reducedOperands(op);
    return !operands.empty() && !isDynamicStableHLO(op, operands);
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    for (Reduced reduced : reducedOperands(op)) {
      Value cut = sliceOf(builder, op, reduced, 0, sizeOf(op, reduced) - 1);
      op->setOperand(reduced.operand, cut);
    }
  }
  StringRef excuse() const override {
    return "the last term of a maximum is the largest in few rows only";
  }
};

struct RepeatTerm : Mutator {
  RepeatTerm() : Mutator("repeat-term", "a sum counts its last term twice") {}
  unsigned sites(Operation *op) const override {
    SmallVector<Reduced> operands = reducedOperands(op);
    return !operands.empty() && isa<stablehlo::ReduceOp, stablehlo::DotGeneralOp>(op) &&
           !isDynamicStableHLO(op, operands);
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    for (Reduced reduced : reducedOperands(op)) {
      Value value = op->getOperand(reduced.operand);
      auto type = cast<RankedTensorType>(value.getType());
      int64_t size = sizeOf(op, reduced);
      SmallVector<int64_t> shape(type.getShape());
      shape[reduced.dimension] = size + 1;
      Value last = sliceOf(builder, op, reduced, size - 1, 1);
      Value longer =
          create(builder, op->getLoc(), "stablehlo.concatenate", {value, last},
                 RankedTensorType::get(shape, type.getElementType()),
                 builder.getNamedAttr("dimension", builder.getI64IntegerAttr(reduced.dimension)));
      op->setOperand(reduced.operand, longer);
    }
  }
  StringRef excuse() const override { return "a maximum may count a term twice"; }
};

struct ChangeInit : Mutator {
  ChangeInit() : Mutator("change-init", "a sum starts at 1, a maximum at 0") {}
  static std::optional<unsigned> initOf(Operation *op) {
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      return static_cast<unsigned>(reduce.getInputs().size());
    if (isa<linalg::FillOp>(op))
      return 0;
    return std::nullopt;
  }
  unsigned sites(Operation *op) const override {
    std::optional<unsigned> init = initOf(op);
    return init && isFloatLike(op->getOperand(*init).getType()) &&
           splatOf(op->getOperand(*init)).has_value();
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    Value init = op->getOperand(*initOf(op));
    op->setOperand(*initOf(op),
                   constantLike(builder, op->getLoc(), init, *splatOf(init) == 0 ? 1 : 0));
  }
  StringRef excuse() const override {
    return "a maximum that is subtracted again may start anywhere";
  }
};

/// A rounding that is missed in every term: 4 sqrt(n) units in the last place of an f32 sum of n.
struct InflateSum : Mutator {
  InflateSum() : Mutator("inflate-sum", "a sum of n is off by 4 sqrt(n) units in the last place") {}
  /// The operand that holds the terms, or a factor of each.
  static std::optional<unsigned> termOf(Operation *op) {
    if (isa<stablehlo::DotGeneralOp, transformer::MatmulOp>(op))
      return 0;
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op->getParentOp());
    bool sums = isNamed(op, "arith.addf") && generic && generic.getNumReductionLoops() > 0 &&
                generic.hasPureTensorSemantics();
    if (!sums)
      return std::nullopt;
    for (unsigned i : {0u, 1u}) {
      auto other = dyn_cast<BlockArgument>(op->getOperand(1 - i));
      if (other && other.getArgNumber() >= generic.getNumDpsInputs())
        return i;
    }
    return std::nullopt;
  }
  /// n; 0 where it is not known.
  static int64_t lengthOf(Operation *op) {
    if (!isNamed(op, "arith.addf")) {
      SmallVector<Reduced> operands = reducedOperands(op);
      return operands.empty() ? 0 : sizeOf(op, operands[0]);
    }
    auto generic = cast<linalg::GenericOp>(op->getParentOp());
    SmallVector<int64_t> ranges = generic.getStaticLoopRanges();
    SmallVector<unsigned> loops;
    generic.getReductionDims(loops);
    int64_t length = 1;
    for (unsigned loop : loops) {
      if (ShapedType::isDynamic(ranges[loop]))
        return 0;
      length *= ranges[loop];
    }
    return length;
  }
  unsigned sites(Operation *op) const override {
    std::optional<unsigned> term = termOf(op);
    return term && getElementTypeOrSelf(op->getOperand(*term).getType()).isF32() &&
           getElementTypeOrSelf(op->getResult(0).getType()).isF32() && lengthOf(op) > 0;
  }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    unsigned at = *termOf(op);
    Value term = op->getOperand(at);
    double factor = 1 + 4 * std::sqrt(static_cast<double>(lengthOf(op))) * 0x1p-23;
    bool isStableHLO = isa<stablehlo::DotGeneralOp>(op);
    auto shaped = dyn_cast<ShapedType>(term.getType());
    FloatAttr number = builder.getF32FloatAttr(static_cast<float>(factor));
    TypedAttr attribute =
        shaped ? TypedAttr(DenseElementsAttr::get(shaped, number.getValue())) : TypedAttr(number);
    Value factors =
        create(builder, op->getLoc(), isStableHLO ? "stablehlo.constant" : "arith.constant", {},
               term.getType(), builder.getNamedAttr("value", attribute));
    op->setOperand(at,
                   create(builder, op->getLoc(), isStableHLO ? "stablehlo.multiply" : "arith.mulf",
                          {term, factors}, term.getType()));
  }
  StringRef excuse() const override {
    return "a norm or softmax divides a common factor out again";
  }
};

/// Along another dimension of the same size.
struct ChangeAxis : Mutator {
  ChangeAxis() : Mutator("change-axis", "another dimension of the same size") {}
  static int64_t twinOf(ArrayRef<int64_t> shape, int64_t dimension) {
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d)
      if (d != dimension && shape[d] == shape[dimension])
        return d;
    return -1;
  }
  static int64_t twinOf(Operation *op) {
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      return reduce.getDimensions().size() == 1
                 ? twinOf(cast<ShapedType>(reduce.getInputs()[0].getType()).getShape(),
                          reduce.getDimensions()[0])
                 : -1;
    auto dimension = op->getAttrOfType<IntegerAttr>("dimension");
    if (!dimension || !isa_and_nonnull<transformer::TransformerDialect>(op->getDialect()))
      return -1;
    auto type = cast<ShapedType>(op->getOperand(0).getType());
    // No shape forbids another dimension here.
    return type.getRank() > 1 ? (dimension.getInt() + 1) % type.getRank() : -1;
  }
  unsigned sites(Operation *op) const override { return twinOf(op) >= 0; }
  void plant(Operation *op, unsigned) const override {
    OpBuilder builder(op);
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      reduce.setDimensions({twinOf(op)});
    else
      op->setAttr("dimension", builder.getI64IntegerAttr(twinOf(op)));
  }
};
} // namespace

void mutate::addReduction(Mutators &mutators) {
  add<TruncateReduction>(mutators);
  add<RepeatTerm>(mutators);
  add<ChangeInit>(mutators);
  add<InflateSum>(mutators);
  add<ChangeAxis>(mutators);
}
