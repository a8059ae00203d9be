// Gradients of attention in all its forms, of positions and of the cache against central
// differences.
#include "GradientText.h"

using namespace forge;

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

// Positions are small: a step of a frequency turns an angle by the position times as much.
TEST(Gradient, RopeByFrequencies) {
  EXPECT_TRUE(rc::check([] {
    bool perSequence = coin();
    std::string x = tensor({2, 3, 4, 8}),
                p = perSequence ? tensor({2, 4}, "i64") : tensor({4}, "i32");
    std::string values = perSequence ? "[[0, 1, 2, 5], [3, -1, 0, 4]]" : "[0, 3, 1, -2]";
    std::vector<std::string> options;
    if (coin())
      options.push_back("interleaved");
    if (coin())
      options.push_back("inverse");
    bool partial = coin();
    if (partial)
      options.push_back("rotary_dims = 4 : i64");
    std::string f = tensor({partial ? 2 : 4});
    expectGradients(functionOf("%x: " + x + ", %f: " + f,
                               "  %p = arith.constant dense<" + values + "> : " + p +
                                   "\n  %r = transformer.rope %x positions %p frequencies %f" +
                                   dictionary(options) + " : (" + x + ", " + p + ", " + f +
                                   ") -> " + x,
                               x));
  }));
}

// Positions and tables are such that rows lie inside, in part inside, and nowhere. Each sequence
// has pages of its own: where two rows go to one place, there is no derivative.
TEST(Gradient, KvAppend) {
  EXPECT_TRUE(rc::check([] {
    int64_t rows = randomSize();
    std::string r = tensor({2, 3, rows, 4}), p = tensor({2}, "i32"), t = tensor({2, 3}, "i32");
    std::string positions = "  %p = arith.constant dense<[" +
                            std::to_string(*rc::gen::inRange(-3, 10)) + ", " +
                            std::to_string(*rc::gen::inRange(-3, 10)) + "]> : " + p + "\n";
    bool paged = coin();
    std::string c = paged ? tensor({7, 3, 2, 4}) : tensor({2, 3, 6, 4});
    std::string table = "  %t = arith.constant dense<[[4, 0, 6], [1, 9, -1]]> : " + t + "\n";
    expectGradients(functionOf(
        "%rows: " + r + ", %c: " + c,
        positions + (paged ? table : "") + "  %y = transformer.kv_append %rows into %c at %p" +
            (paged ? " table %t" : "") + " : (" + r + ", " + c + ", " + p +
            (paged ? ", " + t : "") + ") -> " + c + "\n  %r = transformer.multiply %y, %y : " + c,
        c));
  }));
}

// Sequences share pages, and tables hold entries outside of the pool: gradients of pages add up.
TEST(Gradient, PagedAttention) {
  EXPECT_TRUE(rc::check([] {
    int64_t queries = randomSize(), groups = *rc::gen::inRange<int64_t>(1, 3),
            members = *rc::gen::inRange<int64_t>(1, 3), heads = groups * members;
    std::string q = tensor({2, heads, queries, 4}), k = tensor({5, groups, 3, 4}),
                v = tensor({5, groups, 3, 2}), y = tensor({2, heads, queries, 2}),
                t = tensor({2, 3}, "i32"), n = tensor({2}, "i64"), s = tensor({heads});
    bool sinks = coin();
    std::vector<std::string> options;
    if (coin())
      options.push_back("causal");
    if (coin())
      options.push_back("window = 3 : i64");
    if (coin())
      options.push_back("soft_cap = 1.5 : f32");
    expectGradients(functionOf(
        "%q: " + q + ", %k: " + k + ", %v: " + v + ", %n: " + n + (sinks ? ", %s: " + s : ""),
        "  %t = arith.constant dense<[[4, 0, 9], [1, 4, -2]]> : " + t +
            "\n  %r = transformer.paged_attention %q, %k, %v table %t lengths %n" +
            (sinks ? " sinks %s" : "") + dictionary(options) + " : (" + q + ", " + k + ", " + v +
            ", " + t + ", " + n + (sinks ? ", " + s : "") + ") -> " + y,
        y));
  }));
}

TEST(Gradient, PagesOfOpenSizes) {
  GradientCheck check(R"(
    func.func @main(%q: tensor<2x3x3x?xf64>, %k: tensor<?x?x?x?xf64>, %n: tensor<2xi32>) -> tensor<2x3x3x?xf64> {
      %t = arith.constant dense<[[0, 2], [1, 0]]> : tensor<2x2xi32>
      %r = transformer.paged_attention %q, %k, %k table %t lengths %n
          : (tensor<2x3x3x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<2x2xi32>, tensor<2xi32>)
          -> tensor<2x3x3x?xf64>
      return %r : tensor<2x3x3x?xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

namespace {

/// One operation of a score region: X is the number before it, B one that came earlier, P is
/// X^2 + 1/2 and N its negative.
const char *const kScoreOps[] = {"math.tanh X",
                                 "math.sin X",
                                 "math.cos X",
                                 "math.absf X",
                                 "math.exp N",
                                 "math.log P",
                                 "math.sqrt P",
                                 "math.rsqrt P",
                                 "math.erf X",
                                 "math.expm1 X",
                                 "math.atan X",
                                 "math.sinh X",
                                 "math.powf P, B",
                                 "math.atan2 B, P",
                                 "math.fma X, B, P",
                                 "arith.remf X, P",
                                 "arith.maxnumf X, B",
                                 "math.floor P",
                                 "arith.addf X, B",
                                 "arith.subf B, X",
                                 "arith.mulf X, B",
                                 "arith.divf X, P",
                                 "arith.divf %half, P",
                                 "arith.mulf X, %half",
                                 "arith.addf X, %number",
                                 "arith.negf X",
                                 "arith.maximumf X, B",
                                 "arith.minimumf X, %half",
                                 "arith.select %far, X, B"};

/// A region over scores made of the operations `ops`.
std::string regionOf(const std::vector<std::string> &ops) {
  std::string text = " score {\n  ^bb0(%x0: f64, %b: index, %h: index, %s: index, %t: index):\n"
                     "    %half = arith.constant 0.5 : f64\n"
                     "    %head = arith.index_cast %h : index to i64\n"
                     "    %number = arith.sitofp %head : i64 to f64\n"
                     "    %far = arith.cmpi slt, %s, %t : index\n";
  size_t count = 0;
  for (const std::string &op : ops) {
    std::string i = std::to_string(count++), before = "%x" + std::to_string(count / 2);
    text += "    %sq" + i + " = arith.mulf %x" + i + ", %x" + i + " : f64\n    %p" + i +
            " = arith.addf %sq" + i + ", %half : f64\n    %n" + i + " = arith.negf %p" + i +
            " : f64\n    %x" + std::to_string(count) + " = ";
    for (char c : op)
      text += c == 'X'   ? "%x" + i
              : c == 'P' ? "%p" + i
              : c == 'N' ? "%n" + i
              : c == 'B' ? before
                         : std::string(1, c);
    text += " : f64\n";
  }
  return text + "    transformer.yield %x" + std::to_string(count) + " : f64\n  }";
}

} // namespace

// Every operation that has a derivative, alone.
TEST(Gradient, ScoreOperations) {
  for (const char *op : kScoreOps) {
    GradientCheck check("func.func @main(%q: tensor<1x2x3x4xf64>, %k: tensor<1x1x5x4xf64>) -> "
                        "tensor<1x2x3x4xf64> {\n  %r = transformer.attention %q, %k, %k" +
                        regionOf({op}) +
                        " : (tensor<1x2x3x4xf64>, tensor<1x1x5x4xf64>, tensor<1x1x5x4xf64>) -> "
                        "tensor<1x2x3x4xf64>\n  return %r : tensor<1x2x3x4xf64>\n}");
    EXPECT_EQ(check.run(), "") << op;
  }
}

TEST(Gradient, ScoreRegion) {
  EXPECT_TRUE(rc::check([] {
    int64_t queries = randomSize(), keys = randomSize();
    std::string q = tensor({2, 4, queries, 3}), k = tensor({2, 2, keys, 3}), n = tensor({2}, "i32");
    bool lengths = coin();
    std::vector<std::string> options, ops;
    if (coin())
      options.push_back("causal");
    if (coin())
      options.push_back("soft_cap = 1.5 : f32");
    for (int64_t i = *rc::gen::inRange(1, 5); i > 0; --i)
      ops.push_back(kScoreOps[*rc::gen::inRange<size_t>(0, std::size(kScoreOps))]);
    expectGradients(functionOf("%q: " + q + ", %k: " + k + ", %v: " + k + ", %n: " + n,
                               std::string("  %r = transformer.attention %q, %k, %v") +
                                   (lengths ? " lengths %n" : "") + dictionary(options) +
                                   regionOf(ops) + " : (" + q + ", " + k + ", " + k +
                                   (lengths ? ", " + n : "") + ") -> " + q,
                               q),
                    1e-5);
  }));
}

namespace {

/// How a score region makes an index below SIZE, from the batch, head, query, key or score.
const char *const kIndices[] = {
    "    %i# = arith.remui %h, %size# : index\n",
    "    %i# = arith.remui %b, %size# : index\n",
    "    %sum# = arith.addi %s, %t : index\n    %i# = arith.remui %sum#, %size# : index\n",
    "    %a# = arith.subi %s, %t : index\n    %b# = math.absi %a# : index\n    %l# = "
    "arith.constant "
    "1 : index\n    %m# = arith.subi %size#, %l# : index\n    %i# = arith.minsi %b#, %m# : index\n",
    "    %z# = arith.constant 0.0 : f64\n    %p# = arith.cmpf ogt, %x0, %z# : f64\n    %l# = "
    "arith.constant 1 : index\n    %o# = arith.constant 0 : index\n    %m# = arith.subi %size#, "
    "%l# "
    ": index\n    %i# = arith.select %p#, %m#, %o# : index\n",
    "    %i# = arith.constant 0 : index\n"};
/// Loops as indices, with names of their sizes.
const char *const kLoops[] = {"%b", "%h", "%s", "%t"};

std::string replaced(std::string text, const std::string &number) {
  for (size_t at; (at = text.find('#')) != std::string::npos;)
    text.replace(at, 1, number);
  return text;
}

} // namespace

// Tables of any rank whose elements are read by heads, distances, places, and what follows from the
// score, and go through numbers on the way.
TEST(Gradient, ScoreTables) {
  EXPECT_TRUE(rc::check([] {
    int64_t queries = randomSize(), keys = randomSize();
    const int64_t loops[] = {2, 4, queries, keys};
    std::string q = tensor({2, 4, queries, 3}), k = tensor({2, 2, keys, 3});
    std::string arguments = "%q: " + q + ", %k: " + k;
    std::string body, last = "%x0";
    int64_t tables = *rc::gen::inRange(1, 4), next = 0;
    for (int64_t table = 0; table < tables; ++table) {
      Shape shape;
      std::string indices;
      for (int64_t rank = *rc::gen::inRange(0, 4); rank > 0; --rank) {
        bool isLoop = coin();
        int64_t loop = *rc::gen::inRange(0, 4);
        // A table may be larger than the loop that indexes it.
        shape.push_back(isLoop ? loops[loop] + (coin() ? 0 : 2) : randomSize());
        std::string number = std::to_string(next++);
        indices += std::string(indices.empty() ? "" : ", ");
        if (isLoop) {
          indices += kLoops[loop];
          continue;
        }
        body += "    %size" + number + " = arith.constant " + std::to_string(shape.back()) +
                " : index\n" + replaced(kIndices[*rc::gen::inRange(0, 6)], number);
        indices += "%i" + number;
      }
      std::string number = std::to_string(table), type = tensor(shape);
      arguments += ", %table" + number + ": " + type;
      // Two reads of one table, one of them at the same place with the score on the way.
      body += "    %e" + number + " = tensor.extract %table" + number + "[" + indices +
              "] : " + type + "\n    %f" + number + " = math.sin %e" + number +
              " : f64\n    %again" + number + " = tensor.extract %table" + number + "[" + indices +
              "] : " + type + "\n    %g" + number + " = arith.mulf %again" + number + ", " + last +
              " : f64\n    %y" + number + " = arith.addf %f" + number + ", %g" + number +
              " : f64\n";
      last = "%y" + number;
    }
    std::vector<std::string> options;
    if (coin())
      options.push_back("causal");
    if (coin())
      options.push_back("soft_cap = 1.5 : f32");
    expectGradients(functionOf(arguments,
                               "  %r = transformer.attention %q, %k, %k" + dictionary(options) +
                                   " score {\n  ^bb0(%x0: f64, %b: index, %h: index, %s: index, "
                                   "%t: index):\n" +
                                   body + "    transformer.yield " + last + " : f64\n  } : (" + q +
                                   ", " + k + ", " + k + ") -> " + q,
                               q),
                    1e-5);
  }));
}

// Numbers that were read and changed outside of the region, and a table that was computed.
TEST(Gradient, ScoreNumbersFromOutside) {
  GradientCheck check(R"(
    func.func @main(%q: tensor<1x2x3x4xf64>, %a: tensor<f64>, %w: tensor<2xf64>) -> tensor<1x2x3x4xf64> {
      %one = tensor.extract %a[] : tensor<f64>
      %n = arith.negf %one : f64
      %number = math.exp %n : f64
      %slopes = math.exp %w : tensor<2xf64>
      %r = transformer.attention %q, %q, %q score {
      ^bb0(%x: f64, %b: index, %h: index, %s: index, %t: index):
        %slope = tensor.extract %slopes[%h] : tensor<2xf64>
        %y = arith.mulf %x, %number : f64
        %z = arith.addf %y, %slope : f64
        %u = math.sin %z : f64
        transformer.yield %u : f64
      } : (tensor<1x2x3x4xf64>, tensor<1x2x3x4xf64>, tensor<1x2x3x4xf64>) -> tensor<1x2x3x4xf64>
      return %r : tensor<1x2x3x4xf64>
    })");
  EXPECT_EQ(check.run(), "");
}

// What was never written into the pool, or beyond a length, may be NaN: no gradient is.
TEST(Gradient, NothingIsReadBeyondLengths) {
  TestModule module(R"(
    func.func @main(%q: tensor<1x2x2x3xf64>, %k: tensor<3x1x2x3xf64>, %t: tensor<1x2xi32>, %n: tensor<1xi32>) -> tensor<1x2x2x3xf64> {
      %0 = transformer.paged_attention %q, %k, %k table %t lengths %n score {
      ^bb0(%x: f64, %b: index, %h: index, %s: index, %u: index):
        %y = math.tanh %x : f64
        transformer.yield %y : f64
      } : (tensor<1x2x2x3xf64>, tensor<3x1x2x3xf64>, tensor<3x1x2x3xf64>, tensor<1x2xi32>, tensor<1xi32>) -> tensor<1x2x2x3xf64>
      return %0 : tensor<1x2x2x3xf64>
    })");
  auto backward = transformer::differentiate(module.function(), {});
  ASSERT_TRUE(succeeded(backward)) << module.messages;
  auto made = makeInputs(*backward, {});
  ASSERT_TRUE(succeeded(made)) << module.messages;
  // Keys 0 and 1 are page 2; key 2 is the first of page 0, whose second is beyond the length.
  // Page 1 is of no sequence.
  std::vector<HostTensor> inputs = std::move(*made);
  for (auto [place, page] : {std::pair(0, 2), {1, 0}})
    reference::setInteger(inputs[2], place, page);
  reference::setInteger(inputs[3], 0, 3);
  for (int64_t i = 3; i < 12; ++i)
    inputs[1].setDouble(i, std::nan(""));
  InterpreterOptions options;
  options.precision = InterpreterOptions::Precision::Double;
  auto results = Interpreter(module.get(), options).run(*backward, inputs);
  ASSERT_TRUE(succeeded(results)) << module.messages;
  for (const HostTensor &gradient : *results)
    for (int64_t i = 0; i < gradient.numElements(); ++i)
      EXPECT_TRUE(std::isfinite(gradient.getDouble(i)));
  for (int64_t i = 3; i < 12; ++i)
    EXPECT_EQ((*results)[1].getDouble(i), 0);
}
