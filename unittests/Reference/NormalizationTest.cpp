#include "TestTensors.h"

#include "forge/Reference/Normalization.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Softmax, HandComputed) {
  double e = std::exp(1.0);
  expectSame(softmax(floats({2, 2}, {0, 1, 3, 3}, DType::F64), 1),
             floats({2, 2}, {1 / e / (1 / e + 1), 1 / (1 / e + 1), 0.5, 0.5}, DType::F64));
  // Along the first dimension.
  expectSame(softmax(floats({2, 2}, {0, 5, 0, 5}), 0), floats({2, 2}, {0.5, 0.5, 0.5, 0.5}));
}

TEST(Softmax, ExtremeRows) {
  expectSame(softmax(floats({1, 1}, {7}), 1), floats({1, 1}, {1}));
  expectSame(softmax(floats({1, 3}, {3e38, 3e38, -3e38}), 1), floats({1, 3}, {0.5, 0.5, 0}));
  expectSame(softmax(floats({1, 2}, {1e-45, 0}), 1), floats({1, 2}, {0.5, 0.5}));
  expectSame(logSoftmax(floats({1, 2}, {3e38, -3e38}, DType::F64), 1),
             floats({1, 2}, {0, -6e38}, DType::F64));
  expectSame(softmax(floats({1, 3}, {1e-40, 0, -1e-40}, DType::F64), 1),
             floats({1, 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, DType::F64));
  expectSame(softmax(floats({1, 2}, {-kInf, 4}), 1), floats({1, 2}, {0, 1}));
  expectSame(softmax(floats({1, 2}, {-kInf, -kInf}), 1), floats({1, 2}, {kNaN, kNaN}));
  expectSame(softmax(floats({1, 2}, {kInf, 0}), 1), floats({1, 2}, {kNaN, kNaN}));
  expectSame(softmax(floats({1, 2}, {kNaN, 0}), 1), floats({1, 2}, {kNaN, kNaN}));
  expectSame(softmax(floats({0, 2}, {}), 1), floats({0, 2}, {}));
  expectError(softmax(floats({2}, {1, 2}), 1), "dimension 1");
  expectError(softmax(ints({2}, {1, 2}), 0), "floats");
}

TEST(LogSoftmax, IsTheLogarithmWithoutItsUnderflow) {
  expectSame(logSoftmax(floats({2}, {0, 0}, DType::F64), 0),
             floats({2}, {-std::log(2), -std::log(2)}, DType::F64));
  expectSame(logSoftmax(floats({2}, {0, -1000}), 0), floats({2}, {0, -1000}));
  expectSame(logSoftmax(floats({2}, {0, -kInf}), 0), floats({2}, {0, -kInf}));
  expectSame(logSoftmax(floats({1}, {42}), 0), floats({1}, {0}));
}

TEST(LayerNorm, BiasedVarianceScaleAndShift) {
  // mean 2, variance 1.
  HostTensor x = floats({1, 4}, {1, 3, 1, 3}), scale = floats({4}, {2, 2, 1, 0}),
             shift = floats({4}, {0, 10, 0, -1});
  expectSame(layerNorm(x, nullptr, nullptr, 0), floats({1, 4}, {-1, 1, -1, 1}));
  expectSame(layerNorm(x, &scale, &shift, 0), floats({1, 4}, {-2, 12, -1, -1}));
  expectSame(layerNorm(x, nullptr, &shift, 3), floats({1, 4}, {-0.5, 10.5, -0.5, -0.5}));
  // One element, and equal ones: nothing is left but the shift.
  expectSame(layerNorm(floats({1}, {5}), nullptr, nullptr, 1e-5), floats({1}, {0}));
  expectSame(layerNorm(floats({2}, {5, 5}), nullptr, nullptr, 0), floats({2}, {kNaN, kNaN}));
  expectError(layerNorm(x, &x, nullptr, 0), "scale of shape [4]");
}

TEST(LayerNorm, LargeAndSmallValues) {
  expectSame(layerNorm(floats({2}, {3e38, -3e38}), nullptr, nullptr, 0), floats({2}, {1, -1}));
  expectSame(layerNorm(floats({2}, {1e-40, -1e-40}), nullptr, nullptr, 0), floats({2}, {1, -1}));
  expectSame(layerNorm(floats({3}, {1e-45, 0, -1e-45}), nullptr, nullptr, 1),
             floats({3}, {1e-45, 0, -1e-45}));
  expectSame(layerNorm(floats({2}, {1e-40, -1e-40}), nullptr, nullptr, 0), floats({2}, {1, -1}));
}

TEST(RmsNorm, PlainAndUnitOffset) {
  // Mean of squares 25 / 2 + 12.5 = 25.
  HostTensor x = floats({1, 2}, {3, 4}, DType::F64), scale = floats({2}, {1, 0.5}, DType::F64);
  expectSame(rmsNorm(x, nullptr, 12.5, false), floats({1, 2}, {0.6, 0.8}, DType::F64));
  expectSame(rmsNorm(x, &scale, 12.5, false), floats({1, 2}, {0.6, 0.4}, DType::F64));
  expectSame(rmsNorm(x, &scale, 12.5, true), floats({1, 2}, {1.2, 0.8 * 1.5}, DType::F64));
  expectSame(rmsNorm(floats({1}, {-9}), nullptr, 0, false), floats({1}, {-1}));
  expectSame(rmsNorm(floats({2}, {0, 0}), nullptr, 1e-6, false), floats({2}, {0, 0}));
  expectSame(rmsNorm(floats({2}, {3e38, 3e38}), nullptr, 0, false), floats({2}, {1, 1}));
  expectSame(rmsNorm(floats({2}, {1e-40, -1e-40}), nullptr, 0, false), floats({2}, {1, -1}));
  expectError(rmsNorm(x, &x, 0, false), "scale of shape [2]");
}
