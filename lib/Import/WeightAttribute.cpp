#include "forge/Import/WeightAttribute.h"

#include "mlir/IR/Builders.h"

using namespace forge;

static constexpr llvm::StringLiteral attributeName = "forge.weight";

void forge::setWeight(mlir::func::FuncOp function, unsigned argument, const WeightSource &source) {
  mlir::Builder b(function.getContext());
  llvm::SmallVector<mlir::NamedAttribute> members = {
      b.getNamedAttr("file", b.getStringAttr(source.file)),
      b.getNamedAttr("tensor", b.getStringAttr(source.tensor))};
  if (source.quantized)
    members.push_back(
        b.getNamedAttr("quantized", b.getStringAttr(quantizedText(*source.quantized))));
  function.setArgAttr(argument, attributeName, b.getDictionaryAttr(members));
}

/// Names go into lines of text.
static bool isName(mlir::StringAttr name) {
  return name && !name.empty() &&
         llvm::none_of(name.getValue(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

/// The weight that the attribute is; null where it is none.
static std::optional<WeightSource> sourceOf(mlir::Attribute attribute) {
  auto members = llvm::dyn_cast<mlir::DictionaryAttr>(attribute);
  if (!members)
    return std::nullopt;
  auto file = members.getAs<mlir::StringAttr>("file");
  auto tensor = members.getAs<mlir::StringAttr>("tensor");
  if (!isName(file) || !isName(tensor))
    return std::nullopt;
  WeightSource source{file.str(), tensor.str()};
  auto quantized = members.getAs<mlir::StringAttr>("quantized");
  if (quantized)
    source.quantized = parseQuantized(quantized.getValue());
  bool isWhole = members.size() == (quantized ? 3u : 2u);
  return isWhole && source.quantized.has_value() == static_cast<bool>(quantized)
             ? std::optional(std::move(source))
             : std::nullopt;
}

Result<std::vector<std::optional<WeightSource>>> forge::weightsOf(mlir::func::FuncOp function) {
  std::vector<std::optional<WeightSource>> sources;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    sources.emplace_back();
    mlir::Attribute attribute = function.getArgAttr(i, attributeName);
    if (!attribute)
      continue;
    sources.back() = sourceOf(attribute);
    if (!sources.back()) {
      std::string text;
      llvm::raw_string_ostream(text) << attribute;
      return Error{"argument " + std::to_string(i) +
                   ": expected forge.weight = {file = \"FILE\", tensor = \"NAME\"}, but got " +
                   text};
    }
  }
  return sources;
}

void forge::dropWeights(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.removeArgAttr(i, attributeName);
}
