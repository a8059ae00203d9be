#include "TestTensors.h"

#include "forge/Reference/Reduce.h"

using namespace forge;
using namespace forge::reference;

static Body body(BinaryOp op) {
  return [op](const std::vector<HostTensor> &arguments) -> Result<std::vector<HostTensor>> {
    Result<HostTensor> value = binary(op, arguments[0], arguments[1]);
    if (!value)
      return value.error();
    return std::vector<HostTensor>{std::move(*value)};
  };
}

TEST(Reduce, OverSomeAllAndNoDimensions) {
  HostTensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6}), zero = ints({}, {0});
  expectSame(reduce(x, zero, {1}, BinaryOp::Add, DType::I32), ints({2}, {6, 15}));
  expectSame(reduce(x, zero, {0}, BinaryOp::Add, DType::I32), ints({3}, {5, 7, 9}));
  expectSame(reduce(x, zero, {1, 0}, BinaryOp::Add, DType::I32), ints({}, {21}));
  expectSame(reduce(x, zero, {}, BinaryOp::Add, DType::I32), x);
  expectSame(reduce(ints({2, 0}, {}), ints({}, {7}), {1}, BinaryOp::Add, DType::I32),
             ints({2}, {7, 7}));
}

TEST(Reduce, AccumulatesInDouble) {
  // In f32 the ones would vanish next to 2^24 one at a time.
  std::vector<double> values(65, 1);
  values[0] = 16777216;
  expectSame(reduce(floats({65}, values), floats({}, {0}), {0}, BinaryOp::Add, DType::F32),
             floats({}, {16777280}));
}

TEST(Reduce, BodyOfSeveralOperands) {
  // The largest value and where it is.
  Body argmax = [](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
    bool keep = a[0].getDouble(0) >= a[2].getDouble(0);
    return std::vector<HostTensor>{keep ? a[0] : a[2], keep ? a[1] : a[3]};
  };
  Result<std::vector<HostTensor>> results =
      reduce({floats({2, 3}, {1, 5, 2, 9, 3, 9}), ints({2, 3}, {0, 1, 2, 0, 1, 2})},
             {floats({}, {-kInf}), ints({}, {-1})}, {1}, argmax);
  ASSERT_TRUE(results);
  expectSame((*results)[0], floats({2}, {5, 9}));
  expectSame((*results)[1], ints({2}, {1, 0}));
}

TEST(Reduce, ErrorsOfTheBodyComeThrough) {
  Body failing = [](const std::vector<HostTensor> &) -> Result<std::vector<HostTensor>> {
    return Error{"no such op"};
  };
  expectError(reduce({ints({1}, {1})}, {ints({}, {0})}, {0}, failing), "no such op");
}

TEST(ReduceWindow, StridesDilationsAndPadding) {
  HostTensor x = ints({4}, {1, 2, 3, 4}), zero = ints({}, {0});
  Window window = Window::of({2});
  expectSame(reduceWindow(x, zero, window, BinaryOp::Add, DType::I32), ints({3}, {3, 5, 7}));
  window.strides = {2};
  window.low = {1};
  window.high = {1};
  expectSame(reduceWindow(x, zero, window, BinaryOp::Add, DType::I32), ints({3}, {1, 5, 4}));
  window = Window::of({2});
  window.windowDilations = {2};
  expectSame(reduceWindow(x, zero, window, BinaryOp::Add, DType::I32), ints({2}, {4, 6}));
  window = Window::of({2});
  window.baseDilations = {2};
  expectSame(reduceWindow(x, zero, window, BinaryOp::Add, DType::I32),
             ints({6}, {1, 2, 2, 3, 3, 4}));
  window = Window::of({5});
  expectSame(reduceWindow(x, zero, window, BinaryOp::Add, DType::I32), ints({0}, {}));
}

TEST(ReduceWindow, PaddingCountsAsTheInitialValue) {
  HostTensor x = ints({1}, {1}), ten = ints({}, {10});
  Window window = Window::of({2});
  window.low = {1};
  Result<std::vector<HostTensor>> general = reduceWindow({x}, {ten}, window, body(BinaryOp::Add));
  ASSERT_TRUE(general);
  expectSame((*general)[0], ints({1}, {21}));
  expectSame(reduceWindow(x, ten, window, BinaryOp::Add, DType::I32), ints({1}, {21}));
}

TEST(ReduceWindow, CumulativeSum) {
  Window window = Window::of({4});
  window.low = {3};
  expectSame(
      reduceWindow(ints({4}, {1, 2, 3, 4}), ints({}, {0}), window, BinaryOp::Add, DType::I32),
      ints({4}, {1, 3, 6, 10}));
}

TEST(SelectAndScatter, MaxPoolGradient) {
  Body greaterOrEqual = [](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
    return std::vector<HostTensor>{*compare(Direction::GE, false, a[0], a[1])};
  };
  Window window = Window::of({2, 2});
  window.strides = {2, 2};
  HostTensor x = floats({2, 4}, {1, 4, 3, 3, 2, 0, 3, 1});
  expectSame(selectAndScatter(x, floats({1, 2}, {5, 7}), floats({}, {0}), window, greaterOrEqual,
                              body(BinaryOp::Add)),
             floats({2, 4}, {0, 5, 7, 0, 0, 0, 0, 0}));
  // Overlapping windows add up on one element.
  expectSame(selectAndScatter(floats({3}, {1, 9, 1}), floats({2}, {1, 2}), floats({}, {0}),
                              Window::of({2}), greaterOrEqual, body(BinaryOp::Add)),
             floats({3}, {0, 3, 0}));
}

TEST(Map, AppliesTheBodyToEveryElement) {
  expectSame(map({ints({2}, {1, 2}), ints({2}, {3, 4})}, DType::I32, body(BinaryOp::Multiply)),
             ints({2}, {3, 8}));
}
