// Fourier transforms by plain loops, for where FFTW is not found. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_FOURIER_PLAINFOURIER_H
#define FORGE_LIB_RUNTIME_FOURIER_PLAINFOURIER_H

#include "FourierProblem.h"

namespace forge::rt {

/// Without the factor of backward transforms. Computes in double.
template <typename T> void transformPlainly(const FourierProblem &problem, const T *in, T *out);

extern template void transformPlainly(const FourierProblem &, const float *, float *);
extern template void transformPlainly(const FourierProblem &, const double *, double *);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_FOURIER_PLAINFOURIER_H
