#include "ProductFactors.h"

#include "Evaluation.h"
#include "SumTerms.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Support/MatrixArithmetic.h"
#include "forge/Support/UnitSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace forge;

bool forge::bodyHas(linalg::LinalgOp op, StringRef name) {
  return llvm::any_of(*op.getBlock(),
                      [&](Operation &inner) { return inner.getName().getStringRef() == name; });
}

/// The type of the floats that the elements of `value` are, of 16 bits or fewer, before they were
/// moved or widened.
static std::optional<DType> narrowTypeOf(Value value) {
  Type type = getElementTypeOrSelf(value);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 16) {
    FailureOr<DType> known = dtypeOf(type);
    return succeeded(known) ? std::optional(*known) : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (!isa<FloatType>(type) ||
      !isa_and_nonnull<stablehlo::ConvertOp, stablehlo::ReshapeOp, stablehlo::TransposeOp,
                       stablehlo::BroadcastInDimOp, stablehlo::SliceOp>(op))
    return std::nullopt;
  return narrowTypeOf(op->getOperand(0));
}

/// The first one's type, if all floats among the operands are narrow.
static std::optional<DType> narrowFactors(OperandRange operands) {
  std::optional<DType> first;
  for (Value operand : operands) {
    if (!holdsFloats(operand.getType()))
      continue;
    std::optional<DType> type = narrowTypeOf(operand);
    if (!type)
      return std::nullopt;
    first = first.value_or(*type);
  }
  return first;
}

std::optional<FloatType> forge::narrowFactorType(Operation *op) {
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  return dot ? stablehlo::narrowFactorType(dot) : std::nullopt;
}

DType forge::dtypeOf16Bits(FloatType type) { return type.isBF16() ? DType::BF16 : DType::F16; }

/// The type in which the factors are in memory.
static std::optional<DType> storedFactorsOf(Operation *op) {
  if (std::optional<FloatType> type = narrowFactorType(op))
    return dtypeOf16Bits(*type);
  if (isa<stablehlo::DotGeneralOp, stablehlo::DotOp, stablehlo::ConvolutionOp,
          stablehlo::DynamicConvOp, chlo::RaggedDotOp>(op))
    return narrowFactors(op->getOperands());
  // Other operands than the first may be of another type: a bias, numbers of steps.
  if (isa_and_nonnull<transformer::TransformerDialect>(op->getDialect()))
    return op->getNumOperands() == 0 ? std::nullopt : narrowFactors(op->getOperands().take_front());
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || structured.getNumReductionLoops() == 0 ||
      !bodyHas(structured, arith::MulFOp::getOperationName()) ||
      !bodyHas(structured, arith::AddFOp::getOperationName()))
    return std::nullopt;
  std::optional<DType> first;
  int64_t factors = 0;
  for (Value input : structured.getDpsInputs())
    if (std::optional<DType> type = narrowTypeOf(input)) {
      first = first.value_or(*type);
      ++factors;
    }
  return factors >= 2 ? first : std::nullopt;
}

/// Whether the program lets matrix units add up the products of 8-bit floats of `op`.
static bool allowsUnitSums(Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return stablehlo::allowsUnitSums(dot);
  if (auto dot = dyn_cast<stablehlo::DotOp>(op))
    return stablehlo::allowsUnitSums(dot);
  if (isa<linalg::LinalgOp>(op))
    return op
        ->walk([](arith::MulFOp product) {
          return product->hasAttr(kUnitSumsAttr) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  return isa<transformer::MatmulOp, transformer::GroupedMatmulOp>(op) &&
         llvm::all_of(op->getOperands().take_front(2), [](Value factor) {
           return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(factor.getType()));
         });
}

std::optional<DType> forge::factorsOf(Operation *op) {
  std::optional<DType> type = storedFactorsOf(op);
  return type && byteWidth(*type) == 1 && !allowsUnitSums(op) ? DType::BF16 : type;
}

const MatrixArithmetic *forge::matrixUnitOf(std::optional<DType> factors, StringRef chip) {
  return factors ? productArithmeticOf({chip.data(), chip.size()}, *factors) : nullptr;
}
