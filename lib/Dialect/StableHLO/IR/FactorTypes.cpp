#include "forge/Dialect/StableHLO/IR/FactorTypes.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

//===----------------------------------------------------------------------===//
// What numbers are computed from
//===----------------------------------------------------------------------===//

static std::optional<int64_t> elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? numElementsOf(type.getShape()) : std::nullopt;
}

static bool movesElements(Operation *op) {
  return isa<ReshapeOp, TransposeOp, BroadcastInDimOp, OptimizationBarrierOp>(op);
}

/// Whether result i, j, ... of `op` is computed from element i, j, ... of its operands alone. An
/// exponential is where a walk ends.
static bool isElementwise(Operation *op) {
  return (op->hasTrait<mlir::OpTrait::Elementwise>() || isa<SelectOp, ClampOp, ConvertOp>(op)) &&
         !isa<ExpOp>(op);
}

/// Whether `call` is of a function of elementwise operations, as those that JAX writes for `where`.
static bool callsElementwise(func::CallOp call) {
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr().getAttr());
  return callee && !callee.isExternal() && callee.getBody().hasOneBlock() &&
         llvm::all_of(callee.getBody().front(), [](Operation &op) {
           return isElementwise(&op) || movesElements(&op) ||
                  op.hasTrait<mlir::OpTrait::ConstantLike>() ||
                  op.hasTrait<mlir::OpTrait::IsTerminator>();
         });
}

namespace {
/// The exponentials and products with as many elements as a number's tensor that elementwise
/// operations compute it from.
struct Origins {
  llvm::SetVector<ExpOp> exponentials;
  llvm::SetVector<DotGeneralOp> products;

  explicit Origins(Value value) {
    if (std::optional<int64_t> elements = elementsOf(value))
      visit(value, *elements);
  }

private:
  /// Gradients of a masked and capped softmax are some twenty operations.
  static constexpr size_t kMostValues = 96;

  void visit(Value value, int64_t elements) {
    Operation *op = value.getDefiningOp();
    if (!op || elementsOf(value) != elements || seen.size() >= kMostValues ||
        !seen.insert(value).second)
      return;
    if (auto exponential = dyn_cast<ExpOp>(op)) {
      exponentials.insert(exponential);
      return;
    }
    if (auto product = dyn_cast<DotGeneralOp>(op)) {
      products.insert(product);
      return;
    }
    if (isa<OptimizationBarrierOp>(op)) {
      visit(op->getOperand(cast<OpResult>(value).getResultNumber()), elements);
      return;
    }
    auto call = dyn_cast<func::CallOp>(op);
    if (isElementwise(op) || movesElements(op) || (call && callsElementwise(call)))
      for (Value operand : op->getOperands())
        visit(operand, elements);
  }

  llvm::DenseSet<Value> seen;
};
} // namespace

static Value withoutConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertOp>())
    value = convert.getOperand();
  return value;
}

/// The narrower float type that `value` was widened from, perhaps by way of reshapes, transposes
/// and broadcasts.
static std::optional<FloatType> widenedFrom(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto convert = dyn_cast<ConvertOp>(op)) {
      auto from = dyn_cast<FloatType>(convert.getOperand().getType().getElementType());
      auto to = dyn_cast<FloatType>(convert.getType().getElementType());
      if (from && to && from.getWidth() < to.getWidth())
        return from;
      if (from != to)
        return std::nullopt;
    } else if (!isa<ReshapeOp, TransposeOp, BroadcastInDimOp>(op)) {
      return std::nullopt;
    }
    value = op->getOperand(0);
  }
  return std::nullopt;
}

bool stablehlo::isExactIn(Value factor, FloatType type) {
  return getElementTypeOrSelf(factor.getType()) == type || widenedFrom(factor) == type;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Whether `dot` multiplies matrices: both factors have dimensions that the other has not.
static bool multipliesMatrices(DotGeneralOp dot) {
  auto dims = dot.getDotDimensionNumbers();
  auto isMatrix = [](Value factor, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted) {
    auto type = cast<RankedTensorType>(factor.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contracted, dim) &&
          type.getDimSize(dim) != 1)
        return true;
    return false;
  };
  return isMatrix(dot.getLhs(), dims.getLhsBatchingDimensions(),
                  dims.getLhsContractingDimensions()) &&
         isMatrix(dot.getRhs(), dims.getRhsBatchingDimensions(),
                  dims.getRhsContractingDimensions());
}

static bool adds(ReduceOp reduce) {
  Block &body = reduce.getBody().front();
  return reduce.getInputs().size() == 1 && reduce.getDimensions().size() == 1 &&
         llvm::hasSingleElement(body.without_terminator()) && isa<AddOp>(body.front());
}

/// The dimension along which exponentials are added up: that of the keys, where they are a softmax.
static std::optional<int64_t> normalizedDim(Value exponential) {
  for (Operation *user : exponential.getUsers()) {
    if (auto convert = dyn_cast<ConvertOp>(user))
      if (std::optional<int64_t> dim = normalizedDim(convert.getResult()))
        return dim;
    if (auto reduce = dyn_cast<ReduceOp>(user); reduce && adds(reduce))
      return reduce.getDimensions().front();
  }
  return std::nullopt;
}

/// The products that the softmax's logits are computed from; empty where it is none of products of
/// matrices.
static llvm::SetVector<DotGeneralOp> scoresOf(ExpOp exponential) {
  llvm::SetVector<DotGeneralOp> scores = Origins(exponential.getOperand()).products;
  return normalizedDim(exponential.getResult()) && llvm::all_of(scores, multipliesMatrices)
             ? scores
             : llvm::SetVector<DotGeneralOp>();
}

/// What `value` is computed from, if that is the softmax of attention and the product dP; the
/// latter.
static DotGeneralOp weightsGradientOf(const Origins &origins) {
  for (ExpOp exponential : origins.exponentials) {
    llvm::SetVector<DotGeneralOp> scores = scoresOf(exponential);
    if (scores.empty())
      continue;
    for (DotGeneralOp product : origins.products)
      if (!scores.contains(product) && multipliesMatrices(product))
        return product;
  }
  return {};
}

/// The exponential of `value`, if it is a softmax's exp / sum or exp * (1 / sum), perhaps with 0
/// chosen for some.
static ExpOp weightsExponential(Value value) {
  value = withoutConversions(value);
  if (auto choice = value.getDefiningOp<SelectOp>())
    for (auto [kept, other] : {std::pair(choice.getOnTrue(), choice.getOnFalse()),
                               std::pair(choice.getOnFalse(), choice.getOnTrue())})
      if (auto broadcast = other.getDefiningOp<BroadcastInDimOp>();
          matchPattern(other, m_AnyZeroFloat()) ||
          (broadcast && matchPattern(broadcast.getOperand(), m_AnyZeroFloat())))
        return weightsExponential(kept);
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<DivOp, MulOp>(op))
    return {};
  for (auto [factor, other] : {std::pair(op->getOperand(0), op->getOperand(1)),
                               std::pair(op->getOperand(1), op->getOperand(0))}) {
    auto exponential = withoutConversions(factor).getDefiningOp<ExpOp>();
    if (exponential && other.getDefiningOp<BroadcastInDimOp>())
      return exponential;
    if (isa<DivOp>(op))
      break;
  }
  return {};
}

/// Whether products take `value` more than once, as dO is a factor of dV and of dP.
static bool isFactorTwice(Value value) {
  unsigned products = 0;
  SmallVector<Value> values = {value};
  for (size_t i = 0; i < values.size() && values.size() < 16; ++i)
    for (Operation *user : values[i].getUsers()) {
      products += isa<DotGeneralOp>(user) ? 1 : 0;
      if (isa<ConvertOp, ReshapeOp, TransposeOp>(user))
        values.push_back(user->getResult(0));
    }
  return products >= 2;
}

/// Whether `numbers`, a factor of `dot` beside `other`, is P or dS of the gradients of attention.
static bool isAttentionGradient(DotGeneralOp dot, unsigned operand) {
  Value numbers = dot->getOperand(operand), other = dot->getOperand(1 - operand);
  if (weightsGradientOf(Origins(numbers)))
    return true;
  ExpOp exponential = weightsExponential(numbers);
  if (!exponential || scoresOf(exponential).empty() || !isFactorTwice(withoutConversions(other)))
    return false;
  auto dims = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> summed =
      operand == 0 ? dims.getLhsContractingDimensions() : dims.getRhsContractingDimensions();
  return !llvm::is_contained(summed, *normalizedDim(exponential.getResult()));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isDefaultPrecision(std::optional<ArrayAttr> precision) {
  return !precision || llvm::all_of(*precision, [](Attribute each) {
    return cast<PrecisionAttr>(each).getValue() == Precision::DEFAULT;
  });
}

static bool isOf16Bits(std::optional<FloatType> type) { return type && type->getWidth() == 16; }

/// The type of both factors that `algorithm` names, if it takes one product of them.
static std::optional<FloatType> typeOf(DotAlgorithmAttr algorithm) {
  auto lhs = dyn_cast<FloatType>(algorithm.getLhsPrecisionType());
  bool isOneProduct =
      algorithm.getLhsComponentCount() == 1 && algorithm.getRhsComponentCount() == 1 &&
      algorithm.getNumPrimitiveOperations() == 1 && algorithm.getAccumulationType().isF32();
  return isOneProduct && isOf16Bits(lhs) && lhs == algorithm.getRhsPrecisionType()
             ? std::optional(lhs)
             : std::nullopt;
}

std::optional<FloatType> stablehlo::narrowFactorType(DotGeneralOp dot) {
  auto isF32 = [](Value value) { return getElementTypeOrSelf(value.getType()).isF32(); };
  if (!isF32(dot))
    return std::nullopt;
  std::optional<FloatType> lhs = widenedFrom(dot.getLhs()), rhs = widenedFrom(dot.getRhs());
  if (isOf16Bits(lhs) && lhs == rhs)
    return lhs;
  if (std::optional<DotAlgorithmAttr> algorithm = dot.getAlgorithm()) {
    std::optional<FloatType> type = typeOf(*algorithm);
    bool fits = type && llvm::all_of(dot->getOperands(), [&](Value factor) {
                  return isF32(factor) || isExactIn(factor, *type);
                });
    return fits ? type : std::nullopt;
  }
  if (!isDefaultPrecision(dot.getPrecisionConfig()))
    return std::nullopt;
  for (unsigned operand : {0u, 1u}) {
    // Gradients would leave the range of f16.
    std::optional<FloatType> from = operand == 0 ? rhs : lhs;
    if (from && from->isBF16() && isF32(dot->getOperand(operand)) &&
        isAttentionGradient(dot, operand))
      return from;
  }
  return std::nullopt;
}

/// The types of 8-bit floats that matrix units multiply.
static bool isF8(Value factor) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(factor.getType()));
}

bool stablehlo::allowsUnitSums(DotGeneralOp dot) {
  if (!isF8(dot.getLhs()) || !isF8(dot.getRhs()))
    return false;
  if (std::optional<DotAlgorithmAttr> algorithm = dot.getAlgorithm())
    return algorithm->getAllowImpreciseAccumulation();
  return isDefaultPrecision(dot.getPrecisionConfig());
}

bool stablehlo::allowsUnitSums(DotOp dot) {
  return isF8(dot.getLhs()) && isF8(dot.getRhs()) && isDefaultPrecision(dot.getPrecisionConfig());
}

bool stablehlo::sumsWeightedGradients(ReduceOp reduce) {
  if (!adds(reduce))
    return false;
  Origins origins(reduce.getInputs().front());
  DotGeneralOp product = weightsGradientOf(origins);
  if (!product)
    return false;
  auto isNarrow = [](Value factor) {
    return isOf16Bits(dyn_cast<FloatType>(getElementTypeOrSelf(factor.getType()))) ||
           isOf16Bits(widenedFrom(factor));
  };
  return isNarrow(product.getLhs()) && isNarrow(product.getRhs()) &&
         llvm::any_of(origins.exponentials, [&](ExpOp exponential) {
           return normalizedDim(exponential.getResult()) == reduce.getDimensions().front();
         });
}
