// What the vendors do not document was found by probing:
// [1] Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer
//     Science 7:e330, 2021: V100, T4, A100: products are aligned and cut, not normalised between.
// [2] Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores",
//     arXiv:2511.10909, 2025, and its code: the bits kept, the terms and the order of all chips
//     below, compared bit by bit with the hardware.
// [3] DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, 2024, 3.3.2 and 3.5.2: 14 bits
//     in FP8 products of Hopper.
#include "forge/Support/MatrixArithmetic.h"

#include "forge/Support/SmallFloat.h"
#include "forge/Support/UnitSums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace forge;

using Order = MatrixArithmetic::Order;

/// Of 16 bits, and TF32: [2], nv_ptx.py. On Ampere an instruction of k = 16 is two of 8.
static constexpr MatrixArithmetic kTuring = {Order::Together, 8, 24};
static constexpr MatrixArithmetic kAmpere = {Order::Together, 8, 24};
static constexpr MatrixArithmetic kHopper = {Order::Together, 16, 25};
static constexpr MatrixArithmetic kHopperTF32 = {Order::Together, 8, 25};
/// Of 8 bits: [2] and [3] for wgmma; mma.sync keeps what it keeps of 16 bits ([2]).
static constexpr MatrixArithmetic kHopperF8 = {Order::Together, 32, 13, 13};
static constexpr MatrixArithmetic kHopperF8Stages = {Order::Together, 32,           13, 13,
                                                     false,           kUnitSumTerms};
static constexpr MatrixArithmetic kHopperF8Warp = {Order::Together, 32, 25};
/// [2], amd.py: CDNA2 and CDNA3. That CDNA2 takes subnormal numbers for 0 is left out.
static constexpr MatrixArithmetic kCdna2 = {Order::Pairs, 4};
static constexpr MatrixArithmetic kCdna3 = {Order::ProductsFirst, 8, 24};
static constexpr MatrixArithmetic kCdna3F8 = {Order::ProductsFirst, 16, 24, 23, true};
static constexpr MatrixArithmetic kCdnaF32 = {Order::OneByOne, 1};

static_assert(std::max({kTuring.terms, kAmpere.terms, kHopper.terms, kHopperTF32.terms,
                        kHopperF8.terms, kHopperF8Stages.terms, kHopperF8Warp.terms, kCdna2.terms,
                        kCdna3.terms, kCdna3F8.terms, kCdnaF32.terms}) <= kMostUnitTerms);

const MatrixArithmetic *forge::matrixArithmeticOf(std::string_view chip, DType factor,
                                                  bool warpgroup) {
  bool isHalf = factor == DType::F16 || factor == DType::BF16;
  bool isByte = isFloat(factor) && byteWidth(factor) == 1;
  bool isSingle = factor == DType::F32;
  if (chip == "sm_75")
    return factor == DType::F16 ? &kTuring : nullptr;
  if (chip == "sm_80")
    return isHalf || isSingle ? &kAmpere : nullptr;
  if (chip == "sm_90a") {
    if (isByte)
      return warpgroup ? &kHopperF8 : &kHopperF8Warp;
    return isHalf ? &kHopper : isSingle ? &kHopperTF32 : nullptr;
  }
  if (chip == "gfx90a")
    return isHalf ? &kCdna2 : isSingle ? &kCdnaF32 : nullptr;
  if (chip == "gfx942")
    return isHalf ? &kCdna3 : isByte ? &kCdna3F8 : isSingle ? &kCdnaF32 : nullptr;
  return nullptr; // No measurements of RDNA 3 are published.
}

const MatrixArithmetic *forge::productArithmeticOf(std::string_view chip, DType factor) {
  if (!isFloat(factor) || byteWidth(factor) != 1)
    return matrixArithmeticOf(chip, factor, /*warpgroup=*/true);
  return chip == "sm_90a" ? &kHopperF8Stages
                          : matrixArithmeticOf(chip, DType::BF16, /*warpgroup=*/true);
}

double MatrixArithmetic::expectedLoss(double count) const {
  if (order != Order::Together)
    return 0;
  // Of stages each loses a part of its own sum.
  if (stageTerms > 0)
    count = std::min(count, static_cast<double>(stageTerms));
  // What is cut is on average half of the last bit that is kept; a sum has reached no more than the
  // whole when a product is added.
  double each =
      static_cast<double>(terms) * std::ldexp(0.5, -fractionBits) + std::ldexp(0.5, -resultBits);
  return std::ceil(count / static_cast<double>(terms)) * each;
}

/// Exponents of 0, and of infinities and NaN.
static constexpr int kNoExponent = -100'000, kNotFinite = 1'000'000;

/// std::ilogb of what is finite and not 0, which is a call that takes as long as all the rest here.
static int exponentBits(double value) {
  auto biased = static_cast<int>(std::bit_cast<uint64_t>(value) >> 52 & 0x7FF);
  return biased == 0 ? std::ilogb(value) : biased - 1023;
}

int forge::exponentOfFactor(double value, int smallest) {
  if (value == 0)
    return kNoExponent;
  return std::isfinite(value) ? std::max(exponentBits(value), smallest) : kNotFinite;
}

/// 2^exponent, for what is a normal number of f64.
static double power(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

/// 2^exponent, or 0 below f64's numbers.
static double powerOrZero(int exponent) { return exponent < -1022 ? 0 : power(exponent); }

/// The exponent of a number of `type`.
static int exponentOf(double value, DType type) {
  int smallest = type == DType::F16 ? -14 : -126;
  return value == 0 ? smallest : std::max(exponentBits(value), smallest);
}

/// A number of f32, cut to `bits` bits below its power of two, toward 0.
static double cut(double value, int bits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::fabs(value) >= 0x1p128)
    return std::copysign(kInfinity, value);
  float nearest = static_cast<float>(value);
  if (std::fabs(nearest) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0f);
  uint32_t low = (uint32_t(1) << (23 - bits)) - 1;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(nearest) & ~low);
}

static double toResult(double value, DType result) {
  return result == DType::F16 ? decodeFloat(DType::F16, encodeFloat(DType::F16, value))
                              : static_cast<float>(value);
}

/// The sum of products that are cut to `bits` bits below 2^exponent, in units of the last of them.
/// Each is less than 2^(exponent + 2).
static int64_t cutSum(const MatrixProducts &products, int64_t step, int exponent, int bits) {
  double scale = power(bits - exponent);
  int64_t sum = 0;
  for (int64_t i = 0; i < products.count; i += step)
    sum += static_cast<int32_t>(products.values[i] * scale);
  return sum;
}

static int largestExponent(const MatrixProducts &products, int64_t step, int least) {
  for (int64_t i = 0; i < products.count; i += step)
    least = std::max(least, products.exponents[i]);
  return least;
}

static double addTogether(const MatrixArithmetic &unit, double sum, const MatrixProducts &products,
                          DType result) {
  int exponent = largestExponent(products, 1, exponentOf(sum, result));
  int64_t whole = cutSum(products, 1, exponent, unit.fractionBits) +
                  static_cast<int64_t>(sum * power(unit.fractionBits - exponent));
  double value = static_cast<double>(whole) * power(exponent - unit.fractionBits);
  return result == DType::F16 ? toResult(value, result) : cut(value, unit.resultBits);
}

/// A number and the power of two that it is aligned to.
namespace {
struct Aligned {
  double value;
  int exponent;
};
} // namespace

static Aligned sumOfProducts(const MatrixArithmetic &unit, const MatrixProducts &products,
                             int64_t step) {
  // Products of smaller exponents are below the smallest f32.
  int exponent = largestExponent(products, step, -300);
  int64_t whole = cutSum(products, step, exponent, unit.fractionBits);
  return {static_cast<double>(whole) * power(exponent - unit.fractionBits), exponent};
}

/// A multiple of 2^last, down.
static double cutDown(double value, int last) {
  return std::floor(value * power(-last)) * powerOrZero(last);
}

static double addProductsFirst(const MatrixArithmetic &unit, double sum,
                               const MatrixProducts &products, DType result) {
  Aligned all = sumOfProducts(unit, products, unit.evenApart ? 2 : 1);
  if (unit.evenApart && products.count > 1) {
    MatrixProducts rest = {products.values + 1, products.exponents + 1, products.count - 1};
    Aligned odd = sumOfProducts(unit, rest, 2);
    int exponent = std::max(all.exponent, odd.exponent), last = exponent - unit.fractionBits;
    all = {cutDown(all.value, last) + cutDown(odd.value, last), exponent};
  }
  int own = exponentOf(sum, result), exponent = std::max(all.exponent, own);
  bool isLost = unit.evenApart && own < exponent - 25;
  double carried = isLost ? 0 : cutDown(sum, exponent - 24);
  return toResult(cutDown(all.value, exponent - 31) + carried, result);
}

static float sumOfPairs(const double *values, int64_t count) {
  if (count == 1)
    return static_cast<float>(values[0]);
  return sumOfPairs(values, count / 2) + sumOfPairs(values + count / 2, count - count / 2);
}

static double addAtOnce(const MatrixArithmetic &unit, double sum, const MatrixProducts &products,
                        DType result) {
  if (!std::isfinite(sum) || largestExponent(products, 1, kNoExponent) > kNotFinite / 2) {
    for (int64_t i = 0; i < products.count; ++i)
      sum += products.values[i];
    return sum;
  }
  switch (unit.order) {
  case Order::Together:
    return addTogether(unit, sum, products, result);
  case Order::ProductsFirst:
    return addProductsFirst(unit, sum, products, result);
  case Order::Pairs:
    return toResult(sum + sumOfPairs(products.values, products.count), result);
  case Order::OneByOne:
    return toResult(sum + products.values[0], result);
  }
  return sum;
}

double forge::addProducts(const MatrixArithmetic &unit, double sum, MatrixProducts products,
                          DType result) {
  for (int64_t i = 0; i < products.count; i += unit.terms)
    sum = addAtOnce(
        unit, sum,
        {products.values + i, products.exponents + i, std::min(unit.terms, products.count - i)},
        result);
  return sum;
}
