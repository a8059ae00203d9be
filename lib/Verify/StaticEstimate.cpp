#include "StaticEstimate.h"

#include "Decisions.h"
#include "ProductFactors.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/MatrixArithmetic.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace forge;

/// Trips assumed of a loop whose number is not known, and the most ever assumed.
static constexpr int64_t kUnknownTrips = 64, kMostTrips = 1 << 16;

static double roundoff(Type type) {
  FailureOr<DType> element = dtypeOf(getElementTypeOrSelf(type));
  return succeeded(element) && isFloat(*element) ? epsilonOf(*element) / 2 : 0;
}

namespace {
/// What is known of the error of a value, relative to the largest magnitude in its tensor.
struct Estimate {
  /// Expected square of the relative error, if every rounding is an independent random variable.
  double variance = 0;
  /// What matrix units that cut toward 0 lose: errors of one sign, which add up.
  double loss = 0;
  /// Roundings, and terms summed up, on the way here: for the report.
  int64_t roundings = 0;
  int64_t terms = 0;
};

Estimate larger(const Estimate &a, const Estimate &b) {
  Estimate result = a.variance >= b.variance ? a : b;
  result.loss = std::max(a.loss, b.loss);
  result.roundings = std::max(a.roundings, b.roundings);
  result.terms = std::max(a.terms, b.terms);
  return result;
}

class Estimator {
public:
  Estimator(ModuleOp module, const SeenSizes &sizes, int64_t dynamicSize, StringRef chip)
      : module(module), sizes(sizes), dynamicSize(dynamicSize), chip(chip) {}

  /// Element operations of everything visited so far.
  double work() const { return totalWork; }

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
      return repeat(of(loop.getOperands()), tripsOf(loop), [&](ArrayRef<Estimate> carried) {
        return runBlock(loop.getBody().front(), carried);
      });
    if (auto scan = dyn_cast<chlo::ScanOp>(op))
      return along(scan);
    totalWork += repeats * workOf(
                               op, [&](unsigned i) { return sizes.operand(op, i, dynamicSize); },
                               [&](unsigned i) { return sizes.result(op, i, dynamicSize); });
    return SmallVector<Estimate>(
        llvm::map_range(op->getResultTypes(), [&](Type type) { return combine(op, type); }));
  }

  SmallVector<Estimate> callee(StringRef name, Operation *op) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (function && function->hasAttr(kReferenceAttr))
      if (FailureOr<func::FuncOp> reference = referenceOf(function); succeeded(reference))
        function = *reference;
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
  SmallVector<Estimate>
  repeat(SmallVector<Estimate> initial, int64_t trips,
         llvm::function_ref<SmallVector<Estimate>(ArrayRef<Estimate>)> runTrip) {
    constexpr int kTripsLookedAt = 4;
    SmallVector<Estimate> before = initial, added(initial.size()), after;
    double outer = repeats;
    repeats = outer * static_cast<double>(trips) / kTripsLookedAt;
    for (int trip = 0; trip < kTripsLookedAt; ++trip) {
      after = runTrip(before);
      for (auto [first, next, most] : llvm::zip(before, after, added)) {
        most.variance = std::max(most.variance, next.variance - first.variance);
        most.loss = std::max(most.loss, next.loss - first.loss);
        most.roundings = std::max(most.roundings, next.roundings - first.roundings);
        first = larger(first, next);
      }
    }
    repeats = outer;
    for (auto [first, last, most] : llvm::zip(initial, after, added)) {
      last.variance = first.variance + trips * most.variance;
      last.loss = first.loss + static_cast<double>(trips) * most.loss;
      last.roundings = first.roundings + trips * most.roundings;
    }
    return after;
  }

  /// A scan carries its inits, and the worst slice of each output.
  SmallVector<Estimate> along(chlo::ScanOp scan) {
    SmallVector<Estimate> initial = of(scan.getInits());
    size_t numCarries = initial.size(), numOutputs = scan.getOutputs().size();
    initial.resize(numCarries + numOutputs);
    int64_t trips = std::clamp<int64_t>(scan.getNumSteps(), 1, kMostTrips);
    SmallVector<Estimate> last = repeat(initial, trips, [&](ArrayRef<Estimate> carried) {
      SmallVector<Estimate> arguments = of(scan.getInputs());
      llvm::append_range(arguments, carried.take_front(numCarries));
      SmallVector<Estimate> next = runBlock(scan.getBody().front(), arguments);
      std::rotate(next.begin(), next.begin() + numOutputs, next.end());
      return next;
    });
    std::rotate(last.begin(), last.begin() + numCarries, last.end());
    return last;
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
    // The worst operand, not the sum: operands mostly share their history (a residual stream meets
    // itself after every layer), and adding it up at each meeting would double it each time.
    for (Value operand : op->getOperands())
      result = larger(result, known.lookup(operand));
    if (!holdsFloats(type)) {
      result.variance = result.loss = 0;
      return result;
    }
    RoundingProfile profile =
        profileOf(op, [&](unsigned i) { return sizes.operand(op, i, dynamicSize); });
    if (profile.exact)
      return result;
    double unit = roundoff(type), compute = std::min(unit, 0x1p-24);
    double own = profile.terms + profile.relative * profile.relative;
    const MatrixArithmetic *matrix = matrixUnitOf(profile.factors, chip);
    if (matrix && matrix->fractionBits < 23)
      compute = std::ldexp(0.5, -matrix->fractionBits);
    result.variance += unit * unit + own * compute * compute;
    if (matrix)
      result.loss += matrix->expectedLoss(profile.terms);
    ++result.roundings;
    result.terms = std::max(result.terms, static_cast<int64_t>(profile.terms));
    return result;
  }

  ModuleOp module;
  const SeenSizes &sizes;
  int64_t dynamicSize;
  StringRef chip;
  llvm::DenseMap<Value, Estimate> known;
  /// How often what is visited is executed.
  double repeats = 1;
  double totalWork = 0;
  int depth = 0;
};
} // namespace

static Tolerance toleranceOf(Type type, const Estimate &estimate) {
  FailureOr<DType> element = dtypeOf(getElementTypeOrSelf(type));
  if (failed(element) || !isFloat(*element) || estimate.roundings == 0)
    return Tolerance::exact();
  Tolerance tolerance;
  tolerance.ofScale = kDeviations * std::sqrt(estimate.variance) + estimate.loss;
  tolerance.basis = "estimated, not measured: " + std::string(dtypeName(*element)) + ", " +
                    std::to_string(estimate.roundings) + " roundings, sums of up to " +
                    std::to_string(std::max<int64_t>(estimate.terms, 1)) + " terms";
  return tolerance;
}

StaticEstimate forge::estimateFromModule(func::FuncOp function, const SeenSizes &sizes,
                                         int64_t dynamicSize, StringRef chip) {
  SmallVector<Estimate> arguments(function.getNumArguments());
  Estimator estimator(function->getParentOfType<ModuleOp>(), sizes, dynamicSize, chip);
  StaticEstimate result;
  SmallVector<Estimate> estimates = estimator.run(function, arguments);
  for (auto [type, estimate] : llvm::zip(function.getResultTypes(), estimates)) {
    result.tolerances.push_back(toleranceOf(type, estimate));
    result.terms.push_back(std::max<int64_t>(estimate.terms, 1));
  }
  result.work = estimator.work();
  return result;
}
