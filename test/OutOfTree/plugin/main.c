/* Loads the plugin, and prints the version of its table of functions. */
#include <dlfcn.h>
#include <stdio.h>

struct version {
  size_t size;
  void *extensions;
  int major, minor;
};
struct api {
  size_t size;
  void *extensions;
  struct version version;
};

int main(void) {
  void *library = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  const struct api *(*get)(void) = NULL;
  if (library)
    *(void **)&get = dlsym(library, "GetPjrtApi");
  if (!get) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  printf("PJRT %d.%d of %s\n", get()->version.major, get()->version.minor, PLUGIN);
  return 0;
}
