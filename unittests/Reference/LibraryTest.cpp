#include "TestTensors.h"

#include "forge/Reference/BatchNorm.h"
#include "forge/Reference/LinearSolve.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(TriangularSolve, BothSidesAndTriangles) {
  // [[2, 0], [3, 4]], with rubbish above the diagonal.
  HostTensor a = floats({2, 2}, {2, 99, 3, 4});
  expectSame(triangularSolve(a, floats({2, 1}, {2, 11}), {true, true, false, false}),
             floats({2, 1}, {1, 2}));
  expectSame(triangularSolve(a, floats({2, 1}, {8, 8}), {true, true, false, true}),
             floats({2, 1}, {1, 2}));
  expectSame(triangularSolve(a, floats({1, 2}, {8, 8}), {false, true, false, false}),
             floats({1, 2}, {1, 2}));
  expectSame(triangularSolve(a, floats({1, 2}, {2, 11}), {false, true, false, true}),
             floats({1, 2}, {1, 2}));
  HostTensor upper = floats({2, 2}, {2, 3, 99, 4});
  expectSame(triangularSolve(upper, floats({2, 1}, {8, 8}), {true, false, false, false}),
             floats({2, 1}, {1, 2}));
  expectSame(triangularSolve(a, floats({2, 1}, {1, 5}), {true, true, true, false}),
             floats({2, 1}, {1, 2}));
  expectError(triangularSolve(a, floats({3, 1}, {1, 2, 3}), {}), "cannot solve");
  expectSame(triangularSolve(floats({0, 2, 2}, {}), floats({0, 2, 1}, {}), {}),
             floats({0, 2, 1}, {}));
}

TEST(Cholesky, FactorsOfABatch) {
  HostTensor a = floats({2, 2, 2}, {4, 99, 2, 10, 1, 99, 2, 3});
  expectSame(cholesky(a, true), floats({2, 2, 2}, {2, 0, 1, 3, 1, 0, 2, kNaN}));
  expectSame(cholesky(floats({2, 2}, {4, 2, 99, 10}), false), floats({2, 2}, {2, 1, 0, 3}));
  expectError(cholesky(floats({1, 2}, {1, 2}), true), "square");
}

TEST(BatchNorm, TrainingThenInferenceAgree) {
  HostTensor x = floats({2, 2, 1}, {1, 10, 3, 30}, DType::F64),
             scale = floats({2}, {2, 1}, DType::F64);
  HostTensor offset = floats({2}, {0, 5}, DType::F64);
  Result<std::vector<HostTensor>> trained = batchNormTraining(x, scale, offset, 0, 1);
  ASSERT_TRUE(trained);
  expectSame((*trained)[0], floats({2, 2, 1}, {-2, 4, 2, 6}, DType::F64));
  expectSame((*trained)[1], floats({2}, {2, 20}, DType::F64));
  expectSame((*trained)[2], floats({2}, {1, 100}, DType::F64));
  expectSame(batchNormInference(x, scale, offset, (*trained)[1], (*trained)[2], 0, 1),
             (*trained)[0]);
  expectError(batchNormTraining(x, scale, offset, 0, 0 + 2), "one value per feature");
}

TEST(BatchNorm, GradientIsTheDifferenceQuotient) {
  HostTensor x = floats({3, 1}, {0.5, -1, 2}, DType::F64), scale = floats({1}, {1.5}, DType::F64);
  HostTensor offset = floats({1}, {0.25}, DType::F64), g = floats({3, 1}, {1, -2, 0.5}, DType::F64);
  auto loss = [&](const HostTensor &operand) {
    HostTensor output = (*batchNormTraining(operand, scale, offset, 1e-3, 1))[0];
    double sum = 0;
    for (int64_t i = 0; i < 3; ++i)
      sum += output.getDouble(i) * g.getDouble(i);
    return sum;
  };
  std::vector<HostTensor> trained = *batchNormTraining(x, scale, offset, 1e-3, 1);
  Result<std::vector<HostTensor>> gradients =
      batchNormGrad(x, scale, trained[1], trained[2], g, 1e-3, 1);
  ASSERT_TRUE(gradients);
  for (int64_t i = 0; i < 3; ++i) {
    HostTensor up = x, down = x;
    up.setDouble(i, x.getDouble(i) + 1e-5);
    down.setDouble(i, x.getDouble(i) - 1e-5);
    EXPECT_NEAR((*gradients)[0].getDouble(i), (loss(up) - loss(down)) / 2e-5, 1e-8);
  }
  EXPECT_EQ((*gradients)[2].getDouble(0), -0.5);
}
