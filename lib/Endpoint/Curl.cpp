#include "Curl.h"

#include <dlfcn.h>

using namespace forge;

static constexpr const char *kName = "libcurl.so.4";

template <typename F> static bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

static Result<Curl> open() {
  void *library = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{std::string("no libcurl: ") + dlerror()};
  Curl curl = {};
  bool isWhole = find(library, "curl_global_init", curl.globalInit) &&
                 find(library, "curl_easy_init", curl.init) &&
                 find(library, "curl_easy_setopt", curl.setopt) &&
                 find(library, "curl_easy_perform", curl.perform) &&
                 find(library, "curl_easy_getinfo", curl.getinfo) &&
                 find(library, "curl_easy_cleanup", curl.cleanup) &&
                 find(library, "curl_easy_strerror", curl.strerror) &&
                 find(library, "curl_slist_append", curl.append) &&
                 find(library, "curl_slist_free_all", curl.freeAll);
  if (!isWhole)
    return Error{std::string(kName) +
                 ": expected the functions of libcurl 7, but some are missing"};
  if (CURLcode code = curl.globalInit(CURL_GLOBAL_DEFAULT); code != CURLE_OK)
    return Error{std::string("libcurl: ") + curl.strerror(code)};
  return curl;
}

const Result<Curl> &Curl::get() {
  static const Result<Curl> curl = open();
  return curl;
}
