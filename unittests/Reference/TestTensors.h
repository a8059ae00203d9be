// Tensors from literals, and back.
#ifndef FORGE_UNITTESTS_REFERENCE_TESTTENSORS_H
#define FORGE_UNITTESTS_REFERENCE_TESTTENSORS_H

#include "forge/Reference/Elements.h"

#include <gtest/gtest.h>

#include <limits>

namespace forge::reference {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline HostTensor floats(Dims dims, std::vector<double> values, DType type = DType::F32) {
  Result<HostTensor> tensor = fromDoubles(type, std::move(dims), values);
  EXPECT_EQ(tensor->numElements(), static_cast<int64_t>(values.size()));
  return *tensor;
}

inline HostTensor ints(Dims dims, std::vector<int64_t> values, DType type = DType::I32) {
  Result<HostTensor> tensor = HostTensor::create(type, std::move(dims));
  EXPECT_EQ(tensor->numElements(), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    setInteger(*tensor, static_cast<int64_t>(i), static_cast<uint64_t>(values[i]));
  return *tensor;
}

inline std::vector<int64_t> intsOf(const HostTensor &tensor) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    values.push_back(getInteger(tensor, i));
  return values;
}

/// Same type, shape and elements; NaN equals NaN, -0 differs from +0.
inline void expectSame(const Result<HostTensor> &actual, const HostTensor &expected) {
  ASSERT_TRUE(actual) << actual.error().message;
  ASSERT_EQ(typeString(*actual), typeString(expected));
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    double x = expected.getDouble(i), y = actual->getDouble(i);
    if (isFloat(expected.type()) && x != x)
      EXPECT_TRUE(y != y) << "element " << i;
    else
      EXPECT_EQ(actual->getBits(i), expected.getBits(i))
          << "element " << i << ": " << y << " for " << x;
  }
}

template <typename T> void expectError(const Result<T> &result, const std::string &part) {
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

} // namespace forge::reference

#endif // FORGE_UNITTESTS_REFERENCE_TESTTENSORS_H
