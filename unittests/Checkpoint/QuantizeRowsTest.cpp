#include "forge/Checkpoint/QuantizeRows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace forge;

static HostTensor matrixOf(DType type, int64_t rows, int64_t columns,
                           const std::vector<double> &numbers) {
  HostTensor matrix = *HostTensor::create(type, {rows, columns});
  for (int64_t i = 0; i < matrix.numElements(); ++i)
    matrix.setDouble(i, numbers[static_cast<size_t>(i)]);
  return matrix;
}

// Every row by its own largest element; ties to even; a row of zeros stays zeros.
TEST(QuantizeRows, HasAScaleForEachRow) {
  for (DType type : {DType::F32, DType::F16, DType::BF16}) {
    HostTensor matrix =
        matrixOf(type, 3, 4, {127, -3, 0.5, 1.5, 0, 0, 0, 0, -0.25, 0.25, 0.125, 0});
    Result<HostTensor> scales = scalesOfRows(matrix), values = quantizedRows(matrix);
    ASSERT_TRUE(scales && values);
    EXPECT_EQ(scales->dims(), std::vector<int64_t>({3}));
    EXPECT_EQ(scales->getDouble(0), 1);
    EXPECT_EQ(scales->getDouble(1), 0);
    EXPECT_EQ(scales->getDouble(2), static_cast<double>(0.25f / 127));
    int8_t expected[] = {127, -3, 0, 2, 0, 0, 0, 0, -127, 127, 64, 0};
    ASSERT_EQ(values->type(), DType::I8);
    for (int64_t i = 0; i < 12; ++i)
      EXPECT_EQ(values->dataAs<int8_t>()[i], expected[i]) << i;
  }
}

// What values stand for is at most half a step away; on one thread and on several.
TEST(QuantizeRows, IsHalfAStepAwayAtMost) {
  int64_t rows = 2100, columns = 1024;
  HostTensor matrix = *HostTensor::create(DType::F32, {rows, columns});
  for (int64_t i = 0; i < matrix.numElements(); ++i)
    matrix.dataAs<float>()[i] = std::sin(static_cast<float>(i % 65537)) * 3;
  Result<HostTensor> scales = scalesOfRows(matrix), values = quantizedRows(matrix);
  ASSERT_TRUE(scales && values);
  double worst = 0;
  for (int64_t i = 0; i < matrix.numElements(); ++i) {
    double scale = scales->getDouble(i / columns);
    worst = std::max(worst, std::abs(values->dataAs<int8_t>()[i] - matrix.getDouble(i) / scale));
  }
  EXPECT_GT(worst, 0.49);
  EXPECT_LE(worst, 0.5 + 1e-4);
}

// The same as the reference's rounding, for all magnitudes: normal, denormal, ties, both signs.
TEST(QuantizeRows, RoundsToFloat8) {
  int64_t columns = 4099;
  HostTensor matrix = *HostTensor::create(DType::F32, {2, columns});
  for (int64_t i = 0; i < matrix.numElements(); ++i)
    matrix.dataAs<float>()[i] =
        std::ldexp(static_cast<float>(i % 257 - 128) / 16, static_cast<int>(i / 257 % 20) - 13);
  matrix.dataAs<float>()[0] = 448; // a scale of 1
  Result<HostTensor> scales = scalesOfRows(matrix, kLargestFloat8), values = float8Rows(matrix);
  ASSERT_TRUE(scales && values);
  EXPECT_EQ(values->type(), DType::F8E4M3FN);
  EXPECT_EQ(scales->getDouble(0), 1);
  HostTensor expected = *HostTensor::create(DType::F8E4M3FN, matrix.dims());
  for (int64_t i = 0; i < matrix.numElements(); ++i) {
    auto scale = static_cast<float>(scales->getDouble(i / columns));
    expected.setDouble(i, static_cast<double>(matrix.dataAs<float>()[i] / scale));
    ASSERT_EQ(values->dataAs<uint8_t>()[i], expected.dataAs<uint8_t>()[i])
        << i << " " << matrix.dataAs<float>()[i];
  }
  HostTensor zeros = matrixOf(DType::BF16, 1, 3, {0, 0, 0});
  EXPECT_EQ(float8Rows(zeros)->getDouble(2), 0);
  EXPECT_FALSE(
      float8Rows(matrixOf(DType::F32, 1, 2, {1, std::numeric_limits<double>::infinity()})));
}

// Groups of 128 have scales of their own; eight elements are a word, the first lowest.
TEST(QuantizeRows, PacksNibbles) {
  std::vector<double> numbers(2 * 131, 0.0);
  for (auto [place, number] : std::vector<std::pair<size_t, double>>{
           {0, 7}, {1, -7}, {2, 0.5}, {3, 1.5}, {9, -1}, {128, 14}, {130, -3}, {131, -0.875}})
    numbers[place] = number;
  HostTensor matrix = matrixOf(DType::F32, 2, 131, numbers);
  Result<HostTensor> scales = scalesOfGroups(matrix), words = quantizedNibbles(matrix);
  ASSERT_TRUE(scales && words);
  EXPECT_EQ(typeString(*scales), "tensor<2x2xbf16>");
  EXPECT_EQ(typeString(*words), "tensor<2x17xi32>");
  double expectedScales[] = {1, 2, 0.125, 0};
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(scales->getDouble(i), expectedScales[i]);
  std::vector<uint32_t> expected(34, 0x88888888);
  expected[0] = 0x8888a81f; // codes 7, -7, 0, 2, each above 8
  expected[1] = 0x88888878;
  expected[16] = 0x8888868f; // 7, 0, -1.5, which is even above 8
  expected[17] = 0x88888881;
  for (int64_t i = 0; i < 34; ++i)
    EXPECT_EQ(static_cast<uint32_t>(words->dataAs<int32_t>()[i]), expected[static_cast<size_t>(i)])
        << i;
}

// Scales are rounded to bf16, quotients that leave the range by that are its ends.
TEST(QuantizeRows, NibblesAreHalfAStepAwayAtMost) {
  HostTensor matrix = *HostTensor::create(DType::F32, {64, 1000});
  for (int64_t i = 0; i < matrix.numElements(); ++i)
    matrix.dataAs<float>()[i] = std::sin(static_cast<float>(i % 65537)) * 3;
  Result<HostTensor> scales = scalesOfGroups(matrix), words = quantizedNibbles(matrix);
  ASSERT_TRUE(scales && words);
  double worst = 0;
  for (int64_t i = 0; i < matrix.numElements(); ++i) {
    int64_t row = i / 1000, k = i % 1000;
    auto word = static_cast<uint32_t>(words->dataAs<int32_t>()[row * 125 + k / 8]);
    double code = static_cast<double>(word >> (4 * (k % 8)) & 15) - 8;
    worst = std::max(worst,
                     std::abs(code - matrix.getDouble(i) / scales->getDouble(row * 8 + k / 128)));
  }
  EXPECT_GT(worst, 0.49);
  EXPECT_LE(worst, 0.5 + 7.0 / 256);
}

TEST(QuantizeRows, NeedsFiniteNumbers) {
  for (double wrong : {HUGE_VAL, std::numeric_limits<double>::quiet_NaN()}) {
    HostTensor matrix = matrixOf(DType::BF16, 2, 2, {1, 2, 3, wrong});
    for (const Result<HostTensor> &made : {scalesOfRows(matrix), quantizedRows(matrix),
                                           scalesOfGroups(matrix), quantizedNibbles(matrix)}) {
      ASSERT_FALSE(made);
      EXPECT_EQ(made.error().message, "expected finite numbers to quantise, but row 1 has others");
    }
  }
}

TEST(QuantizeRows, TakesMatricesWithoutElements) {
  EXPECT_EQ(quantizedRows(*HostTensor::create(DType::F32, {0, 4}))->numElements(), 0);
  EXPECT_EQ(scalesOfRows(*HostTensor::create(DType::F32, {3, 0}))->getDouble(2), 0);
}
