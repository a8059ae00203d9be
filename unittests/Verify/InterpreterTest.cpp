#include "TestModule.h"

#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <algorithm>
#include <set>

using namespace forge;

static std::vector<double> doubles(const HostTensor &tensor) {
  return reference::toDoubles(tensor);
}

TEST(Interpreter, LoopsBranchesAndCalls) {
  TestModule module(R"(
    func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %sum:2 = "stablehlo.while"(%zero, %zero) ({
      ^bb0(%i: tensor<i32>, %s: tensor<i32>):
        %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }, {
      ^bb0(%i: tensor<i32>, %s: tensor<i32>):
        %next = stablehlo.add %i, %one : tensor<i32>
        %t = stablehlo.add %s, %next : tensor<i32>
        stablehlo.return %next, %t : tensor<i32>, tensor<i32>
      }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      %d = func.call @double(%sum#1) : (tensor<i32>) -> tensor<i32>
      %c = "stablehlo.case"(%n) ({
        stablehlo.return %zero : tensor<i32>
      }, {
        stablehlo.return %d : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      return %d, %c : tensor<i32>, tensor<i32>
    }
    func.func private @double(%x: tensor<i32>) -> tensor<i32> {
      %y = stablehlo.add %x, %x : tensor<i32>
      return %y : tensor<i32>
    })");
  auto results = Interpreter(module.get()).run(module.function(), {ints({}, {4})});
  ASSERT_TRUE(succeeded(results)) << module.messages;
  EXPECT_EQ(doubles((*results)[0])[0], 20);
  EXPECT_EQ(doubles((*results)[1])[0], 20); // index 4 has no branch: the last one
}

TEST(Interpreter, DoubleModeDoesNotRound) {
  TestModule module(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %c = stablehlo.constant dense<1.0e+08> : tensor<1xf32>
      %a = stablehlo.add %x, %c : tensor<1xf32>
      %b = stablehlo.subtract %a, %c : tensor<1xf32>
      return %b : tensor<1xf32>
    })");
  auto rounded = Interpreter(module.get()).run(module.function(), {floats({1}, {1})});
  InterpreterOptions options;
  options.precision = InterpreterOptions::Precision::Double;
  auto exact = Interpreter(module.get(), options).run(module.function(), {floats({1}, {1})});
  EXPECT_EQ((*rounded)[0].getDouble(0), 0);
  EXPECT_EQ((*exact)[0].getDouble(0), 1);
}

TEST(Interpreter, KeepsIntermediateValuesAndTellsObservers) {
  TestModule module(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = stablehlo.add %x, %x : tensor<2xf32>
      %b = stablehlo.multiply %a, %x : tensor<2xf32>
      return %b : tensor<2xf32>
    })");
  std::vector<std::string> seen;
  InterpreterOptions options;
  options.keepValues = true;
  options.observer = [&](mlir::Operation *op, const std::vector<TensorRef> &) {
    seen.push_back(op->getName().getStringRef().str());
  };
  Interpreter interpreter(module.get(), options);
  ASSERT_TRUE(succeeded(interpreter.run(module.function(), {floats({2}, {1, 3})})));
  EXPECT_EQ(seen, (std::vector<std::string>{"stablehlo.add", "stablehlo.multiply"}));
  mlir::Operation &add = module.function().getBody().front().front();
  EXPECT_EQ(doubles(*interpreter.valueOf(add.getResult(0))), (std::vector<double>{2, 6}));
}

TEST(Interpreter, ReductionsWithAnyBodyAndTheirErrors) {
  TestModule module(R"(
    func.func @main(%x: tensor<3xf32>, %p: tensor<3xi32>) -> (tensor<f32>, tensor<i32>) {
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %none = stablehlo.constant dense<-1> : tensor<i32>
      %r:2 = "stablehlo.reduce"(%x, %p, %low, %none) ({
      ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
        %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<f32>
        %k = stablehlo.select %ge, %i, %j : tensor<i1>, tensor<i32>
        stablehlo.return %v, %k : tensor<f32>, tensor<i32>
      }) {dimensions = array<i64: 0>}
        : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      return %r#0, %r#1 : tensor<f32>, tensor<i32>
    })");
  auto results = Interpreter(module.get())
                     .run(module.function(), {floats({3}, {1, 7, 2}), ints({3}, {5, 6, 8})});
  ASSERT_TRUE(succeeded(results)) << module.messages;
  EXPECT_EQ((*results)[0].getDouble(0), 7);
  EXPECT_EQ((*results)[1].getDouble(0), 6);
  EXPECT_TRUE(failed(Interpreter(module.get()).run(module.function(), {floats({3}, {1, 7, 2})})));
  EXPECT_NE(module.messages.find("expected 2 inputs, but got 1"), std::string::npos);
}

TEST(Interpreter, EndlessLoopsEnd) {
  TestModule module(R"(
    func.func @main(%x: tensor<i1>) -> tensor<i1> {
      %r = "stablehlo.while"(%x) ({
      ^bb0(%a: tensor<i1>):
        stablehlo.return %a : tensor<i1>
      }, {
      ^bb0(%a: tensor<i1>):
        stablehlo.return %a : tensor<i1>
      }) : (tensor<i1>) -> tensor<i1>
      return %r : tensor<i1>
    })");
  InterpreterOptions options;
  options.maxSteps = 1000;
  EXPECT_TRUE(failed(
      Interpreter(module.get(), options).run(module.function(), {ints({}, {1}, DType::I1)})));
  EXPECT_NE(module.messages.find("gave up after 1000 operations"), std::string::npos);
}

TEST(Interpreter, DynamicShapesAreChecked) {
  TestModule module(R"(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %z = stablehlo.add %x, %y : tensor<?xf32>
      return %z : tensor<?xf32>
    })");
  EXPECT_TRUE(succeeded(Interpreter(module.get())
                            .run(module.function(), {floats({2}, {1, 2}), floats({2}, {1, 2})})));
  EXPECT_TRUE(failed(
      Interpreter(module.get()).run(module.function(), {floats({2}, {1, 2}), floats({1}, {1})})));
  EXPECT_NE(module.messages.find("expected operands of one type"), std::string::npos);
}

TEST(Inputs, DependOnSeedAndUse) {
  TestModule module(R"(
    func.func @main(%table: tensor<5x2xf32>, %rows: tensor<64x1xi32>, %v: tensor<?xf32>,
                    %b: tensor<i64> {jax.global_constant = "b"}) -> (tensor<64x2xf32>, tensor<?xf32>) {
      %g = "stablehlo.gather"(%table, %rows) {
        dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}
        : (tensor<5x2xf32>, tensor<64x1xi32>) -> tensor<64x2xf32>
      %s = stablehlo.log %v : tensor<?xf32>
      return %g, %s : tensor<64x2xf32>, tensor<?xf32>
    })");
  auto inputs = makeInputs(module.function(), {7, 9});
  ASSERT_TRUE(succeeded(inputs)) << module.messages;
  double least = 9, most = -9;
  for (double row : doubles((*inputs)[1])) {
    least = std::min(least, row);
    most = std::max(most, row);
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 4);
  EXPECT_EQ((*inputs)[2].dims(), (std::vector<int64_t>{9}));
  for (double value : doubles((*inputs)[2]))
    EXPECT_GT(value, 0);
  EXPECT_EQ((*inputs)[3].getDouble(0), 9);
  EXPECT_EQ(doubles((*makeInputs(module.function(), {7, 9}))[0]), doubles((*inputs)[0]));
  EXPECT_NE(doubles((*makeInputs(module.function(), {8, 9}))[0]), doubles((*inputs)[0]));
}

TEST(Inputs, AreWhatTransformerOperationsAskFor) {
  TestModule module(R"(
    func.func @main(%rows: tensor<64x1x1x4xf32>, %pages: tensor<7x1x8x4xf32>, %at: tensor<64xi32>, %table: tensor<64x5xi32>,
                    %logits: tensor<64x9xf32>, %seeds: tensor<64xi64>, %t: tensor<64xf32>, %p: tensor<64xf32>)
        -> (tensor<7x1x8x4xf32>, tensor<64xi32>) {
      %c = transformer.kv_append %rows into %pages at %at table %table
        : (tensor<64x1x1x4xf32>, tensor<7x1x8x4xf32>, tensor<64xi32>, tensor<64x5xi32>) -> tensor<7x1x8x4xf32>
      %token = transformer.sample %logits seeds %seeds steps %seeds temperature %t top_p %p
        : (tensor<64x9xf32>, tensor<64xi64>, tensor<64xi64>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xi32>
      return %c, %token : tensor<7x1x8x4xf32>, tensor<64xi32>
    })");
  auto inputs = makeInputs(module.function(), {7, 9, Distribution::Falling});
  ASSERT_TRUE(succeeded(inputs)) << module.messages;
  auto bounds = [&](size_t argument) {
    std::vector<double> all = doubles((*inputs)[argument]);
    auto [least, most] = std::minmax_element(all.begin(), all.end());
    return std::pair(*least, *most);
  };
  // Positions in every page of a sequence, not only in the first, and on both sides of them; every
  // page once, and for the other places of the table pages that do not exist, where rows are dropped.
  EXPECT_EQ(bounds(2), std::pair(-1.0, 40.0));
  std::vector<double> pages = doubles((*inputs)[3]);
  std::sort(pages.begin(), pages.end());
  for (size_t i = 0; i < pages.size(); ++i)
    EXPECT_EQ(pages[i], i);
  // Temperatures of 0 too, shares below and above 1.
  EXPECT_EQ(bounds(6).first, 0);
  EXPECT_GT(bounds(6).second, 1);
  EXPECT_GT(bounds(7).first, 0);
  EXPECT_LT(bounds(7).first, 0.5);
  EXPECT_GT(bounds(7).second, 1);
}

TEST(Inputs, AreSpreadAsAsked) {
  TestModule module(R"(
    func.func @main(%x: tensor<16x40xf32>) -> tensor<16x40xf32> {
      return %x : tensor<16x40xf32>
    })");
  auto rows = [&](Distribution distribution) {
    std::vector<double> all = doubles((*makeInputs(module.function(), {7, 5, distribution}))[0]);
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 16; ++i)
      rows.emplace_back(all.begin() + 40 * i, all.begin() + 40 * (i + 1));
    return rows;
  };
  auto placeOfLargest = [](const std::vector<double> &row) {
    return std::max_element(row.begin(), row.end()) - row.begin();
  };
  std::set<long> peaks;
  for (const std::vector<double> &row : rows(Distribution::Peaks)) {
    peaks.insert(placeOfLargest(row));
    EXPECT_EQ(std::count_if(row.begin(), row.end(), [](double x) { return x > 200; }), 1);
  }
  EXPECT_GT(peaks.size(), 4u);
  for (const std::vector<double> &row : rows(Distribution::Rising)) {
    EXPECT_EQ(placeOfLargest(row), 39);
    EXPECT_LT(row[39], -100);
  }
  for (const std::vector<double> &row : rows(Distribution::Falling))
    EXPECT_EQ(placeOfLargest(row), 0);
  for (const std::vector<double> &row : rows(Distribution::Large))
    EXPECT_GT(row[placeOfLargest(row)], 64);
  for (const std::vector<double> &row : rows(Distribution::Huge)) {
    EXPECT_GT(row[placeOfLargest(row)], 5000);
    EXPECT_LE(row[placeOfLargest(row)], 10000);
  }
  for (const std::vector<double> &row : rows(Distribution::Uniform))
    EXPECT_LE(row[placeOfLargest(row)], 1);
  for (const std::vector<double> &row : rows(Distribution::Small))
    EXPECT_LE(row[placeOfLargest(row)], 1.0 / 256);
  for (const std::vector<double> &row : rows(Distribution::Ties))
    EXPECT_EQ(std::set<double>(row.begin(), row.end()), (std::set<double>{-1, -0.5, 0, 0.5, 1}));
}
