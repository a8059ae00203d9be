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

TEST(QuantizeRows, NeedsFiniteNumbers) {
  for (double wrong : {HUGE_VAL, std::numeric_limits<double>::quiet_NaN()}) {
    HostTensor matrix = matrixOf(DType::BF16, 2, 2, {1, 2, 3, wrong});
    for (const Result<HostTensor> &made : {scalesOfRows(matrix), quantizedRows(matrix)}) {
      ASSERT_FALSE(made);
      EXPECT_EQ(made.error().message, "expected finite numbers to quantise, but row 1 has others");
    }
  }
}

TEST(QuantizeRows, TakesMatricesWithoutElements) {
  EXPECT_EQ(quantizedRows(*HostTensor::create(DType::F32, {0, 4}))->numElements(), 0);
  EXPECT_EQ(scalesOfRows(*HostTensor::create(DType::F32, {3, 0}))->getDouble(2), 0);
}
