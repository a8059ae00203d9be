/* Runs the model of doubled.txt on 1 2 3. */
#include <forge/C/Model.h>

#include <stdio.h>

int main(int argc, char **argv) {
  float x[] = {1, 2, 3};
  int64_t sizes[] = {3};
  struct forge_tensor input = {"f32", 1, sizes, x};
  struct forge_model *model = NULL;
  struct forge_results *results = NULL;
  struct forge_error *error = forge_model_load(argc > 1 ? argv[1] : NULL, NULL, -1, &model);
  if (!error)
    error = forge_model_run(model, &input, 1, &results);
  if (error) {
    fprintf(stderr, "%s\n", forge_error_message(error));
    forge_error_destroy(error);
  } else {
    const float *y = forge_results_get(results, 0).data;
    printf("%g %g %g\n", y[0], y[1], y[2]);
  }
  forge_results_destroy(results);
  forge_model_destroy(model);
  return error != NULL;
}
