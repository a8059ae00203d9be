// Random register programs of operations that IEEE 754 rounds exactly: every target computes the
// bits of the plain interpreter.
#include "TestModule.h"

#include "forge/Execution/Executable.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>
#include <random>
#include <set>

using namespace forge;

namespace {

constexpr int kPrograms = 60;

/// One program on two buffers of one float type, with loops of written and of given times.
class RandomRegisterProgram {
public:
  explicit RandomRegisterProgram(uint64_t seed) : random(seed) {}

  std::string text(const std::string &type) {
    std::set<int64_t> written;
    body = "    load r0, %a\n    load r1, %b\n    const r2, -0.375\n";
    written = {0, 1, 2};
    block(written, 0);
    body += "    store r" + any(written) + ", %a\n    store r" + any(written) + ", %b\n";
    std::string types = "tensor<?x" + type + ">, tensor<?x" + type + ">";
    return "func.func @main(%x: tensor<?x" + type + ">, %y: tensor<?x" + type +
           ">, %times: tensor<i32>) -> (" + types +
           ") {\n  %count = tensor.extract %times[] : tensor<i32>\n"
           "  %k = arith.index_cast %count : i32 to index\n"
           "  %0:2 = register.program(%a = %x, %b = %y, %n = %k) : (" +
           types + ", index) -> (" + types + ") {\n" + body +
           "    end %a, %b\n  }\n  return %0#0, %0#1 : " + types + "\n}\n";
  }

private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }
  std::string any(const std::set<int64_t> &written) {
    return std::to_string(*std::next(written.begin(), below(static_cast<int64_t>(written.size()))));
  }

  void block(std::set<int64_t> &written, int depth) {
    for (int64_t i = 0, count = 2 + below(6); i < count; ++i)
      instruction(written, depth);
  }

  void instruction(std::set<int64_t> &written, int depth) {
    static const char *binary[] = {"add", "sub", "mul", "div", "min", "max"};
    static const char *unary[] = {"neg", "abs", "sqrt"};
    int64_t kind = below(depth < 3 ? 12 : 10);
    std::string buffer = below(2) == 0 ? "%a" : "%b";
    if (kind >= 10) { // what it writes first is not there behind it
      std::set<int64_t> inside = written;
      body += below(2) == 0 ? "    loop %n {\n" : "    loop " + std::to_string(below(4)) + " {\n";
      block(inside, depth + 1);
      body += "    }\n";
      return;
    }
    if (kind == 9) {
      body += "    store r" + any(written) + ", " + buffer + "\n";
      return;
    }
    int64_t to = below(8);
    std::string head = " r" + std::to_string(to) + ", ";
    if (kind == 8)
      body += "    load" + head + buffer + "\n";
    else if (kind >= 6)
      body += std::string("    ") + unary[below(3)] + head + "r" + any(written) + "\n";
    else
      body += std::string("    ") + binary[kind] + head + "r" + any(written) + ", r" +
              any(written) + "\n";
    written.insert(to);
  }

  std::mt19937_64 random;
  std::string body;
};

HostTensor drawNumbers(std::mt19937_64 &random, DType type) {
  std::vector<double> numbers = {0.0, -0.0, 1.0, HUGE_VAL, -HUGE_VAL, NAN};
  while (numbers.size() < 37)
    numbers.push_back(std::ldexp(static_cast<double>(random() % 4001) - 2000,
                                 static_cast<int>(random() % 16) - 12));
  return floats({37}, numbers, type);
}

void expectEqualBits(const HostTensor &actual, const HostTensor &expected,
                     const std::string &where) {
  ASSERT_EQ(typeString(actual), typeString(expected));
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    double x = expected.getDouble(i), y = actual.getDouble(i);
    bool same = std::isnan(x) ? std::isnan(y) : actual.getBits(i) == expected.getBits(i);
    ASSERT_TRUE(same) << "element " << i << ": expected " << x << ", but got " << y << where;
  }
}

} // namespace

TEST(RegisterPrograms, EveryTargetComputesTheBitsOfTheInterpreter) {
  std::mt19937_64 random(7);
  const std::pair<const char *, DType> types[] = {
      {"f32", DType::F32}, {"f64", DType::F64}, {"f16", DType::F16}, {"bf16", DType::BF16}};
  for (int i = 0; i < kPrograms; ++i) {
    auto [name, type] = types[i % 4];
    std::string text = RandomRegisterProgram(static_cast<uint64_t>(i)).text(name);
    TestModule module(text);
    ASSERT_TRUE(module.get());
    std::vector<HostTensor> inputs = {drawNumbers(random, type), drawNumbers(random, type),
                                      ints({}, {i % 7 - 2})};
    auto expected = Interpreter(module.get()).run(module.function(), inputs);
    ASSERT_TRUE(succeeded(expected)) << module.messages << text;
    for (const char *target : {"cpu", "sim:sm_90a", "sim:gfx942"}) {
      CompileOptions options;
      options.target = target;
      Result<Executable> executable = Executable::compile(module.get(), options);
      ASSERT_TRUE(executable) << executable.error().message << "\n" << text;
      Result<RunResult> run = executable->run(inputs);
      ASSERT_TRUE(run) << run.error().message << "\n" << text;
      for (size_t k = 0; k < 2; ++k)
        expectEqualBits(run->results[k], (*expected)[k],
                        std::string(" on ") + target + "\n" + text);
    }
  }
}
