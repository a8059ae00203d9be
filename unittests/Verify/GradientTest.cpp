// transformer-differentiate against central differences: each operation over random shapes and
// options.
#include "GradientCheck.h"

#include <rapidcheck.h>

using namespace forge;

namespace {

using Shape = std::vector<int64_t>;

std::string tensor(const Shape &shape, const char *element = "f64") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

int64_t randomSize() { return *rc::gen::inRange<int64_t>(1, 6); }
bool coin() { return *rc::gen::arbitrary<bool>(); }
uint64_t randomSeed() { return *rc::gen::inRange<uint64_t>(0, 1000000); }
std::string randomActivation() {
  return *rc::gen::element<std::string>("relu", "relu_squared", "gelu", "gelu_tanh", "silu",
                                        "sigmoid", "tanh");
}

/// A function of one operation: `body` computes %r of type `result`.
std::string functionOf(const std::string &arguments, const std::string &body,
                       const std::string &result) {
  return "func.func @main(" + arguments + ") -> " + result + " {\n" + body +
         "\n  return %r : " + result + "\n}\n";
}

void expectGradients(const std::string &text, double tolerance = 1e-6) {
  GradientCheck check(text, randomSeed());
  check.tolerance = tolerance;
  std::string message = check.run();
  if (!message.empty())
    RC_FAIL(message + "\n" + text);
}

std::string dictionary(const std::vector<std::string> &entries) {
  std::string text;
  for (const std::string &entry : entries)
    text += (text.empty() ? " {" : ", ") + entry;
  return text.empty() ? "" : text + "}";
}

} // namespace

TEST(Gradient, Matmul) {
  EXPECT_TRUE(rc::check([] {
    int64_t m = randomSize(), n = randomSize(), k = randomSize();
    Shape batch = *rc::gen::element(Shape{}, Shape{2}, Shape{2, 3});
    bool transposeLhs = coin(), transposeRhs = coin(), shared = coin(), bias = coin(),
         residual = coin();
    auto with = [&](int64_t a, int64_t c, bool swapped, bool batched) {
      Shape shape = batched ? batch : Shape{};
      shape.push_back(swapped ? c : a);
      shape.push_back(swapped ? a : c);
      return tensor(shape);
    };
    std::string l = with(m, k, transposeLhs, true), r = with(k, n, transposeRhs, !shared),
                y = with(m, n, false, true), b = tensor({n});
    std::vector<std::string> options;
    if (coin())
      options.push_back("activation = #transformer.activation<" + randomActivation() + ">");
    if (transposeLhs)
      options.push_back("transpose_lhs");
    if (transposeRhs)
      options.push_back("transpose_rhs");
    std::string arguments = "%l: " + l + ", %w: " + r, types = l + ", " + r;
    std::string op = "  %r = transformer.matmul %l, %w";
    if (bias) {
      arguments += ", %b: " + b;
      types += ", " + b;
      op += " bias %b";
    }
    if (residual) {
      arguments += ", %z: " + y;
      types += ", " + y;
      op += " residual %z";
    }
    expectGradients(
        functionOf(arguments, op + dictionary(options) + " : (" + types + ") -> " + y, y), 1e-5);
  }));
}

TEST(Gradient, Activation) {
  EXPECT_TRUE(rc::check([] {
    std::string x = tensor({randomSize(), randomSize()});
    expectGradients(functionOf("%x: " + x,
                               "  %r = transformer.activation " + randomActivation() + " %x : " + x,
                               x),
                    1e-4);
  }));
}

TEST(Gradient, Softmax) {
  EXPECT_TRUE(rc::check([] {
    std::string x = tensor({randomSize(), randomSize(), randomSize()});
    std::string name = coin() ? "softmax" : "log_softmax";
    std::string dimension = std::to_string(*rc::gen::inRange(0, 3));
    expectGradients(functionOf(
        "%x: " + x,
        "  %r = transformer." + name + " %x {dimension = " + dimension + " : i64} : " + x, x));
  }));
}

TEST(Gradient, LayerNorm) {
  EXPECT_TRUE(rc::check([] {
    int64_t n = randomSize() + 1;
    std::string x = tensor({randomSize(), randomSize(), n}), v = tensor({n}), types = x;
    std::string op = "  %r = transformer.layer_norm %x", arguments = "%x: " + x;
    for (const char *name : {"scale", "shift"})
      if (coin()) {
        op += std::string(" ") + name + " %" + name;
        arguments += std::string(", %") + name + ": " + v;
        types += ", " + v;
      }
    expectGradients(
        functionOf(arguments, op + " {epsilon = 1.0e-01 : f32} : (" + types + ") -> " + x, x));
  }));
}

TEST(Gradient, RmsNorm) {
  EXPECT_TRUE(rc::check([] {
    int64_t n = randomSize();
    std::string x = tensor({randomSize(), n}), v = tensor({n});
    std::string text =
        coin()
            ? functionOf("%x: " + x,
                         "  %r = transformer.rms_norm %x {epsilon = 1.0e-02 : f32} : (" + x +
                             ") -> " + x,
                         x)
            : functionOf(
                  "%x: " + x + ", %g: " + v,
                  std::string("  %r = transformer.rms_norm %x scale %g {epsilon = 1.0e-02 : f32") +
                      (coin() ? ", unit_offset" : "") + "} : (" + x + ", " + v + ") -> " + x,
                  x);
    expectGradients(text);
  }));
}

TEST(Gradient, Embedding) {
  EXPECT_TRUE(rc::check([] {
    int64_t width = randomSize();
    Shape ids = *rc::gen::element(Shape{}, Shape{4}, Shape{2, 5});
    Shape rows = ids;
    rows.push_back(width);
    std::string t = tensor({3, width}), i = tensor(ids, "i32"), y = tensor(rows);
    expectGradients(
        functionOf("%t: " + t + ", %i: " + i,
                   "  %r = transformer.embedding %t, %i : (" + t + ", " + i + ") -> " + y, y));
  }));
}

TEST(Gradient, ElementwiseAndSums) {
  EXPECT_TRUE(rc::check([] {
    int64_t m = randomSize(), n = randomSize();
    std::string x = tensor({m, n}), v = tensor({n});
    expectGradients(functionOf(
        "%x: " + x + ", %y: " + x,
        "  %a = transformer.add %x, %y : " + x + "\n  %b = transformer.multiply %a, %x : " + x +
            "\n  %r = transformer.sum %b {dimensions = array<i64: 0>} : " + x + " -> " + v,
        v));
  }));
}

// Everything of arith and math that has a gradient; the denominator and the root are kept away from
// 0.
TEST(Gradient, Arithmetic) {
  EXPECT_TRUE(rc::check([] {
    expectGradients(
        R"(func.func @main(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf32>) {
      %two = arith.constant dense<2.0> : tensor<3x4xf64>
      %a = arith.addf %x, %two : tensor<3x4xf64>
      %b = arith.divf %y, %a : tensor<3x4xf64>
      %c = arith.mulf %b, %x : tensor<3x4xf64>
      %d = arith.subf %c, %y : tensor<3x4xf64>
      %e = arith.negf %d : tensor<3x4xf64>
      %f = math.exp %e : tensor<3x4xf64>
      %g = math.log %a : tensor<3x4xf64>
      %h = math.sqrt %a : tensor<3x4xf64>
      %i = math.tanh %f : tensor<3x4xf64>
      %j = math.sin %g : tensor<3x4xf64>
      %k = math.cos %h : tensor<3x4xf64>
      %l = arith.mulf %i, %j : tensor<3x4xf64>
      %m = arith.addf %k, %l : tensor<3x4xf64>
      %less = arith.cmpf olt, %x, %y : tensor<3x4xf64>
      %n = arith.select %less, %m, %e : tensor<3x4xi1>, tensor<3x4xf64>
      %o = arith.truncf %n : tensor<3x4xf64> to tensor<3x4xf32>
      return %m, %o : tensor<3x4xf64>, tensor<3x4xf32>
    })",
        1e-5);
  }));
}

TEST(Gradient, MovedElements) {
  EXPECT_TRUE(rc::check([] {
    GradientCheck check(
        R"(func.func @main(%x: tensor<2x?x6xf64>, %y: tensor<2x?x6xf64>) -> (tensor<?x6x2xf64>, tensor<3x4x2x?xf64>) {
      %one = arith.constant 1 : index
      %n = tensor.dim %x, %one : tensor<2x?x6xf64>
      %c = tensor.concat dim(1) %x, %y : (tensor<2x?x6xf64>, tensor<2x?x6xf64>) -> tensor<2x?x6xf64>
      %s = tensor.extract_slice %c[0, 1, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> to tensor<2x?x6xf64>
      %i = tensor.insert_slice %s into %c[0, 1, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> into tensor<2x?x6xf64>
      %m = tensor.extract_slice %i[0, 0, 0] [2, %n, 6] [1, 1, 1] : tensor<2x?x6xf64> to tensor<2x?x6xf64>
      %empty = tensor.empty(%n) : tensor<?x6x2xf64>
      %t = linalg.transpose ins(%m : tensor<2x?x6xf64>) outs(%empty : tensor<?x6x2xf64>) permutation = [1, 2, 0]
      %e = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [%n, 3, 2, 2] : tensor<?x6x2xf64> into tensor<?x3x2x2xf64>
      %f = tensor.collapse_shape %e [[0], [1], [2, 3]] : tensor<?x3x2x2xf64> into tensor<?x3x4xf64>
      %last = tensor.empty(%n) : tensor<3x4x?xf64>
      %u = linalg.transpose ins(%f : tensor<?x3x4xf64>) outs(%last : tensor<3x4x?xf64>) permutation = [1, 2, 0]
      %wide = tensor.empty(%n) : tensor<3x4x2x?xf64>
      %w = linalg.broadcast ins(%u : tensor<3x4x?xf64>) outs(%wide : tensor<3x4x2x?xf64>) dimensions = [2]
      return %t, %w : tensor<?x6x2xf64>, tensor<3x4x2x?xf64>
    })",
        randomSeed());
    std::string message = check.run();
    if (!message.empty())
      RC_FAIL(message);
  }));
}

TEST(Gradient, CallsAreInlined) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>) -> tensor<3x4xf64> {
      %a = call @layer(%x, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
      %b = call @layer(%a, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
      return %b : tensor<3x4xf64>
    }
    func.func private @layer(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>) -> tensor<3x4xf64> {
      %0 = call @product(%x, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
      %1 = transformer.activation tanh %0 : tensor<3x4xf64>
      return %1 : tensor<3x4xf64>
    }
    func.func private @product(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>) -> tensor<3x4xf64> {
      %0 = transformer.matmul %x, %w : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
      return %0 : tensor<3x4xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

// A wrong gradient must not pass: the check itself is checked.
TEST(Gradient, CheckSeesAWrongGradient) {
  GradientCheck check(R"(func.func @main(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
    %0 = transformer.activation gelu %x : tensor<3x4xf64>
    return %0 : tensor<3x4xf64>
  }
  func.func @main_grad(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
    return %x : tensor<3x4xf64>
  })");
  EXPECT_NE(check.run().find("expected a new name"), std::string::npos);
  GradientCheck tight("func.func @main(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {\n"
                      "  %0 = transformer.activation gelu %x : tensor<3x4xf64>\n"
                      "  return %0 : tensor<3x4xf64>\n}");
  tight.tolerance = 0;
  EXPECT_NE(tight.run().find("along a direction"), std::string::npos);
}
