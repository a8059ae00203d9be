// What is known of matrix units, by the numbers that show it.
#include "forge/Support/MatrixArithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace forge;

/// `sum` and products that are powers of two or their like, factors of which have half the
/// exponent.
static double add(const MatrixArithmetic &unit, double sum, const std::vector<double> &values,
                  DType result = DType::F32) {
  std::vector<int> exponents;
  for (double value : values)
    exponents.push_back(exponentOfFactor(value, -1000));
  return addProducts(
      unit, sum, {values.data(), exponents.data(), static_cast<int64_t>(values.size())}, result);
}

static const MatrixArithmetic &unitOf(const char *chip, DType factor, bool warpgroup = true) {
  const MatrixArithmetic *unit = matrixArithmeticOf(chip, factor, warpgroup);
  EXPECT_NE(unit, nullptr) << chip;
  return *unit;
}

static const std::vector<double> kNothing(16, 0.0);

TEST(MatrixArithmetic, NvidiaCutsTowardZero) {
  const MatrixArithmetic &hopper = unitOf("sm_90a", DType::BF16);
  // Beyond 25 bits below the largest, each by itself; then beyond 23.
  EXPECT_EQ(add(hopper, 1, std::vector<double>(16, 0x1p-25)), 1 + 0x1p-21);
  EXPECT_EQ(add(hopper, 1, std::vector<double>(16, 0x1.8p-26)), 1);
  EXPECT_EQ(add(hopper, 1, {0x1.8p-23}), 1 + 0x1p-23);
  EXPECT_EQ(add(hopper, -1, {-0x1.8p-23}), -1 - 0x1p-23);
  // Of 16 bits to nearest.
  EXPECT_EQ(add(unitOf("sm_90a", DType::F16), 1, {0x1.8p-10}, DType::F16), 1 + 0x1p-9);
  // Eight terms at a time on the A100: the first eight have cancelled before the others come.
  std::vector<double> cancelling = {0x1p20, -0x1p20, 0, 0, 0, 0, 0, 0, 0x1p-10};
  EXPECT_EQ(add(unitOf("sm_80", DType::BF16), 0, cancelling), 0x1p-10);
  EXPECT_EQ(add(hopper, 0, cancelling), 0);
}

/// Thirteen bits of the accumulator remain: the others are 0 even where nothing is added.
TEST(MatrixArithmetic, EightBitProductsOfHopper) {
  const MatrixArithmetic &unit = unitOf("sm_90a", DType::F8E4M3FN);
  EXPECT_EQ(add(unit, 1 + 0x1p-13, kNothing), 1 + 0x1p-13);
  EXPECT_EQ(add(unit, 1 + 0x1p-14, kNothing), 1);
  EXPECT_EQ(add(unit, 0, {448, 0x1p-6}), 448);
  EXPECT_EQ(add(unitOf("sm_90a", DType::F8E4M3FN, false), 0, {448, 0x1p-6}), 448 + 0x1p-6);
}

TEST(MatrixArithmetic, AmdAddsProductsFirst) {
  const MatrixArithmetic &cdna3 = unitOf("gfx942", DType::BF16);
  EXPECT_EQ(add(cdna3, 1, std::vector<double>(8, 0x1p-26)), 1 + 0x1p-23);
  EXPECT_EQ(add(cdna3, 1, {0x1.8p-23}), 1 + 0x1p-22); // to nearest
  // The sum so far is cut down, not toward 0.
  EXPECT_EQ(add(cdna3, -0x1p-26, {1}), 1 - 0x1p-24);
  EXPECT_EQ(add(cdna3, 0x1p-26, {1}), 1);
  // What is even and what is odd apart: 2^-25 of the even ones is not lost next to the odd one.
  const MatrixArithmetic &bytes = unitOf("gfx942", DType::F8E4M3FNUZ);
  EXPECT_EQ(add(bytes, 0, {0x1p-25, 1, 0x1p-25, 0}), 1);
  EXPECT_EQ(add(bytes, 0, {0x1p-25, 1, 0x1p-25, -1}), 0x1p-24);
  // In pairs.
  const MatrixArithmetic &cdna2 = unitOf("gfx90a", DType::BF16);
  EXPECT_EQ(add(cdna2, 0, {0x1p30, 1, -0x1p30, 1}), 0);
  EXPECT_EQ(add(cdna2, 0, {0x1p30, -0x1p30, 1, 1}), 2);
}

TEST(MatrixArithmetic, WhatIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const char *chip : {"sm_90a", "sm_80", "gfx942", "gfx90a"}) {
    const MatrixArithmetic &unit = unitOf(chip, DType::BF16);
    EXPECT_EQ(add(unit, 1, {kInfinity, 1}), kInfinity) << chip;
    EXPECT_TRUE(std::isnan(add(unit, -kInfinity, {kInfinity, 1}))) << chip;
    EXPECT_EQ(add(unit, 0, {0x1p200, 1}), kInfinity) << chip;
    EXPECT_EQ(add(unit, 0, kNothing), 0) << chip;
    EXPECT_EQ(add(unit, 0x1p-149, kNothing), 0x1p-149) << chip;
    // Below the smallest number next to nothing of f32's.
    EXPECT_EQ(add(unit, 0, {0x1p-400, 0x1p-500}), 0) << chip;
  }
}

/// Sums of one sign lose a part that grows with their terms, and no more than is said.
TEST(MatrixArithmetic, LossGrowsWithTheTerms) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> draw(128, 255); // 8 bits, as bf16 has them
  for (DType factor : {DType::BF16, DType::F8E4M3FN}) {
    const MatrixArithmetic &unit = unitOf("sm_90a", factor);
    double loss[2] = {};
    for (int i = 0; i < 2; ++i) {
      std::vector<double> values(i == 0 ? 3584 : 14336);
      double exact = 0;
      for (double &value : values)
        exact += value = draw(random) * draw(random);
      loss[i] = 1 - add(unit, 0, values) / exact;
      double said = unit.expectedLoss(static_cast<double>(values.size()));
      EXPECT_LT(loss[i], said);
      EXPECT_GT(loss[i], 0.1 * said);
    }
    EXPECT_GT(loss[1], 3 * loss[0]);
  }
  EXPECT_EQ(unitOf("gfx942", DType::BF16).expectedLoss(14336), 0);
}

TEST(MatrixArithmetic, ProductsOf8BitFloatsAreAddedUpInStages) {
  const MatrixArithmetic &stages = *productArithmeticOf("sm_90a", DType::F8E4M3FN);
  EXPECT_EQ(stages.stageTerms, 256);
  EXPECT_EQ(stages.fractionBits, 13);
  // What is lost does not grow with the terms.
  EXPECT_EQ(stages.expectedLoss(256), stages.expectedLoss(8192));
  EXPECT_LT(stages.expectedLoss(8192), 0.02);
  EXPECT_EQ(productArithmeticOf("sm_80", DType::F8E4M3FN),
            matrixArithmeticOf("sm_80", DType::BF16, true));
  EXPECT_EQ(productArithmeticOf("sm_90a", DType::F16),
            matrixArithmeticOf("sm_90a", DType::F16, true));
  EXPECT_EQ(productArithmeticOf("gfx1100", DType::F8E5M2), nullptr);
}

TEST(MatrixArithmetic, UnitsThatAreNotThere) {
  EXPECT_EQ(matrixArithmeticOf("sm_80", DType::F8E4M3FN, false), nullptr);
  EXPECT_EQ(matrixArithmeticOf("sm_90a", DType::F64, true), nullptr);
  EXPECT_EQ(matrixArithmeticOf("sm_90a", DType::I8, true), nullptr);
  EXPECT_EQ(matrixArithmeticOf("gfx1100", DType::BF16, false), nullptr);
  EXPECT_EQ(matrixArithmeticOf("", DType::BF16, false), nullptr);
}

TEST(ExponentOfFactor, IsThatOfTheNumber) {
  for (double value : {1.0, -1.5, 0x1.8p-126, 0x1p-140, 0x1.fp127, 0x1p-1022, 0x1p-1060, 3e-310})
    EXPECT_EQ(exponentOfFactor(value, -2000), std::ilogb(value)) << value;
  EXPECT_EQ(exponentOfFactor(0x1p-140, -126), -126);
  EXPECT_LT(exponentOfFactor(0.0, -126), -2000);
  EXPECT_GT(exponentOfFactor(std::numeric_limits<double>::infinity(), -126), 2000);
  EXPECT_GT(exponentOfFactor(std::numeric_limits<double>::quiet_NaN(), -126), 2000);
}
