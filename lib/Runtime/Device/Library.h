// A shared library opened at run time, and its functions. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H
#define FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H

#include "forge/Support/Result.h"

#include <initializer_list>
#include <string>

#if defined(__clang__)
#define FORGE_ANY_FUNCTION_TYPE __attribute__((no_sanitize("function")))
#else
#define FORGE_ANY_FUNCTION_TYPE
#endif

namespace forge::rt {

/// Stays open to the end of the process: drivers do not survive being closed.
class Library {
public:
  /// The first of `names` the loader finds, in order; `what` names the library in the error, which
  /// says what the loader said.
  static Result<Library> open(const std::string &what, std::initializer_list<const char *> names);

  /// Sets `function` to the symbol; false if there is none.
  template <typename Function> bool find(const char *symbol, Function *&function) const {
    function = reinterpret_cast<Function *>(address(symbol));
    return function != nullptr;
  }

  /// The name it was found by.
  const std::string &name() const { return file; }

private:
  void *address(const char *symbol) const;
  void *handle = nullptr;
  std::string file;
};

/// A function of a library and its name, for messages; 0 is success. Declared with void * where the
/// library has a handle type, which is the same call.
template <typename... Args> struct Call {
  int (*function)(Args...) = nullptr;
  const char *name = "";
  explicit operator bool() const { return function != nullptr; }
  FORGE_ANY_FUNCTION_TYPE int operator()(Args... args) const { return function(args...); }
};

/// Finds the functions of a library, and keeps the names of those it should have but has not.
class FunctionFinder {
public:
  explicit FunctionFinder(const Library &library) : library(library) {}

  template <typename... Args> bool find(const char *symbol, Call<Args...> &call) {
    call.name = symbol;
    return library.find(symbol, call.function);
  }
  template <typename Function> bool find(const char *symbol, Function *&function) {
    return library.find(symbol, function);
  }
  template <typename Function> void require(const char *symbol, Function &function) {
    if (!find(symbol, function))
      names += (names.empty() ? "" : ", ") + std::string(symbol);
  }
  /// "cuInit, cuCtxSetCurrent"; empty when all are there.
  const std::string &missing() const { return names; }

private:
  const Library &library;
  std::string names;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H
