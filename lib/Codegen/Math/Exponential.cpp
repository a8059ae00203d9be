// exp, exp2, expm1, tanh, erf and erfc in f32, and those for results that are rounded to 16 bits.
#include "Functions.h"

#include <limits>

namespace forge::emit {

/// p * 2^n for any n in [-252, 254], rounded once: by two factors, since 2^n itself may not be a
/// normal number.
static Val scale(Val p, Val n) {
  Val half = shiftRightSigned(n, 1);
  return p * powerOfTwo(half) * powerOfTwo(n - half);
}

/// n and r with x = n ln 2 + r, |r| <= ln 2 / 2.
static std::pair<Rounded, Val> reduceByLn2(Val x) {
  Rounded n = roundProduct(x, log2OfE);
  Val r = fma(n.number, -ln2High, x);
  return {n, fma(n.number, -ln2Low, r)};
}

/// The same of x + low, where low is at most an ulp of x.
static std::pair<Rounded, Val> reduceByLn2(Val x, Val low) {
  Rounded n = roundProduct(x, log2OfE);
  Val r = fma(n.number, -ln2High, x);
  return {n, r + fma(n.number, -ln2Low, low)};
}

// 1. Hold x where the result is 0 or inf beyond.
// 2. x = n ln 2 + r.
// 3. e^r = 1 + r + r^2 q(r).
// 4. Scale by 2^n.
Val exp(Val x) {
  auto [n, r] = reduceByLn2(clamp(x, -104.0, 89.0));
  // (e^r - 1 - r) / r^2 on |r| <= 0.3466; 2^-28.2 relative to e^r.
  Val q = polynomial(r, {0.4999999403953552, 0.16666516661643982, 0.04166810214519501,
                         0.00836919154971838, 0.0013838838785886765});
  Val p = fma(r, fma(r, q, constant(r, 1.0)), constant(r, 1.0));
  return scale(p, n.integer);
}

// 1. Hold x where the result is 0 or inf beyond.
// 2. x log2(e) = n + f with |f| <= 1/2, as (n - 1) + (f + 1): 2^(n - 1) then is finite wherever the
//    result is.
// 3. Both powers by the processor's instruction, which is exact for integers.
Val expByExp2(Val x) {
  Val held = minimum(maximum(x, constant(x, -104.0)), constant(x, 89.0));
  constexpr double magic = 12582912.0; // 1.5 * 2^23: a sum with it is an integer
  constexpr double log2OfEHigh = 1.44269502162933349609375, log2OfELow = 1.9259629911266175e-08;
  Val below = fma(held, log2OfE, constant(x, magic)) - (magic + 1.0);
  Val rest = fma(held, log2OfELow, fma(held, log2OfEHigh, -below));
  return normalExp2(rest) * hardwareExp2(below);
}

Val normalExp(Val x) { return normalExp2(x * log2OfE); }

Val expNarrow(Val x) { return hardwareExp2(x * log2OfE); }

// |x| < 2^-7: x, off by x^2 / 3 of it. Else 1 - 2 / (e^2x + 1): 2^x and 1 / x within 2 and 1 units
// in the last place leave 2^-22, of a result that is above 2^-7.
Val tanhNarrow(Val x) {
  Val reciprocal = normalReciprocal(normalExp2(x * (2 * log2OfE)) + 1.0);
  return select(less(abs(x), 0x1p-7), x, fma(reciprocal, -2.0, 1.0));
}

Val exp2(Val x) {
  Val held = clamp(x, -151.0, 129.0);
  Rounded n = roundProduct(held, 1.0);
  Val r = held - n.number;
  // (2^r - 1) / r on |r| <= 1/2; 2^-29.9 relative to 2^r.
  Val q = polynomial(r, {0.6931471824645996, 0.24022650718688965, 0.055504050105810165,
                         0.00961809791624546, 0.0013337667332962155, 0.00015441789582837373,
                         1.4403348359337542e-05});
  return scale(fma(r, q, constant(r, 1.0)), n.integer);
}

/// (e^r - 1 - r) / r^2 on |r| <= 0.3466; 2^-28.8 relative to e^r - 1.
static Val expm1Tail(Val r) {
  return polynomial(r, {0.5, 0.1666666567325592, 0.041666362434625626, 0.008333389647305012,
                        0.0013940627686679363, 0.00019845878705382347});
}

// As exp, but 2^n (m + 1) - 1 with m = e^r - 1 is one fma. It is computed at half its size, since
// 2^128 overflows.
Val expm1(Val x) {
  auto [n, r] = reduceByLn2(clamp(x, -30.0, 89.0));
  Val m = fma(r, r * expm1Tail(r), r);
  Val half = powerOfTwo(n.integer - constant(n.integer, 1));
  Val result = fma(half, m, half - 0.5) * 2.0;
  // Tiny x: keeps -0 and does not round denormals twice.
  return select(less(abs(x), 0x1p-26), x, result);
}

// |x| < 0.6: x + x^3 P(x^2). Else 1 - 2 / (e^(2|x|) + 1), whose error shrinks with the fraction.
Val tanh(Val x) {
  Val a = abs(x);
  Val square = x * x;
  // (tanh(x)/x - 1) / x^2 in x^2 on [0, 0.36]; 2^-28.4 relative to tanh.
  Val p = polynomial(square, {-0.33333298563957214, 0.13331936299800873, -0.05378471687436104,
                              0.02079862542450428, -0.005897966679185629});
  Val small = fma(square * p, x, x);
  Val held = clamp(a, 0.0, 10.0);
  Val large = 1.0 - 2.0 / (exp(held + held) + 1.0);
  return select(less(a, 0.6), select(equal(x, 0.0), x, small), copySign(large, x));
}

// |x| < 0.92: x + x Q(x^2). Else 1 - 2^g(|x|), where g approximates log2(erfc) up to 4, from where
// erf rounds to 1.
Val erf(Val x) {
  Val a = abs(x);
  Val square = x * x;
  // erf(x)/x - 1 in x^2 on [0, 0.8464]; 2^-26.4 relative to erf.
  Val p = polynomial(square, {0.12837916612625122, -0.37612634897232056, 0.11283697187900543,
                              -0.026859499514102936, 0.005201286170631647, -0.0008145597530528903,
                              8.382391388295218e-05});
  Val small = fma(x, p, x);
  // log2(erfc(a)) on [0.9, 4]; the error of erf is below 2^-33.
  Val g = polynomial(clamp(a, 0.0, 4.0),
                     {0.00024411203048657626, -1.629507303237915, -0.9138043522834778,
                      -0.1561288684606552, 0.03618356212973595, -0.0059961555525660515,
                      0.0006223572418093681, -3.004817699547857e-05});
  return select(less(a, 0.92), small, copySign(1.0 - exp2(g), x));
}

// erfc(a) = e^(-a^2) (1 + u Y(u)) / (1 + 2a) with u = 2a / (a + 3), where 1 + u Y(u), which is
// e^(a^2) erfc(a) (1 + 2a), is between 1 and 1.3. erfc(-a) = 2 - erfc(a).
// 1. Both divisions by one reciprocal.
// 2. y = u Y(u), and how much 1 / (1 + 2a) is off: by the rounding of 1 + 2a, and of its reciprocal.
// 3. e^(-a^2) = 2^n (m + 1) as in expm1; what the rounding of a^2 lost is in r.
// 4. (1 + y) (1 + m) / (1 + 2a) with all but 1 / (1 + 2a) in what one fma adds, so that only the
//    last rounding counts.
Val erfc(Val x) {
  Val a = clamp(abs(x), 0.0, 10.5), twice = a + a;
  Val denominator = twice + 1.0, sum = a + 3.0;
  Val reciprocal = approximateQuotient(constant(a, 1.0), denominator * sum);
  Val inverse = reciprocal * sum, factor = reciprocal * denominator;
  // Y in u - 1 on 0 <= a <= 10.54; 2^-28.7 relative to erfc.
  Val y = twice * factor *
          polynomial(fma(twice, factor, constant(a, -1.0)),
                     {0.25300805952567373, -0.3886292035847199, 0.34106676165001293,
                      -0.21142022998693608, 0.0921499921550576, -0.02385460233995453,
                      5.29284884750453e-05, 0.0025121104108601273, -0.0005037168791173024,
                      -0.0002651015136110897});
  Val lost = twice - (denominator - 1.0);
  Val correction = fma(-inverse, lost, fma(-inverse, denominator, constant(a, 1.0)));
  Val square = a * a;
  auto [n, r] = reduceByLn2(-square, fma(-a, a, square));
  Val m = fma(r, r * expm1Tail(r), r);
  Val product = fma(y, m, y + m);
  Val more = fma(correction, product + 1.0, product);
  Val tail = scale(fma(inverse, more, inverse), n.integer);
  return select(less(x, 0.0), 2.0 - tail, tail);
}

// erfc(a) = t 2^(G(t) - a^2 log2(e)) with t = 2 / (2 + a). The exponent, down to -160,
// is rounded, which leaves 2^-16.
Val erfcNarrow(Val x) {
  Val a = clamp(abs(x), 0.0, 10.5);
  Val t = normalReciprocal(a + 2.0) * 2.0;
  // log2(erfc(a) / t) + a^2 log2(e) in t on [2/12.6, 1]; absolute error 2^-16.5.
  Val g = polynomial(t, {-1.8272337913513184, 1.4686862230300903, 0.3670721650123596,
                         0.6845691204071045, -1.023161768913269, 0.330079048871994});
  Val tail = t * hardwareExp2(fma(a * -log2OfE, a, g));
  return select(less(x, 0.0), 2.0 - tail, tail);
}

// 1. x = n + r, |r| <= 1/2.
// 2. 2^r by a polynomial.
// 3. The exponent field gives 2^n.
Val exp2Double(Val x) {
  Rounded n = roundProduct(x, 1.0);
  Val r = x - n.number;
  // (2^r - 1) / r on |r| <= 1/2; 2^-45.9 relative to 2^r.
  Val q = polynomial(r, {0.693147180559885, 0.24022650695722522, 0.055504108668421384,
                         0.009618129181251298, 0.0013333557624861142, 0.00015403440813476012,
                         1.5252990212265917e-05, 1.3258352412798355e-06, 1.0148330124754361e-07});
  return fma(r, q, constant(r, 1.0)) * powerOfTwo(n.integer);
}

} // namespace forge::emit
