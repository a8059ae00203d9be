// transformer-differentiate against central differences: each operation over random shapes and
// options. Other files have attention, products, arith and math, tensor, and control flow.
#include "GradientText.h"

#include <map>

using namespace forge;

// Every operation that computes numbers from numbers has a gradient, is made of others before
// differentiation, or says in docs/gradients.md why it has none.
TEST(Gradient, EveryOperationHasOneOrAReason) {
  const std::map<std::string, std::string> excused = {
      {"linear", "made of dequantize and matmul"}, {"mlp", "made of products"},
      {"gated_mlp", "made of products"},           {"quantize", "its result jumps"},
      {"quantize_rows", "its results jump"},       {"paged_attention", "made of attention"},
      {"grouped_outer", "a gradient itself"},      {"yield", "computes nothing"}};
  TestModule module("func.func @main() { return }");
  size_t count = 0;
  for (mlir::RegisteredOperationName name : module.context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "transformer")
      continue;
    ++count;
    std::string op = name.stripDialect().str();
    bool differentiable = name.hasInterface<transformer::DifferentiableOpInterface>();
    bool isExcused = excused.count(op) || llvm::StringRef(op).ends_with("_grad");
    EXPECT_NE(differentiable, isExcused) << op;
  }
  EXPECT_GT(count, excused.size());
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

// Blocks need not divide what they cover, nor need its sizes be known.
TEST(Gradient, DequantizeByBlocks) {
  EXPECT_TRUE(rc::check([] {
    int64_t rows = randomSize(), columns = randomSize(), p = *rc::gen::inRange<int64_t>(1, 4),
            q = *rc::gen::inRange<int64_t>(1, 4);
    bool zero = coin();
    auto blocks = [](int64_t size, int64_t block) { return (size + block - 1) / block; };
    std::string w = tensor({rows, columns}, "i8"), y = tensor({rows, columns}),
                s = tensor({blocks(rows, p), blocks(columns, q)}),
                z = tensor({blocks(rows, p), blocks(columns, q)}, "i8");
    expectGradients(functionOf(
        "%s: " + s + ", %w: " + w + (zero ? ", %z: " + z : ""),
        std::string("  %r = transformer.dequantize %w scale %s") + (zero ? " zero_point %z" : "") +
            " {block = array<i64: " + std::to_string(p) + ", " + std::to_string(q) + ">} : (" + w +
            ", " + s + (zero ? ", " + z : "") + ") -> " + y,
        y));
  }));
  GradientCheck open(functionOf(
      "%s: tensor<?x1xf64>, %w: tensor<?x?xi8>",
      "  %r = transformer.dequantize %w scale %s {block = array<i64: 1, 5>} : (tensor<?x?xi8>, "
      "tensor<?x1xf64>) -> tensor<?x?xf64>",
      "tensor<?x?xf64>"));
  EXPECT_EQ(open.run(), "");
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
