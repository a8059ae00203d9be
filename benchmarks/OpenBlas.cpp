// OpenBLAS is loaded when first used: it reads OPENBLAS_CORETYPE while it is loaded, and Debian's
// does not know newer processors by itself.
#include "Compiled.h"

#include <dlfcn.h>
#include <thread>

namespace {
// enum CBLAS_ORDER, CBLAS_TRANSPOSE are ints.
using Sgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb, float beta, float *c,
                       int ldc);

Sgemm loadSgemm() {
  setenv("OPENBLAS_CORETYPE", "SkylakeX", /*overwrite=*/0);
  for (const char *name : {"libopenblas.so.0", "libopenblas.so"}) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    // Said outright: what it takes from the environment, OpenMP's variables may have settled.
    using SetThreads = void (*)(int);
    if (auto setThreads = reinterpret_cast<SetThreads>(dlsym(library, "openblas_set_num_threads")))
      setThreads(forge::bench::numThreads());
    return reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  }
  return nullptr;
}
} // namespace

int forge::bench::numThreads() {
  const char *given = std::getenv("FORGE_NUM_THREADS");
  int count = given ? std::atoi(given) : 0;
  return count > 0 ? count : static_cast<int>(std::thread::hardware_concurrency());
}

bool forge::bench::openBlasMatmul(int m, int n, int k, const float *a, const float *b, float *c) {
  static Sgemm sgemm = loadSgemm();
  if (!sgemm)
    return false;
  constexpr int rowMajor = 101, plain = 111;
  sgemm(rowMajor, plain, plain, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
  return true;
}
