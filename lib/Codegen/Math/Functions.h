// The approximations: each takes and gives f32 values (scalar or vector), branch-free, correct at
// every argument.
//
// Where a formula is cheap enough in f32 it stays there (exp, log, tanh, erf and their kin, which
// activations and softmax use); the rest is computed in f64 with about 2^-35 of relative error and
// rounded once. Polynomials are minimax in relative error, found with the Remez exchange algorithm
// in 160-bit arithmetic on the interval given next to them, their coefficients then rounded to the
// working type.
#ifndef FORGE_LIB_CODEGEN_MATH_FUNCTIONS_H
#define FORGE_LIB_CODEGEN_MATH_FUNCTIONS_H

#include "Emit.h"

namespace forge::emit {

/// ln 2 = high + low: high has 24 bits and is multiplied inside an fma, which is exact; so no
/// shorter head is needed.
inline constexpr double ln2High = 0.693147182464599609375;
inline constexpr double ln2Low = -1.9046542121259336e-09;
inline constexpr double log2OfE = 1.4426950408889634;

// Exponential family (Exponential.cpp).
Val exp(Val x);
/// exp on processors with an instruction for 2^x (hardwareExp2).
Val expByExp2(Val x);
/// For results that are rounded to f16 or bf16, on processors with hardwareExp2: within 2^-15 of
/// the value.
Val expNarrow(Val x);
Val tanhNarrow(Val x);
Val erfcNarrow(Val x);
/// exp by one 2^x, whose relative error grows with |x|: within (2 + |x|) units in the last place; 0
/// for subnormal results.
Val normalExp(Val x);
Val exp2(Val x);
Val expm1(Val x);
Val tanh(Val x);
Val erf(Val x);
Val erfc(Val x);

// Logarithms (Logarithm.cpp).
Val log(Val x);
Val log1p(Val x);
Val log2(Val x);
Val log10(Val x);
Val powf(Val x, Val y);

// Trigonometry (Trigonometry.cpp).
Val sin(Val x);
Val cos(Val x);
Val tan(Val x);
Val atan(Val x);
Val atan2(Val y, Val x);
Val asin(Val x);
Val acos(Val x);

// The rest (Hyperbolic.cpp).
Val sinh(Val x);
Val cosh(Val x);
Val asinh(Val x);
Val acosh(Val x);
Val atanh(Val x);
Val cbrt(Val x);
Val rsqrt(Val x);

// Building blocks in f64.
/// 2^x for |x| <= 1000; relative error 2^-45.
Val exp2Double(Val x);
/// Natural logarithm (base 2: divided by ln 2) of a positive normal f64; -inf at 0, inf at inf, NaN
/// at NaN, without meaning below 0. Relative error 2^-50.
Val logDouble(Val x);
Val log2Double(Val x);

} // namespace forge::emit

#endif // FORGE_LIB_CODEGEN_MATH_FUNCTIONS_H
