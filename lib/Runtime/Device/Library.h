// A shared library opened at run time. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H
#define FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H

#include "forge/Support/Result.h"

#include <initializer_list>
#include <string>

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
  /// Sets `function`, or notes in `missing` that there is no such symbol.
  template <typename Function>
  void require(const char *symbol, Function *&function, std::string &missing) const {
    if (!find(symbol, function))
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  }

  /// The name it was found by.
  const std::string &name() const { return file; }

private:
  void *address(const char *symbol) const;
  void *handle = nullptr;
  std::string file;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_LIBRARY_H
