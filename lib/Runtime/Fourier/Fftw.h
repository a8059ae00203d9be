// FFTW, opened at run time, and its plans. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_FOURIER_FFTW_H
#define FORGE_LIB_RUNTIME_FOURIER_FFTW_H

#include "FourierProblem.h"

#include <memory>

namespace forge::rt {

/// Transforms of float or double numbers.
template <typename T> class Fftw {
public:
  virtual ~Fftw() = default;
  /// The process's, or the reason why there is none.
  static const Result<Fftw *> &get();

  /// "fftw-3.3.10-sse2-avx".
  virtual std::string version() const = 0;
  /// Without the factor of backward transforms; false, with nothing done, where the library has no
  /// way of computing it. May be called by several threads.
  virtual bool transform(const FourierProblem &problem, const T *in, T *out) = 0;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_FOURIER_FFTW_H
