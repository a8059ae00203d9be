// The C functions of kernels, graphs and tensor maps. Each does its work in a function of its own,
// so that nothing with a destructor is alive where Context::leave jumps out.
#include "ABIContext.h"

#include "forge/Runtime/DeviceABI.h"

using namespace forge;
using namespace forge::rt;

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

/// False where an error was recorded.
static bool launchKernel(void *handle, std::initializer_list<int64_t> sizes, Launch launch) {
  Kernel &kernel = *static_cast<Kernel *>(handle);
  const int64_t *size = sizes.begin();
  if (size[0] == 0 || size[1] == 0 || size[2] == 0)
    return true;
  if (!fitsLaunch(kernel, sizes))
    return false;
  auto narrow = [](int64_t value) { return static_cast<uint32_t>(value); };
  launch.grid = {narrow(size[0]), narrow(size[1]), narrow(size[2])};
  launch.block = {narrow(size[3]), narrow(size[4]), narrow(size[5])};
  launch.dynamicSharedBytes = static_cast<size_t>(size[6]);
  DeviceContext *where = device();
  return where && record(where->launch(kernel, launch));
}

static Launch launchOf(bool dependent, void **args, int64_t nargs, const char *description) {
  Launch launch;
  launch.dependent = dependent;
  launch.arguments = args;
  launch.numArguments = static_cast<size_t>(nargs);
  launch.description = description ? description : "";
  return launch;
}

void forge_rt_launch(void *handle, int64_t gridX, int64_t gridY, int64_t gridZ, int64_t blockX,
                     int64_t blockY, int64_t blockZ, int64_t dynamicSharedBytes, void **args,
                     int64_t nargs, const char *description) {
  if (!launchKernel(handle, {gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes},
                    launchOf(/*dependent=*/false, args, nargs, description)))
    Context::leave();
}

void forge_rt_launch_dependent(void *handle, int64_t gridX, int64_t gridY, int64_t gridZ,
                               int64_t blockX, int64_t blockY, int64_t blockZ,
                               int64_t dynamicSharedBytes, void **args, int64_t nargs,
                               const char *description) {
  if (!launchKernel(handle, {gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes},
                    launchOf(/*dependent=*/true, args, nargs, description)))
    Context::leave();
}

//===----------------------------------------------------------------------===//
// Time stamps

static bool beginStamps(MemRef words) {
  DeviceContext *where = device();
  return where &&
         record(where->beginStamps(words.base(8), 8 * static_cast<size_t>(words.numElements())));
}

void forge_rt_device_begin_stamps(int64_t rank, void *words) {
  if (!beginStamps(MemRef(rank, words)))
    Context::leave();
}

static bool endStamps(MemRef words) {
  DeviceContext *where = device();
  return where &&
         record(where->endStamps(words.base(8), 8 * static_cast<size_t>(words.numElements())));
}

void forge_rt_device_end_stamps(int64_t rank, void *words) {
  if (!endStamps(MemRef(rank, words)))
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
  for (int64_t dim = 0; dim < rank; ++dim)
    if (box[dim] < 0 || box[dim] > UINT32_MAX || sizes[dim] < 0 || (dim && strides[dim - 1] < 0)) {
      context().recordError("expected sizes, strides and a box of a tensor map of at least 0");
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
  if (!record(checkTensorMap(spec)))
    return false;
  return record(where->device().encodeTensorMap(spec, map));
}

void forge_rt_tensor_map(void *map, void *base, int64_t type, int64_t rank, const int64_t *sizes,
                         const int64_t *strides, const int64_t *box, int64_t swizzle) {
  if (!encodeMap(map, base, type, rank, sizes, strides, box, swizzle))
    Context::leave();
}

static bool encodeMemRef(forge_rt_type type, int64_t elementBytes, MemRef map, MemRef memref,
                         const int64_t *box, int64_t swizzle) {
  int64_t rank = memref.rank(), sizes[5], strides[5];
  if (memref.numElements() == 0)
    return true;
  for (int64_t dim = 0; dim < rank && rank <= 5; ++dim) {
    sizes[dim] = memref.size(rank - 1 - dim);
    strides[dim] = memref.stride(rank - 1 - dim) * elementBytes;
  }
  if (rank >= 1 && rank <= 5 && strides[0] != elementBytes) {
    context().recordError("expected the innermost elements of a tensor map side by side, but got "
                          "a stride of " +
                          std::to_string(strides[0]) + " bytes");
    return false;
  }
  return encodeMap(map.base(1), memref.base(static_cast<size_t>(elementBytes)), type, rank, sizes,
                   strides + 1, box, swizzle);
}

#define FORGE_DEVICE_TENSOR_MAP(suffix, type, elementBytes)                                        \
  void forge_rt_device_tensor_map_##suffix(int64_t mapRank, void *map, int64_t rank, void *memref, \
                                           int64_t box0, int64_t box1, int64_t box2, int64_t box3, \
                                           int64_t box4, int64_t swizzle) {                        \
    const int64_t box[] = {box0, box1, box2, box3, box4};                                          \
    if (!encodeMemRef(type, elementBytes, MemRef(mapRank, map), MemRef(rank, memref), box,         \
                      swizzle))                                                                    \
      Context::leave();                                                                            \
  }
FORGE_DEVICE_TENSOR_MAP(f16, FORGE_RT_F16, 2)
FORGE_DEVICE_TENSOR_MAP(bf16, FORGE_RT_BF16, 2)
FORGE_DEVICE_TENSOR_MAP(f32, FORGE_RT_F32, 4)
FORGE_DEVICE_TENSOR_MAP(f8E4M3FN, FORGE_RT_F8E4M3FN, 1)
FORGE_DEVICE_TENSOR_MAP(f8E5M2, FORGE_RT_F8E5M2, 1)
// A map knows bytes as such.
FORGE_DEVICE_TENSOR_MAP(i8, FORGE_RT_F8E4M3FN, 1)
