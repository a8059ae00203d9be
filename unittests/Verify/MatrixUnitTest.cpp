// Products by matrix units, which cut toward 0, on simulated chips: sums of many terms of one sign
// are no false alarms, and what is lost of them is found.
#include "TestModule.h"

#include "forge/Execution/Executable.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <iostream>

using namespace forge;

namespace {
struct Product {
  const char *target, *type;
  int64_t rows, terms;
  /// Whether a model without the matrix unit takes it for wrong.
  bool alarms = false;
};

/// Rows of numbers times 16 columns, in f32.
class Products : public testing::TestWithParam<Product> {
protected:
  static std::string text(const Product &p) {
    std::string rows = std::to_string(p.rows), terms = std::to_string(p.terms), type = p.type;
    std::string lhs = "tensor<" + rows + "x" + terms + "x" + type + ">",
                rhs = "tensor<" + terms + "x16x" + type + ">",
                result = "tensor<" + rows + "x16xf32>";
    return "func.func @main(%x: " + lhs + ", %w: " + rhs + ") -> " + result +
           " {\n  %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (" + lhs +
           ", " + rhs + ") -> " + result + "\n  return %r : " + result + "\n}";
  }

  /// Numbers between 1/2 and 1, of one sign or of both.
  std::vector<HostTensor> inputs(bool oneSign) {
    std::vector<HostTensor> tensors = *makeInputs(module.function(), {3, 5});
    for (HostTensor &tensor : tensors)
      for (int64_t i = 0; i < tensor.numElements(); ++i) {
        double value = tensor.getDouble(i), size = 0.5 + 0.5 * std::fabs(value);
        tensor.setDouble(i, oneSign || value > 0 ? size : -size);
      }
    return tensors;
  }

  HostTensor run(const std::vector<HostTensor> &tensors) {
    if (!executable) {
      CompileOptions options;
      options.target = GetParam().target;
      mlir::OwningOpRef<mlir::ModuleOp> clone = module.get().clone();
      Result<Executable> compiled = Executable::compile(*clone, options);
      EXPECT_TRUE(compiled) << compiled.error().message;
      executable.emplace(std::move(*compiled));
    }
    Result<RunResult> result = executable->run(tensors);
    EXPECT_TRUE(result) << result.error().message;
    return result->results[0];
  }

  Comparison compared(const HostTensor &actual, const std::vector<HostTensor> &tensors,
                      const ErrorModelOptions &options) {
    auto expected = Interpreter(module.get()).run(module.function(), tensors);
    EXPECT_TRUE(succeeded(expected)) << module.messages;
    return compare(actual, (*expected)[0],
                   measureTolerances(module.function(), tensors, options)[0]);
  }

  TestModule module{text(GetParam())};
  std::optional<Executable> executable;
};

class LostTerms : public Products {};
} // namespace

TEST_P(Products, OfOneSignAreNoFalseAlarm) {
  std::vector<HostTensor> tensors = inputs(/*oneSign=*/true);
  HostTensor actual = run(tensors);
  ErrorModelOptions onChip = errorModelOf(GetParam().target), toNearest;
  Comparison comparison = compared(actual, tensors, onChip);
  EXPECT_TRUE(comparison.agree) << describe(comparison);
  std::cout << "largest error: " << comparison.maxOfAllowed << " of what is allowed\n";
  EXPECT_EQ(compared(actual, tensors, toNearest).agree, !GetParam().alarms);
  // What is estimated from the module alone, too.
  onChip.mostWork = toNearest.mostWork = 0;
  EXPECT_TRUE(compared(actual, tensors, onChip).agree);
}

/// A kernel that leaves out some of the terms: 0 comes in their place.
TEST_P(LostTerms, AreFound) {
  for (bool oneSign : {true, false}) {
    std::vector<HostTensor> tensors = inputs(oneSign);
    // A step of a kernel along K; of sums of both signs a single term, next to which those of one
    // sign are large.
    for (int64_t lost : {oneSign ? int64_t{16} : int64_t{1}, int64_t{64}}) {
      std::vector<HostTensor> without = tensors;
      HostTensor &x = without[0];
      for (int64_t i = 0; i < x.dims()[0]; ++i)
        for (int64_t k = 0; k < lost; ++k)
          x.setDouble(i * x.dims()[1] + x.dims()[1] / 4 + k, 0);
      HostTensor actual = run(without);
      ErrorModelOptions onChip = errorModelOf(GetParam().target);
      onChip.samples = 4;
      EXPECT_FALSE(compared(actual, tensors, onChip).agree) << lost << " terms lost";
      onChip.mostWork = 0;
      EXPECT_FALSE(compared(actual, tensors, onChip).agree) << lost << " terms lost, estimated";
    }
  }
}

static std::string nameOf(const testing::TestParamInfo<Product> &info) {
  return std::string(info.param.target + 4) + "_" + info.param.type + "_" +
         std::to_string(info.param.rows) + "x" + std::to_string(info.param.terms);
}

// On sm_90a strategy gemv (up to 16 rows) divides a sum among warps, and forge-split-terms divides
// sums of 14,336 terms, so no accumulator takes enough terms to err by more.
INSTANTIATE_TEST_SUITE_P(MatrixUnits, Products,
                         testing::Values(Product{"sim:sm_90a", "bf16", 64, 3072, false},
                                         Product{"sim:sm_90a", "bf16", 32, 14336, false},
                                         Product{"sim:sm_90a", "f16", 16, 4096, false},
                                         Product{"sim:sm_90a", "f8E4M3FN", 128, 4096, true},
                                         Product{"sim:sm_80", "bf16", 64, 14336, true},
                                         Product{"sim:gfx942", "bf16", 16, 14336, false},
                                         Product{"sim:gfx90a", "f16", 16, 4096, false}),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(MatrixUnits, LostTerms,
                         testing::Values(Product{"sim:sm_90a", "bf16", 16, 14336},
                                         Product{"sim:sm_90a", "f16", 16, 4096},
                                         Product{"sim:sm_80", "bf16", 16, 4096},
                                         Product{"sim:gfx942", "bf16", 16, 4096}),
                         nameOf);
