// Fourier transforms of a few numbers, as operations on scalars.
#ifndef FORGE_LIB_CONVERSION_FORGETOLINALG_BUTTERFLY_H
#define FORGE_LIB_CONVERSION_FORGETOLINALG_BUTTERFLY_H

#include "mlir/IR/Builders.h"

#include <complex>

namespace forge {

/// The parts of a complex number; one that is null is known to be zero.
struct Number {
  mlir::Value re, im;
};

class Butterfly {
public:
  /// `sign` -1 is forward, +1 backward.
  Butterfly(mlir::OpBuilder &builder, mlir::Location loc, mlir::FloatType type, int sign)
      : builder(builder), loc(loc), type(type), sign(sign) {}

  /// X[k] = sum over j of x[j] e^(sign 2 pi i j k / n): by factors of 4, 2 and odd primes (Cooley
  /// and Tukey 1965), with half of the products of a direct sum for a prime.
  llvm::SmallVector<Number> transform(llvm::ArrayRef<Number> x);
  Number multiply(Number a, Number b);
  mlir::Value scale(mlir::Value part, double factor);
  Number add(Number a, Number b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  Number sub(Number a, Number b) { return {sub(a.re, b.re), sub(a.im, b.im)}; }
  Number conjugate(Number a) { return {a.re, negate(a.im)}; }
  /// Times i, by `turnSign` -1 times -i.
  Number turn(Number a, int turnSign);

private:
  llvm::SmallVector<Number> byPrime(llvm::ArrayRef<Number> x);
  llvm::SmallVector<Number> byFactors(llvm::ArrayRef<Number> x, size_t first);
  Number multiply(Number a, std::complex<double> factor);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value a);
  /// a b + c.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value constant(double value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::FloatType type;
  int sign;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_FORGETOLINALG_BUTTERFLY_H
