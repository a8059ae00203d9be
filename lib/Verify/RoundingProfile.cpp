#include "RoundingProfile.h"

#include "Evaluation.h"

#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Dialect/StableHLO/IR/ApproxTopK.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Reference/Rounding.h"
#include "forge/Support/MatrixArithmetic.h"
#include "forge/Support/UnitSums.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace forge;
using reference::Dims;

bool forge::holdsFloats(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static double sizesOf(const Dims &shape, ArrayRef<int64_t> dimensions) {
  double product = 1;
  for (int64_t dimension : dimensions)
    product *= static_cast<double>(std::max<int64_t>(shape[dimension], 1));
  return product;
}

/// A body that only picks one of its operands forms no sum.
static bool onlyPicks(Operation *op) {
  if (op->getNumRegions() != 1 || op->getRegion(0).empty())
    return false;
  return llvm::all_of(op->getRegion(0).front().without_terminator(), [](Operation &inner) {
    return isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::CompareOp, stablehlo::SelectOp,
               stablehlo::AndOp, stablehlo::OrOp, stablehlo::ConstantOp>(inner);
  });
}

/// top_k in the forms of custom calls.
static bool callsTopK(Operation *op) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  return call && llvm::is_contained({StringRef("mhlo.topk"), StringRef(stablehlo::kDynamicTopK),
                                     StringRef(stablehlo::kApproxTopK)},
                                    call.getCallTargetName());
}

static double stablehloTerms(Operation *op, OperandShape shapeOf) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return sizesOf(shapeOf(0), dot.getDotDimensionNumbers().getLhsContractingDimensions());
  if (auto dot = dyn_cast<chlo::RaggedDotOp>(op))
    return sizesOf(shapeOf(0), dot.getRaggedDotDimensionNumbers().getLhsContractingDimensions());
  if (isa<stablehlo::DotOp>(op))
    return static_cast<double>(shapeOf(0).back());
  if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    SmallVector<int64_t> summed(conv.getDimensionNumbers().getKernelSpatialDimensions());
    summed.push_back(conv.getDimensionNumbers().getKernelInputFeatureDimension());
    return sizesOf(shapeOf(1), summed);
  }
  if (auto conv = dyn_cast<stablehlo::DynamicConvOp>(op)) {
    SmallVector<int64_t> summed(conv.getDimensionNumbers().getKernelSpatialDimensions());
    summed.push_back(conv.getDimensionNumbers().getKernelInputFeatureDimension());
    return sizesOf(shapeOf(1), summed);
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return sizesOf(shapeOf(0), reduce.getDimensions());
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    double product = 1;
    for (int64_t size : window.getWindowDimensions())
      product *= static_cast<double>(size);
    return product;
  }
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (call && call.getCallTargetName() == stablehlo::kDynamicReduceWindow) {
    // The window comes at run time: frameworks print this for running sums along one dimension.
    double longest = 1;
    for (int64_t size : shapeOf(0))
      longest = std::max(longest, static_cast<double>(size));
    return longest;
  }
  if (auto window = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    double product = 1;
    if (std::optional<ArrayRef<int64_t>> sizes = window.getWindowDimensions())
      for (int64_t size : *sizes)
        product *= static_cast<double>(size);
    return product;
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    // At worst every update lands on one element.
    double updates = 1;
    for (int64_t size : shapeOf(scatter.getInputs().size()))
      updates *= static_cast<double>(size);
    return std::max(updates, 1.0);
  }
  if (isa<stablehlo::BatchNormTrainingOp, stablehlo::BatchNormGradOp>(op)) {
    double elements = 1;
    for (int64_t size : shapeOf(0))
      elements *= static_cast<double>(size);
    return elements;
  }
  if (isa<stablehlo::TriangularSolveOp, stablehlo::CholeskyOp>(op))
    return static_cast<double>(shapeOf(0).back());
  return 1;
}

static bool bodyHas(linalg::LinalgOp op, StringRef name) {
  return llvm::any_of(*op.getBlock(),
                      [&](Operation &inner) { return inner.getName().getStringRef() == name; });
}

/// Points of the loops that a linalg operation adds up over.
static double linalgTerms(linalg::LinalgOp op, OperandShape shapeOf) {
  if (op.getNumReductionLoops() == 0 || !bodyHas(op, arith::AddFOp::getOperationName()))
    return 1;
  SmallVector<double> sizes(op.getNumLoops(), 1);
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    Dims shape = shapeOf(static_cast<unsigned>(i));
    for (auto [expr, size] : llvm::zip(map.getResults(), shape))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        sizes[loop.getPosition()] = static_cast<double>(std::max<int64_t>(size, 1));
  }
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  double product = 1;
  for (unsigned loop : summed)
    product *= sizes[loop];
  return product;
}

/// The largest dimension among the last two of the float operands: the sums of transformer ops run
/// over no more.
static double longestRow(Operation *op, OperandShape shapeOf) {
  int64_t longest = 1;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (!holdsFloats(op->getOperand(i).getType()))
      continue;
    Dims shape = shapeOf(i);
    for (size_t d = shape.size() < 2 ? 0 : shape.size() - 2; d < shape.size(); ++d)
      longest = std::max(longest, shape[d]);
  }
  return static_cast<double>(longest);
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

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

/// Of the product that forge-narrow-factors may make of `op`.
static std::optional<FloatType> narrowFactorType(Operation *op) {
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  return dot ? stablehlo::narrowFactorType(dot) : std::nullopt;
}

static DType dtypeOf16Bits(FloatType type) { return type.isBF16() ? DType::BF16 : DType::F16; }

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

/// The factors as they are, or, of a unit that may not add them up, as bf16.
std::optional<DType> forge::factorsOf(Operation *op) {
  std::optional<DType> type = storedFactorsOf(op);
  return type && byteWidth(*type) == 1 && !allowsUnitSums(op) ? DType::BF16 : type;
}

const MatrixArithmetic *forge::matrixUnitOf(std::optional<DType> factors, StringRef chip) {
  return factors ? productArithmeticOf({chip.data(), chip.size()}, *factors) : nullptr;
}

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

using reference::kFunctionUnits;

/// What moves or picks elements, in all dialects.
static bool movesElements(StringRef name) {
  static const llvm::StringSet<> names = {
      // StableHLO
      "abs", "bitcast_convert", "broadcast", "broadcast_in_dim", "ceil", "clamp", "compare",
      "concatenate", "constant", "dynamic_broadcast_in_dim", "dynamic_gather", "dynamic_iota",
      "dynamic_pad", "dynamic_reshape", "dynamic_slice", "dynamic_update_slice", "floor", "gather",
      "iota", "is_finite", "maximum", "minimum", "negate", "next_after", "optimization_barrier",
      "pad", "real_dynamic_slice", "reduce_precision", "reshape", "reverse", "round_nearest_afz",
      "round_nearest_even", "select", "sign", "slice", "sort", "top_k", "transpose",
      // tensor, arith, linalg
      "absf", "cast", "cmpf", "collapse_shape", "concat", "dim", "empty", "expand_shape",
      "extract_slice", "fill", "from_elements", "insert_slice", "maximumf", "maxnumf", "minimumf",
      "minnumf", "negf", "splat",
      // transformer
      "embedding", "kv_append", "kv_append_grad", "argmax"};
  return names.contains(name);
}

/// What IEEE 754 rounds exactly: once.
static bool roundsOnce(StringRef name) {
  static const llvm::StringSet<> names = {
      "add",          "subtract",    "multiply",      "divide",
      "sqrt",         "convert",     "reduce",        "square",
      "dot",          "dot_general", "ragged_dot",    "convolution",
      "dynamic_conv", "scatter",     "reduce_window", "select_and_scatter",
      "addf",         "subf",        "mulf",          "divf",
      "extf",         "truncf",      "sitofp",        "uitofp"};
  return names.contains(name);
}

/// Functions whose implementations give their limits, 1 and -1, once these are nearer than u / 8.
static bool saturates(StringRef name) {
  return name == "tanh" || name == "erf" || name == "logistic";
}

/// Whether the reference adds up the terms of `op` as a reference::Sum.
static bool sumsInSteps(Operation *op) {
  if (isa<stablehlo::DotGeneralOp, stablehlo::DotOp, chlo::RaggedDotOp, stablehlo::ConvolutionOp,
          stablehlo::DynamicConvOp>(op))
    return true;
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  std::optional<reference::BinaryOp> body;
  if (reduce && reduce.getInputs().size() == 1)
    body = interpreter::singleOp(reduce.getBody());
  return body == reference::BinaryOp::Add;
}

/// What `sum` says of itself where its operands have these sizes.
static int64_t reductionLength(transformer::AccumulationOpInterface sum, OperandShape shapeOf) {
  int64_t length = sum.getReductionLength();
  if (!ShapedType::isDynamic(length))
    return length;
  Block sized;
  IRMapping operands;
  for (auto [i, operand] : llvm::enumerate(sum->getOperands())) {
    Type type = operand.getType();
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = tensor.clone(shapeOf(i));
    operands.map(operand, sized.addArgument(type, sum.getLoc()));
  }
  Operation *copy = sum->cloneWithoutRegions(operands);
  length = cast<transformer::AccumulationOpInterface>(copy).getReductionLength();
  copy->destroy();
  return length;
}

/// Terms in the longest sum of a transformer op.
static double transformerTerms(Operation *op, OperandShape shapeOf) {
  if (auto softmax = dyn_cast<transformer::SoftmaxOp>(op))
    return sizesOf(shapeOf(0), softmax.getDimension());
  if (auto softmax = dyn_cast<transformer::LogSoftmaxOp>(op))
    return sizesOf(shapeOf(0), softmax.getDimension());
  if (auto matmul = dyn_cast<transformer::MatmulOp>(op))
    return sizesOf(shapeOf(0), matmul.getLhsContractingDim());
  if (auto sum = dyn_cast<transformer::AccumulationOpInterface>(op))
    return static_cast<double>(std::max<int64_t>(reductionLength(sum, shapeOf), 1));
  return longestRow(op, shapeOf);
}

static RoundingProfile transformerProfile(Operation *op, OperandShape shapeOf) {
  StringRef name = op->getName().stripDialect();
  RoundingProfile profile;
  if (name == "add" || name == "multiply" || name == "quantize" || name == "dequantize")
    return profile;
  profile.inSteps = true;
  profile.relative = kFunctionUnits;
  profile.terms = transformerTerms(op, shapeOf);
  profile.factors = factorsOf(op);
  if (auto sum = dyn_cast<transformer::AccumulationOpInterface>(op))
    if (FailureOr<DType> type = dtypeOf(sum.getAccumulationType());
        succeeded(type) && isFloat(*type))
      profile.accumulator = *type;
  return profile;
}

/// Instructions of a register program, those of loops as often as they are repeated.
static double instructionsOf(Block &block) {
  constexpr double kUnknownTimes = 64, kMost = 1 << 16;
  double count = 0;
  for (Operation &op : block) {
    auto loop = dyn_cast<registers::LoopOp>(op);
    double times = loop && loop.getTimes() ? static_cast<double>(*loop.getTimes()) : kUnknownTimes;
    count += loop ? times * instructionsOf(loop.getBody().front()) : 1;
  }
  return std::min(count, kMost);
}

/// For estimates each instruction counts as a term: it rounds once.
static RoundingProfile programProfile(registers::ProgramOp program) {
  RoundingProfile profile;
  profile.inSteps = true;
  profile.relative = kFunctionUnits;
  profile.terms = std::max(instructionsOf(program.getBody().front()), 1.0);
  return profile;
}

/// Whether correct executions may round each partial sum to the type of the result. The
/// specification computes bodies in the type of the elements; XLA was seen to do so for running
/// sums, average pooling and sums in bf16 (docs/conformance.md), and to carry f32 for other sums.
static bool sumsInStorage(Operation *op) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  return isa<stablehlo::ReduceOp, stablehlo::ScatterOp, stablehlo::ReduceWindowOp>(op) ||
         (call && call.getCallTargetName() == stablehlo::kDynamicReduceWindow);
}

/// Whether a product takes `value`, perhaps with its elements moved.
static bool isFactor(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::BroadcastInDimOp>(user))
      return isFactor(user->getResult(0));
    return isa<stablehlo::DotGeneralOp, stablehlo::DotOp>(user);
  });
}

/// Whether `value` is an exponential, perhaps rounded.
static bool isExponential(Value value) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    value = convert.getOperand();
  return value.getDefiningOp<stablehlo::ExpOp>() != nullptr;
}

/// Weights, exponentials divided by their sum and rounded for a product: an execution may round
/// them before they are divided, relative to another base (forge/Reference/Attention.h).
static bool roundsAtAnyScale(Operation *op) {
  auto isNarrow = [](Value value) {
    Type type = getElementTypeOrSelf(value);
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  };
  if (op->getNumResults() != 1 || !isNarrow(op->getResult(0)) || !isFactor(op->getResult(0)))
    return false;
  Operation *weight = op;
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op))
    weight = convert.getOperand().getDefiningOp();
  return isa_and_nonnull<stablehlo::DivOp, stablehlo::MulOp>(weight) &&
         llvm::any_of(weight->getOperands(), isExponential);
}

RoundingProfile forge::profileOf(Operation *op, OperandShape shapeOf) {
  StringRef name = op->getName().stripDialect();
  RoundingProfile profile;
  bool moves = movesElements(name);
  if (!moves && name.consume_front("broadcast_")) // chlo.broadcast_maximum
    moves = movesElements(name);
  if (moves) {
    profile.exact = true;
    return profile;
  }
  if (isa_and_nonnull<transformer::TransformerDialect>(op->getDialect()))
    return transformerProfile(op, shapeOf);
  if (auto program = dyn_cast<registers::ProgramOp>(op))
    return programProfile(program);
  if (onlyPicks(op) || callsTopK(op)) {
    profile.exact = true;
    return profile;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  profile.terms = structured ? linalgTerms(structured, shapeOf) : stablehloTerms(op, shapeOf);
  profile.factors = factorsOf(op);
  profile.relative = roundsOnce(name) ? 0 : kFunctionUnits;
  profile.saturates = saturates(name);
  profile.inSteps = sumsInSteps(op) || isa<stablehlo::RngOp>(op);
  profile.sumsInStorage = sumsInStorage(op);
  profile.roundsAtAnyScale = roundsAtAnyScale(op);
  if (std::optional<FloatType> type = narrowFactorType(op)) {
    profile.roundedType = dtypeOf16Bits(*type);
    for (OpOperand &operand : op->getOpOperands())
      if (!stablehlo::isExactIn(operand.get(), *type))
        profile.roundedOperands.push_back(operand.getOperandNumber());
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
      reduce && stablehlo::sumsWeightedGradients(reduce)) {
    profile.roundedOperands = {0};
    profile.roundsResult = true;
  }
  return profile;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Whole numbers as floats.
static bool givesWholeNumbers(StringRef name) {
  static const llvm::StringSet<> names = {
      "floor", "ceil",  "round_nearest_afz", "round_nearest_even", "sign", "roundeven",
      "round", "trunc", "reduce_precision",  "bitcast_convert"};
  return names.contains(name);
}

bool forge::isDecision(Operation *op) {
  if (!llvm::any_of(op->getOperandTypes(), holdsFloats))
    return false;
  StringRef name = op->getName().stripDialect();
  if (name == "get_dimension_size" || name == "dim" || name == "shape_of" || name == "rank")
    return false;
  if (auto gradient = dyn_cast<transformer::ActivationGradOp>(op))
    return gradient.getKind() == transformer::ActivationKind::Relu; // a step at 0
  bool carriesAlong = (name == "sort" || name == "select_and_scatter") && op->getNumOperands() > 1;
  if (carriesAlong || name == "remainder" || name == "remf" || givesWholeNumbers(name))
    return true;
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return isa<ShapedType, IntegerType, IndexType>(type) && !holdsFloats(type);
  });
}

bool forge::isMonotone(Operation *op) {
  StringRef name = op->getName().stripDialect();
  name.consume_front("broadcast_");
  return name == "compare" || name == "cmpf" || name == "convert" || name == "fptosi" ||
         name == "fptoui" || name == "is_finite" ||
         (givesWholeNumbers(name) && name != "bitcast_convert");
}

bool forge::isDecided(Operation *op, unsigned i) {
  return !holdsFloats(op->getResult(i).getType()) ||
         givesWholeNumbers(op->getName().stripDialect());
}
