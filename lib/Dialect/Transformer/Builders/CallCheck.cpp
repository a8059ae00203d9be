#include "CallCheck.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace forge::transformer {

CallCheck::CallCheck(Graph &graph, StringRef call, Value subject)
    : graph(graph), call(call), fine(!graph.hasFailed()) {
  std::string name = subject ? graph.nameOf(subject) : "";
  if (!name.empty())
    this->call += " '" + name + "'";
  require(static_cast<bool>(graph.module), "the graph is finished");
}

void CallCheck::fail(const Twine &message) {
  fine = false;
  graph.fail(call, message);
}

std::string CallCheck::typeText(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value.getType();
  return text;
}

/// "[?, 64]"
static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text +=
        (i ? ", " : "") + (ShapedType::isDynamic(size) ? std::string("?") : std::to_string(size));
  return text + "]";
}

CallCheck &CallCheck::require(bool condition, const Twine &message) {
  if (fine && !condition)
    fail(message);
  return *this;
}

CallCheck &CallCheck::present(Value value, StringRef what) {
  require(static_cast<bool>(value), "expected " + what + ", but got none");
  return require(!value || isa<RankedTensorType>(value.getType()),
                 "expected a ranked tensor for " + what + ", but got " +
                     (value ? typeText(value) : std::string()));
}

CallCheck &CallCheck::rank(Value value, StringRef what, int64_t rank) {
  if (!present(value, what))
    return *this;
  return require(typeOf(value).getRank() == rank,
                 "expected " + what + " of rank " + Twine(rank) + ", but got " + typeText(value));
}

CallCheck &CallCheck::rankAtLeast(Value value, StringRef what, int64_t rank) {
  if (!present(value, what))
    return *this;
  return require(typeOf(value).getRank() >= rank, "expected " + what + " of rank " + Twine(rank) +
                                                      " or more, but got " + typeText(value));
}

CallCheck &CallCheck::shape(Value value, StringRef what, ArrayRef<int64_t> expected) {
  if (!present(value, what))
    return *this;
  ArrayRef<int64_t> actual = typeOf(value).getShape();
  bool fits = actual.size() == expected.size();
  for (size_t i = 0; fits && i < expected.size(); ++i)
    fits = actual[i] == expected[i] || ShapedType::isDynamic(actual[i]) ||
           ShapedType::isDynamic(expected[i]);
  return require(fits, "expected " + what + " of shape " + shapeText(expected) + ", but got " +
                           typeText(value));
}

CallCheck &CallCheck::elementOf(Value value, StringRef what, Value like) {
  if (!fine || !value || !like)
    return *this;
  Type expected = typeOf(like).getElementType();
  std::string name;
  llvm::raw_string_ostream(name) << expected;
  return require(typeOf(value).getElementType() == expected,
                 "expected " + what + " of " + name + ", but got " + typeText(value));
}

CallCheck &CallCheck::integers(Value value, StringRef what) {
  if (!fine || !value)
    return *this;
  Type element = typeOf(value).getElementType();
  return require(element.isSignlessInteger(32) || element.isSignlessInteger(64),
                 "expected " + what + " of i32 or i64, but got " + typeText(value));
}

CallCheck &CallCheck::floats(Value value, StringRef what) {
  if (!fine || !value)
    return *this;
  return require(
      isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(typeOf(value).getElementType()),
      "expected " + what + " of f64, f32, f16 or bf16, but got " + typeText(value));
}

} // namespace forge::transformer
