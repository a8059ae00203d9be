// Gradients of products against central differences.
#include "GradientText.h"

using namespace forge;

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

// Positions that leave rows out, overlap, and lie outside: a row counts for the last group that
// holds it.
TEST(Gradient, GroupedMatmulByPositions) {
  EXPECT_TRUE(rc::check([] {
    bool transposed = coin(), bias = coin();
    std::string x = tensor({7, 4}), w = transposed ? tensor({3, 5, 4}) : tensor({3, 4, 5}),
                g = tensor({4}, "i32"), z = tensor({3, 5}), y = tensor({7, 5}), positions;
    for (int i = 0; i < 4; ++i)
      positions += (i ? ", " : "") + std::to_string(*rc::gen::inRange(-2, 10));
    std::vector<std::string> options = {"offsets"};
    if (transposed)
      options.push_back("transpose_rhs");
    if (coin())
      options.push_back("activation = #transformer.activation<silu>");
    expectGradients(functionOf("%x: " + x + ", %w: " + w + (bias ? ", %z: " + z : ""),
                               "  %g = arith.constant dense<[" + positions + "]> : " + g +
                                   "\n  %r = transformer.grouped_matmul %x, %w groups %g" +
                                   (bias ? " bias %z" : "") + dictionary(options) + " : (" + x +
                                   ", " + w + ", " + g + (bias ? ", " + z : "") + ") -> " + y,
                               y));
  }));
}
