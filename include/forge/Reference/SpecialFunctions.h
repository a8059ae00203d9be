// Special functions that <cmath> lacks, in double, to a few ulp. No MLIR.
#ifndef FORGE_REFERENCE_SPECIALFUNCTIONS_H
#define FORGE_REFERENCE_SPECIALFUNCTIONS_H

namespace forge::reference {

/// log |gamma(x)|; +inf at the poles.
double lgamma(double x);
/// d/dx log gamma(x); NaN at the poles (0 and the negative integers).
double digamma(double x);
/// The n-th derivative of digamma, n a non-negative whole number; NaN for other n.
double polygamma(double n, double x);
/// The Hurwitz zeta function: the sum over k >= 0 of (k + q)^-x, for x > 1. inf at x = 1, NaN
/// below; for q <= 0: inf at whole q, otherwise defined where x is whole.
double zeta(double x, double q);
/// The inverse of erf on [-1, 1]; NaN outside.
double erfInv(double x);
/// exp(-|x|) * I1(x), I1 the modified Bessel function of the first kind.
double besselI1e(double x);

} // namespace forge::reference

#endif // FORGE_REFERENCE_SPECIALFUNCTIONS_H
