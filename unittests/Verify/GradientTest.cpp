// transformer-differentiate against central differences: each operation over random shapes and
// options. Attention: AttentionGradientTest.cpp; products: ContractionGradientTest.cpp.
#include "GradientText.h"

#include <map>

using namespace forge;

// Every operation that computes numbers from numbers has a gradient, is made of others before
// differentiation, or says in docs/gradients.md why it has none.
TEST(Gradient, EveryOperationHasOneOrAReason) {
  const std::map<std::string, std::string> excused = {{"linear", "made of dequantize and matmul"},
                                                      {"mlp", "made of products"},
                                                      {"gated_mlp", "made of products"},
                                                      {"quantize", "its result jumps"},
                                                      {"paged_attention", "made of attention"},
                                                      {"grouped_outer", "a gradient itself"},
                                                      {"yield", "computes nothing"}};
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
      %larger = arith.maximumf %m, %x : tensor<3x4xf64>
      %smaller = arith.minimumf %y, %larger : tensor<3x4xf64>
      %abs = math.absf %smaller : tensor<3x4xf64>
      %erf = math.erf %abs : tensor<3x4xf64>
      %above = arith.addf %erf, %two : tensor<3x4xf64>
      %rsqrt = math.rsqrt %above : tensor<3x4xf64>
      %pow = math.powf %rsqrt, %m : tensor<3x4xf64>
      %less = arith.cmpf olt, %x, %y : tensor<3x4xf64>
      %n = arith.select %less, %pow, %e : tensor<3x4xi1>, tensor<3x4xf64>
      %o = arith.truncf %n : tensor<3x4xf64> to tensor<3x4xf32>
      return %m, %o : tensor<3x4xf64>, tensor<3x4xf32>
    })",
        1e-5);
  }));
}

// Every function of math, and what arith has beside: X is an argument between -1 and 1, Y another
// one, P is X^2 + 3/2 and A its inverse; on tensors of known and open sizes, and on numbers.
TEST(Gradient, FunctionsOfNumbers) {
  const char *const ops[] = {
      "math.absf X",        "math.acos A",      "math.acosh P",    "math.asin A",
      "math.asinh X",       "math.atan X",      "math.atanh A",    "math.cbrt P",
      "math.cos X",         "math.cosh X",      "math.erf X",      "math.erfc X",
      "math.exp X",         "math.exp2 X",      "math.expm1 X",    "math.log P",
      "math.log10 P",       "math.log1p P",     "math.log2 P",     "math.rsqrt P",
      "math.sin X",         "math.sinh X",      "math.sqrt P",     "math.tan X",
      "math.tanh X",        "math.atan2 X, P",  "math.atan2 Y, X", "math.powf P, Y",
      "math.fma X, Y, P",   "arith.remf Y, P",  "arith.remf P, A", "arith.maxnumf X, Y",
      "arith.minnumf X, Y", "arith.divf X, P",  "math.ceil P",     "math.floor P",
      "math.round P",       "math.roundeven P", "math.trunc P",    "arith.negf X",
      "arith.subf X, Y"};
  for (std::string op : ops)
    for (std::string type : {"tensor<5xf64>", "tensor<2x?xf64>", "f64"}) {
      bool isNumber = type == "f64";
      std::string argument = isNumber ? "tensor<f64>" : type, text;
      text = "func.func @main(%u: " + argument + ", %v: " + argument + ") -> " + argument + " {\n";
      if (isNumber)
        text += "  %m = tensor.extract %u[] : tensor<f64>\n  %n = tensor.extract %v[] : "
                "tensor<f64>\n";
      std::string x = isNumber ? "%m" : "%u", y = isNumber ? "%n" : "%v";
      text += "  %x = math.tanh " + x + " : " + type + "\n  %y = math.sin " + y + " : " + type +
              "\n  %s = arith.mulf %x, %x : " + type + "\n  %e = math.exp %s : " + type +
              "\n  %p = arith.addf %e, %s : " + type + "\n  %q = arith.addf %p, %e : " + type +
              "\n  %a = arith.divf %x, %q : " + type + "\n  %r = ";
      for (char letter : op)
        text += letter == 'X'   ? "%x"
                : letter == 'Y' ? "%y"
                : letter == 'P' ? "%q"
                : letter == 'A' ? "%a"
                                : std::string(1, letter);
      text += " : " + type + "\n  %t = arith.mulf %r, %y : " + type + "\n";
      if (isNumber)
        text += "  %w = tensor.from_elements %t : tensor<f64>\n  return %w : tensor<f64>\n}\n";
      else
        text += "  return %t : " + type + "\n}\n";
      GradientCheck check(text);
      EXPECT_EQ(check.run(), "") << text;
    }
}

// Either side of a branch, also one that changes nothing, and branches in branches: values from
// outside, values that one side does not read, numbers, and integers beside.
TEST(Gradient, Branches) {
  for (const char *condition : {"true", "false"})
    for (const char *other : {"true", "false"}) {
      GradientCheck check(std::string(R"(
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>, %u: tensor<3x4xf64>, %i: tensor<3x4xi32>)
        -> (tensor<3x4xf64>, tensor<f64>, tensor<3x4xi32>) {
      %c = arith.constant )") + condition + "\n      %d = arith.constant " +
                          other + R"(
      %c0 = arith.constant 0 : index
      %n = tensor.extract %u[%c0, %c0] : tensor<3x4xf64>
      %h = math.tanh %x : tensor<3x4xf64>
      %y, %m, %k = scf.if %c -> (tensor<3x4xf64>, f64, tensor<3x4xi32>) {
        %a = transformer.matmul %h, %w : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
        %b = scf.if %d -> tensor<3x4xf64> {
          %e = math.sin %a : tensor<3x4xf64>
          %f = transformer.multiply %e, %h : tensor<3x4xf64>
          scf.yield %f : tensor<3x4xf64>
        } else {
          scf.yield %a : tensor<3x4xf64>
        }
        %g = transformer.add %a, %b : tensor<3x4xf64>
        %s = arith.mulf %n, %n : f64
        scf.yield %g, %s, %i : tensor<3x4xf64>, f64, tensor<3x4xi32>
      } else {
        %a = math.sin %x : tensor<3x4xf64>
        scf.yield %h, %n, %i : tensor<3x4xf64>, f64, tensor<3x4xi32>
      }
      %number = tensor.from_elements %m : tensor<f64>
      %r = transformer.multiply %y, %x : tensor<3x4xf64>
      return %r, %number, %k : tensor<3x4xf64>, tensor<f64>, tensor<3x4xi32>
    })");
      EXPECT_EQ(check.run(), "");
    }
}

// Layers of one stack of weights, in a loop in a function, and a loop in a loop.
TEST(Gradient, Loops) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<3x4xf64>, %w: tensor<3x4x4xf64>) -> tensor<3x4xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %y = scf.for %i = %c0 to %c3 step %c2 iter_args(%h = %x) -> tensor<3x4xf64> {
        %l = func.call @layers(%h, %w, %i) : (tensor<3x4xf64>, tensor<3x4x4xf64>, index) -> tensor<3x4xf64>
        scf.yield %l : tensor<3x4xf64>
      }
      %z = scf.for %i = %c3 to %c1 step %c2 iter_args(%h = %y) -> tensor<3x4xf64> {
        %l = arith.addf %h, %h : tensor<3x4xf64>
        scf.yield %l : tensor<3x4xf64>
      }
      return %z : tensor<3x4xf64>
    }
    func.func private @layers(%x: tensor<3x4xf64>, %w: tensor<3x4x4xf64>, %i: index) -> tensor<3x4xf64> {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %y = scf.for %j = %c0 to %c2 step %c1 iter_args(%h = %x) -> tensor<3x4xf64> : i32 {
        %m = tensor.extract_slice %w[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf64> to tensor<4x4xf64>
        %p = transformer.matmul %h, %m : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
        %t = transformer.activation tanh %p : tensor<3x4xf64>
        scf.yield %t : tensor<3x4xf64>
      }
      return %y : tensor<3x4xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

// Numbers that leave tensors and come back.
TEST(Gradient, Numbers) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<3x4xf64>, %y: tensor<?xf64>) -> (tensor<2x2xf64>, tensor<4x?xf64>, tensor<3x4xf64>, tensor<5xf64>, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %x[%c2, %c0] : tensor<3x4xf64>
      %b = tensor.extract %y[%c2] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.maximumf %p, %b : f64
      %four = tensor.from_elements %a, %p, %p, %q : tensor<2x2xf64>
      %n = tensor.dim %y, %c0 : tensor<?xf64>
      %many = tensor.splat %q[%n] : tensor<4x?xf64>
      %other = tensor.insert %b into %x[%c2, %c2] : tensor<3x4xf64>
      %twice = arith.mulf %other, %x : tensor<3x4xf64>
      %empty = tensor.empty() : tensor<5xf64>
      %filled = linalg.fill ins(%p : f64) outs(%empty : tensor<5xf64>) -> tensor<5xf64>
      %zero = arith.constant 0.0 : f64
      %padded = tensor.pad %y low[%c2] high[1] {
      ^bb0(%i: index):
        tensor.yield %zero : f64
      } : tensor<?xf64> to tensor<?xf64>
      return %four, %many, %twice, %filled, %padded : tensor<2x2xf64>, tensor<4x?xf64>, tensor<3x4xf64>, tensor<5xf64>, tensor<?xf64>
    })");
  EXPECT_EQ(check.run(), "");
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

// What was two dimensions of open sizes cannot be expanded again: a reshape by sizes.
TEST(Gradient, CollapsedOpenSizes) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<?x2x?xf64>) -> tensor<?x?xf64> {
      %y = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x2x?xf64> into tensor<?x?xf64>
      %z = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
      %s = transformer.activation silu %z : tensor<?xf64>
      %zero = arith.constant 0 : index
      %n = tensor.dim %y, %zero : tensor<?x?xf64>
      %one = arith.constant 1 : index
      %m = tensor.dim %y, %one : tensor<?x?xf64>
      %shape = tensor.from_elements %n, %m : tensor<2xindex>
      %r = tensor.reshape %s(%shape) : (tensor<?xf64>, tensor<2xindex>) -> tensor<?x?xf64>
      return %r : tensor<?x?xf64>
    })");
  EXPECT_EQ(check.run(), "");
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

// The exponents 0 and 1, and a base that is not above 0, have derivatives of their own.
TEST(Gradient, PowersAtJumps) {
  GradientCheck check(R"(
    func.func @main(%x: tensor<5xf64>, %y: tensor<2xf64>) -> (tensor<5xf64>, tensor<2xf64>) {
      %e = arith.constant dense<[0.0, 1.0, 2.0, 3.0, -1.0]> : tensor<5xf64>
      %b = arith.constant dense<[0.0, 2.5]> : tensor<2xf64>
      %r = math.powf %x, %e : tensor<5xf64>
      %two = arith.constant dense<2.0> : tensor<2xf64>
      %f = arith.addf %y, %two : tensor<2xf64>
      %s = math.powf %b, %f : tensor<2xf64>
      return %r, %s : tensor<5xf64>, tensor<2xf64>
    })");
  EXPECT_EQ(check.run(), "");
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
