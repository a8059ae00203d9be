#include "forge/Tune/FitCosts.h"

#include "forge/Codegen/Strategy.h"

#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

using namespace forge;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static void readKernel(const json::Object &kernel, llvm::StringRef file,
                       std::vector<Prediction> &samples) {
  std::optional<llvm::StringRef> name = kernel.getString("name");
  const json::Array *ways = kernel.getArray("ways");
  if (!name || !ways)
    return;
  for (const json::Value &value : *ways) {
    const json::Object *way = value.getAsObject();
    if (!way)
      continue;
    std::optional<llvm::StringRef> strategy = way->getString("strategy");
    std::optional<double> work = way->getNumber("work_us"),
                          predicted = way->getNumber("predicted_us"),
                          measured = way->getNumber("measured_us");
    if (strategy && work && predicted && measured && *work > 0 && *measured > 0)
      samples.push_back({(file + ":" + *name).str(), strategy->str(),
                         *predicted * 1e-6 + kLaunchSeconds, *measured * 1e-6, *work * 1e-6});
  }
}

Result<CostSamples> forge::readCostSamples(llvm::StringRef text, llvm::StringRef file) {
  auto wrong = [&](const std::string &why) {
    return Error{file.str() +
                 ": not what forge explain --measure --json or forge tune --json prints: " + why};
  };
  llvm::Expected<json::Value> document = json::parse(text);
  if (!document)
    return wrong(llvm::toString(document.takeError()));
  const json::Object *root = document->getAsObject();
  std::optional<llvm::StringRef> chip = root ? root->getString("chip") : std::nullopt;
  const json::Array *kernels = root ? root->getArray("kernels") : nullptr;
  if (!chip || !kernels)
    return wrong("expected \"chip\" and \"kernels\"");
  CostSamples samples{chip->str(), {}};
  for (const json::Value &kernel : *kernels)
    if (const json::Object *fields = kernel.getAsObject())
      readKernel(*fields, file, samples.samples);
  if (samples.samples.empty())
    return wrong("no kernel has a \"measured_us\"");
  return samples;
}

//===----------------------------------------------------------------------===//
// The fit
//===----------------------------------------------------------------------===//

static double sumOfSquares(llvm::ArrayRef<Prediction> samples, StrategyCost cost) {
  double sum = 0;
  for (const Prediction &sample : samples)
    sum += std::pow(std::log(sample.measured / (cost.seconds(sample.work) + kLaunchSeconds)), 2);
  return sum;
}

/// Where a function of one place has its least value between `low` and `high`, which is the only
/// one: by golden sections.
template <typename Function> static double leastOf(double low, double high, Function valueOf) {
  const double section = (std::sqrt(5.0) - 1) / 2;
  for (int step = 0; step < 80; ++step) {
    double left = high - section * (high - low), right = low + section * (high - low);
    if (valueOf(left) < valueOf(right))
      high = right;
    else
      low = left;
  }
  return (low + high) / 2;
}

/// A strategy that is a hundred times as slow as its work is no model of it.
static constexpr double kMostFactor = 100;
static constexpr double kMostOverhead = 100e-6;

static StrategyCost fitOverhead(llvm::ArrayRef<Prediction> samples, double overhead) {
  double logFactor = leastOf(-std::log(kMostFactor), std::log(kMostFactor), [&](double log) {
    return sumOfSquares(samples, {overhead, std::exp(log)});
  });
  return {overhead, std::exp(logFactor)};
}

static StrategyCost fitStrategy(llvm::ArrayRef<Prediction> samples) {
  if (samples.size() < kLeastCostSamples)
    return fitOverhead(samples, 0);
  double overhead = leastOf(0, kMostOverhead, [&](double seconds) {
    return sumOfSquares(samples, fitOverhead(samples, seconds));
  });
  StrategyCost with = fitOverhead(samples, overhead), without = fitOverhead(samples, 0);
  return sumOfSquares(samples, with) < sumOfSquares(samples, without) ? with : without;
}

StrategyCosts forge::fitCosts(llvm::ArrayRef<Prediction> samples) {
  std::map<std::string, std::vector<Prediction>> byStrategy;
  for (const Prediction &sample : samples)
    byStrategy[sample.strategy].push_back(sample);
  StrategyCosts costs;
  for (const auto &[strategy, ofStrategy] : byStrategy)
    costs[strategy] = fitStrategy(ofStrategy);
  return costs;
}

std::vector<Prediction> forge::predictBy(const StrategyCosts &costs,
                                         llvm::ArrayRef<Prediction> samples) {
  std::vector<Prediction> predictions(samples.begin(), samples.end());
  for (Prediction &one : predictions) {
    auto found = costs.find(one.strategy);
    StrategyCost cost = found == costs.end() ? StrategyCost() : found->second;
    one.predicted = cost.seconds(one.work) + kLaunchSeconds;
  }
  return predictions;
}

std::vector<Prediction> forge::crossValidate(llvm::ArrayRef<Prediction> samples) {
  std::vector<Prediction> predictions;
  for (const Prediction &sample : samples) {
    std::vector<Prediction> others;
    for (const Prediction &other : samples)
      if (other.strategy == sample.strategy && other.kernel != sample.kernel)
        others.push_back(other);
    llvm::append_range(predictions, predictBy(fitCosts(others), sample));
  }
  return predictions;
}

ChoiceError forge::choiceErrorOf(llvm::ArrayRef<Prediction> predictions) {
  std::map<std::string, std::vector<const Prediction *>> kernels;
  for (const Prediction &one : predictions)
    kernels[one.kernel].push_back(&one);
  auto callsLibrary = [](const Prediction *one) {
    const Strategy *strategy = findStrategy(one->strategy);
    return strategy && strategy->callsLibrary;
  };
  ChoiceError error;
  double logarithms = 0;
  for (const auto &[name, ways] : kernels) {
    if (ways.size() < 2)
      continue;
    const Prediction *chosen = *llvm::min_element(ways, [&](const auto *a, const auto *b) {
      return std::pair(a->predicted, callsLibrary(a)) < std::pair(b->predicted, callsLibrary(b));
    });
    const Prediction *fastest = *llvm::min_element(
        ways, [](const auto *a, const auto *b) { return a->measured < b->measured; });
    double ratio = chosen->measured / fastest->measured;
    logarithms += std::log(ratio);
    if (++error.kernels == 1 || ratio > error.most) {
      error.most = ratio;
      error.worst = *chosen;
    }
  }
  if (error.kernels > 0)
    error.mean = std::exp(logarithms / static_cast<double>(error.kernels));
  return error;
}
