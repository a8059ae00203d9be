// The C functions by which compiled host code drives a device. They work on the device of the
// execution context of the calling thread (Context::setDevice), on its one stream: everything below
// is in order, and nothing but forge_rt_device_read and forge_rt_device_synchronize waits. An error
// ends the run, as those of CABI.h do. Pointers to device memory are only handed through.
//
// What compiled code looks like, for two kernels in a static sequence:
//
//   void *module = forge_rt_device_module(code, codeBytes, "model");  // loaded once
//   void *k0 = forge_rt_device_kernel(module, "softmax_0");           // looked up once
//   void *w = forge_rt_device_constant(weights, weightBytes);         // uploaded once
//   void *out = forge_rt_device_alloc(4096);                          // outlives the sequence
//   int64_t words[] = {(int64_t)input, (int64_t)w, (int64_t)out, n};  // all it depends on
//   if (forge_rt_graph_begin(&key, words, 4)) {                       // 0: replayed
//     void *t = forge_rt_device_alloc(4096);                          // the graph's own
//     forge_rt_launch(k0, ..., args, nargs, "rows; tensor<8x128xf32>");
//     forge_rt_device_free(t);
//     forge_rt_graph_end(&key);
//   }
#ifndef FORGE_RUNTIME_DEVICEABI_H
#define FORGE_RUNTIME_DEVICEABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `bytes` of device memory, 256-byte aligned, of undefined content; null for 0.
void *forge_rt_device_alloc(int64_t bytes);
/// Gives it back: what is allocated later may get it, and runs later in the stream. What is not
/// given back is released at the end of the run.
void forge_rt_device_free(void *pointer);

/// `bytes` from `source` to `target`, both on the device, which do not overlap.
void forge_rt_device_copy(void *target, const void *source, int64_t bytes);
/// Between memrefs on the device, of equal shape and any strides, given as MLIR's unranked
/// descriptors {rank, descriptor} (the descriptors in host memory). What memref.copy becomes.
void forge_rt_device_copy_strided(int64_t elementBytes, int64_t sourceRank, void *source,
                                  int64_t targetRank, void *target);
/// Sets `count` elements of `elementBytes` (1, 2, 4 or 8) to the low bits of `value`.
void forge_rt_device_fill(void *target, int64_t value, int64_t elementBytes, int64_t count);

/// Waits, and reads `bytes` into host memory: a condition, a size. Not inside a graph.
void forge_rt_device_read(void *host, const void *device, int64_t bytes);
/// Writes `bytes` of host memory, which may change as soon as this returns. Not inside a graph.
void forge_rt_device_write(void *device, const void *host, int64_t bytes);
void forge_rt_device_synchronize(void);

/// The module made of `size` bytes of device code, which stay where they are; loaded at first use.
void *forge_rt_device_module(const void *code, int64_t size, const char *name);
/// Its kernel `name` (a string that stays where it is); looked up at first use.
void *forge_rt_device_kernel(void *module, const char *name);
/// The device's copy of `size` bytes of a constant, which stay where they are; uploaded at first
/// use. Not inside a graph at first use. Never written, never freed.
void *forge_rt_device_constant(const void *bytes, int64_t size);

/// Launches. `args`: `nargs` pointers, one per parameter of the kernel, to the parameter's value.
/// `description` for error messages and timings: "STRATEGY; SCHEDULE; SHAPES". A grid without
/// blocks launches nothing.
void forge_rt_launch(void *kernel, int64_t gridX, int64_t gridY, int64_t gridZ, int64_t blockX,
                     int64_t blockY, int64_t blockZ, int64_t dynamicSharedBytes, void **args,
                     int64_t nargs, const char *description);

/// The same for a kernel that itself waits for the work before it, in every thread, before it
/// touches memory (PTX ISA, "griddepcontrol.wait"): where the driver offers programmatic dependent
/// launch (compute capability 9.0, CUDA 12.3), it is set up while the kernel before it ends.
/// FORGE_DEPENDENT_LAUNCHES=0 launches it as forge_rt_launch does.
void forge_rt_launch_dependent(void *kernel, int64_t gridX, int64_t gridY, int64_t gridZ,
                               int64_t blockX, int64_t blockY, int64_t blockZ,
                               int64_t dynamicSharedBytes, void **args, int64_t nargs,
                               const char *description);

/// Around the launch of a kernel that takes time stamps (forge/Codegen/Stamps.h): clears `words`,
/// memref<*xi64> on the device as an unranked descriptor, and takes what the kernel wrote there
/// with the launch's time, where launches are timed, which none of a graph is.
void forge_rt_device_begin_stamps(int64_t rank, void *words);
void forge_rt_device_end_stamps(int64_t rank, void *words);

/// Starts a sequence of allocations, copies, fills, launches and products that does the same each
/// time all `words` (pointers and sizes) are the same. `key` is an address that means this
/// sequence. 1: issue it, and call forge_rt_graph_end. 0: it has been done by replaying a graph.
/// Memory allocated inside is given back inside. Sequences nest, but not one in itself.
int32_t forge_rt_graph_begin(const void *key, const int64_t *words, int64_t count);
void forge_rt_graph_end(const void *key);

/// Writes the 128 bytes of a tensor map (64-byte aligned host memory), a kernel argument of
/// kernels that use the tensor memory accelerator. type: a forge_rt_type of 2, 4 or 1 bytes.
/// sizes[rank], box[rank] innermost first; strides[rank - 1] in bytes, of dimensions 1 and up;
/// swizzle: 0, 32, 64 or 128 bytes.
void forge_rt_tensor_map(void *map, void *base, int64_t type, int64_t rank, const int64_t *sizes,
                         const int64_t *strides, const int64_t *box, int64_t swizzle);

/// The same of a memref as compiled code has it (on the device, given as MLIR's unranked
/// descriptor), of rank 1 to 5 and of strides of multiples of 16 bytes but for the last, which is
/// one element. `map` is a descriptor of 128 bytes of host memory, 64-byte aligned. The box's
/// elements are given innermost first; what of it is outside of the memref is read as zeros. Of a
/// memref without elements no map is made.
#define FORGE_RT_DEVICE_TENSOR_MAP(suffix)                                                         \
  void forge_rt_device_tensor_map_##suffix(int64_t mapRank, void *map, int64_t rank, void *memref, \
                                           int64_t box0, int64_t box1, int64_t box2, int64_t box3, \
                                           int64_t box4, int64_t swizzle);
FORGE_RT_DEVICE_TENSOR_MAP(f16)
FORGE_RT_DEVICE_TENSOR_MAP(bf16)
FORGE_RT_DEVICE_TENSOR_MAP(f32)
FORGE_RT_DEVICE_TENSOR_MAP(f8E4M3FN)
FORGE_RT_DEVICE_TENSOR_MAP(f8E5M2)
FORGE_RT_DEVICE_TENSOR_MAP(i8)
#undef FORGE_RT_DEVICE_TENSOR_MAP

/// Element types in descriptions.
enum forge_rt_type {
  FORGE_RT_F32 = 0,
  FORGE_RT_F16 = 1,
  FORGE_RT_BF16 = 2,
  FORGE_RT_F8E4M3FN = 3,
  FORGE_RT_F8E5M2 = 4,
  FORGE_RT_F64 = 5,
};

enum forge_rt_epilogue {
  FORGE_RT_EPILOGUE_NONE = 0,
  FORGE_RT_EPILOGUE_RELU = 1,
  /// The tanh form, which is what the vendors' libraries compute.
  FORGE_RT_EPILOGUE_GELU_TANH = 2,
};

/// A batched product by the vendor's library: out[b] = epilogue(alpha * op(lhs[b]) * op(rhs[b])
/// + residual[b] + bias), all matrices row-major: op(lhs) is m x k, op(rhs) is k x n, out and
/// residual are m x n, bias has n elements (one per column). Accumulated in f32 (f64 for f64),
/// rounded once to the output type. Of 8-bit floats NVIDIA's matrix units (H200) add with an error
/// of 2^-12.9 of the sum of all terms' magnitudes (the most that was seen), not that of f32.
struct forge_rt_matmul {
  int64_t m, n, k, batch;
  /// forge_rt_type of each; bias of the output's type.
  int64_t lhsType, rhsType, outType;
  /// 1: the matrix is stored transposed: lhs as k x m, rhs as n x k.
  int64_t lhsTransposed, rhsTransposed;
  /// Elements from one stored row to the next, and from one matrix to the next (0: the same matrix
  /// for the whole batch).
  int64_t lhsStride, rhsStride, outStride;
  int64_t lhsBatchStride, rhsBatchStride, outBatchStride;
  /// forge_rt_epilogue; bias (of the output's type) and residual (of the output's type and
  /// strides; it may be the output itself) may be null.
  int64_t epilogue;
  /// The factor, as the bits of a double.
  int64_t alpha;
};

/// `description` as in forge_rt_launch.
void forge_rt_device_matmul(const struct forge_rt_matmul *product, const void *lhs, const void *rhs,
                            const void *bias, const void *residual, void *out,
                            const char *description);

/// The same for memrefs as compiled code has them (on the device, given as MLIR's unranked
/// descriptors), where the library may be missing: out = epilogue(lhs * rhs + residual + bias) with
/// lhs [batch, m, k], rhs [batch, k, n] and out [batch, m, n] at any strides that do not overlap;
/// residual is as out, bias has n elements, and they are read only if hasBias and hasResidual say
/// so. 1: the product is enqueued (in a graph, recorded). 0: nothing was done, and the caller
/// computes it itself: the library is not on this machine, does not offer this product or its
/// strides (of each matrix rows or columns are side by side, of the result columns), or there are
/// fewer than `least` multiplications.
#define FORGE_RT_DEVICE_PRODUCT(suffix)                                                            \
  int32_t forge_rt_device_product_##suffix(                                                        \
      int64_t lhsRank, void *lhs, int64_t rhsRank, void *rhs, int64_t biasRank, void *bias,        \
      int64_t residualRank, void *residual, int64_t outRank, void *out, int64_t hasBias,           \
      int64_t hasResidual, int64_t epilogue, int64_t least);
FORGE_RT_DEVICE_PRODUCT(f32_f32)
FORGE_RT_DEVICE_PRODUCT(f64_f64)
FORGE_RT_DEVICE_PRODUCT(f16_f32)
FORGE_RT_DEVICE_PRODUCT(f16_f16)
FORGE_RT_DEVICE_PRODUCT(bf16_f32)
FORGE_RT_DEVICE_PRODUCT(bf16_bf16)
#undef FORGE_RT_DEVICE_PRODUCT

#ifdef __cplusplus
}
#endif

#endif // FORGE_RUNTIME_DEVICEABI_H
