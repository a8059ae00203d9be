#include "forge/Verify/ErrorModel.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
/// What is known of the error of a value, relative to the largest magnitude in its tensor.
struct Estimate {
  /// Expected square of the relative error, if every rounding is an independent random variable.
  double variance = 0;
  /// Roundings, and terms summed up, on the way here: for the report.
  int64_t roundings = 0;
  int64_t terms = 0;
  /// An integer or truth value that a rounded float decided.
  bool decidedByFloat = false;
};

Estimate larger(const Estimate &a, const Estimate &b) {
  Estimate result = a.variance >= b.variance ? a : b;
  result.roundings = std::max(a.roundings, b.roundings);
  result.terms = std::max(a.terms, b.terms);
  result.decidedByFloat = a.decidedByFloat || b.decidedByFloat;
  return result;
}
} // namespace

/// Trips assumed of a loop whose number nobody can tell, and the most ever assumed.
static constexpr int64_t kUnknownTrips = 64, kMostTrips = 1 << 16;
/// Elements assumed along a dynamic dimension.
static constexpr int64_t kDynamicSize = 64;

static double roundoff(Type type) {
  FailureOr<DType> element = dtypeOf(cast<ShapedType>(type).getElementType());
  return succeeded(element) && isFloat(*element) ? epsilonOf(*element) / 2 : 0;
}

static bool isFloatTensor(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && isa<FloatType>(shaped.getElementType());
}

/// Sums are accumulated in f32 at least, and in f64 for f64.
static double accumulationRoundoff(Type type) {
  return std::min(roundoff(type), epsilonOf(DType::F32) / 2);
}

static int64_t sizeOf(Value value, int64_t dimension) {
  int64_t size = cast<ShapedType>(value.getType()).getDimSize(dimension);
  return ShapedType::isDynamic(size) ? kDynamicSize : size;
}

static int64_t sizesOf(Value value, ArrayRef<int64_t> dimensions) {
  int64_t product = 1;
  for (int64_t dimension : dimensions)
    product = std::min<int64_t>(product * std::max<int64_t>(sizeOf(value, dimension), 1),
                                int64_t{1} << 40);
  return product;
}

/// Terms in each sum that `op` forms: 1 for ops that form none.
static int64_t termsOf(Operation *op) {
  if (auto sum = dyn_cast<transformer::AccumulationOpInterface>(op)) {
    int64_t length = sum.getReductionLength();
    return ShapedType::isDynamic(length) ? kDynamicSize : std::max<int64_t>(length, 1);
  }
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return sizesOf(dot.getLhs(), dot.getDotDimensionNumbers().getLhsContractingDimensions());
  if (auto dot = dyn_cast<stablehlo::DotOp>(op))
    return sizeOf(dot.getLhs(), cast<ShapedType>(dot.getLhs().getType()).getRank() - 1);
  if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    SmallVector<int64_t> summed(conv.getDimensionNumbers().getKernelSpatialDimensions());
    summed.push_back(conv.getDimensionNumbers().getKernelInputFeatureDimension());
    return sizesOf(conv.getRhs(), summed);
  }
  bool orders = false; // a body that only picks one of its operands
  if (op->getNumRegions() == 1 && !op->getRegion(0).empty())
    orders = llvm::all_of(op->getRegion(0).front().without_terminator(), [](Operation &inner) {
      return isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::CompareOp, stablehlo::SelectOp,
                 stablehlo::AndOp, stablehlo::OrOp, stablehlo::ConstantOp>(inner);
    });
  if (orders)
    return 1;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return sizesOf(reduce.getInputs()[0], reduce.getDimensions());
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    int64_t product = 1;
    for (int64_t size : window.getWindowDimensions())
      product = std::min<int64_t>(product * size, int64_t{1} << 40);
    return product;
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    // At worst every update lands on one element.
    auto indices = cast<ShapedType>(scatter.getScatterIndices().getType());
    return indices.hasStaticShape() ? std::max<int64_t>(indices.getNumElements(), 1) : kDynamicSize;
  }
  return 1;
}

/// Units in the last place by which two correct implementations of `op` may miss the exact result:
/// 0 for what moves or picks elements, 1 for what IEEE 754 rounds exactly (half of that each), 4
/// each way for functions.
static double ulpsOf(Operation *op) {
  static const llvm::StringSet<> exact = {"abs",
                                          "negate",
                                          "select",
                                          "clamp",
                                          "maximum",
                                          "minimum",
                                          "reshape",
                                          "gather",
                                          "transpose",
                                          "broadcast",
                                          "slice",
                                          "concatenate",
                                          "pad",
                                          "reverse",
                                          "iota",
                                          "dynamic_slice",
                                          "bitcast_convert",
                                          "optimization_barrier",
                                          "sort",
                                          "floor",
                                          "ceil",
                                          "sign",
                                          "dynamic_gather",
                                          "dynamic_reshape",
                                          "dynamic_pad",
                                          "dynamic_update_slice",
                                          "real_dynamic_slice",
                                          "broadcast_in_dim",
                                          "dynamic_broadcast_in_dim",
                                          "dynamic_iota",
                                          "round_nearest_even",
                                          "round_nearest_afz",
                                          "top_k",
                                          "cast",
                                          "collapse_shape",
                                          "concat",
                                          "dim",
                                          "empty",
                                          "expand_shape",
                                          "extract_slice",
                                          "fill",
                                          "insert_slice",
                                          "maximumf",
                                          "minimumf",
                                          "negf",
                                          "splat",
                                          "constant"};
  static const llvm::StringSet<> rounded = {"add",           "subtract",
                                            "multiply",      "divide",
                                            "sqrt",          "convert",
                                            "reduce",        "square",
                                            "dot",           "dot_general",
                                            "convolution",   "scatter",
                                            "reduce_window", "select_and_scatter",
                                            "addf",          "subf",
                                            "mulf",          "divf",
                                            "extf",          "truncf"};
  StringRef name = op->getName().stripDialect();
  name.consume_front("broadcast_");
  if (exact.contains(op->getName().stripDialect()) || exact.contains(name))
    return 0;
  return rounded.contains(name) ? 1 : 8;
}

namespace {
class Estimator {
public:
  explicit Estimator(ModuleOp module) : module(module) {}

  SmallVector<Estimate> run(func::FuncOp function, ArrayRef<Estimate> arguments) {
    if (function.isExternal() || depth > 100)
      return SmallVector<Estimate>(function.getNumResults());
    ++depth;
    SmallVector<Estimate> results = runBlock(function.getBody().front(), arguments);
    --depth;
    return results;
  }

private:
  SmallVector<Estimate> runBlock(Block &block, ArrayRef<Estimate> arguments) {
    for (auto [argument, estimate] : llvm::zip(block.getArguments(), arguments))
      known[argument] = estimate;
    for (Operation &op : block.without_terminator()) {
      SmallVector<Estimate> results = visit(&op);
      for (auto [result, estimate] : llvm::zip(op.getResults(), results))
        known[result] = estimate;
    }
    return of(block.getTerminator()->getOperands());
  }

  SmallVector<Estimate> of(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return known.lookup(value); });
  }

  SmallVector<Estimate> visit(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return callee(call.getCallee(), op);
    if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
      return callee(composite.getDecomposition(), op);
    if (isa<stablehlo::OptimizationBarrierOp>(op))
      return of(op->getOperands());
    if (isa<stablehlo::IfOp, stablehlo::CaseOp>(op))
      return branches(op);
    if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
      return repeat(loop);
    return SmallVector<Estimate>(
        llvm::map_range(op->getResultTypes(), [&](Type type) { return combine(op, type); }));
  }

  SmallVector<Estimate> callee(StringRef name, Operation *op) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    return function ? run(function, of(op->getOperands()))
                    : SmallVector<Estimate>(op->getNumResults());
  }

  SmallVector<Estimate> branches(Operation *op) {
    SmallVector<Estimate> results(op->getNumResults());
    for (Region &region : op->getRegions())
      for (auto [result, estimate] : llvm::zip(results, runBlock(region.front(), {})))
        result = larger(result, estimate);
    return results;
  }

  /// The most that one trip adds, as often as there are trips. Several trips are looked at: an
  /// error reaches a carried value through others, a trip later each.
  SmallVector<Estimate> repeat(stablehlo::WhileOp loop) {
    constexpr int kTripsLookedAt = 4;
    SmallVector<Estimate> initial = of(loop.getOperands()), before = initial, added(initial.size()),
                          after;
    for (int trip = 0; trip < kTripsLookedAt; ++trip) {
      after = runBlock(loop.getBody().front(), before);
      for (auto [first, next, most] : llvm::zip(before, after, added)) {
        most.variance = std::max(most.variance, next.variance - first.variance);
        most.roundings = std::max(most.roundings, next.roundings - first.roundings);
        first = larger(first, next);
      }
    }
    int64_t trips = tripsOf(loop);
    for (auto [first, last, most] : llvm::zip(initial, after, added)) {
      last.variance = first.variance + trips * most.variance;
      last.roundings = first.roundings + trips * most.roundings;
    }
    return after;
  }

  /// The constant that the loop's condition compares a counter with, if that is what it does.
  static int64_t tripsOf(stablehlo::WhileOp loop) {
    Block &condition = loop.getCond().front();
    auto compare = condition.getTerminator()->getOperand(0).getDefiningOp<stablehlo::CompareOp>();
    DenseIntElementsAttr limit;
    if (!compare)
      return kUnknownTrips;
    Value bound = compare.getRhs();
    // The bound may be carried through the loop unchanged.
    if (auto argument = dyn_cast<BlockArgument>(bound);
        argument && argument.getOwner() == &condition)
      bound = loop.getOperands()[argument.getArgNumber()];
    if (!matchPattern(bound, m_Constant(&limit)) || limit.getNumElements() != 1)
      return kUnknownTrips;
    return std::clamp<int64_t>((*limit.value_begin<APInt>()).getSExtValue(), 1, kMostTrips);
  }

  Estimate combine(Operation *op, Type type) {
    Estimate result;
    bool floatOperand = false;
    double ulps = ulpsOf(op);
    for (Value operand : op->getOperands()) {
      Estimate input = known.lookup(operand);
      floatOperand |= isFloatTensor(operand.getType()) && input.variance > 0;
      // The worst operand, not the sum: operands mostly share their history (a residual stream
      // meets itself after every layer), and adding it up at each meeting would double it each
      // time.
      result = larger(result, input);
    }
    if (!isFloatTensor(type)) {
      result.decidedByFloat |= floatOperand;
      result.variance = 0;
      return result;
    }
    int64_t terms = termsOf(op);
    double unit = roundoff(type), accumulation = accumulationRoundoff(type);
    if (ulps > 0) {
      // Types narrower than f32 are computed in f32 and rounded once.
      double own = ulps * accumulation;
      result.variance += unit * unit + own * own;
      ++result.roundings;
    }
    if (terms > 1) {
      result.variance += static_cast<double>(terms) * accumulation * accumulation;
      result.terms = std::max(result.terms, terms);
    }
    return result;
  }

  ModuleOp module;
  llvm::DenseMap<Value, Estimate> known;
  int depth = 0;
};
} // namespace

/// How many standard deviations apart two correct executions may be: both err, and the largest of
/// many elements counts.
static constexpr double kSafety = 6;

static std::string countOf(int64_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static Tolerance toleranceOf(Type type, const Estimate &estimate) {
  if (!isFloatTensor(type)) {
    Tolerance tolerance = Tolerance::exact();
    if (estimate.decidedByFloat)
      tolerance.basis = "exact, though rounded floats decide it";
    return tolerance;
  }
  FailureOr<DType> element = dtypeOf(cast<ShapedType>(type).getElementType());
  if (failed(element))
    return Tolerance::exact();
  if (estimate.roundings == 0)
    return Tolerance::exact();
  Tolerance tolerance;
  tolerance.ofScale = kSafety * std::sqrt(estimate.variance);
  tolerance.basis = std::string(dtypeName(*element)) + ", " +
                    countOf(estimate.roundings, "rounding") + ", sums of " +
                    countOf(std::max<int64_t>(estimate.terms, 1), "term");
  return tolerance;
}

std::vector<Tolerance> forge::estimateTolerances(func::FuncOp function) {
  SmallVector<Estimate> arguments(function.getNumArguments());
  SmallVector<Estimate> results =
      Estimator(function->getParentOfType<ModuleOp>()).run(function, arguments);
  std::vector<Tolerance> tolerances;
  for (auto [type, estimate] : llvm::zip(function.getResultTypes(), results))
    tolerances.push_back(toleranceOf(type, estimate));
  return tolerances;
}

/// Whether anything in the module is computed in a type narrower than f32.
static bool hasNarrowFloats(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool narrow = llvm::any_of(op->getResultTypes(), [](Type type) {
          auto shaped = dyn_cast<ShapedType>(type);
          return shaped && isFloatTensor(type) && roundoff(type) > epsilonOf(DType::F32);
        });
        return narrow ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void forge::widenTolerances(std::vector<Tolerance> &tolerances, func::FuncOp function,
                            const std::vector<HostTensor> &inputs) {
  auto module = function->getParentOfType<ModuleOp>();
  ScopedDiagnosticHandler quiet(function.getContext(), [](Diagnostic &) { return success(); });
  InterpreterOptions exactly, roughly;
  exactly.precision = InterpreterOptions::Precision::Double;
  roughly.perturbSums = true;
  FailureOr<std::vector<HostTensor>> rounded = Interpreter(module, roughly).run(function, inputs);
  FailureOr<std::vector<HostTensor>> ideal = Interpreter(module, exactly).run(function, inputs);
  if (failed(rounded) || failed(ideal))
    return;
  // One sample stands for the largest of many executions. What narrower types lose is mostly the
  // same on both sides, since both round every result.
  double factor = hasNarrowFloats(module) ? 2 : 8;
  for (size_t i = 0; i < tolerances.size(); ++i) {
    if (tolerances[i].ofScale == 0 || !isFloat((*rounded)[i].type()) ||
        (*rounded)[i].dims() != (*ideal)[i].dims())
      continue;
    double error = 0;
    for (int64_t k = 0; k < (*rounded)[i].numElements(); ++k) {
      double difference = std::fabs((*rounded)[i].getDouble(k) - (*ideal)[i].getDouble(k));
      if (std::isfinite(difference))
        error = std::max(error, difference);
    }
    if (error == 0)
      continue;
    tolerances[i].absolute = factor * error;
    tolerances[i].basis += ", measured against double";
  }
}
