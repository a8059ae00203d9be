// The error model is not tight: in 10,000 random cases no correct execution is taken for a wrong
// one. That it is not loose either: ErrorModelTest.cpp.
#include "RandomProgram.h"
#include "TestModule.h"

#include "forge/Execution/Executable.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>
#include <iostream>

using namespace forge;

static constexpr int kPrograms = 125, kInputsEach = 80;

/// Inputs of all distributions in turn and of many magnitudes: one power of two between 1/16 and 8
/// for each argument.
static std::vector<HostTensor> inputsOf(mlir::func::FuncOp function, uint64_t seed) {
  auto distributions = allDistributions();
  std::vector<HostTensor> inputs =
      *makeInputs(function, {seed, 5, distributions[seed % distributions.size()].second});
  std::mt19937_64 random(seed);
  for (HostTensor &input : inputs) {
    double factor = std::ldexp(1.0, static_cast<int>(random() % 8) - 4);
    for (int64_t i = 0; i < input.numElements(); ++i)
      input.setDouble(i, input.getDouble(i) * factor);
  }
  return inputs;
}

/// Ten thousand cases, of StableHLO alone or with operations of the transformer dialect.
static void expectNoAlarm(bool transformer) {
  int64_t cases = 0, alarms = 0;
  double largest = 0;
  for (int program = 0; program < kPrograms; ++program) {
    std::string text =
        RandomProgram(static_cast<uint64_t>(program), transformer).text(1 + program % 8);
    TestModule module(text);
    CompileOptions options;
    options.tier = program % 2 ? Tier::Optimized : Tier::Correctness;
    Result<Executable> executable = Executable::compile(module.get(), options);
    ASSERT_TRUE(executable) << executable.error().message << "\n" << text;
    for (int i = 0; i < kInputsEach; ++i, ++cases) {
      std::vector<HostTensor> inputs =
          inputsOf(module.function(), static_cast<uint64_t>(program * 1000 + i));
      auto expected = Interpreter(module.get()).run(module.function(), inputs);
      Result<RunResult> run = executable->run(inputs);
      ASSERT_TRUE(succeeded(expected) && run) << module.messages << text;
      std::vector<Tolerance> tolerances = measureTolerances(module.function(), inputs);
      std::vector<Comparison> comparisons =
          compareResults(module.function(), inputs, run->results, *expected, tolerances);
      for (auto [k, comparison] : llvm::enumerate(comparisons)) {
        largest = std::max(largest, comparison.maxOfAllowed);
        if (!comparison.agree && ++alarms <= 3)
          ADD_FAILURE() << "input " << i << ", result " << k << ": " << describe(comparison) << "; "
                        << describe(tolerances[k]) << "\n"
                        << text;
      }
    }
  }
  EXPECT_EQ(alarms, 0);
  EXPECT_EQ(cases, 10000);
  // Not by being wide: some execution comes near what is allowed.
  EXPECT_GT(largest, 0.3);
  std::cout << "largest error: " << largest << " of what is allowed\n";
}

TEST(FalseAlarm, NoneInTenThousandCases) { expectNoAlarm(false); }

TEST(FalseAlarm, NoneInTenThousandCasesOfTransformerOps) { expectNoAlarm(true); }
