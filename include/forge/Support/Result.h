// A value or an error message, for code that knows nothing of MLIR. No exceptions cross Forge's
// library edges.
#ifndef FORGE_SUPPORT_RESULT_H
#define FORGE_SUPPORT_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace forge {

/// What went wrong, in one line: lower case, no final period, expected and actual ("expected 3
/// inputs, but got 2").
struct Error {
  std::string message;
};

/// Either a T or an Error. `if (!result) return result.error();`
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  const Error &error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

/// Success, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : state(std::move(error)), ok(false) {}
  explicit operator bool() const { return ok; }
  const Error &error() const { return state; }

private:
  Error state;
  bool ok = true;
};

} // namespace forge

#endif // FORGE_SUPPORT_RESULT_H
