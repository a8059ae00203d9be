// When a device was at each kernel of a process, overlapped launches and graphs as they are: CUPTI
// loads this library into any process that uses CUDA (CUDA_INJECTION64_PATH).
//   FORGE_TIMELINE=FILE         a line for each kernel: begin and end in ns by the device's clock,
//   name, blocks, threads of a
//                               block, bytes of shared memory; in the order of their ends
//   FORGE_TIMELINE_CALLS=FILE   instead, for each call of the driver: begin and end in ns by the
//   host's clock, name. For
//                               what the host does between two graphs: tracing kernels makes that
//                               longer
// At the end of the process it prints, for each kernel of ten launches or more, medians in us: from
// the end of the kernel before it to its end (which add up to the whole), and from its own begin to
// its end.
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {
struct Span {
  uint64_t begin = 0, end = 0;
  std::string name;
  int blocks = 0, threads = 0, sharedBytes = 0;
};

/// Added to by CUPTI's threads.
std::mutex mutex;
std::vector<Span> spans;
} // namespace

//===----------------------------------------------------------------------===//
// Kernels

static void giveBuffer(uint8_t **buffer, size_t *bytes, size_t *maxRecords) {
  constexpr size_t kAlignment = 8;
  *bytes = size_t(8) << 20;
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(kAlignment, *bytes));
  *maxRecords = 0;
}

static void takeBuffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  CUpti_Activity *record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    const auto *kernel = reinterpret_cast<const CUpti_ActivityKernel10 *>(record);
    spans.push_back({kernel->start, kernel->end, kernel->name,
                     kernel->gridX * kernel->gridY * kernel->gridZ,
                     kernel->blockX * kernel->blockY * kernel->blockZ,
                     kernel->staticSharedMemory + kernel->dynamicSharedMemory});
  }
  std::free(buffer);
}

static double medianOf(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle / 1e3;
}

static void report(std::FILE *file) {
  std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.end < b.end; });
  struct Times {
    std::vector<double> untilEnd, own;
  };
  std::map<std::string, Times> byName;
  uint64_t before = 0;
  for (const Span &span : spans) {
    std::fprintf(file, "%llu %llu %s %d %d %d\n", static_cast<unsigned long long>(span.begin),
                 static_cast<unsigned long long>(span.end), span.name.c_str(), span.blocks,
                 span.threads, span.sharedBytes);
    if (before != 0) {
      byName[span.name].untilEnd.push_back(static_cast<double>(span.end - before));
      byName[span.name].own.push_back(static_cast<double>(span.end - span.begin));
    }
    before = span.end;
  }
  std::fprintf(stderr, "launches  since the end before  own  kernel\n");
  constexpr size_t kLeast = 10;
  for (auto &[name, times] : byName)
    if (times.own.size() >= kLeast)
      std::fprintf(stderr, "%8zu  %20.2f  %8.2f  %s\n", times.own.size(), medianOf(times.untilEnd),
                   medianOf(times.own), name.c_str());
}

//===----------------------------------------------------------------------===//
// Calls of the driver

static uint64_t hostNanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

static void onCall(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *data) {
  const auto *call = static_cast<const CUpti_CallbackData *>(data);
  std::lock_guard<std::mutex> lock(mutex);
  if (call->callbackSite == CUPTI_API_ENTER) {
    *call->correlationData = spans.size();
    spans.push_back({hostNanoseconds(), 0, call->functionName});
  } else if (*call->correlationData < spans.size()) {
    spans[*call->correlationData].end = hostNanoseconds();
  }
}

//===----------------------------------------------------------------------===//

static const char *kernelsFile() { return std::getenv("FORGE_TIMELINE"); }
static const char *callsFile() { return std::getenv("FORGE_TIMELINE_CALLS"); }

static void finish() {
  if (!callsFile())
    (void)cuptiActivityFlushAll(1);
  std::lock_guard<std::mutex> lock(mutex);
  const char *path = callsFile() ? callsFile() : kernelsFile();
  std::FILE *file = std::fopen(path, "w");
  if (!file) {
    std::fprintf(stderr, "error: cannot write %s\n", path);
    return;
  }
  if (!callsFile())
    report(file);
  else
    for (const Span &span : spans)
      std::fprintf(file, "%llu %llu %s\n", static_cast<unsigned long long>(span.begin),
                   static_cast<unsigned long long>(span.end), span.name.c_str());
  std::fclose(file);
}

/// What the driver calls when it starts.
extern "C" int InitializeInjection() {
  CUptiResult done = CUPTI_SUCCESS;
  if (callsFile()) {
    static CUpti_SubscriberHandle subscriber;
    done = cuptiSubscribe(&subscriber, onCall, nullptr);
    if (done == CUPTI_SUCCESS)
      done = cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  } else if (kernelsFile()) {
    done = cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
    if (done == CUPTI_SUCCESS)
      done = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  } else {
    std::fprintf(stderr, "error: expected FORGE_TIMELINE or FORGE_TIMELINE_CALLS to name a file\n");
    return 1;
  }
  if (done != CUPTI_SUCCESS) {
    const char *text = "";
    (void)cuptiGetResultString(done, &text);
    std::fprintf(stderr, "error: CUPTI: %s\n", text);
    return 1;
  }
  (void)std::atexit(finish);
  return 1;
}
