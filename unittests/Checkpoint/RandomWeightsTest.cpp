#include "forge/Checkpoint/RandomWeights.h"

#include "forge/Checkpoint/Weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace forge;

static HostTensor make(const std::string &name, const TensorSpec &spec, uint64_t seed = 0) {
  Result<RandomWeight> weight = RandomWeight::create(name, spec, seed);
  EXPECT_TRUE(weight) << weight.error().message;
  Result<HostTensor> tensor = RandomWeight::source(std::move(*weight)).tensor();
  EXPECT_TRUE(tensor) << tensor.error().message;
  return std::move(*tensor);
}

static bool sameBytes(const HostTensor &a, const HostTensor &b) {
  return a.numBytes() == b.numBytes() && std::memcmp(a.data(), b.data(), a.numBytes()) == 0;
}

TEST(RandomWeights, HaveMeanAndDeviationOfInitialisedModels) {
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
    // More than one piece.
    HostTensor tensor = make("w", {type, {1500, 4001}});
    double sum = 0, squares = 0, most = 0;
    for (int64_t i = 0; i < tensor.numElements(); ++i) {
      double value = tensor.getDouble(i);
      sum += value;
      squares += value * value;
      most = std::max(most, std::abs(value));
    }
    auto count = static_cast<double>(tensor.numElements());
    EXPECT_NEAR(sum / count, 0, 1e-4);
    EXPECT_NEAR(std::sqrt(squares / count), 0.02, 1e-4);
    EXPECT_LT(most, 0.0348); // 0.02 sqrt(3), rounded
  }
}

TEST(RandomWeights, DependOnNameAndSeed) {
  TensorSpec spec{DType::F32, {8, 9}};
  HostTensor tensor = make("w", spec);
  EXPECT_TRUE(sameBytes(tensor, make("w", spec)));
  EXPECT_FALSE(sameBytes(tensor, make("v", spec)));
  EXPECT_FALSE(sameBytes(tensor, make("w", spec, 1)));
  EXPECT_NE(tensor.getDouble(0), tensor.getDouble(1));
}

TEST(RandomWeights, AreTheSameInParts) {
  TensorSpec spec{DType::BF16, {3, 7}};
  HostTensor tensor = make("w", spec);
  Result<RandomWeight> weight = RandomWeight::create("w", spec, 0);
  ASSERT_TRUE(weight);
  for (size_t begin : {0, 4, 16, 20}) {
    std::vector<char> part(2 * std::min<size_t>(5, 21 - begin));
    weight->fill(static_cast<int64_t>(begin), part);
    EXPECT_EQ(std::memcmp(part.data(), tensor.dataAs<char>() + 2 * begin, part.size()), 0) << begin;
  }
}

TEST(RandomWeights, AreOneOrZeroOfOneDimension) {
  HostTensor scale = make("norm.weight", {DType::BF16, {5}});
  HostTensor bias = make("q_proj.bias", {DType::F32, {5}});
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(scale.getDouble(i), 1);
    EXPECT_EQ(bias.getDouble(i), 0);
  }
}

TEST(RandomWeights, AreOfFloatingPointNumbersAndStaticSizes) {
  auto problem = [](const TensorSpec &spec) {
    Result<RandomWeight> weight = RandomWeight::create("w", spec, 0);
    return weight ? "" : weight.error().message;
  };
  EXPECT_EQ(problem({DType::I8, {2}}),
            "expected a weight of floating-point numbers to make up, but got tensor<2xi8>");
  EXPECT_EQ(problem({DType::F32, {TensorSpec::dynamic}}),
            "expected a weight of static sizes to make up, but got tensor<?xf32>");
}

TEST(RandomWeights, TakeThePlaceOfFiles) {
  WeightFiles files({"/nowhere", "", 3});
  TensorSpec spec{DType::F32, {4, 4}};
  Result<HostTensor> tensor = files.load({"model.safetensors", "w"}, spec);
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_TRUE(sameBytes(*tensor, make("w", spec, 3)));
  Result<HostTensor> none = files.load({"model.safetensors", "w"}, {DType::I32, {4}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "tensor 'w': expected a weight of floating-point numbers to make "
                                  "up, but got tensor<4xi32>");
}
