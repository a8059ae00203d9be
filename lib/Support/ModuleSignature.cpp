#include "forge/Support/ModuleSignature.h"

#include "forge/Support/NibbleFormat.h"

#include <algorithm>
#include <cctype>
#include <charconv>

using namespace forge;

/// The shortest text that reads back as `value`.
static std::string exactNumber(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

using Part = QuantizedMatrix::Part;

static constexpr std::pair<std::string_view, Part> kParts[] = {
    {"values", Part::Values},         {"scales", Part::Scales},
    {"nibbles", Part::Nibbles},       {"nibble-scales", Part::NibbleScales},
    {"f8-values", Part::FloatValues}, {"f8-scales", Part::FloatScales}};

TensorSpec QuantizedMatrix::made() const {
  int64_t rows = stored.dims[0], columns = stored.dims[1];
  switch (part) {
  case Part::Values:
    return {DType::I8, stored.dims};
  case Part::Scales:
  case Part::FloatScales:
    return {DType::F32, {rows}};
  case Part::FloatValues:
    return {DType::F8E4M3FN, stored.dims};
  case Part::Nibbles:
    return {DType::I32, {rows, wordsOfNibbles(columns)}};
  case Part::NibbleScales:
    return {DType::BF16, {rows, groupsOfNibbles(columns)}};
  }
  return {};
}

std::string forge::quantizedText(const QuantizedMatrix &matrix) {
  const auto *named =
      std::ranges::find(kParts, matrix.part, [](const auto &p) { return p.second; });
  return std::string(named->first) + " of " + typeString(matrix.stored);
}

static std::string weightText(const WeightSource &weight) {
  std::string text = " weight " + weight.tensor + "\t" + weight.file;
  return weight.quantized ? text + "\t" + quantizedText(*weight.quantized) : text;
}

std::string forge::writeSignature(const ModuleSignature &signature) {
  const FunctionSignature &function = signature.function;
  std::string text = "function " + function.name + "\ntarget " + signature.target + "\n";
  if (signature.weightBytesRead)
    text += "reads " + std::to_string(signature.weightBytesRead) + "\n";
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    bool donated = i < function.donated.size() && function.donated[i];
    text += "argument " + typeString(function.arguments[i]) + (donated ? " donated" : "");
    if (i < signature.names.size() && !signature.names[i].empty())
      text += " name " + signature.names[i];
    if (i < signature.weights.size() && signature.weights[i])
      text += weightText(*signature.weights[i]);
    text += "\n";
  }
  for (size_t i = 0; i < function.results.size(); ++i) {
    text += "result " + typeString(function.results[i]);
    if (i < signature.tolerances.size()) {
      const ResultTolerance &tolerance = signature.tolerances[i];
      text += " tolerance " + exactNumber(tolerance.absolute) + " " +
              exactNumber(tolerance.ofScale) + " " + std::to_string(tolerance.ulp) + " " +
              tolerance.basis;
    }
    text += "\n";
  }
  return text;
}

/// Takes what is before the next `separator` off `text`.
static std::string_view take(std::string_view &text, char separator) {
  size_t end = text.find(separator);
  std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

template <typename T> static bool parseNumber(std::string_view text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// "tensor<?x33xf32>", "tensor<4xcomplex<f32>>".
static bool parseSpec(std::string_view text, TensorSpec &spec) {
  constexpr std::string_view prefix = "tensor<";
  if (!text.starts_with(prefix) || !text.ends_with('>'))
    return false;
  text = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  while (text.find('x') != std::string_view::npos && (text[0] == '?' || isdigit(text[0]))) {
    std::string_view size = take(text, 'x');
    int64_t number = TensorSpec::dynamic;
    if (size != "?" && (!parseNumber(size, number) || number < 0))
      return false;
    spec.dims.push_back(number);
  }
  constexpr std::string_view complex = "complex<";
  spec.isComplex = text.starts_with(complex) && text.ends_with('>');
  if (spec.isComplex) {
    text = text.substr(complex.size(), text.size() - complex.size() - 1);
    spec.dims.push_back(2);
  }
  std::optional<DType> type = parseDType(text);
  if (!type || (spec.isComplex && *type != DType::F32 && *type != DType::F64))
    return false;
  spec.type = *type;
  return true;
}

std::optional<QuantizedMatrix> forge::parseQuantized(std::string_view text) {
  QuantizedMatrix matrix;
  std::string_view name = take(text, ' ');
  const auto *named = std::ranges::find(kParts, name, [](const auto &p) { return p.first; });
  if (named == std::end(kParts))
    return std::nullopt;
  matrix.part = named->second;
  const TensorSpec &stored = matrix.stored;
  bool isKnown =
      take(text, ' ') == "of" && parseSpec(text, matrix.stored) && !stored.isComplex &&
      stored.dims.size() == 2 && stored.hasStaticShape() &&
      (stored.type == DType::F32 || stored.type == DType::F16 || stored.type == DType::BF16);
  return isKnown ? std::optional(std::move(matrix)) : std::nullopt;
}

static bool parseTolerance(std::string_view text, ResultTolerance &tolerance) {
  bool ok = take(text, ' ') == "tolerance" && parseNumber(take(text, ' '), tolerance.absolute) &&
            parseNumber(take(text, ' '), tolerance.ofScale) &&
            parseNumber(take(text, ' '), tolerance.ulp);
  tolerance.basis = text;
  return ok;
}

static bool isName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.';
  });
}

/// What is behind the type of an argument: "donated name NAME weight
/// TENSOR<tab>FILE[<tab>QUANTISED]", some or none of them.
static bool parseArgument(std::string_view text, ModuleSignature &signature) {
  bool donated = text == "donated" || text.starts_with("donated ");
  signature.function.donated.push_back(donated);
  signature.weights.emplace_back();
  if (donated)
    take(text, ' ');
  signature.names.emplace_back();
  if (text.starts_with("name ")) {
    take(text, ' ');
    signature.names.back() = take(text, ' ');
    if (!isName(signature.names.back()))
      return false;
  }
  if (text.empty())
    return true;
  if (take(text, ' ') != "weight")
    return false;
  std::string_view tensor = take(text, '\t'), file = take(text, '\t');
  auto isControl = [](unsigned char c) { return c < ' '; };
  if (tensor.empty() || file.empty() || std::ranges::any_of(tensor, isControl) ||
      std::ranges::any_of(file, isControl))
    return false;
  signature.weights.back() = {std::string(file), std::string(tensor)};
  if (text.empty())
    return true;
  signature.weights.back()->quantized = parseQuantized(text);
  return signature.weights.back()->quantized.has_value();
}

static bool parseLine(std::string_view line, ModuleSignature &signature) {
  std::string_view key = take(line, ' ');
  if (key == "function" || key == "target") {
    (key == "target" ? signature.target : signature.function.name) = line;
    return !line.empty();
  }
  if (key == "reads")
    return parseNumber(line, signature.weightBytesRead);
  TensorSpec spec;
  if ((key != "argument" && key != "result") || !parseSpec(take(line, ' '), spec))
    return false;
  if (key == "argument") {
    signature.function.arguments.push_back(spec);
    return parseArgument(line, signature);
  }
  signature.function.results.push_back(spec);
  if (line.empty())
    return signature.tolerances.empty();
  signature.tolerances.emplace_back();
  return signature.tolerances.size() == signature.function.results.size() &&
         parseTolerance(line, signature.tolerances.back());
}

Result<ModuleSignature> forge::parseSignature(std::string_view text) {
  ModuleSignature signature;
  while (!text.empty()) {
    std::string_view line = take(text, '\n');
    if (!parseLine(line, signature))
      return Error{"a module's signature has a line that is not understood: " + std::string(line)};
  }
  if (signature.function.name.empty())
    return Error{"a module's signature names no function"};
  return signature;
}

FunctionSignature forge::withoutWeights(const FunctionSignature &signature,
                                        const std::vector<std::optional<WeightSource>> &sources) {
  FunctionSignature rest{signature.name, {}, signature.results, {}};
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (sources[i])
      continue;
    rest.arguments.push_back(signature.arguments[i]);
    rest.donated.push_back(signature.donated[i]);
  }
  return rest;
}
