#include "forge/Verify/ErrorModel.h"

#include "Decisions.h"
#include "ProductFactors.h"
#include "StaticEstimate.h"

#include "forge/Codegen/Target.h"

#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace forge;

using Tensors = std::vector<HostTensor>;

ErrorModelOptions forge::errorModelOf(StringRef target) {
  ErrorModelOptions options;
  if (Result<Target> parsed = Target::parse(target); parsed && parsed->isGPU())
    options.chip = parsed->chip->name.str();
  return options;
}

/// Whether any product in `module` is one that the matrix unit of `chip` adds up its own way.
static bool usesMatrixUnit(ModuleOp module, StringRef chip) {
  if (chip.empty())
    return false;
  return module
      .walk([&](Operation *op) {
        return matrixUnitOf(factorsOf(op), chip) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// 1. The execution without rounding.
class RecordHook : public InterpreterHook {
public:
  explicit RecordHook(Decisions &decisions) : decisions(decisions) {}
  void after(Operation *op, ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results) override {
    decisions.record(op, operands, results);
  }

private:
  Decisions &decisions;
};

/// 2. Executions that round at random.
class NoiseHook : public InterpreterHook {
public:
  NoiseHook(Decisions &decisions, RoundingNoise &noise) : decisions(decisions), noise(noise) {}
  void before(Operation *op, std::vector<TensorRef> &operands) override {
    taken.assign(operands.begin(), operands.end());
    if (noise.before(op, operands))
      steps.emplace(&noise);
  }
  void after(Operation *op, ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results) override {
    steps.reset();
    noise.after(op, operands, results);
    decisions.replay(op, taken, results);
  }

private:
  Decisions &decisions;
  RoundingNoise &noise;
  std::vector<TensorRef> taken;
  std::optional<reference::RoundingScope> steps;
};

/// An execution that rounds to nearest, with sums in chains unless `chain` is 0: then results are
/// all that is rounded. And whether it decides as the one without rounding.
class WatchHook : public InterpreterHook {
public:
  WatchHook(Decisions &decisions, int64_t chain, const std::string &chip = "")
      : decisions(decisions), rounding(chain, chip) {}
  void before(Operation *op, std::vector<TensorRef> &operands) override {
    decisions.count(op);
    if (rounding.chain() > 0 && rounding.enter(op, operands))
      steps.emplace(&rounding);
  }
  void after(Operation *op, ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results) override {
    steps.reset();
    otherwise |= decisions.decidedOtherwise(op, results);
  }
  bool otherwise = false;

private:
  Decisions &decisions;
  RoundingInOrder rounding;
  std::optional<reference::RoundingScope> steps;
};

/// 3. Executions that decide otherwise.
class FlipHook : public InterpreterHook {
public:
  FlipHook(Decisions &decisions, Decisions::Move direction, RoundingNoise &random)
      : decisions(decisions), direction(direction), random(random) {}
  void before(Operation *op, std::vector<TensorRef> &operands) override {
    decisions.move(op, operands, direction, random);
  }
  void after(Operation *op, ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results) override {
    flipped |= decisions.decidedOtherwise(op, results);
  }
  bool flipped = false;

private:
  Decisions &decisions;
  Decisions::Move direction;
  RoundingNoise &random;
};

/// The steps of measureTolerances on one function.
class Measurement {
public:
  Measurement(func::FuncOp function, const Tensors &inputs, const ErrorModelOptions &options,
              int64_t samples)
      : function(function), module(function->getParentOfType<ModuleOp>()), inputs(inputs),
        chip(options.chip), noise(options.seed, options.chip), samples(samples) {}

  /// False when the reference cannot execute the function.
  bool run() { return runExactly() && runRounded() && runNoisy() && runFlipped(); }

  Tolerance toleranceOf(size_t i, int64_t terms) const;

private:
  FailureOr<Tensors> execute(InterpreterHook *hook, bool inDouble) {
    InterpreterOptions options;
    options.precision =
        inDouble ? InterpreterOptions::Precision::Double : InterpreterOptions::Precision::Storage;
    options.hook = hook;
    decisions.begin();
    ++executions;
    return Interpreter(module, options).run(function, inputs);
  }

  DType typeOf(size_t i) const {
    Type type = func::FuncOp(function).getResultTypes()[i];
    return *dtypeOf(cast<ShapedType>(type).getElementType());
  }

  bool runExactly() {
    RecordHook hook(decisions);
    FailureOr<Tensors> results = execute(&hook, true);
    if (failed(results))
      return false;
    exact = std::move(*results);
    for (size_t i = 0; i < exact.size(); ++i) {
      deviations.emplace_back(isFloat(typeOf(i)) ? exact[i] : HostTensor());
      flips.emplace_back(static_cast<size_t>(isFloat(typeOf(i)) ? exact[i].numElements() : 0));
      classes.emplace_back(flips.back().size());
    }
    seenClasses(exact);
    alternatives.push_back(exact);
    return true;
  }

  /// What the module means, every result rounded to nearest: what is compared with. The same with
  /// every step rounded: rounding is not always unbiased (a sum that has grown no longer takes
  /// small terms, equal terms err alike), and these are the executions that show it. A matrix unit
  /// that cuts toward 0 errs by as much as there are terms of one sign: the last one shows it.
  bool runRounded() {
    for (int64_t chain : {int64_t{0}, kChains[0], kChains[1], kChains[2]})
      if (!runInOrder(chain, ""))
        return false;
    return !usesMatrixUnit(module, chip) || runInOrder(kChains[2], chip);
  }

  bool runInOrder(int64_t chain, const std::string &unitOf) {
    WatchHook hook(decisions, chain, unitOf);
    FailureOr<Tensors> results = execute(&hook, false);
    if (failed(results))
      return false;
    if (hook.otherwise)
      seenFlipped(*results);
    else
      addDeviations(*results);
    seenClasses(*results);
    if (chain == 0)
      expected = *results;
    alternatives.push_back(std::move(*results));
    return true;
  }

  bool runNoisy() {
    for (int64_t sample = 0; sample < samples; ++sample)
      if (!runNoisyOnce(sample, false))
        return false;
    // Where all overflow, they say nothing of those that carry more between two steps.
    bool unknown = llvm::any_of(llvm::seq<size_t>(0, exact.size()), [&](size_t i) {
      return isFloat(typeOf(i)) && deviations[i].lacksSamples();
    });
    for (int64_t sample = 0; unknown && sample < samples; ++sample)
      if (!runNoisyOnce(sample, true))
        return false;
    return true;
  }

  bool runNoisyOnce(int64_t sample, bool unlimited) {
    noise.begin(sample, unlimited);
    NoiseHook hook(decisions, noise);
    FailureOr<Tensors> results = execute(&hook, true);
    if (failed(results))
      return false;
    addDeviations(*results);
    seenClasses(*results);
    return true;
  }

  void addDeviations(const Tensors &results) {
    for (size_t i = 0; i < exact.size(); ++i)
      if (isFloat(typeOf(i)))
        deviations[i].add(results[i]);
  }

  bool runFlipped() {
    if (!decisions.anyUncertain())
      return true;
    bool any = false;
    for (int64_t run = 0; run < samples + 2; ++run) {
      using Move = Decisions::Move;
      FlipHook hook(decisions, run == 0 ? Move::Up : run == 1 ? Move::Down : Move::Random, noise);
      FailureOr<Tensors> results = execute(&hook, true);
      if (failed(results))
        return false;
      any |= hook.flipped;
      if (hook.flipped)
        seenFlipped(*results);
      // Nothing can fall otherwise: the ends of all intervals were tried.
      if (run == 1 && !any && decisions.allMonotone())
        break;
    }
    return true;
  }

  void seenFlipped(const Tensors &results) {
    flippedExecutions++;
    for (size_t i = 0; i < exact.size(); ++i) {
      if (results[i].dims() != exact[i].dims())
        continue;
      for (size_t k = 0; k < flips[i].size(); ++k) {
        double difference = std::fabs(results[i].getDouble(static_cast<int64_t>(k)) -
                                      exact[i].getDouble(static_cast<int64_t>(k)));
        if (std::isfinite(difference))
          flips[i][k] = std::max(flips[i][k], difference);
      }
    }
    seenClasses(results);
    alternatives.push_back(results);
  }

  void seenClasses(const Tensors &results) {
    for (size_t i = 0; i < classes.size(); ++i)
      for (size_t k = 0; k < classes[i].size() && results[i].dims() == exact[i].dims(); ++k)
        classes[i][k] |= ElementBounds::classOf(
            reference::roundToType(typeOf(i), results[i].getDouble(static_cast<int64_t>(k))));
  }

  func::FuncOp function;
  ModuleOp module;
  const Tensors &inputs;
  std::string chip;
  Decisions decisions;
  RoundingNoise noise;
  int64_t samples;
  int64_t executions = 0;
  int64_t flippedExecutions = 0;

  /// Without rounding, and with every result rounded to nearest.
  Tensors exact, expected;
  /// Per result: what rounding does, how far other decisions lead, classes of value.
  std::vector<Deviation> deviations;
  std::vector<std::vector<double>> flips;
  std::vector<std::vector<uint8_t>> classes;
  /// Results of executions that decided otherwise, of the one without rounding and of those that
  /// round to nearest.
  std::vector<Tensors> alternatives;
};
} // namespace

/// Half the distance from `value` to the next value of `type` away from zero.
static double halfUlp(DType type, double value) {
  double magnitude = std::fabs(reference::roundToType(type, value));
  if (!std::isfinite(magnitude))
    return 0;
  double next = decodeFloat(type, encodeFloat(type, magnitude) + 1);
  return std::isfinite(next) ? (next - magnitude) / 2
                             : magnitude * epsilonOf(type) / 2; // the largest value
}

Tolerance Measurement::toleranceOf(size_t i, int64_t terms) const {
  auto bounds = std::make_shared<ElementBounds>();
  Tolerance tolerance;
  DType type = typeOf(i);
  if (!isFloat(type)) {
    tolerance.basis = "exact";
    if (flippedExecutions > 0) {
      tolerance.basis = "exact, or as rounded floats may decide it in one of " +
                        std::to_string(executions) + " executions";
      for (const Tensors &results : alternatives)
        bounds->alternatives.push_back(results[i]);
    }
    tolerance.elements = std::move(bounds);
    return tolerance;
  }
  bool flipped = llvm::any_of(flips[i], [](double change) { return change > 0; });
  bounds->classes = classes[i];
  if (deviations[i].isZero() && !flipped) {
    // Rounding changes nothing: exactly this, but for what is not finite.
    tolerance = Tolerance::exact();
    tolerance.elements = std::move(bounds);
    return tolerance;
  }
  bounds->allowed = deviations[i].pooled();
  std::vector<double> events = deviations[i].rareEvents(),
                      factors = deviations[i].byFactor(kDeviations);
  // What errs by a factor grows no further than to what the largest elements may be off by.
  double most = 0;
  for (double allowed : bounds->allowed)
    most = std::max(most, kDeviations * allowed);
  for (size_t k = 0; k < bounds->allowed.size(); ++k) {
    double &allowed = bounds->allowed[k];
    allowed = std::max({kDeviations * allowed, 2 * events[k], std::min(factors[k], most)});
    // A value that went along with a decision was moved within its own error.
    if (flips[i][k] > allowed)
      allowed += flips[i][k];
    // What is compared with is one execution itself, and how far off it is, is known.
    double value = exact[i].getDouble(static_cast<int64_t>(k)), known = 0;
    if (expected[i].dims() == exact[i].dims())
      known = std::fabs(expected[i].getDouble(static_cast<int64_t>(k)) - value);
    allowed += std::max(halfUlp(type, value), std::isfinite(known) ? known : 0);
  }
  tolerance.elements = std::move(bounds);
  tolerance.basis = "6 standard deviations by " + std::to_string(executions) + " executions in " +
                    std::string(dtypeName(type)) + ", sums of up to " + std::to_string(terms) +
                    (terms == 1 ? " term" : " terms") +
                    (flipped ? ", with decisions that may fall otherwise" : "");
  return tolerance;
}

static constexpr int64_t kFewestSamples = 4;

/// Fewer where each costs more: about 50 million element operations take a second.
static int64_t samplesFor(double work) {
  return std::clamp<int64_t>(static_cast<int64_t>(1e8 / std::max(work, 1.0)), kFewestSamples, 16);
}

/// The largest size that an argument leaves open; 1 if none does.
static int64_t largestDynamicSize(func::FuncOp function, const Tensors &inputs) {
  int64_t largest = 1;
  for (auto [type, input] : llvm::zip(function.getArgumentTypes(), inputs)) {
    auto shaped = dyn_cast<ShapedType>(type);
    for (int64_t d = 0; shaped && d < std::min(shaped.getRank(), input.rank()); ++d)
      if (shaped.isDynamicDim(static_cast<unsigned>(d)))
        largest = std::max(largest, input.dims()[d]);
  }
  return largest;
}

std::vector<Tolerance> forge::withoutErrorModel(size_t count) {
  std::vector<Tolerance> tolerances(count, Tolerance::exact());
  for (Tolerance &tolerance : tolerances)
    tolerance.basis = "exact: there is no error model of a module at this phase";
  return tolerances;
}

std::vector<Tolerance> forge::measureTolerances(func::FuncOp function,
                                                const std::vector<HostTensor> &inputs,
                                                const ErrorModelOptions &options) {
  ScopedDiagnosticHandler quiet(function.getContext(), [](Diagnostic &) { return success(); });
  // Types that leave sizes open do not tell how much work there is: an execution does, which ends
  // where it is too much for the fewest samples.
  SeenSizes sizes(options.mostWork / kFewestSamples);
  if (options.mostWork > 0 && hasOpenSizes(function)) {
    InterpreterOptions following;
    following.hook = &sizes;
    (void)Interpreter(function->getParentOfType<ModuleOp>(), following).run(function, inputs);
  }
  StaticEstimate estimate =
      estimateFromModule(function, sizes, largestDynamicSize(function, inputs), options.chip);
  if (sizes.work() > 0)
    estimate.work = sizes.work();
  // What is in memory is no value that an estimate follows.
  auto estimated = [&] {
    return llvm::any_of(function.getResultTypes(), llvm::IsaPred<BaseMemRefType>)
               ? withoutErrorModel(function.getNumResults())
               : std::move(estimate.tolerances);
  };
  int64_t samples = options.samples > 0 ? options.samples : samplesFor(estimate.work);
  if (estimate.work * static_cast<double>(samples) > options.mostWork)
    return estimated();
  Measurement measurement(function, inputs, options, samples);
  if (!measurement.run())
    return estimated();
  std::vector<Tolerance> tolerances;
  for (size_t i = 0; i < estimate.terms.size(); ++i)
    tolerances.push_back(measurement.toleranceOf(i, estimate.terms[i]));
  return tolerances;
}
