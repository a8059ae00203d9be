/* forge-from-c MODULE.mlir [TARGET]: compiles and runs through forge/C/Forge.h.
 *   MODULE  (?xf32, 4xf32 donated) -> (exp of the first, twice the second) */
#include "forge/C/Forge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int holds, const char *what, int line) {
  if (holds)
    return;
  fprintf(stderr, "line %d: %s does not hold\n", line, what);
  exit(1);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect_none(struct forge_error *error, int line) {
  if (!error)
    return;
  fprintf(stderr, "line %d: %s\n", line, forge_error_message(error));
  exit(1);
}
#define EXPECT_NONE(call) expect_none(call, __LINE__)

static void expect_error(struct forge_error *error, enum forge_error_kind kind, const char *part,
                         int line) {
  const char *message = error ? forge_error_message(error) : "no error";
  if (!strstr(message, part) || forge_error_get_kind(error) != kind) {
    fprintf(stderr, "line %d: expected \"%s\", but got \"%s\"\n", line, part, message);
    exit(1);
  }
  forge_error_destroy(error);
}
#define EXPECT_ERROR(call, kind, part) expect_error(call, kind, part, __LINE__)

static const int64_t three[] = {3}, four[] = {4};

static void check_signature(const struct forge_executable *code) {
  EXPECT(strcmp(forge_executable_function(code), "main") == 0);
  EXPECT(forge_executable_num_arguments(code) == 2 && forge_executable_num_results(code) == 2);
  struct forge_tensor first = forge_executable_argument(code, 0);
  EXPECT(strcmp(first.type, "f32") == 0 && first.rank == 1 && first.sizes[0] == -1 && !first.data);
  EXPECT(forge_executable_result(code, 1).sizes[0] == 4);
  EXPECT(!forge_executable_argument(code, 2).type && !forge_executable_result(code, -1).type);
  EXPECT(!forge_executable_donates(code, 0) && forge_executable_donates(code, 1));
  EXPECT(!forge_executable_donates(code, 2));
  int64_t flops = 0, bytes = 0;
  forge_executable_cost(code, &flops, &bytes);
  EXPECT(bytes > 0);
  EXPECT(forge_executable_temporary_bytes(code) == 0); /* it has results alone */
}

static void check_values(struct forge_tensor exponentials, struct forge_tensor doubled) {
  EXPECT(exponentials.rank == 1 && exponentials.sizes[0] == 3);
  EXPECT(doubled.rank == 1 && doubled.sizes[0] == 4);
  for (int i = 0; i < 3; ++i)
    EXPECT(fabsf(((float *)exponentials.data)[i] - expf((float)i)) < 1e-5f);
  for (int i = 0; i < 4; ++i)
    EXPECT(((float *)doubled.data)[i] == 2.0f * (float)i);
}

static void check_tensors(struct forge_executable *code) {
  float x[] = {0, 1, 2}, y[] = {0, 1, 2, 3};
  struct forge_tensor inputs[] = {{"f32", 1, three, x}, {"f32", 1, four, y}};
  struct forge_results *results = NULL;
  EXPECT_NONE(forge_executable_run(code, inputs, 2, &results));
  EXPECT(forge_results_count(results) == 2);
  check_values(forge_results_get(results, 0), forge_results_get(results, 1));
  EXPECT(!forge_results_get(results, 2).type);
  EXPECT(y[1] == 1); /* the run had a copy */
  forge_results_destroy(results);
  EXPECT_ERROR(forge_executable_run(code, inputs, 1, &results), FORGE_ERROR_INPUT,
               "expected 2 inputs of function main, but got 1");
  EXPECT(!results);
  inputs[1].type = "f33";
  EXPECT_ERROR(forge_executable_run(code, inputs, 2, &results), FORGE_ERROR_INPUT,
               "argument 1: expected the name of an element type, but got 'f33'");
  const int64_t negative[] = {-1};
  inputs[1].type = "f32";
  inputs[1].sizes = negative;
  EXPECT_ERROR(forge_executable_run(code, inputs, 2, &results), FORGE_ERROR_INPUT,
               "argument 1, dimension 0: expected size 0 or more, but got -1");
}

static void check_buffers(struct forge_device *device, struct forge_executable *code) {
  float x[] = {0, 1, 2}, y[] = {0, 1, 2, 3}, back[4];
  struct forge_tensor first = {"f32", 1, three, x}, second = {"f32", 1, four, y};
  struct forge_buffer *arguments[2], *copy, *results[2];
  EXPECT_NONE(forge_buffer_create(device, &first, &arguments[0]));
  EXPECT_NONE(forge_buffer_create(device, &second, &arguments[1]));
  EXPECT_NONE(forge_buffer_copy(arguments[1], &copy));
  EXPECT_NONE(forge_executable_run_buffers(code, arguments, 2, results, 2));
  struct forge_tensor shapes[2];
  float values[2][4];
  for (int i = 0; i < 2; ++i) {
    shapes[i] = forge_buffer_tensor(results[i]);
    EXPECT_NONE(forge_buffer_read(results[i], values[i], (size_t)shapes[i].sizes[0] * 4));
    shapes[i].data = values[i];
  }
  check_values(shapes[0], shapes[1]);
  /* The argument that is not donated is as it was, and so is the copy. */
  EXPECT_NONE(forge_buffer_read(arguments[0], back, sizeof x));
  EXPECT(back[2] == 2);
  EXPECT_NONE(forge_buffer_read(copy, back, sizeof y));
  EXPECT(back[3] == 3);
  EXPECT_ERROR(forge_buffer_read(copy, back, 8), FORGE_ERROR_INPUT,
               "expected room for 16 bytes of tensor<4xf32>, but got 8");
  struct forge_buffer *wrong[] = {copy, arguments[0]}, *none[2];
  EXPECT_ERROR(forge_executable_run_buffers(code, wrong, 2, none, 2), FORGE_ERROR_INPUT,
               "argument 1, dimension 0: expected size 4, but got 3");
  EXPECT(!none[0] && !none[1]);
  EXPECT_ERROR(forge_executable_run_buffers(code, arguments, 2, none, 1), FORGE_ERROR_INPUT,
               "expected room for 2 results, but got 1");
  for (int i = 0; i < 2; ++i) {
    forge_buffer_destroy(arguments[i]);
    forge_buffer_destroy(results[i]);
  }
  forge_buffer_destroy(copy);
}

/* What buffers leave is kept for others, counts as free, and can be given back. */
static void check_pool(struct forge_device *device) {
  int64_t free_before = 0, free_after = 0, total = 0;
  static float million[1 << 20];
  const int64_t sizes[] = {1 << 20};
  struct forge_tensor tensor = {"f32", 1, sizes, million};
  struct forge_buffer *buffer;
  forge_device_trim(device);
  EXPECT_NONE(forge_device_memory(device, &free_before, &total));
  EXPECT_NONE(forge_buffer_create(device, &tensor, &buffer));
  int64_t held = forge_device_pool_bytes(device);
  EXPECT(held >= (int64_t)sizeof million || strcmp(forge_device_target(device), "cpu") == 0);
  forge_buffer_destroy(buffer);
  EXPECT(forge_device_pool_bytes(device) == held);
  EXPECT_NONE(forge_device_memory(device, &free_after, &total));
  EXPECT(held == 0 || free_after >= free_before);
  forge_device_trim(device);
  EXPECT(held == 0 || forge_device_pool_bytes(device) < held);
}

static void check_booleans(struct forge_device *device) {
  unsigned char bytes[] = {0, 96, 1}, back[3];
  struct forge_tensor tensor = {"i1", 1, three, bytes};
  struct forge_buffer *buffer;
  EXPECT_NONE(forge_buffer_create(device, &tensor, &buffer));
  EXPECT_NONE(forge_buffer_read(buffer, back, sizeof back));
  EXPECT(back[0] == 0 && back[1] == 1 && back[2] == 1);
  forge_buffer_destroy(buffer);
}

/* A folder where code cannot be kept is no error: all is compiled. */
static void check_cache_folder(struct forge_device *device, struct forge_module *module) {
  struct forge_compile_options options = {sizeof options, NULL, NULL, NULL, "/dev/null"};
  struct forge_executable *code = NULL;
  EXPECT_NONE(forge_compile(module, device, &options, &code));
  check_signature(code);
  forge_executable_destroy(code);
}

static void check_errors(struct forge_device *device, struct forge_module *module) {
  struct forge_device *no_device = NULL;
  struct forge_module *no_module = NULL;
  struct forge_executable *no_code = NULL;
  EXPECT_ERROR(forge_device_open("gpu", &no_device), FORGE_ERROR_INPUT, "unknown target 'gpu'");
  EXPECT_ERROR(forge_device_open("cpu:3", &no_device), FORGE_ERROR_INPUT, "unknown target");
  EXPECT(!no_device && forge_device_count("cpu") == 1 && forge_device_count("gpu") == 0);
  EXPECT_ERROR(forge_module_load("no/such.mlir", &no_module), FORGE_ERROR_INPUT, "cannot read");
  const char *text = "func.func @main(";
  EXPECT_ERROR(forge_module_parse(text, strlen(text), "typed", &no_module), FORGE_ERROR_INPUT,
               "typed:1:");
  EXPECT(!no_module);
  struct forge_compile_options options = {sizeof options, "other", NULL, NULL, NULL};
  EXPECT_ERROR(forge_compile(module, device, &options, &no_code), FORGE_ERROR_FAILED,
               "no function 'other'");
  options.function = NULL;
  options.tier = "fastest";
  EXPECT_ERROR(forge_compile(module, device, &options, &no_code), FORGE_ERROR_INPUT,
               "but got 'fastest'");
  EXPECT(!no_code);
  forge_error_destroy(NULL);
  forge_device_destroy(NULL);
  forge_module_destroy(NULL);
  forge_executable_destroy(NULL);
  forge_buffer_destroy(NULL);
  forge_results_destroy(NULL);
}

int main(int argc, char **argv) {
  EXPECT(argc == 2 || argc == 3);
  EXPECT(forge_api_version() == FORGE_API_VERSION);
  struct forge_device *device = NULL;
  struct forge_module *module = NULL;
  struct forge_executable *code = NULL;
  EXPECT_NONE(forge_device_open(argc == 3 ? argv[2] : "cpu", &device));
  int64_t free_bytes = 0, total_bytes = 0;
  EXPECT_NONE(forge_device_memory(device, &free_bytes, &total_bytes));
  EXPECT(forge_device_driver_version(device) >= 0);
  EXPECT(free_bytes > 0 && total_bytes >= free_bytes);
  EXPECT_NONE(forge_module_load(argv[1], &module));
  EXPECT_NONE(forge_compile(module, device, NULL, &code));
  check_errors(device, module);
  check_cache_folder(device, module);
  forge_module_destroy(module);
  check_signature(code);
  check_tensors(code);
  check_buffers(device, code);
  check_booleans(device);
  check_pool(device);
  printf("all expectations hold on %s (%s)\n", forge_device_target(device),
         forge_device_name(device));
  forge_executable_destroy(code);
  forge_device_destroy(device);
  return 0;
}
