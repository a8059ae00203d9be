// How matrix units add up products: with other bits than those of f32, and not always to nearest.
// The error model and the simulator both ask here. No MLIR.
#ifndef FORGE_SUPPORT_MATRIXARITHMETIC_H
#define FORGE_SUPPORT_MATRIXARITHMETIC_H

#include "forge/Support/DType.h"

#include <cstdint>
#include <string_view>

namespace forge {

/// Products that any unit adds at once, at most.
constexpr int64_t kMostUnitTerms = 32;

/// The sums of one matrix instruction, D = A B + C, in f32.
struct MatrixArithmetic {
  enum class Order : uint8_t {
    /// Products and C are aligned to the largest of them and cut, toward 0. Their sum is cut toward
    /// 0.
    Together,
    /// Products are aligned to the largest of them and cut, toward 0. Their sum and C are aligned
    /// to the larger and cut,
    /// down; what they add up to is rounded to nearest.
    ProductsFirst,
    /// Products two by two, the sums two by two, the last one and C: each rounded to nearest.
    Pairs,
    /// Each product is added to C before it, and rounded to nearest.
    OneByOne,
  };
  Order order;
  /// Products that are added at once; those after them are added to what comes out.
  int64_t terms;
  /// Bits that are kept of a product below the largest one's power of two.
  int fractionBits = 23;
  /// Bits of a result below its power of two, where it is cut.
  int resultBits = 23;
  /// Products whose numbers are even, and those whose numbers are odd, are added apart.
  bool evenApart = false;
  /// Products whose sum a program adds to that of those before them, in f32 and rounded to nearest;
  /// 0: the unit adds all, as single instructions do.
  int64_t stageTerms = 0;

  /// What `terms` of one sign are expected to lose to a bias, at most, relative to their sum.
  double expectedLoss(double count) const;
};

/// Of factors of type `factor` (F32: as TF32 on NVIDIA's) on the chip `chip` ("sm_90a"); nullptr
/// if the sum is exact, if there is no such instruction, or if no measurements are published.
/// `warpgroup`: by wgmma instead of mma.sync.
const MatrixArithmetic *matrixArithmeticOf(std::string_view chip, DType factor, bool warpgroup);

/// How products of factors of type `factor` are added up by the kernels that Forge makes for
/// `chip`, where they are on matrix units: 8-bit floats by wgmma in stages of kUnitSumTerms, and as
/// bf16 on chips without it.
const MatrixArithmetic *productArithmeticOf(std::string_view chip, DType factor);

/// Products whose factors come with their exponents.
struct MatrixProducts {
  const double *values;
  /// The sums of exponentOfFactor of both factors.
  const int *exponents;
  int64_t count;
};

/// The exponent of a factor, at least that of the type's smallest normal number. Of 0, of
/// infinities and of NaN: something so small, or large, that a sum with that of any other number
/// tells.
int exponentOfFactor(double value, int smallest);

/// `sum` and `products` as the unit adds them up. Infinities and NaN as in IEEE 754. `result` is
/// F32, or F16: rounded to nearest by NVIDIA's.
double addProducts(const MatrixArithmetic &unit, double sum, MatrixProducts products,
                   DType result = DType::F32);

} // namespace forge

#endif // FORGE_SUPPORT_MATRIXARITHMETIC_H
