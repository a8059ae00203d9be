#include "forge/Runtime/CABI.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/ThreadPool.h"
#include "forge/Support/ErrorDetails.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace forge::rt;

static Context &context() {
  Context *current = Context::current();
  if (!current) {
    std::fputs("forge runtime: called outside of an execution context\n", stderr);
    std::abort();
  }
  return *current;
}

/// Records "out of memory"; not the place that leaves, so that its strings are destroyed.
static void recordOutOfMemory(Context &context, int64_t bytes) {
  Arena &arena = context.memory();
  context.recordError(
      withDetails(forge::Error{"out of memory: a temporary of " + std::to_string(bytes) +
                               " bytes on top of " + std::to_string(arena.liveBytes()) +
                               " (limit " + std::to_string(arena.limitBytes()) + ")"},
                  {.stage = "run", .advice = "smaller sizes, or a larger FORGE_MEMORY_LIMIT"})
          .message);
}

void *forge_rt_alloc(int64_t bytes) {
  Context &current = context();
  if (bytes < 0) {
    current.recordError("negative size of a temporary");
    Context::leave();
  }
  void *pointer = current.memory().allocate(static_cast<size_t>(bytes));
  if (!pointer) {
    recordOutOfMemory(current, bytes);
    Context::leave();
  }
  return pointer;
}

void forge_rt_free(void *pointer) { context().memory().release(pointer); }

static void recordNegativeSize(int64_t size) {
  context().recordError("negative dimension size " + std::to_string(size));
}

int64_t forge_rt_size_mul(int64_t a, int64_t b) {
  int64_t product;
  if (b < 0 || a < 0) {
    recordNegativeSize(b < 0 ? b : a);
    Context::leave();
  }
  if (__builtin_mul_overflow(a, b, &product)) {
    context().recordError("size of a temporary does not fit 64 bits");
    Context::leave();
  }
  return product;
}

/// Runs the loop; true if it ended without an error.
static bool runLoop(int64_t begin, int64_t end, int64_t grain,
                    void (*body)(void *, int64_t, int64_t), void *data) {
  Context &current = context();
  ThreadPool::global().parallelFor(
      begin, end, grain,
      [&current, body, data](int64_t from, int64_t to) { current.runChunk(body, data, from, to); });
  return !current.hasError();
}

void forge_rt_parallel_for(int64_t begin, int64_t end, int64_t grain,
                           void (*body)(void *, int64_t, int64_t), void *data) {
  if (!runLoop(begin, end, grain, body, data))
    Context::leave();
}

static void recordFailure(const char *message, int64_t length) {
  context().recordError(std::string(message, static_cast<size_t>(length)));
}

void forge_rt_fail(const char *message, int64_t length) {
  recordFailure(message, length);
  Context::leave();
}

/// Replaces "{0}", "{1}" ... by the values.
static std::string fillIn(std::string message, int64_t count, const int64_t *values) {
  for (int64_t i = 0; i < count; ++i) {
    std::string mark = "{" + std::to_string(i) + "}";
    std::string text = std::to_string(values[i]);
    for (size_t at = message.find(mark); at != std::string::npos;
         at = message.find(mark, at + text.size()))
      message.replace(at, mark.size(), text);
  }
  return message;
}

/// The last line of a message of several is the place that it is about.
static void recordAssertion(const char *message, int64_t length, int64_t count,
                            const int64_t *values) {
  std::string text(message, static_cast<size_t>(length));
  forge::ErrorDetails details{.stage = "run"};
  if (size_t end = text.rfind('\n'); end != std::string::npos) {
    details.location = text.substr(end + 1);
    text.resize(end);
  }
  context().recordError(
      withDetails(forge::Error{fillIn(std::move(text), count, values)}, details).message);
}

void forge_rt_assert(int8_t condition, const char *message, int64_t length, int64_t count,
                     const int64_t *values) {
  if (condition & 1)
    return;
  recordAssertion(message, length, count, values);
  Context::leave();
}

static void recordMismatch(int64_t argument, int64_t dimension, int64_t expected, int64_t actual) {
  context().recordError("argument " + std::to_string(argument) + ", dimension " +
                        std::to_string(dimension) + ": expected size " + std::to_string(expected) +
                        ", but got " + std::to_string(actual));
}

void forge_rt_shape_mismatch(int64_t argument, int64_t dimension, int64_t expected,
                             int64_t actual) {
  recordMismatch(argument, dimension, expected, actual);
  Context::leave();
}
