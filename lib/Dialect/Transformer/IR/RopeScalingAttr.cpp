#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// The parameters by name, with the numbers they have unless given; 0 where a number must be given
/// or is derived.
struct Parameters {
  int64_t originalLength = 0;
  llvm::StringMap<double> values = {
      {"factor", 0},           {"beta_fast", 32},           {"beta_slow", 1},
      {"attention_factor", 0}, {"low_frequency_factor", 1}, {"high_frequency_factor", 4}};
};

/// Whether a rule reads a parameter.
bool isParameterOf(RopeScalingKind kind, StringRef name) {
  if (name == "beta_fast" || name == "beta_slow" || name == "attention_factor")
    return kind == RopeScalingKind::Yarn;
  if (name == "low_frequency_factor" || name == "high_frequency_factor")
    return kind == RopeScalingKind::Llama3;
  return true;
}

} // namespace

Attribute RopeScalingAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name))
    return {};
  std::optional<RopeScalingKind> kind = symbolizeRopeScalingKind(name);
  if (!kind) {
    parser.emitError(loc) << "expected linear, dynamic, yarn or llama3, but got " << name;
    return {};
  }
  Parameters parameters;
  llvm::StringSet<> given;
  while (succeeded(parser.parseOptionalComma())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    auto entry = parameters.values.find(name);
    if (entry == parameters.values.end() && name != "original_length") {
      parser.emitError(loc) << "expected a parameter of rope scaling, but got " << name;
      return {};
    }
    if (!isParameterOf(*kind, name)) {
      parser.emitError(loc) << "expected a parameter of " << stringifyRopeScalingKind(*kind)
                            << ", but got " << name;
      return {};
    }
    if (!given.insert(name).second) {
      parser.emitError(loc) << "expected " << name << " once";
      return {};
    }
    if (name == "original_length") {
      if (parser.parseInteger(parameters.originalLength))
        return {};
    } else if (parser.parseFloat(entry->second)) {
      return {};
    }
    if (name == "attention_factor" && entry->second == 0) {
      parser.emitError(loc) << "expected an attention_factor that is finite and above 0, but got 0";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  auto number = [&](StringRef key) { return APFloat(parameters.values.lookup(key)); };
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), *kind,
                    number("factor"), parameters.originalLength, number("beta_fast"),
                    number("beta_slow"), number("attention_factor"), number("low_frequency_factor"),
                    number("high_frequency_factor"));
}

void RopeScalingAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyRopeScalingKind(getKind());
  auto print = [&](StringRef name, const APFloat &value, double standard) {
    if (value.convertToDouble() == standard)
      return;
    printer << ", " << name << " = ";
    printer.printFloat(value);
  };
  print("factor", getFactor(), 0);
  if (getOriginalLength())
    printer << ", original_length = " << getOriginalLength();
  print("beta_fast", getBetaFast(), 32);
  print("beta_slow", getBetaSlow(), 1);
  print("attention_factor", getAttentionFactor(), 0);
  print("low_frequency_factor", getLowFrequencyFactor(), 1);
  print("high_frequency_factor", getHighFrequencyFactor(), 4);
  printer << ">";
}

// NOLINTBEGIN(performance-unnecessary-value-param): as TableGen declares it
LogicalResult RopeScalingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                      RopeScalingKind kind, APFloat factor, int64_t originalLength,
                                      APFloat betaFast, APFloat betaSlow, APFloat attentionFactor,
                                      APFloat lowFrequencyFactor, APFloat highFrequencyFactor) {
  // NOLINTEND(performance-unnecessary-value-param)
  auto positive = [](const APFloat &value) {
    return value.isFinite() && !value.isNegative() && value.isNonZero();
  };
  double times = factor.convertToDouble();
  if (!positive(factor) || (kind == RopeScalingKind::Dynamic && times < 1))
    return emitError() << "expected a factor that is finite and "
                       << (kind == RopeScalingKind::Dynamic ? "1 or more" : "above 0")
                       << ", but got " << times;
  if (originalLength < (kind == RopeScalingKind::Linear ? 0 : 1))
    return emitError() << "expected an original_length of 1 or more, but got " << originalLength;
  for (const auto &[name, value] :
       {std::pair("beta_fast", betaFast), std::pair("beta_slow", betaSlow),
        std::pair("low_frequency_factor", lowFrequencyFactor),
        std::pair("high_frequency_factor", highFrequencyFactor)})
    if (!positive(value))
      return emitError() << "expected a " << name << " that is finite and above 0, but got "
                         << value.convertToDouble();
  // 0 stands for the factor that is derived.
  if (!positive(attentionFactor) && !attentionFactor.isPosZero())
    return emitError() << "expected an attention_factor that is finite and above 0, but got "
                       << attentionFactor.convertToDouble();
  if (!(highFrequencyFactor > lowFrequencyFactor))
    return emitError() << "expected a high_frequency_factor above the low one, "
                       << lowFrequencyFactor.convertToDouble() << ", but got "
                       << highFrequencyFactor.convertToDouble();
  return success();
}

} // namespace forge::transformer
