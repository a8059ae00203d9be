#include "Butterfly.h"

#include "forge/Support/RootOfUnity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace forge;

Value Butterfly::constant(double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

Value Butterfly::negate(Value a) {
  return a ? Value(arith::NegFOp::create(builder, loc, a)) : Value();
}

Value Butterfly::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AddFOp::create(builder, loc, a, b);
}

Value Butterfly::sub(Value a, Value b) {
  if (!a || !b)
    return a ? a : negate(b);
  return arith::SubFOp::create(builder, loc, a, b);
}

Value Butterfly::mul(Value a, Value b) {
  return a && b ? Value(arith::MulFOp::create(builder, loc, a, b)) : Value();
}

Value Butterfly::fma(Value a, Value b, Value c) {
  if (!a || !b)
    return c;
  return c ? Value(math::FmaOp::create(builder, loc, a, b, c)) : mul(a, b);
}

Value Butterfly::scale(Value part, double factor) {
  return part && factor != 1 ? mul(part, constant(factor)) : part;
}

Number Butterfly::multiply(Number a, Number b) {
  return {fma(a.re, b.re, negate(mul(a.im, b.im))), fma(a.re, b.im, mul(a.im, b.re))};
}

Number Butterfly::multiply(Number a, std::complex<double> factor) {
  if (factor == 1.0)
    return a;
  if (factor == -1.0)
    return {negate(a.re), negate(a.im)};
  if (factor.real() == 0)
    return factor.imag() > 0 ? Number{negate(a.im), a.re} : Number{a.im, negate(a.re)};
  return multiply(a, Number{constant(factor.real()), constant(factor.imag())});
}

Number Butterfly::turn(Number a, int turnSign) {
  return turnSign > 0 ? Number{negate(a.im), a.re} : Number{a.im, negate(a.re)};
}

/// X[k] and X[n - k] are a sum of cosines plus or minus one of sines, of sums and differences of
/// x[j] and x[n - j].
SmallVector<Number> Butterfly::byPrime(ArrayRef<Number> x) {
  auto n = static_cast<int64_t>(x.size());
  SmallVector<Number> sums, differences, result(x.size());
  Number total = x[0];
  for (int64_t j = 1; 2 * j < n; ++j) {
    sums.push_back(add(x[j], x[n - j]));
    differences.push_back(sub(x[j], x[n - j]));
    total = add(total, sums.back());
  }
  result[0] = total;
  for (int64_t k = 1; 2 * k < n; ++k) {
    Number even = x[0], odd;
    for (int64_t j = 1; 2 * j < n; ++j) {
      std::complex<double> root = rootOfUnity(j * k, n, 1);
      Value cos = constant(root.real()), sin = constant(root.imag());
      const Number &sum = sums[j - 1], &difference = differences[j - 1];
      even = {fma(sum.re, cos, even.re), fma(sum.im, cos, even.im)};
      odd = {fma(difference.re, sin, odd.re), fma(difference.im, sin, odd.im)};
    }
    odd = turn(odd, sign);
    result[k] = add(even, odd);
    result[n - k] = sub(even, odd);
  }
  return result;
}

/// With j = j1 b + j2 and k = k1 + a k2, as in forge-split-complex.
SmallVector<Number> Butterfly::byFactors(ArrayRef<Number> x, size_t a) {
  size_t n = x.size(), b = n / a;
  SmallVector<SmallVector<Number>> columns(a, SmallVector<Number>(b));
  for (size_t j2 = 0; j2 < b; ++j2) {
    SmallVector<Number> part;
    for (size_t j1 = 0; j1 < a; ++j1)
      part.push_back(x[j1 * b + j2]);
    for (auto [k1, number] : llvm::enumerate(transform(part)))
      columns[k1][j2] = multiply(
          number, rootOfUnity(static_cast<int64_t>(j2 * k1), static_cast<int64_t>(n), sign));
  }
  SmallVector<Number> result(n);
  for (size_t k1 = 0; k1 < a; ++k1)
    for (auto [k2, number] : llvm::enumerate(transform(columns[k1])))
      result[k1 + a * k2] = number;
  return result;
}

SmallVector<Number> Butterfly::transform(ArrayRef<Number> x) {
  size_t n = x.size();
  if (n == 1)
    return {x[0]};
  if (n == 2)
    return {add(x[0], x[1]), sub(x[0], x[1])};
  if (n == 4) {
    Number a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]);
    Number d = turn(sub(x[1], x[3]), sign);
    return {add(a, c), add(b, d), sub(a, c), sub(b, d)};
  }
  if (n % 4 == 0)
    return byFactors(x, 4);
  for (size_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0)
      return byFactors(x, factor);
  return byPrime(x);
}
