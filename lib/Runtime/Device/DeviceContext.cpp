#include "forge/Runtime/DeviceContext.h"

#include "DeviceTimer.h"
#include "TracedStream.h"
#include "Upload.h"

#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Trace.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace forge;
using namespace forge::rt;

/// A sequence keeps this many graphs, for so many sets of pointers and sizes.
static constexpr size_t kGraphsPerSequence = 8;
/// New words in a row after which a sequence counts as one that never does the same twice.
static constexpr unsigned kMissesBeforeGivingUp = 64;

/// One static sequence of the compiled function. Its temporaries come from an arena of its own, so
/// that nothing else uses a graph's addresses; all graphs of a sequence share it, because they
/// run in the order of one stream.
struct DeviceContext::Sequence {
  explicit Sequence(std::shared_ptr<Device> device) : arena(std::move(device)) {}
  struct Captured {
    std::vector<int64_t> words;
    /// Null until the second time.
    std::unique_ptr<Graph> graph;
  };
  DeviceArena arena;
  /// The one used last is last.
  std::vector<Captured> known;
  /// How often in a row the words were new.
  unsigned misses = 0;
};

static bool isOn(const char *variable) {
  const char *text = std::getenv(variable);
  return text && *text && std::strcmp(text, "0") != 0;
}

static bool isOff(const char *variable) {
  const char *text = std::getenv(variable);
  return text && std::strcmp(text, "0") == 0;
}

DeviceContext::DeviceContext(std::shared_ptr<Device> device)
    : owner(std::move(device)), kept(DevicePool::of(owner)), graphsOn(!isOff("FORGE_GRAPHS")),
      dependentOn(!isOff("FORGE_DEPENDENT_LAUNCHES")), waitEachLaunch(isOn("FORGE_SYNC_LAUNCHES")) {
}

DeviceContext::~DeviceContext() {
  // Work in flight uses what is destroyed below. An error was told by endRun, or is dropped.
  if (work && !owner->isLost())
    (void)work->synchronize();
  forget();
}

Result<std::unique_ptr<DeviceContext>> DeviceContext::create(std::shared_ptr<Device> device) {
  std::unique_ptr<DeviceContext> context(new DeviceContext(std::move(device)));
  if (Result<void> built = context->beginRun(); !built)
    return built.error();
  return context;
}

void DeviceContext::forget() {
  open.clear();
  sinceWait = 0;
  sequences.clear();
  kernels.clear();
  blas.reset();
  blasMissing.clear();
  constants.clear();
  freeLandings.clear();
  modules.clear();
  constantArena.reset();
  arena.reset();
  uploads.reset();
  work.reset();
  timer.reset();
}

Result<void> DeviceContext::rebuild() {
  forget();
  generation = owner->generation();
  Result<std::unique_ptr<Stream>> stream = owner->createStream();
  if (!stream)
    return stream.error();
  work = std::move(*stream);
  plain = work.get();
  timer = std::make_unique<DeviceTimer>(*owner);
  if (Trace::active()) {
    work = std::make_unique<TracedStream>(std::move(work), *timer);
    timing = true;
  }
  arena = std::make_unique<DeviceArena>(owner);
  constantArena = std::make_unique<DeviceArena>(owner);
  return {};
}

Result<void> DeviceContext::beginRun() {
  if (owner->isLost())
    if (Result<void> done = owner->reset(); !done)
      return done;
  if (!work || generation != owner->generation())
    if (Result<void> done = rebuild(); !done)
      return done;
  arena->reset();
  return {};
}

bool DeviceContext::giveBack() {
  if (inSequence() || owner->isLost() || !work || generation != owner->generation())
    return false;
  size_t held = arena->reservedBytes();
  for (const auto &[key, sequence] : sequences)
    held += sequence->arena.reservedBytes();
  if (held == 0 || !work->synchronize())
    return false;
  sequences.clear();
  arena = std::make_unique<DeviceArena>(owner);
  return true;
}

Result<void> DeviceContext::endRun() {
  if (work->isCapturing()) {
    // The run failed inside a sequence; its graph is worth nothing.
    (void)work->endCapture();
  }
  open.clear();
  return synchronize();
}

//===----------------------------------------------------------------------===//
// Memory

Result<void *> DeviceContext::allocate(size_t bytes) {
  return (inSequence() ? open.back().sequence->arena : *arena).allocate(bytes);
}

Result<void> DeviceContext::release(void *pointer) {
  auto owning = std::find_if(open.rbegin(), open.rend(), [&](const OpenSequence &entry) {
    return entry.sequence->arena.owns(pointer);
  });
  if (owning != open.rend())
    return owning->sequence->arena.release(pointer);
  return arena->release(pointer);
}

size_t DeviceContext::peakBytes() const {
  size_t peak = arena->peakBytes();
  for (const auto &[key, sequence] : sequences)
    peak += sequence->arena.peakBytes();
  return peak;
}

Result<void *> DeviceContext::constant(const void *bytes, size_t size) {
  if (size == 0)
    return static_cast<void *>(nullptr);
  if (auto it = constants.find(bytes); it != constants.end())
    return it->second;
  if (work->isCapturing())
    return Error{"a constant of " + std::to_string(size) +
                 " bytes is used for the first time inside a graph"};
  Result<void *> memory = constantArena->allocate(size);
  if (!memory)
    return memory;
  if (Result<void> done = work->copyToDevice(*memory, bytes, size); !done)
    return done.error();
  constants[bytes] = *memory;
  return memory;
}

Result<void> DeviceContext::upload(void *target, const TensorSource &source) {
  TraceScope scope("copy", "upload");
  scope.detail("bytes", static_cast<int64_t>(source.numBytes()));
  if (source.numBytes() <= TensorSource::kPieceBytes) {
    Result<HostTensor> tensor = source.tensor();
    if (!tensor)
      return tensor.error();
    Result<void> copied = work->copyToDevice(target, tensor->data(), tensor->numBytes());
    return copied ? synchronize() : copied;
  }
  if (!uploads) {
    Result<std::unique_ptr<Upload>> made = Upload::create(*owner);
    if (!made)
      return made.error();
    uploads = std::move(*made);
  }
  return uploads->write(target, source);
}

//===----------------------------------------------------------------------===//
// Kernels

Result<Module *> DeviceContext::module(std::string_view bytes, const std::string &name) {
  std::unique_ptr<Module> &slot = modules[bytes.data()];
  if (!slot) {
    TraceScope scope("load", "load module " + name);
    Result<std::unique_ptr<Module>> loaded = owner->loadModule(bytes, name);
    if (!loaded)
      return loaded.error();
    slot = std::move(*loaded);
  }
  return slot.get();
}

Result<Kernel *> DeviceContext::kernel(Module &module, const char *name) {
  Kernel *&slot = kernels[name];
  if (!slot) {
    Result<Kernel *> found = module.kernel(name);
    if (!found)
      return found;
    slot = *found;
  }
  return slot;
}

/// Does `doIt`, timed where that is asked for; where launches are waited for, waits.
template <typename Issue>
Result<void> DeviceContext::issue(DeviceWork kind, const char *name, const char *description,
                                  Issue doIt) {
  ++launches;
  Result<void> done = timing ? timer->time(*work, kind, name, description, doIt) : doIt();
  return done && waitEachLaunch && !work->isCapturing() ? synchronize() : done;
}

/// What an error of a launch is about, as far as its description has it: "STRATEGY; SCHEDULE;
/// SHAPES", of fused launches several, with " | " between them.
static ErrorDetails detailsOf(const Kernel &kernel, const Launch &launch) {
  std::string description = launch.description ? launch.description : "";
  ErrorDetails details{.stage = "run", .kernel = kernel.name()};
  size_t shapes = description.rfind("; ");
  bool isOne = shapes != std::string::npos && description.find(" | ") == std::string::npos;
  details.schedule = isOne ? description.substr(0, shapes) : description;
  if (isOne)
    details.shape = description.substr(shapes + 2);
  return details;
}

Result<void> DeviceContext::launch(Kernel &kernel, Launch launch) {
  // A kernel that is timed begins when the one before it has ended.
  launch.dependent &= dependentOn && !timing;
  recent[sinceWait++ % recent.size()] = {&kernel, launch};
  Result<void> done = issue(DeviceWork::Kernel, kernel.name().c_str(), launch.description,
                            [&] { return work->launch(kernel, launch); });
  return done ? done : withDetails(done.error(), detailsOf(kernel, launch));
}

Result<void> DeviceContext::beginStamps(void *words, size_t bytes) {
  return plain->fill(words, 0, 4, bytes / 4);
}

Result<void> DeviceContext::endStamps(const void *words, size_t bytes) {
  return timing ? timer->takeStamps(*plain, words, bytes) : Result<void>();
}

/// The library, opened the first time; a machine without it is not searched again.
Result<VendorBlas *> DeviceContext::vendorBlas() {
  if (!blas && blasMissing.empty()) {
    Result<std::unique_ptr<VendorBlas>> made = owner->createBlas();
    if (made)
      blas = std::move(*made);
    else
      blasMissing = made.error().message;
  }
  return blas ? Result<VendorBlas *>(blas.get()) : Result<VendorBlas *>(Error{blasMissing});
}

Result<bool> DeviceContext::multiplyIfOffered(const forge_rt_matmul &product,
                                              const MatmulOperands &operands) {
  Result<VendorBlas *> library = vendorBlas();
  if (!library || !(*library)->prepare(product, operands))
    return false;
  Result<void> done = multiply(product, operands);
  return done ? Result<bool>(true) : Result<bool>(done.error());
}

/// An error of a product by the library, with what it is about.
static Error aboutProduct(const Error &error, const forge_rt_matmul &product,
                          const MatmulOperands &operands) {
  return withDetails(error, {.stage = "run",
                             .kernel = "product",
                             .shape = describeMatmul(product, operands),
                             .schedule = "library"});
}

Result<void> DeviceContext::multiply(const forge_rt_matmul &product,
                                     const MatmulOperands &operands) {
  if (Result<void> ok = checkMatmul(product, operands); !ok)
    return aboutProduct(ok.error(), product, operands);
  if (product.m == 0 || product.n == 0 || product.batch == 0)
    return {};
  Result<VendorBlas *> library = vendorBlas();
  if (!library)
    return aboutProduct(library.error(), product, operands);
  TraceScope scope("launch", "launch a product of the library");
  std::string description = timing ? describeMatmul(product, operands) : "";
  Result<void> done = issue(DeviceWork::Product, "product", description.c_str(),
                            [&] { return blas->multiply(*work, product, operands); });
  return done ? done : aboutProduct(done.error(), product, operands);
}

Error DeviceContext::withLaunches(const Error &error) const {
  if (sinceWait == 0)
    return error;
  size_t shown = std::min(sinceWait, recent.size());
  std::string text = error.message + "; ";
  text += sinceWait == 1 ? "after "
                         : "after one of " + std::to_string(sinceWait) +
                               " launches (FORGE_SYNC_LAUNCHES=1 tells which), the last ones: ";
  for (size_t i = sinceWait - shown; i < sinceWait; ++i) {
    const RecentLaunch &entry = recent[i % recent.size()];
    text += (i == sinceWait - shown ? "" : "; ") + describeLaunch(*entry.kernel, entry.launch);
  }
  // Of several launches any may be it.
  const RecentLaunch &last = recent[(sinceWait - 1) % recent.size()];
  return withDetails(Error{text}, sinceWait == 1 ? detailsOf(*last.kernel, last.launch)
                                                 : ErrorDetails{.stage = "run"});
}

Result<void> DeviceContext::synchronize() {
  Result<void> done = work->synchronize();
  if (!done)
    done = withLaunches(done.error());
  sinceWait = 0;
  return done;
}

Result<std::vector<DeviceTime>> DeviceContext::takeTimes() {
  if (Result<void> done = synchronize(); !done)
    return done.error();
  return timer->take();
}

//===----------------------------------------------------------------------===//
// Sequences
//
// 1. The first time with these words: issued as it is, the words are remembered.
// 2. The second time: issued into a capture, which becomes a graph, which is launched.
// 3. From then on: the graph is launched.
// 4. A sequence whose words are never the same again (a loop's counter among them) is issued as it
//    is.
// 5. A sequence inside another is one of its own while that is issued, and part of its graph while
//    that is captured.

Result<bool> DeviceContext::beginSequence(const void *key, const int64_t *words, size_t count) {
  if (std::any_of(open.begin(), open.end(),
                  [&](const OpenSequence &entry) { return entry.key == key; }))
    return Error{"a graph sequence starts inside itself"};
  if (work->isCapturing()) {
    open.push_back({key, open.back().sequence, /*isCaptured=*/false});
    return true;
  }
  std::unique_ptr<Sequence> &slot = sequences[key];
  if (!slot)
    slot = std::make_unique<Sequence>(owner);
  std::vector<Sequence::Captured> &known = slot->known;
  std::vector<int64_t> wanted(words, words + count);
  auto it = std::find_if(known.begin(), known.end(),
                         [&](const Sequence::Captured &entry) { return entry.words == wanted; });
  bool isCaptured = false;
  bool useGraphs = graphsOn && !timing && !waitEachLaunch && slot->misses < kMissesBeforeGivingUp;
  if (useGraphs && it != known.end()) {
    slot->misses = 0;
    std::rotate(it, it + 1, known.end());
    if (known.back().graph) {
      ++replays;
      Result<void> done = work->launch(*known.back().graph);
      return done ? Result<bool>(false) : Result<bool>(done.error());
    }
    if (Result<void> done = work->beginCapture(); !done)
      return done.error();
    slot->arena.pinChunks();
    isCaptured = true;
  } else if (useGraphs) {
    ++slot->misses;
    if (known.size() == kGraphsPerSequence) {
      // The graph may still run.
      if (known.front().graph)
        if (Result<void> done = synchronize(); !done)
          return done.error();
      known.erase(known.begin());
    }
    known.push_back({std::move(wanted), nullptr});
  }
  slot->arena.reset();
  open.push_back({key, slot.get(), isCaptured});
  return true;
}

Result<void> DeviceContext::endSequence(const void *key) {
  if (!inSequence() || open.back().key != key)
    return Error{"a graph sequence ends that was not started"};
  OpenSequence ended = open.back();
  open.pop_back();
  if (!ended.isCaptured)
    return {};
  Result<std::unique_ptr<Graph>> graph = work->endCapture();
  if (!graph)
    return withLaunches(graph.error());
  ++captures;
  ended.sequence->known.back().graph = std::move(*graph);
  return work->launch(*ended.sequence->known.back().graph);
}
