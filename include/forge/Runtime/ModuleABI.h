// The C functions and the data by which a shared object made by `forge compile -o model.so` is used
// from any program. The shared object holds the compiled function, its device code and this
// runtime; it needs nothing of MLIR or LLVM. `forge-exec` is such a program.
//
//   void *so = dlopen("./model.so", RTLD_NOW | RTLD_LOCAL);
//   const struct forge_module_info *info = dlsym(so, "forge_module_info");
//   open = dlsym(so, "forge_module_open"); ...
#ifndef FORGE_RUNTIME_MODULEABI_H
#define FORGE_RUNTIME_MODULEABI_H

#include "forge/C/Tensor.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the compiled object exports as `forge_module_info`. That of a decoder has one for each
/// function instead, `forge_module_prefill` and `forge_module_decode` among them, their names in
/// `forge_module_functions` (`const char *[]`, "prefill", ..., the last one null), and
/// `forge_module_files`.
struct forge_module_info {
  /// FORGE_MODULE_VERSION.
  int64_t version;
  /// Function, target, arguments, results and tolerances: forge/Support/ModuleSignature.h.
  const char *signature;
  /// The function NAME__packed.
  void (*entry)(void **args);
};
#define FORGE_MODULE_VERSION 1

/// A file of the checkpoint that a decoder was compiled from: what it has for texts. Behind the
/// last one is one without a name.
struct forge_module_file {
  const char *name;
  const char *bytes;
  int64_t size;
};

struct forge_module;

/// Opens the device the module was compiled for: `device` is its number, -1 for the default. Null
/// on failure; forge_module_error(NULL) says why.
struct forge_module *forge_module_open(const struct forge_module_info *info, int64_t device);
/// The same on the device of another module, whose tensors this one may take. It is closed before
/// that one.
struct forge_module *forge_module_open_beside(const struct forge_module_info *info,
                                              struct forge_module *first);
void forge_module_close(struct forge_module *module);
/// Runs once. 0 if all went well; otherwise forge_module_error says what did not. The results stay
/// with the module until its next run.
int forge_module_run(struct forge_module *module, const struct forge_tensor *inputs,
                     int64_t numInputs);
/// Copies the inputs to where the compiled code reads them, and keeps them there until the next
/// load: forge_module_run_loaded runs on them, as often as wanted, and drops the results. For
/// timing, without copies between two runs. 0 if all went well.
int forge_module_load(struct forge_module *module, const struct forge_tensor *inputs,
                      int64_t numInputs);
int forge_module_run_loaded(struct forge_module *module);
/// Draws the inputs whose data is null where the compiled code reads them: floats uniform in
/// [-1, 1], integers 0 or 1, the same from the same seed on every target; their sizes must be
/// known. Copies the others. Runs once, keeps the results as forge_module_run does, and leaves the
/// inputs to forge_module_run_loaded. 0 if all went well.
int forge_module_run_random(struct forge_module *module, const struct forge_tensor *inputs,
                            int64_t numInputs, uint64_t seed);

/// A tensor that stays where compiled code reads it, until it is released; that comes before its
/// module is closed.
struct forge_module_tensor;
/// Where its elements come from: `copy` writes their bytes from `offset` on. Several threads may
/// call it at once.
struct forge_module_source {
  /// Type and sizes; without data.
  struct forge_tensor tensor;
  void (*copy)(void *context, size_t offset, char *bytes, size_t size);
  void *context;
};
/// Null on failure; forge_module_error(module) says why.
struct forge_module_tensor *forge_module_keep(struct forge_module *module,
                                              const struct forge_module_source *source);
/// Gives it other elements, of the same type and sizes. 0 if all went well.
int forge_module_write(struct forge_module *module, struct forge_module_tensor *tensor,
                       const struct forge_tensor *elements);
void forge_module_release(struct forge_module_tensor *tensor);
/// Runs on such tensors in place; those of donated arguments may be overwritten. For each result,
/// `kept` is the number of the argument whose tensor becomes the result, -1 to leave the result
/// with the module until its next run, or -2 to discard it. Returns 0 on success.
int forge_module_run_kept(struct forge_module *module, struct forge_module_tensor *const *arguments,
                          int64_t numArguments, const int64_t *kept, int64_t numKept);
/// Added to such a number: the result is left with the module, too.
#define FORGE_MODULE_ALSO_GIVEN (INT64_C(1) << 62)
/// Begins such a run, which a device does while the caller goes on: runs are done in the order in
/// which they are begun, all else waits for them. Returns 0 on success.
int forge_module_begin_kept(struct forge_module *module,
                            struct forge_module_tensor *const *arguments, int64_t numArguments,
                            const int64_t *kept, int64_t numKept);
/// Waits for the run that was begun first of those that have not been waited for; its results are
/// those of the module's last run then. Returns 0 on success.
int forge_module_finish(struct forge_module *module);
int64_t forge_module_num_results(struct forge_module *module);
struct forge_tensor forge_module_result(struct forge_module *module, int64_t index);
/// Milliseconds of the last run, without copies in and out.
double forge_module_run_ms(struct forge_module *module);
/// Bytes a second that the memory of the module's device gives, measured for one who reads `bytes`
/// (forge/Runtime/MemoryRate.h); 0 where that is not known.
double forge_module_memory_rate(struct forge_module *module, int64_t bytes);
/// Times every kernel of the runs from here on. The report has one line per launch of the last run:
/// "MS<tab>KERNEL<tab>DESCRIPTION".
void forge_module_set_timing(struct forge_module *module, int on);
const char *forge_module_timing_report(struct forge_module *module);
/// The last error, of this module or (null) of forge_module_open in this thread.
const char *forge_module_error(struct forge_module *module);

#ifdef __cplusplus
}
#endif

#endif // FORGE_RUNTIME_MODULEABI_H
