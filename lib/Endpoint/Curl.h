// libcurl, opened when it is needed: programs that never ask an endpoint run where it is missing.
#ifndef FORGE_LIB_ENDPOINT_CURL_H
#define FORGE_LIB_ENDPOINT_CURL_H

#include "forge/Support/Result.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

namespace forge {

/// The functions of libcurl that are used, as curl.h declares them.
struct Curl {
  decltype(&::curl_global_init) globalInit;
  decltype(&::curl_easy_init) init;
  decltype(&::curl_easy_setopt) setopt;
  decltype(&::curl_easy_perform) perform;
  decltype(&::curl_easy_getinfo) getinfo;
  decltype(&::curl_easy_cleanup) cleanup;
  decltype(&::curl_easy_strerror) strerror;
  decltype(&::curl_slist_append) append;
  decltype(&::curl_slist_free_all) freeAll;

  /// Opened by the first call and kept until the process ends.
  static const Result<Curl> &get();
};

} // namespace forge

#endif // FORGE_LIB_ENDPOINT_CURL_H
