#include "RoundingProfile.h"

#include "Evaluation.h"
#include "ProductFactors.h"

#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Dialect/StableHLO/IR/ApproxTopK.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Dialect/StableHLO/IR/FactorTypes.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Reference/Rounding.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

using reference::kFunctionUnits;

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

static RoundingProfile transformerProfile(Operation *op, OperandShape shapeOf) {
  StringRef name = op->getName().stripDialect();
  RoundingProfile profile;
  if (name == "add" || name == "multiply" || name == "quantize" || name == "dequantize")
    return profile;
  profile.inSteps = true;
  profile.relative = kFunctionUnits;
  profile.terms = sumTermsOf(op, shapeOf);
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
  profile.terms = sumTermsOf(op, shapeOf);
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
