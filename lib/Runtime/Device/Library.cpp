#include "Library.h"

#include <dlfcn.h>

using namespace forge;
using namespace forge::rt;

Result<Library> Library::open(const std::string &what, std::initializer_list<const char *> names) {
  std::string tried, reason;
  for (const char *name : names) {
    if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      Library library;
      library.handle = handle;
      library.file = name;
      return library;
    }
    const char *text = dlerror();
    tried += (tried.empty() ? "" : ", ") + std::string(name);
    // Most telling is a library that is there and does not load.
    if (text && (reason.empty() || !std::string(text).ends_with("No such file or directory")))
      reason = text;
  }
  return Error{"no " + what + " (looked for " + tried + "): " + reason};
}

void *Library::address(const char *symbol) const { return dlsym(handle, symbol); }
