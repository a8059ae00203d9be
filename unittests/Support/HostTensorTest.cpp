#include "forge/Support/HostTensor.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace forge;

TEST(HostTensor, IsZero) {
  // Small, and large enough for huge pages.
  for (int64_t count : {int64_t(3), int64_t(5) << 20}) {
    {
      // What is freed may be given out again.
      Result<HostTensor> before = HostTensor::createUnset(DType::F32, {count});
      ASSERT_TRUE(before);
      std::fill_n(before->dataAs<float>(), count, 1.0f);
    }
    Result<HostTensor> tensor = HostTensor::create(DType::F32, {count});
    ASSERT_TRUE(tensor);
    EXPECT_EQ(std::count(tensor->dataAs<float>(), tensor->dataAs<float>() + count, 0.0f), count);
  }
}

TEST(HostTensor, UnsetHasTheShape) {
  Result<HostTensor> tensor = HostTensor::createUnset(DType::I8, {2, 0, 3});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->numBytes(), 0u);
  EXPECT_FALSE(HostTensor::createUnset(DType::F32, {-1}));
}
