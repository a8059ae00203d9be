#include "forge/Runtime/Context.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>

using namespace forge;
using namespace forge::rt;

static thread_local Context *currentContext = nullptr;
/// Where an error of this thread goes.
static thread_local jmp_buf *landing = nullptr;

Context *Context::current() { return currentContext; }

void Context::leave() {
  if (!landing) {
    std::fputs("forge runtime: error outside of an execution context\n", stderr);
    std::abort();
  }
  longjmp(*landing, 1);
}

/// Calls `call(argument)`; false if it was left by an error. Everything longjmp could skip lives in
/// the callers.
template <typename Call> static bool guarded(Context *context, Call call) {
  jmp_buf here;
  jmp_buf *volatile outerLanding = landing;
  Context *volatile outerContext = currentContext;
  volatile bool ok = false;
  if (setjmp(here) == 0) {
    landing = &here;
    currentContext = context;
    call();
    ok = true;
  }
  landing = outerLanding;
  currentContext = outerContext;
  return ok;
}

Result<void> Context::run(Entry entry, void **args) {
  reset();
  if (guarded(this, [=] { entry(args); }))
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  return Error{error};
}

void Context::runChunk(void (*body)(void *, int64_t, int64_t), void *context, int64_t from,
                       int64_t to) {
  if (hasError())
    return;
  guarded(this, [=] { body(context, from, to); });
}

void Context::reset() {
  arena.reset();
  std::lock_guard<std::mutex> lock(mutex);
  error.clear();
  failed = false;
  failures.clear();
  checks = 0;
}

bool Context::hasError() {
  std::lock_guard<std::mutex> lock(mutex);
  return failed;
}

void Context::recordError(std::string message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!failed)
    error = std::move(message);
  failed = true;
}

void Context::recordCheck(std::string failure) {
  std::lock_guard<std::mutex> lock(mutex);
  ++checks;
  if (!failure.empty())
    failures.push_back(std::move(failure));
}
