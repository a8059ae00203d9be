// The C functions over DeviceContext. Each does its work in a function of its own, so that nothing
// with a destructor is alive where Context::leave jumps out.
#include "forge/Runtime/DeviceABI.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/MemRef.h"

#include "ABIContext.h"

using namespace forge;
using namespace forge::rt;

/// Fails inside a graph: `what` would happen once, and not at each replay.
static bool outsideGraph(DeviceContext &device, const char *what) {
  if (!device.inSequence())
    return true;
  context().recordError(std::string(what) + " inside a graph sequence");
  return false;
}

//===----------------------------------------------------------------------===//
// Memory

static bool allocate(int64_t bytes, void *&pointer) {
  DeviceContext *target = device();
  if (!target)
    return false;
  if (bytes < 0) {
    context().recordError("negative size of a temporary");
    return false;
  }
  return take(target->allocate(static_cast<size_t>(bytes)), pointer);
}

void *forge_rt_device_alloc(int64_t bytes) {
  void *pointer = nullptr;
  if (!allocate(bytes, pointer))
    Context::leave();
  return pointer;
}

static bool release(void *pointer) {
  DeviceContext *target = device();
  return target && record(target->release(pointer));
}

void forge_rt_device_free(void *pointer) {
  if (!release(pointer))
    Context::leave();
}

static bool copy(void *target, const void *source, int64_t bytes) {
  DeviceContext *where = device();
  return where && record(where->stream().copyOnDevice(target, source, static_cast<size_t>(bytes)));
}

void forge_rt_device_copy(void *target, const void *source, int64_t bytes) {
  if (bytes > 0 && !copy(target, source, bytes))
    Context::leave();
}

namespace {
/// One loop of a strided copy; strides in elements.
struct CopyLoop {
  int64_t size, sourceStride, targetStride;
};
} // namespace

/// The loops over both memrefs, innermost last, neighbours merged where both sides allow it; none
/// when there is nothing to copy.
static std::vector<CopyLoop> mergeLoops(MemRef source, MemRef target) {
  std::vector<CopyLoop> loops;
  for (int64_t dim = 0; dim < source.rank(); ++dim) {
    CopyLoop loop{source.size(dim), source.stride(dim), target.stride(dim)};
    if (loop.size == 1)
      continue;
    if (!loops.empty() && loops.back().sourceStride == loop.size * loop.sourceStride &&
        loops.back().targetStride == loop.size * loop.targetStride) {
      loops.back() = {loops.back().size * loop.size, loop.sourceStride, loop.targetStride};
      continue;
    }
    loops.push_back(loop);
  }
  return loops;
}

/// Enqueues the copies of loops[depth...]; `run` bytes lie together on both sides below them.
static Result<void> copyLoops(Stream &stream, const std::vector<CopyLoop> &loops, size_t depth,
                              char *target, const char *source, int64_t elementBytes, size_t run) {
  if (depth == loops.size())
    return stream.copyOnDevice(target, source, run);
  const CopyLoop &loop = loops[depth];
  int64_t from = loop.sourceStride * elementBytes, to = loop.targetStride * elementBytes;
  if (depth + 1 == loops.size() && from >= static_cast<int64_t>(run) &&
      to >= static_cast<int64_t>(run))
    return stream.copyRows(target, static_cast<size_t>(to), source, static_cast<size_t>(from), run,
                           static_cast<size_t>(loop.size));
  for (int64_t i = 0; i < loop.size; ++i)
    if (Result<void> done = copyLoops(stream, loops, depth + 1, target + i * to, source + i * from,
                                      elementBytes, run);
        !done)
      return done;
  return {};
}

static bool copyStrided(int64_t elementBytes, MemRef source, MemRef target) {
  DeviceContext *where = device();
  if (!where)
    return false;
  if (source.numElements() == 0)
    return true;
  std::vector<CopyLoop> loops = mergeLoops(source, target);
  size_t run = static_cast<size_t>(elementBytes);
  if (!loops.empty() && loops.back().sourceStride == 1 && loops.back().targetStride == 1) {
    run *= static_cast<size_t>(loops.back().size);
    loops.pop_back();
  }
  size_t width = static_cast<size_t>(elementBytes);
  return record(copyLoops(where->stream(), loops, 0, target.base(width), source.base(width),
                          elementBytes, run));
}

void forge_rt_device_copy_strided(int64_t elementBytes, int64_t sourceRank, void *source,
                                  int64_t targetRank, void *target) {
  if (!copyStrided(elementBytes, MemRef(sourceRank, source), MemRef(targetRank, target)))
    Context::leave();
}

static bool fill(void *target, int64_t value, int64_t elementBytes, int64_t count) {
  DeviceContext *where = device();
  if (!where)
    return false;
  auto low = static_cast<uint32_t>(value);
  auto high = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  size_t number = static_cast<size_t>(count);
  if (elementBytes != 8)
    return record(where->stream().fill(target, low, static_cast<size_t>(elementBytes), number));
  if (low == high)
    return record(where->stream().fill(target, low, 4, 2 * number));
  // Two words that differ: the first element from words, then doubling what is there.
  char *base = static_cast<char *>(target);
  bool ok = record(where->stream().fill(base, low, 4, 1)) &&
            record(where->stream().fill(base + 4, high, 4, 1));
  for (size_t done = 1; ok && done < number; done *= 2)
    ok = record(
        where->stream().copyOnDevice(base + 8 * done, base, 8 * std::min(done, number - done)));
  return ok;
}

void forge_rt_device_fill(void *target, int64_t value, int64_t elementBytes, int64_t count) {
  if (count > 0 && !fill(target, value, elementBytes, count))
    Context::leave();
}

static bool readBack(void *host, const void *source, int64_t bytes) {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "reading from the device") &&
         record(where->stream().copyToHost(host, source, static_cast<size_t>(bytes))) &&
         record(where->synchronize());
}

void forge_rt_device_read(void *host, const void *source, int64_t bytes) {
  if (bytes > 0 && !readBack(host, source, bytes))
    Context::leave();
}

static bool writeOver(void *target, const void *host, int64_t bytes) {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "writing to the device") &&
         record(where->stream().copyToDevice(target, host, static_cast<size_t>(bytes))) &&
         record(where->synchronize());
}

void forge_rt_device_write(void *target, const void *host, int64_t bytes) {
  if (bytes > 0 && !writeOver(target, host, bytes))
    Context::leave();
}

static bool synchronize() {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "waiting for the device") && record(where->synchronize());
}

void forge_rt_device_synchronize(void) {
  if (!synchronize())
    Context::leave();
}

//===----------------------------------------------------------------------===//
// Kernels

static bool loadModule(const void *code, int64_t size, const char *name, Module *&module) {
  DeviceContext *where = device();
  std::string_view bytes(static_cast<const char *>(code), static_cast<size_t>(size));
  return where && take(where->module(bytes, name), module);
}

void *forge_rt_device_module(const void *code, int64_t size, const char *name) {
  Module *module = nullptr;
  if (!loadModule(code, size, name, module))
    Context::leave();
  return module;
}

static bool findKernel(void *module, const char *name, Kernel *&kernel) {
  DeviceContext *where = device();
  return where && take(where->kernel(*static_cast<Module *>(module), name), kernel);
}

void *forge_rt_device_kernel(void *module, const char *name) {
  Kernel *kernel = nullptr;
  if (!findKernel(module, name, kernel))
    Context::leave();
  return kernel;
}

static bool findConstant(const void *bytes, int64_t size, void *&pointer) {
  DeviceContext *where = device();
  return where && take(where->constant(bytes, static_cast<size_t>(size)), pointer);
}

void *forge_rt_device_constant(const void *bytes, int64_t size) {
  void *pointer = nullptr;
  if (!findConstant(bytes, size, pointer))
    Context::leave();
  return pointer;
}

/// Fails unless each size fits 32 bits and is not negative.
static bool fitsLaunch(const Kernel &kernel, std::initializer_list<int64_t> sizes) {
  for (int64_t size : sizes)
    if (size < 0 || size > UINT32_MAX) {
      context().recordError("expected launch sizes from 0 to 2^32 - 1 for @" + kernel.name() +
                            ", but got " + std::to_string(size));
      return false;
    }
  return true;
}

static bool launchKernel(Kernel &kernel, const Launch &launch) {
  DeviceContext *where = device();
  return where && record(where->launch(kernel, launch));
}

void forge_rt_launch(void *handle, int64_t gridX, int64_t gridY, int64_t gridZ, int64_t blockX,
                     int64_t blockY, int64_t blockZ, int64_t dynamicSharedBytes, void **args,
                     int64_t nargs, const char *description) {
  Kernel &kernel = *static_cast<Kernel *>(handle);
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  if (!fitsLaunch(kernel, {gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes}))
    Context::leave();
  auto narrow = [](int64_t size) { return static_cast<uint32_t>(size); };
  Launch launch;
  launch.grid = {narrow(gridX), narrow(gridY), narrow(gridZ)};
  launch.block = {narrow(blockX), narrow(blockY), narrow(blockZ)};
  launch.dynamicSharedBytes = static_cast<size_t>(dynamicSharedBytes);
  launch.arguments = args;
  launch.numArguments = static_cast<size_t>(nargs);
  launch.description = description ? description : "";
  if (!launchKernel(kernel, launch))
    Context::leave();
}

//===----------------------------------------------------------------------===//
// Graphs

static bool beginGraph(const void *key, const int64_t *words, int64_t count, bool &issue) {
  DeviceContext *where = device();
  return where && take(where->beginSequence(key, words, static_cast<size_t>(count)), issue);
}

int32_t forge_rt_graph_begin(const void *key, const int64_t *words, int64_t count) {
  bool issue = true;
  if (!beginGraph(key, words, count, issue))
    Context::leave();
  return issue;
}

static bool endGraph(const void *key) {
  DeviceContext *where = device();
  return where && record(where->endSequence(key));
}

void forge_rt_graph_end(const void *key) {
  if (!endGraph(key))
    Context::leave();
}

//===----------------------------------------------------------------------===//
// Tensor maps

static bool encodeMap(void *map, void *base, int64_t type, int64_t rank, const int64_t *sizes,
                      const int64_t *strides, const int64_t *box, int64_t swizzle) {
  DeviceContext *where = device();
  if (!where)
    return false;
  if (rank < 1 || rank > 5) {
    context().recordError("expected a tensor map of rank 1 to 5, but got " + std::to_string(rank));
    return false;
  }
  TensorMapSpec spec;
  spec.base = base;
  spec.type = static_cast<forge_rt_type>(type);
  spec.rank = static_cast<unsigned>(rank);
  spec.swizzleBytes = static_cast<unsigned>(swizzle);
  for (int64_t dim = 0; dim < rank; ++dim) {
    spec.sizes[dim] = static_cast<uint64_t>(sizes[dim]);
    spec.box[dim] = static_cast<uint32_t>(box[dim]);
    if (dim + 1 < rank)
      spec.strides[dim] = static_cast<uint64_t>(strides[dim]);
  }
  return record(where->device().encodeTensorMap(spec, map));
}

void forge_rt_tensor_map(void *map, void *base, int64_t type, int64_t rank, const int64_t *sizes,
                         const int64_t *strides, const int64_t *box, int64_t swizzle) {
  if (!encodeMap(map, base, type, rank, sizes, strides, box, swizzle))
    Context::leave();
}
