/* model-from-c DYNAMIC.so WEIGHTS.so FAILING.so: uses compiled models through forge/C/Model.h.
 *   DYNAMIC  (?xf32, 2x?xi32) -> (exp of the first, twice the second), cpu
 *   WEIGHTS  (3xf32) -> x + weight, the weight 10 20 30
 *   FAILING  (?xf32, ?xf32) -> their sum: unequal sizes are an error at run time */
#include "forge/C/Model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static void expect(int holds, const char *what, int line) {
  if (holds)
    return;
  fprintf(stderr, "line %d: %s does not hold\n", line, what);
  exit(1);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect_error(struct forge_error *error, const char *part, int line) {
  const char *message = error ? forge_error_message(error) : "no error";
  if (!strstr(message, part)) {
    fprintf(stderr, "line %d: expected \"%s\", but got \"%s\"\n", line, part, message);
    exit(1);
  }
  forge_error_destroy(error);
}
#define EXPECT_ERROR(call, part) expect_error(call, part, __LINE__)

static struct forge_model *load(const char *path) {
  struct forge_model *model = NULL;
  struct forge_error *error = forge_model_load(path, NULL, -1, &model);
  if (error)
    fprintf(stderr, "%s\n", forge_error_message(error));
  EXPECT(!error && model);
  return model;
}

static struct forge_results *run(struct forge_model *model, const struct forge_tensor *inputs,
                                 int64_t count) {
  struct forge_results *results = NULL;
  struct forge_error *error = forge_model_run(model, inputs, count, &results);
  if (error)
    fprintf(stderr, "%s\n", forge_error_message(error));
  EXPECT(!error && results);
  return results;
}

static void check_signature(const struct forge_model *model) {
  EXPECT(strcmp(forge_model_function(model), "main") == 0);
  EXPECT(strcmp(forge_model_target(model), "cpu") == 0);
  EXPECT(forge_model_num_arguments(model) == 2 && forge_model_num_results(model) == 2);
  struct forge_tensor second = forge_model_argument(model, 1);
  EXPECT(strcmp(second.type, "i32") == 0 && second.rank == 2);
  EXPECT(second.sizes[0] == 2 && second.sizes[1] == -1 && !second.data);
  EXPECT(strcmp(forge_model_result(model, 0).type, "f32") == 0);
  EXPECT(!forge_model_argument(model, 2).type && !forge_model_result(model, -1).type);
}

static void check_runs(struct forge_model *model) {
  float a[] = {1, 2, 3};
  int32_t b[] = {5, 7};
  int64_t a_sizes[] = {3}, b_sizes[] = {2, 1};
  struct forge_tensor inputs[] = {{"f32", 1, a_sizes, a}, {"i32", 2, b_sizes, b}};
  struct forge_results *results = run(model, inputs, 2);
  EXPECT(forge_results_count(results) == 2 && !forge_results_get(results, 2).type);
  struct forge_tensor exps = forge_results_get(results, 0), sums = forge_results_get(results, 1);
  EXPECT(exps.rank == 1 && exps.sizes[0] == 3 && sums.rank == 2 && sums.sizes[1] == 1);
  for (int i = 0; i < 3; ++i)
    EXPECT(fabsf(((float *)exps.data)[i] - expf((float)(i + 1))) < 1e-5f * expf(3));
  EXPECT(((int32_t *)sums.data)[0] == 10 && ((int32_t *)sums.data)[1] == 14);
  EXPECT(a[0] == 1 && b[1] == 7);

  /* No elements: no pointer is needed. The results of the run before stay. */
  int64_t none[] = {0}, two_by_none[] = {2, 0};
  struct forge_tensor empty[] = {{"f32", 1, none, NULL}, {"i32", 2, two_by_none, NULL}};
  struct forge_results *nothing = run(model, empty, 2);
  EXPECT(forge_results_get(nothing, 0).sizes[0] == 0);
  forge_results_destroy(nothing);
  EXPECT(((int32_t *)sums.data)[1] == 14);
  forge_results_destroy(results);
}

static int run_often(void *model) {
  for (int i = 0; i < 100; ++i)
    check_runs(model);
  return 0;
}

/* Threads that share a model each get the results of their own inputs. */
static void check_threads(struct forge_model *model) {
  thrd_t threads[4];
  for (int i = 0; i < 4; ++i)
    EXPECT(thrd_create(&threads[i], run_often, model) == thrd_success);
  for (int i = 0; i < 4; ++i)
    thrd_join(threads[i], NULL);
}

static void check_wrong_inputs(struct forge_model *model) {
  float a[] = {1, 2, 3};
  int64_t three[] = {3}, pair[] = {2, 1}, wrong[] = {3, 1}, negative[] = {-3};
  int32_t b[] = {5, 7, 9};
  struct forge_tensor good = {"f32", 1, three, a};
  struct forge_results *results = NULL;
  struct forge_tensor inputs[] = {good, {"i32", 2, wrong, b}};
  EXPECT_ERROR(forge_model_run(model, inputs, 1, &results),
               "expected 2 inputs for @main, but got 1");
  EXPECT_ERROR(forge_model_run(model, NULL, 2, &results), "at a null pointer");
  EXPECT_ERROR(forge_model_run(model, inputs, -1, &results), "but got -1");
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results),
               "argument 1, dimension 0: expected size 2, but got 3");
  inputs[1].rank = -1;
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "expected rank 2, but got -1");
  inputs[1] = (struct forge_tensor){"f32", 2, pair, b};
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results),
               "argument 1: expected i32, but got f32");
  inputs[1].type = NULL;
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "expected i32, but got no type");
  inputs[1] = (struct forge_tensor){"i32", 2, NULL, b};
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "expected sizes");
  inputs[1] = (struct forge_tensor){"i32", 2, pair, NULL};
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "expected elements");
  inputs[1].data = b;
  inputs[0].sizes = negative;
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "expected size 0 or more, but got -3");
  EXPECT(!results);
}

static void check_weights(const char *path) {
  struct forge_model *model = load(path);
  EXPECT(forge_model_num_arguments(model) == 1);
  float x[] = {1, 2, 3};
  int64_t sizes[] = {3};
  struct forge_tensor input = {"f32", 1, sizes, x};
  struct forge_results *results = run(model, &input, 1);
  forge_model_destroy(model);
  float *sums = forge_results_get(results, 0).data;
  EXPECT(sums[0] == 11 && sums[1] == 22 && sums[2] == 33);
  forge_results_destroy(results);
  model = NULL;
  EXPECT_ERROR(forge_model_load(path, "/nowhere", -1, &model), "/nowhere");
  EXPECT(!model);
}

/* An error at run time leaves the model usable. */
static void check_failing(const char *path) {
  struct forge_model *model = load(path);
  float x[] = {1, 2, 3};
  int64_t two[] = {2}, three[] = {3};
  struct forge_tensor inputs[] = {{"f32", 1, two, x}, {"f32", 1, three, x}};
  struct forge_results *results = NULL;
  EXPECT_ERROR(forge_model_run(model, inputs, 2, &results), "2");
  EXPECT(!results);
  inputs[1].sizes = two;
  results = run(model, inputs, 2);
  EXPECT(((float *)forge_results_get(results, 0).data)[1] == 4);
  forge_results_destroy(results);
  forge_model_destroy(model);
}

/* Opened first, made ready to run later; then measured. */
static void check_steps(const char *path, const char *dynamic) {
  struct forge_model *model = NULL;
  struct forge_results *results = NULL, *again = NULL;
  EXPECT_ERROR(forge_model_open(path, "run", &model), "expected a decoder for function 'run'");
  EXPECT_ERROR(forge_model_open(path, "decode", &model), "a decoder for function 'decode'");
  EXPECT(!forge_model_decoder_function(path, 0) && !forge_model_decoder_function("none.so", 0));
  EXPECT(!model && !forge_model_is_decoder(path) && !forge_model_is_decoder("none.so"));
  EXPECT(!forge_model_open(path, NULL, &model));
  const char *text = forge_model_signature(model);
  EXPECT(strstr(text, "function main\ntarget cpu\n") != NULL);
  EXPECT(strstr(text, "weight w\tout0.npy\n") && strstr(text, "result tensor<3xf32>"));
  float x[] = {1, 2, 3};
  int64_t sizes[] = {3};
  struct forge_tensor input = {"f32", 1, sizes, x};
  double ms = -1;
  const char *report = NULL;
  EXPECT_ERROR(forge_model_run(model, &input, 1, &results), "forge_model_prepare");
  EXPECT_ERROR(forge_model_run_random(model, 1, &results), "forge_model_prepare");
  EXPECT_ERROR(forge_model_run_loaded(model, &ms), "forge_model_prepare");
  EXPECT_ERROR(forge_model_prepare(model, "/nowhere", -1), "/nowhere");
  EXPECT(!forge_model_prepare(model, NULL, -1));
  EXPECT_ERROR(forge_model_prepare(model, NULL, -1), "not prepared before");
  EXPECT_ERROR(forge_model_run_loaded(model, &ms), "expected inputs");
  EXPECT(!forge_model_load_inputs(model, &input, 1));
  EXPECT_ERROR(forge_model_load_inputs(model, &input, 2), "expected 1 inputs");
  EXPECT(!forge_model_run_loaded(model, &ms) && ms >= 0);
  EXPECT(!forge_model_profile(model, &report) && strcmp(report, "") == 0);
  EXPECT(!forge_model_run_random(model, 5, &results) && !forge_model_run_random(model, 5, &again));
  const float *first = forge_results_get(results, 0).data;
  EXPECT(first[0] >= 9 && first[0] <= 11 && first[2] >= 29 && first[2] <= 31);
  EXPECT(memcmp(first, forge_results_get(again, 0).data, sizeof x) == 0);
  EXPECT(!forge_model_run_loaded(model, &ms));
  forge_results_destroy(results);
  forge_results_destroy(again);
  forge_model_destroy(model);
  model = load(dynamic);
  EXPECT_ERROR(forge_model_run_random(model, 1, &results),
               "random inputs need known sizes, but @main takes tensor<?xf32>");
  forge_model_destroy(model);
}

int main(int argc, char **argv) {
  EXPECT(argc == 4);
  EXPECT(forge_model_api_version() == FORGE_MODEL_API_VERSION);
  struct forge_model *none = NULL;
  EXPECT_ERROR(forge_model_load("./none.so", NULL, -1, &none), "none.so");
  EXPECT_ERROR(forge_model_load(NULL, NULL, -1, &none), "expected the path");
  EXPECT_ERROR(forge_model_load("libm.so.6", NULL, -1, &none), "libm.so.6");
  EXPECT(!none);
  struct forge_model *model = load(argv[1]), *twin = load(argv[1]);
  check_signature(model);
  check_runs(model);
  check_wrong_inputs(model);
  check_threads(model);
  forge_model_destroy(twin);
  check_runs(model);
  forge_model_destroy(model);
  check_weights(argv[2]);
  check_steps(argv[2], argv[1]);
  check_failing(argv[3]);
  forge_model_destroy(NULL);
  forge_results_destroy(NULL);
  forge_error_destroy(NULL);
  puts("all expectations hold");
  return 0;
}
