// Functions of one operation, as text with random sizes and options, whose gradients are checked.
#ifndef FORGE_UNITTESTS_VERIFY_GRADIENTTEXT_H
#define FORGE_UNITTESTS_VERIFY_GRADIENTTEXT_H

#include "GradientCheck.h"

#include <rapidcheck.h>

namespace forge {

using Shape = std::vector<int64_t>;

inline std::string tensor(const Shape &shape, const char *element = "f64") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

inline int64_t randomSize() { return *rc::gen::inRange<int64_t>(1, 6); }
inline bool coin() { return *rc::gen::arbitrary<bool>(); }
inline uint64_t randomSeed() { return *rc::gen::inRange<uint64_t>(0, 1000000); }
inline std::string randomActivation() {
  return *rc::gen::element<std::string>("relu", "relu_squared", "gelu", "gelu_tanh", "silu",
                                        "sigmoid", "tanh");
}

/// A function of one operation: `body` computes %r of type `result`.
inline std::string functionOf(const std::string &arguments, const std::string &body,
                              const std::string &result) {
  return "func.func @main(" + arguments + ") -> " + result + " {\n" + body +
         "\n  return %r : " + result + "\n}\n";
}

inline void expectGradients(const std::string &text, double tolerance = 1e-6) {
  GradientCheck check(text, randomSeed());
  check.tolerance = tolerance;
  std::string message = check.run();
  if (!message.empty())
    RC_FAIL(message + "\n" + text);
}

inline std::string dictionary(const std::vector<std::string> &entries) {
  std::string text;
  for (const std::string &entry : entries)
    text += (text.empty() ? " {" : ", ") + entry;
  return text.empty() ? "" : text + "}";
}

} // namespace forge

#endif // FORGE_UNITTESTS_VERIFY_GRADIENTTEXT_H
