/* Forge from C: modules are read, compiled for a device and run on tensors of the host or on
 * buffers of the device. The library is libforge.so; forge/C/Model.h has what programs need that
 * only run what was compiled before.
 *
 *   struct forge_device *device;
 *   struct forge_module *module;
 *   struct forge_executable *executable;
 *   struct forge_error *error = forge_device_open("cpu", &device);
 *   if (!error)
 *     error = forge_module_load("model.mlir", &module);
 *   if (!error)
 *     error = forge_compile(module, device, NULL, &executable);
 *
 * Every function that can fail returns null, or an error that the caller destroys; what it was to
 * give is null then. No C++ exception leaves these functions. Any object may be used from any
 * thread; calls on one object take turns. */
#ifndef FORGE_C_FORGE_H
#define FORGE_C_FORGE_H

#include "forge/C/Error.h"
#include "forge/C/Tensor.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of this header. It is raised by one when a function or struct changes its meaning; functions
 * that are added leave it. */
#define FORGE_API_VERSION 1
/** Of the library. */
int forge_api_version(void);

/** Where code runs: the CPU, a GPU, or a simulated one. */
struct forge_device;
/** `target` is "cpu", "cuda", "cuda:1" (by number), "cuda:sm_90a", "hip:gfx942", "sim:sm_90a". */
struct forge_error *forge_device_open(const char *target, struct forge_device **device);
/** What was opened keeps the device as long as it needs it. */
void forge_device_destroy(struct forge_device *device);
/** How many devices a driver has: "cpu", "cuda", "hip", "sim"; 0 if it is not there. */
int64_t forge_device_count(const char *driver);
/** The target with its chip ("cuda:sm_90a"), and the name ("NVIDIA H200"; of the CPU "cpu"). They
 * live with the device. */
const char *forge_device_target(const struct forge_device *device);
const char *forge_device_name(const struct forge_device *device);
/** The driver's version as it numbers itself (13000 is CUDA 13.0); 0 where there is none. */
int64_t forge_device_driver_version(const struct forge_device *device);
/** Bytes of the device's memory; of the CPU, what the process may still take, and all. What is kept
 * for buffers to come counts as free. */
struct forge_error *forge_device_memory(struct forge_device *device, int64_t *free_bytes,
                                        int64_t *total_bytes);
/** Bytes that this process holds of the device's memory for buffers, in use or kept for buffers to
 * come; of the CPU 0. */
int64_t forge_device_pool_bytes(const struct forge_device *device);
/** Gives the driver back what is kept: memory that buffers have left, and the temporaries of
 * executables that are not running. Forge does so itself when it finds no memory. */
void forge_device_trim(struct forge_device *device);

/** A module of StableHLO, transformer, register or linalg operations. */
struct forge_module;
/** Reads MLIR text, bytecode, a StableHLO portable artifact or a jax.export file. What a module starts
 * by async_start takes its place, since one device runs it. */
struct forge_error *forge_module_load(const char *path, struct forge_module **module);
/** The same from memory, which may go afterwards; `name` is for messages. Input that is not to be
 * trusted is read by forge_module_load: while it parses, it limits the memory and handles the
 * signals of the whole process, which a program with other threads may not want. */
struct forge_error *forge_module_parse(const char *bytes, size_t size, const char *name,
                                       struct forge_module **module);
/** Writes the module as MLIR text, with its locations. */
struct forge_error *forge_module_write(const struct forge_module *module, const char *path);
void forge_module_destroy(struct forge_module *module);

/** Null, or 0, is the default of each. */
struct forge_compile_options {
  /** sizeof(struct forge_compile_options) of the caller. */
  size_t size;
  /** By default "main", or the only public function. */
  const char *function;
  /** "hybrid" (the default), "production", "optimized", "correctness": docs/cli.md. */
  const char *tier;
  /** Where a failure of the compiler gets a folder with what reproduces it; by default none. */
  const char *reproducer_folder;
  /** Where machine code is looked for first, and kept (docs/generate.md says how); by default none.
   * A folder that is not the user's own, or that others can write to, is not used. */
  const char *cache_folder;
};

/** A function, compiled for a device. */
struct forge_executable;
/** `options` may be null. The module stays as it was, and may go before the executable. */
struct forge_error *forge_compile(struct forge_module *module, struct forge_device *device,
                                  const struct forge_compile_options *options,
                                  struct forge_executable **executable);
void forge_executable_destroy(struct forge_executable *executable);

/** The function's name lives with the executable. */
const char *forge_executable_function(const struct forge_executable *executable);
int64_t forge_executable_num_arguments(const struct forge_executable *executable);
int64_t forge_executable_num_results(const struct forge_executable *executable);
/** Type and sizes, -1 for a size known only at run time, without data; they live with the
 * executable. The type is null if there is no such argument or result. */
struct forge_tensor forge_executable_argument(const struct forge_executable *executable,
                                              int64_t index);
struct forge_tensor forge_executable_result(const struct forge_executable *executable,
                                            int64_t index);
/** 1 if a run may overwrite the buffer of this argument (tf.aliasing_output, jax.buffer_donor). */
int forge_executable_donates(const struct forge_executable *executable, int64_t index);
/** Operations on floats and bytes read and written by all kernels in one run, from the sizes known
 * when it was compiled. */
void forge_executable_cost(const struct forge_executable *executable, int64_t *flops,
                           int64_t *bytes);
/** The most bytes of temporaries that a run has at once, from the sizes known when it was compiled;
 * without arguments and results. */
int64_t forge_executable_temporary_bytes(const struct forge_executable *executable);

/** Results of a run, in host memory. */
struct forge_results;
/** Checks `inputs` against the arguments, copies them and runs; waits for the end. A run that fails
 * leaves the executable as it was. */
struct forge_error *forge_executable_run(struct forge_executable *executable,
                                         const struct forge_tensor *inputs, int64_t num_inputs,
                                         struct forge_results **results);
int64_t forge_results_count(const struct forge_results *results);
/** Lives as long as the results. The type is null if there is no such result. */
struct forge_tensor forge_results_get(const struct forge_results *results, int64_t index);
void forge_results_destroy(struct forge_results *results);

/** A tensor in a device's memory. */
struct forge_buffer;
/** Copies the tensor there. */
struct forge_error *forge_buffer_create(struct forge_device *device,
                                        const struct forge_tensor *tensor,
                                        struct forge_buffer **buffer);
/** Another buffer with the same elements. */
struct forge_error *forge_buffer_copy(struct forge_buffer *buffer, struct forge_buffer **copy);
void forge_buffer_destroy(struct forge_buffer *buffer);
/** Type, sizes, and the address in the device's memory; they live with the buffer. */
struct forge_tensor forge_buffer_tensor(const struct forge_buffer *buffer);
/** Copies the elements to `data`; `size` is their number of bytes. */
struct forge_error *forge_buffer_read(struct forge_buffer *buffer, void *data, size_t size);
/** Runs on buffers where they are; waits for the end. `results` gets as many buffers as there are
 * results, or nulls when the run fails. Buffers of donated arguments may be overwritten, the others
 * are not. */
struct forge_error *forge_executable_run_buffers(struct forge_executable *executable,
                                                 struct forge_buffer *const *arguments,
                                                 int64_t num_arguments,
                                                 struct forge_buffer **results,
                                                 int64_t num_results);

#ifdef __cplusplus
}
#endif

#endif /* FORGE_C_FORGE_H */
