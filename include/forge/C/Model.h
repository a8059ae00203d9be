/* Compiled models from C: loads what `forge compile -o model.so` made and runs it. The library,
 * libforge-model.so, needs nothing of MLIR or LLVM.
 *
 *   struct forge_model *model;
 *   struct forge_error *error = forge_model_load("./model.so", NULL, -1, &model);
 *
 * Every function that can fail returns null, or an error that the caller destroys; what it was to
 * give is null then. No C++ exception leaves these functions. */
#ifndef FORGE_C_MODEL_H
#define FORGE_C_MODEL_H

#include "forge/C/Error.h"
#include "forge/C/Tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of this header. It is raised by one when a function or struct changes its meaning; functions
 * that are added leave it. */
#define FORGE_MODEL_API_VERSION 1
/** Of the library. */
int forge_model_api_version(void);

/** A compiled model, with the device it runs on. */
struct forge_model;
/** Loads the shared object and its weights, and opens the device it was compiled for: `device` is
 * its number, -1 for the default. Weights are read from `weights_folder`, or if that is null from
 * where the model's signature says. Code in the file is run: load only files that you trust. */
struct forge_error *forge_model_load(const char *path, const char *weights_folder, int64_t device,
                                     struct forge_model **model);
/** The same in two steps. The first loads the shared object alone, for what can be asked of it.
 * `function` is null, or, of a file that was made of a checkpoint's decoder, the name of one of its
 * functions. */
struct forge_error *forge_model_open(const char *path, const char *function,
                                     struct forge_model **model);
/** The second, before anything is run: reads the weights and opens the device. */
struct forge_error *forge_model_prepare(struct forge_model *model, const char *weights_folder,
                                        int64_t device);
/** 1 if the file was made of a checkpoint's decoder. */
int forge_model_is_decoder(const char *path);
/** The name of one of its functions: "prefill", perhaps others as "prefill_256", "decode". Null
 * from their number on, and of other files. It lives to the end of the process. */
const char *forge_model_decoder_function(const char *path, int64_t index);
/** Gives back memory and device. The code stays mapped to the end of the process. */
void forge_model_destroy(struct forge_model *model);

/** The name of the function, and the target: "main", "cuda:sm_90a". They live with the model. */
const char *forge_model_function(const struct forge_model *model);
const char *forge_model_target(const struct forge_model *model);
/** All that the file says of the function, weights too, a line each; it lives with the model:
 *   function main
 *   target cuda:sm_90a
 *   argument tensor<?x33xf32> [donated] [name NAME] [weight TENSOR<tab>FILE[<tab>QUANTISED]]
 *   result tensor<2x3xbf16> [tolerance ABSOLUTE OFSCALE ULP BASIS...] */
const char *forge_model_signature(const struct forge_model *model);

/** Arguments that the caller passes, weights left out, and results. */
int64_t forge_model_num_arguments(const struct forge_model *model);
int64_t forge_model_num_results(const struct forge_model *model);
/** Type and sizes, -1 for a size known only at run time, without data; they live with the model.
 * The type is null if there is no such argument or result. */
struct forge_tensor forge_model_argument(const struct forge_model *model, int64_t index);
struct forge_tensor forge_model_result(const struct forge_model *model, int64_t index);

/** Results of a run, in host memory; they outlive the model. */
struct forge_results;
/** Checks `inputs` against the arguments, copies them and runs; waits for the end. The inputs are
 * never written to. A run that fails leaves the model as it was. Threads may run one model at the
 * same time: their runs take turns. */
struct forge_error *forge_model_run(struct forge_model *model, const struct forge_tensor *inputs,
                                    int64_t num_inputs, struct forge_results **results);
int64_t forge_results_count(const struct forge_results *results);
/** Lives as long as the results. The type is null if there is no such result. */
struct forge_tensor forge_results_get(const struct forge_results *results, int64_t index);
void forge_results_destroy(struct forge_results *results);

/** Runs on inputs drawn from `seed`, which must have known sizes: floats uniform in [-1, 1],
 * integers 0 or 1, the same on every target. */
struct forge_error *forge_model_run_random(struct forge_model *model, uint64_t seed,
                                           struct forge_results **results);

/** For measuring: inputs are copied once to where the code reads them; those that
 * forge_model_run_random drew are there. */
struct forge_error *forge_model_load_inputs(struct forge_model *model,
                                            const struct forge_tensor *inputs, int64_t num_inputs);
/** Runs on them, and drops the results. `ms` gets the milliseconds of the run without copies. */
struct forge_error *forge_model_run_loaded(struct forge_model *model, double *ms);
/** The same with every kernel timed. `report` gets a line "MS<tab>KERNEL<tab>DESCRIPTION" for each
 * launch, which lives until the next call; it has none on targets without a device. */
struct forge_error *forge_model_profile(struct forge_model *model, const char **report);

#ifdef __cplusplus
}
#endif

#endif /* FORGE_C_MODEL_H */
