#include "TestTensors.h"

#include "forge/Reference/Contraction.h"
#include "forge/Reference/Convolution.h"

using namespace forge;
using namespace forge::reference;

TEST(DotGeneral, MatrixProduct) {
  HostTensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6}), b = floats({3, 2}, {1, 0, 0, 1, 2, 2});
  expectSame(dotGeneral(a, b, {{}, {}, {1}, {0}}, DType::F32), floats({2, 2}, {7, 8, 16, 17}));
  expectSame(dotGeneral(a, a, {{}, {}, {0, 1}, {0, 1}}, DType::F32), floats({}, {91}));
  expectSame(dotGeneral(a, a, {{0}, {0}, {1}, {1}}, DType::F32), floats({2}, {14, 77}));
  expectError(dotGeneral(a, b, {{}, {}, {0}, {0}}, DType::F32), "contracting dimensions differ");
}

TEST(DotGeneral, ResultOrderIsBatchLhsRhs) {
  HostTensor a = ints({2, 3, 1}, {1, 2, 3, 4, 5, 6}),
             b = ints({1, 4, 3}, {0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1});
  // Batch over the size 3 dimensions, contract the size 1 ones: [3, 2, 4].
  Result<HostTensor> c = dotGeneral(a, b, {{1}, {2}, {2}, {0}}, DType::I32);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->dims(), (Dims{3, 2, 4}));
  EXPECT_EQ(intsOf(*c),
            (Dims{0, 0, 1, 1, 0, 0, 4, 4, 0, 2, 0, 2, 0, 5, 0, 5, 3, 0, 0, 3, 6, 0, 0, 6}));
}

TEST(DotGeneral, EmptyContractionGivesZeros) {
  expectSame(dotGeneral(floats({2, 0}, {}), floats({0, 1}, {}), {{}, {}, {1}, {0}}, DType::F32),
             floats({2, 1}, {0, 0}));
}

TEST(DotGeneral, WiderResultType) {
  HostTensor a = ints({2}, {100, 100}, DType::I8);
  expectSame(dotGeneral(a, a, {{}, {}, {0}, {0}}, DType::I32), ints({}, {20000}));
  expectSame(dotGeneral(a, a, {{}, {}, {0}, {0}}, DType::I8), ints({}, {32}, DType::I8));
}

TEST(DotGeneral, ExtendsEachOperandByItsSign) {
  HostTensor large = ints({2}, {255, 255}, DType::U8), low = ints({2}, {-128, -128}, DType::I8);
  expectSame(dotGeneral(large, large, {{}, {}, {0}, {0}}, DType::I32), ints({}, {130050}));
  expectSame(dotGeneral(large, low, {{}, {}, {0}, {0}}, DType::I32), ints({}, {-65280}));
  expectSame(dotGeneral(low, large, {{}, {}, {0}, {0}}, DType::I32), ints({}, {-65280}));
}

TEST(DotGeneral, TruthValuesAreJoinedByOr) {
  HostTensor a = ints({2, 3}, {1, 1, 1, 1, 0, 0}, DType::I1), b = ints({3}, {1, 1, 0}, DType::I1),
             c = ints({3}, {0, 1, 1}, DType::I1);
  expectSame(dotGeneral(a, b, {{}, {}, {1}, {0}}, DType::I1), ints({2}, {1, 1}, DType::I1));
  expectSame(dotGeneral(a, c, {{}, {}, {1}, {0}}, DType::I1), ints({2}, {1, 0}, DType::I1));
}

/// 1-D convolution of [batch, width, features] with [width, in, out].
static ConvolutionDimensions oneDimensional() {
  ConvolutionDimensions c;
  c.inputBatch = 0;
  c.inputSpatial = {1};
  c.inputFeature = 2;
  c.kernelSpatial = {0};
  c.kernelInputFeature = 1;
  c.kernelOutputFeature = 2;
  c.outputBatch = 0;
  c.outputSpatial = {1};
  c.outputFeature = 2;
  c.strides = c.lhsDilation = c.rhsDilation = {1};
  c.low = c.high = {0};
  c.reversed = {false};
  return c;
}

TEST(Convolution, PaddingStridesDilations) {
  HostTensor x = ints({1, 4, 1}, {1, 2, 3, 4}), k = ints({2, 1, 1}, {1, 10});
  ConvolutionDimensions c = oneDimensional();
  expectSame(convolution(x, k, c, DType::I32), ints({1, 3, 1}, {21, 32, 43}));
  c.reversed = {true};
  expectSame(convolution(x, k, c, DType::I32), ints({1, 3, 1}, {12, 23, 34}));
  c = oneDimensional();
  c.low = c.high = {1};
  c.strides = {2};
  expectSame(convolution(x, k, c, DType::I32), ints({1, 3, 1}, {10, 32, 4}));
  c = oneDimensional();
  c.lhsDilation = {2};
  expectSame(convolution(x, k, c, DType::I32), ints({1, 6, 1}, {1, 20, 2, 30, 3, 40}));
  c = oneDimensional();
  c.rhsDilation = {2};
  expectSame(convolution(x, k, c, DType::I32), ints({1, 2, 1}, {31, 42}));
}

TEST(Convolution, FloatsOfIntegers) {
  HostTensor x = ints({1, 2, 1}, {2147483647, 2}), k = ints({2, 1, 1}, {3, -1});
  Result<HostTensor> sum = convolution(x, k, oneDimensional(), DType::F64);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->getDouble(0), 6442450939.0);
  EXPECT_FALSE(convolution(*sum, *sum, oneDimensional(), DType::I32));
}

TEST(Convolution, FeatureAndBatchGroups) {
  ConvolutionDimensions c = oneDimensional();
  c.featureGroups = 2;
  // Depthwise: output feature f sees input feature f only.
  expectSame(convolution(ints({1, 2, 2}, {1, 2, 3, 4}), ints({1, 1, 2}, {10, 100}), c, DType::I32),
             ints({1, 2, 2}, {10, 200, 30, 400}));
  c = oneDimensional();
  c.batchGroups = 2;
  expectSame(convolution(ints({2, 2, 1}, {1, 2, 3, 4}), ints({1, 1, 2}, {10, 100}), c, DType::I32),
             ints({1, 2, 2}, {10, 300, 20, 400}));
  c.batchGroups = 3;
  expectError(convolution(ints({2, 2, 1}, {1, 2, 3, 4}), ints({1, 1, 2}, {10, 100}), c, DType::I32),
              "do not divide");
}

TEST(RaggedDot, FreeAndContracting) {
  HostTensor x = ints({3, 1}, {2, 3, 5}), w = ints({2, 1, 1}, {10, 100}), sizes = ints({2}, {1, 1});
  DotDimensions free{{}, {}, {1}, {1}};
  expectSame(raggedDot(x, w, sizes, free, {0, 0, {}}, DType::I32), ints({3, 1}, {20, 300, 0}));
  DotDimensions contracting{{}, {}, {0}, {0}};
  expectSame(raggedDot(x, x, sizes, contracting, {0, -1, {}}, DType::I32), ints({2, 1, 1}, {4, 9}));
  // Groups of its own for each row in front of the ragged dimension.
  HostTensor y = ints({2, 2, 1}, {2, 3, 5, 7}), each = ints({2, 2}, {0, 2, 1, 0});
  DotDimensions second{{}, {}, {2}, {1}};
  expectSame(raggedDot(y, w, each, second, {1, 0, {0}}, DType::I32),
             ints({2, 2, 1}, {200, 300, 50, 0}));
  EXPECT_FALSE(raggedDot(x, w, sizes, free, {0, 0, {}}, DType::F32));
}
