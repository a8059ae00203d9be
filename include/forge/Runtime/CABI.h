// The C functions compiled code calls. They work on the execution context of the calling thread
// (Context.h); none may be called outside of one. Names are stable: object files written by `forge
// compile` link against them.
#ifndef FORGE_RUNTIME_CABI_H
#define FORGE_RUNTIME_CABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `bytes` of 64-byte aligned memory from the arena; undefined content. Ends the run with an error
/// on a negative size, beyond the arena's limit, and when out of memory.
void *forge_rt_alloc(int64_t bytes);
/// Gives memory of forge_rt_alloc back to the arena. What is not given back is released at the end
/// of the run.
void forge_rt_free(void *pointer);
/// a * b for sizes: ends the run with an error if `b` is negative or the product overflows.
int64_t forge_rt_size_mul(int64_t a, int64_t b);

/// Calls body(context, from, to) for chunks that together cover [begin, end) exactly once, on all
/// threads; returns when all are done. `grain`: the least iterations worth a chunk. Nested calls
/// run sequentially. An error in a body ends the run after all threads have stopped.
void forge_rt_parallel_for(int64_t begin, int64_t end, int64_t grain,
                           void (*body)(void *context, int64_t from, int64_t to), void *context);

/// Ends the run with an error; `message` holds `length` bytes.
__attribute__((noreturn)) void forge_rt_fail(const char *message, int64_t length);
/// Ends the run unless `condition`; "{0}", "{1}" ... in the message are replaced by `values`. Of
/// several lines the last is the place in the source, "m.mlir:2:8".
void forge_rt_assert(int8_t condition, const char *message, int64_t length, int64_t count,
                     const int64_t *values);
/// Ends the run: argument `argument` has `actual` elements along `dimension` instead of `expected`.
__attribute__((noreturn)) void forge_rt_shape_mismatch(int64_t argument, int64_t dimension,
                                                       int64_t expected, int64_t actual);

/// Copies between memrefs of equal shape and any strides, given as MLIR's unranked descriptors
/// {rank, descriptor}.
void forge_rt_copy(int64_t elementBytes, int64_t sourceRank, void *source, int64_t targetRank,
                   void *target);

/// A Fourier transform of the last `dims` dimensions (1 to 3), `kind` one of
/// forge::rt::FourierKind (Fourier.h), of memrefs given as those of forge_rt_copy. Ends the run
/// with an error where their sizes do not fit each other.
void forge_rt_fft_f32(int64_t kind, int64_t dims, int64_t inputRank, void *input,
                      int64_t outputRank, void *output);
void forge_rt_fft_f64(int64_t kind, int64_t dims, int64_t inputRank, void *input,
                      int64_t outputRank, void *output);

// clang-format off
/// MACRO(suffix, type) for every element type, a forge::DType.
#define FORGE_RT_ELEMENT_TYPES(MACRO) \
  MACRO(f64, F64) MACRO(f32, F32) MACRO(f16, F16) MACRO(bf16, BF16) \
  MACRO(f8e4m3fn, F8E4M3FN) MACRO(f8e5m2, F8E5M2) MACRO(f8e3m4, F8E3M4) \
  MACRO(f8e4m3, F8E4M3) MACRO(f8e4m3b11fnuz, F8E4M3B11FNUZ) MACRO(f8e4m3fnuz, F8E4M3FNUZ) \
  MACRO(f8e5m2fnuz, F8E5M2FNUZ) MACRO(f8e8m0fnu, F8E8M0FNU) MACRO(f4e2m1fn, F4E2M1FN) \
  MACRO(i1, I1) MACRO(i2, I2) MACRO(ui2, U2) MACRO(i4, I4) MACRO(ui4, U4) \
  MACRO(i8, I8) MACRO(ui8, U8) MACRO(i16, I16) MACRO(ui16, U16) \
  MACRO(i32, I32) MACRO(ui32, U32) MACRO(i64, I64) MACRO(ui64, U64)
// clang-format on

// Checks. At linalg level: func.func private @forge_rt_expect_eq_f32(tensor<*xf32>, tensor<*xf32>),
// with `bufferization.access = "read"` on both; the suffix is the StableHLO element type in lower
// case ("ui8", "bf16", "f8e4m3fn"). Unranked memrefs arrive as (rank, descriptor). A check that
// fails is recorded, and the run goes on.
//   expect_eq         the same value, bit for bit but for NaN (any NaN equals any NaN) and
//                     -0 (equals +0)
//   expect_almost_eq  |actual - expected| <= tolerance; infinities equal those of their sign,
//                     NaN equals NaN
//   expect_close      between minUlp and maxUlp units in the last place of the type apart
#define FORGE_RT_CHECKS(suffix, type)                                                              \
  void forge_rt_expect_eq_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,         \
                                   void *expected);                                                \
  void forge_rt_expect_almost_eq_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,  \
                                          void *expected, double tolerance);                       \
  void forge_rt_expect_close_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,      \
                                      void *expected, int64_t minUlp, int64_t maxUlp);
FORGE_RT_ELEMENT_TYPES(FORGE_RT_CHECKS)
#undef FORGE_RT_CHECKS

// Functions of chlo that libm lacks, computed in double and rounded once (the f32 forms take and
// give f32).
double forge_rt_erf_inv_f64(double x);
float forge_rt_erf_inv_f32(float x);
double forge_rt_lgamma_f64(double x);
float forge_rt_lgamma_f32(float x);
double forge_rt_digamma_f64(double x);
float forge_rt_digamma_f32(float x);
double forge_rt_polygamma_f64(double n, double x);
float forge_rt_polygamma_f32(float n, float x);
double forge_rt_zeta_f64(double s, double q);
float forge_rt_zeta_f32(float s, float q);
double forge_rt_bessel_i1e_f64(double x);
float forge_rt_bessel_i1e_f32(float x);

#ifdef __cplusplus
}
#endif

#endif // FORGE_RUNTIME_CABI_H
