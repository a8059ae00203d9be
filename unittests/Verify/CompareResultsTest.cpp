// Results that are off by little more than is allowed are measured again before they are called
// wrong. That a correct one is found to be correct then: FalseAlarmTest.cpp.
#include "TestModule.h"

#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

using namespace forge;

namespace {
/// A softmax of 8 rows, its inputs, results and tolerances.
class CompareResults : public testing::Test {
protected:
  void SetUp() override {
    inputs = *makeInputs(module.function(), {});
    auto results = Interpreter(module.get()).run(module.function(), inputs);
    ASSERT_TRUE(mlir::succeeded(results)) << module.messages;
    expected = *results;
    tolerances = measureTolerances(module.function(), inputs);
    ASSERT_TRUE(tolerances[0].elements);
  }

  /// What is expected, off by so many times what is allowed in every element.
  std::vector<HostTensor> offBy(double times) {
    std::vector<HostTensor> actual = expected;
    for (int64_t i = 0; i < actual[0].numElements(); ++i)
      actual[0].setDouble(i, expected[0].getDouble(i) +
                                 times * tolerances[0].elements->allowed[static_cast<size_t>(i)]);
    return actual;
  }

  Comparison compareWith(const std::vector<HostTensor> &actual) {
    return compareResults(module.function(), inputs, actual, expected, tolerances)[0];
  }

  bool isMeasuredAgain() const { return tolerances[0].basis.find("261 exec") != std::string::npos; }

  TestModule module{R"(
    func.func @main(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
      %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<8x32xf32>
      return %0 : tensor<8x32xf32>
    })"};
  std::vector<HostTensor> inputs, expected;
  std::vector<Tolerance> tolerances;
};
} // namespace

TEST_F(CompareResults, WhatIsRightIsMeasuredOnce) {
  EXPECT_TRUE(compareWith(expected).agree);
  EXPECT_FALSE(isMeasuredAgain());
}

TEST_F(CompareResults, AWrongResultStaysWrong) {
  Comparison comparison = compareWith(offBy(3));
  EXPECT_FALSE(comparison.agree);
  EXPECT_GT(comparison.maxOfAllowed, 2);
  EXPECT_TRUE(isMeasuredAgain()) << tolerances[0].basis;
}

TEST_F(CompareResults, WhatIsFarOffIsMeasuredOnce) {
  EXPECT_FALSE(compareWith(offBy(50)).agree);
  EXPECT_FALSE(isMeasuredAgain());
}

TEST_F(CompareResults, AnotherShapeIsMeasuredOnce) {
  EXPECT_FALSE(compareWith({*HostTensor::create(DType::F32, {8, 16})}).agree);
  EXPECT_FALSE(isMeasuredAgain());
}
