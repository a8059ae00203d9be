/* The native functions of ForgeModel.java, upon forge/C/Model.h. */
#include "ForgeModel.h"

#include "forge/C/Model.h"

#include <string.h>

static void throw_message(JNIEnv *env, const char *message) {
  jclass type = (*env)->FindClass(env, "java/lang/RuntimeException");
  if (type)
    (*env)->ThrowNew(env, type, message);
}

/* Takes an error of the library and throws it; 0 without one. */
static int threw(JNIEnv *env, struct forge_error *error) {
  if (!error)
    return 0;
  throw_message(env, forge_error_message(error));
  forge_error_destroy(error);
  return 1;
}

JNIEXPORT jlong JNICALL Java_ForgeModel_load(JNIEnv *env, jclass type, jstring path) {
  (void)type;
  const char *text = path ? (*env)->GetStringUTFChars(env, path, NULL) : NULL;
  if (path && !text)
    return 0; /* Java has thrown */
  struct forge_model *model = NULL;
  struct forge_error *error = forge_model_load(text, NULL, -1, &model);
  if (text)
    (*env)->ReleaseStringUTFChars(env, path, text);
  threw(env, error);
  return (jlong)(intptr_t)model;
}

JNIEXPORT void JNICALL Java_ForgeModel_destroy(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  forge_model_destroy((struct forge_model *)(intptr_t)handle);
}

/* The results as an array of arrays, or null with an exception thrown. */
static jobjectArray take(JNIEnv *env, const struct forge_results *results) {
  int64_t count = forge_results_count(results);
  jclass vectors = (*env)->FindClass(env, "[F");
  jobjectArray all = vectors ? (*env)->NewObjectArray(env, (jsize)count, vectors, NULL) : NULL;
  for (int64_t i = 0; all && i < count; ++i) {
    struct forge_tensor tensor = forge_results_get(results, i);
    int64_t elements = 1;
    for (int64_t d = 0; d < tensor.rank; ++d)
      elements *= tensor.sizes[d];
    if (strcmp(tensor.type, "f32") != 0 || elements > INT32_MAX) {
      throw_message(env, "expected results of f32 with fewer than 2^31 elements");
      return NULL;
    }
    jfloatArray vector = (*env)->NewFloatArray(env, (jsize)elements);
    if (!vector)
      return NULL;
    (*env)->SetFloatArrayRegion(env, vector, 0, (jsize)elements, tensor.data);
    (*env)->SetObjectArrayElement(env, all, (jsize)i, vector);
    (*env)->DeleteLocalRef(env, vector);
  }
  return all;
}

JNIEXPORT jobjectArray JNICALL Java_ForgeModel_run(JNIEnv *env, jclass type, jlong handle,
                                                   jfloatArray input) {
  (void)type;
  const int64_t sizes[] = {(*env)->GetArrayLength(env, input)};
  jfloat *elements = (*env)->GetFloatArrayElements(env, input, NULL);
  if (!elements)
    return NULL;
  struct forge_tensor tensor = {"f32", 1, sizes, elements};
  struct forge_results *results = NULL;
  struct forge_error *error =
      forge_model_run((struct forge_model *)(intptr_t)handle, &tensor, 1, &results);
  (*env)->ReleaseFloatArrayElements(env, input, elements, JNI_ABORT);
  jobjectArray all = threw(env, error) ? NULL : take(env, results);
  forge_results_destroy(results);
  return all;
}
