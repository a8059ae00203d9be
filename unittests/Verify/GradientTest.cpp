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

TEST(Gradient, Attention) {
  EXPECT_TRUE(rc::check([] {
    int64_t batch = *rc::gen::inRange<int64_t>(1, 3), groups = *rc::gen::inRange<int64_t>(1, 3),
            members = *rc::gen::inRange<int64_t>(1, 3), queries = randomSize(), keys = randomSize(),
            depth = randomSize(), width = randomSize(), heads = groups * members;
    std::string q = tensor({batch, heads, queries, depth}),
                k = tensor({batch, groups, keys, depth}), v = tensor({batch, groups, keys, width}),
                y = tensor({batch, heads, queries, width});
    std::string arguments = "%q: " + q + ", %k: " + k + ", %v: " + v,
                types = q + ", " + k + ", " + v, op = "transformer.attention %q, %k, %v";
    auto operand = [&](const std::string &name, const std::string &type) {
      arguments += ", %" + name + ": " + type;
      types += ", " + type;
      op += " " + name + " %" + name;
    };
    if (coin()) {
      auto orOne = [](int64_t size) { return coin() ? size : 1; };
      operand("mask", tensor({orOne(batch), orOne(heads), orOne(queries), orOne(keys)},
                             coin() ? "f64" : "i1"));
    }
    if (coin())
      operand("lengths", tensor({batch}, "i32"));
    if (coin())
      operand("offsets", tensor({batch}, "i64"));
    if (coin())
      operand("sinks", tensor({heads}));
    std::vector<std::string> options;
    if (coin())
      options.push_back("causal");
    if (coin())
      options.push_back("window = " + std::to_string(*rc::gen::inRange(1, 4)) + " : i64");
    if (coin())
      options.push_back("soft_cap = 1.5 : f32");
    if (coin())
      options.push_back("scale = 0.75 : f32");
    op += dictionary(options) + " : (" + types + ") -> ";
    // A row that sees nothing has the lse -inf, which has no differences: only where all see a key.
    bool lse = coin() && options.empty() && op.find("mask") == std::string::npos &&
               op.find("lengths") == std::string::npos;
    std::string row = tensor({batch, heads, queries});
    std::string text = lse ? "func.func @main(" + arguments + ") -> (" + y + ", " + row +
                                 ") {\n  %r, %l = " + op + "(" + y + ", " + row +
                                 ")\n  return %r, %l : " + y + ", " + row + "\n}\n"
                           : functionOf(arguments, "  %r = " + op + y, y);
    expectGradients(text);
  }));
}

TEST(Gradient, Rope) {
  EXPECT_TRUE(rc::check([] {
    std::string x = tensor({2, 3, 4, 8}), p = coin() ? tensor({4}, "i32") : tensor({2, 4}, "i64");
    std::vector<std::string> options = {"base = 100.0 : f64"};
    if (coin())
      options.push_back("interleaved");
    if (coin())
      options.push_back("inverse");
    bool partial = coin();
    if (partial)
      options.push_back("rotary_dims = 4 : i64");
    if (coin())
      options.push_back(
          "scaling = #transformer.rope_scaling<yarn, factor = 4.0, original_length = 32>");
    expectGradients(functionOf("%x: " + x + ", %p: " + p,
                               "  %r = transformer.rope %x positions %p" + dictionary(options) +
                                   " : (" + x + ", " + p + ") -> " + x,
                               x));
  }));
}

TEST(Gradient, CrossEntropy) {
  EXPECT_TRUE(rc::check([] {
    int64_t rows = randomSize(), classes = randomSize();
    std::string x = tensor({rows, classes}), t = tensor({rows}, "i32");
    std::string reduction = *rc::gen::element<std::string>("none", "sum", "mean");
    std::string y = reduction == "none" ? tensor({rows}) : "tensor<f64>";
    std::vector<std::string> options;
    if (coin())
      options.push_back("ignore_index = 0 : i64");
    if (coin())
      options.push_back("label_smoothing = 0.1 : f32");
    expectGradients(functionOf("%x: " + x + ", %t: " + t,
                               "  %r = transformer.cross_entropy " + reduction + " %x, %t" +
                                   dictionary(options) + " : (" + x + ", " + t + ") -> " + y,
                               y));
  }));
}

TEST(Gradient, RoutingAndTopK) {
  EXPECT_TRUE(rc::check([] {
    std::string x = tensor({5, 6}), w = tensor({5, 2}), i = tensor({5, 2}, "i32");
    std::string score = coin() ? "softmax" : "sigmoid";
    std::vector<std::string> options = {"k = 2 : i64"};
    if (coin())
      options.push_back("normalize");
    if (coin())
      options.push_back("scale = 2.5 : f32");
    expectGradients(functionOf(
        "%x: " + x,
        "  %w, %e = transformer.moe_route " + score + " %x" + dictionary(options) + " : (" + x +
            ") -> (" + w + ", " + i + ")\n  %v, %i = transformer.top_k %x {k = 2 : i64} : (" + x +
            ") -> (" + w + ", " + i + ")\n  %r = transformer.multiply %w, %v : " + w,
        w));
  }));
}

TEST(Gradient, GroupedMatmul) {
  EXPECT_TRUE(rc::check([] {
    bool transposed = coin(), bias = coin();
    std::string x = tensor({7, 4}), w = transposed ? tensor({3, 5, 4}) : tensor({3, 4, 5}),
                g = tensor({3}, "i32"), z = tensor({3, 5}), y = tensor({7, 5});
    std::vector<std::string> options;
    if (transposed)
      options.push_back("transpose_rhs");
    if (coin())
      options.push_back("activation = #transformer.activation<silu>");
    expectGradients(
        functionOf("%x: " + x + ", %w: " + w + ", %g: " + g + (bias ? ", %z: " + z : ""),
                   std::string("  %r = transformer.grouped_matmul %x, %w groups %g") +
                       (bias ? " bias %z" : "") + dictionary(options) + " : (" + x + ", " + w +
                       ", " + g + (bias ? ", " + z : "") + ") -> " + y,
                   y));
  }));
}

TEST(Gradient, FeedForwardBlocks) {
  EXPECT_TRUE(rc::check([] {
    bool gated = coin(), transposed = coin();
    std::string x = tensor({2, 3, 4}), up = transposed ? tensor({5, 4}) : tensor({4, 5}),
                down = transposed ? tensor({4, 5}) : tensor({5, 4}), b = tensor({5});
    std::string options = " {activation = #transformer.activation<gelu>" +
                          std::string(transposed ? ", transpose_weights" : "") + "}";
    std::string arguments =
        "%x: " + x + ", %u: " + up + ", %d: " + down + ", %b: " + b + (gated ? ", %g: " + up : "");
    std::string body =
        gated ? "  %r = transformer.gated_mlp %x gate %g up %u bias %b down %d residual %x" +
                    options + " : (" + x + ", " + up + ", " + up + ", " + b + ", " + down + ", " +
                    x + ") -> " + x
              : "  %r = transformer.mlp %x up %u bias %b down %d residual %x" + options + " : (" +
                    x + ", " + up + ", " + b + ", " + down + ", " + x + ") -> " + x;
    expectGradients(functionOf(arguments, body, x));
  }));
}

TEST(Gradient, QuantisedLinear) {
  EXPECT_TRUE(rc::check([] {
    std::string x = tensor({3, 8}), w = tensor({6, 8}, "i8"), y = tensor({3, 6});
    std::string kind = *rc::gen::element<std::string>("tensor", "channel", "block");
    std::string s = kind == "tensor"    ? "tensor<f64>"
                    : kind == "channel" ? tensor({6})
                                        : tensor({3, 2});
    std::string z = kind == "tensor"    ? "tensor<i8>"
                    : kind == "channel" ? tensor({6}, "i8")
                                        : tensor({3, 2}, "i8");
    bool zero = coin();
    expectGradients(functionOf(
        "%x: " + x + ", %w: " + w + ", %s: " + s + (zero ? ", %z: " + z : ""),
        std::string("  %r = transformer.linear %x, %w scale %s") + (zero ? " zero_point %z" : "") +
            (kind == "block" ? " {block = array<i64: 2, 4>}" : "") + " : (" + x + ", " + w + ", " +
            s + (zero ? ", " + z : "") + ") -> " + y,
        y));
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
