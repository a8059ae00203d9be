// forge.weight on arguments: written, read again, and dropped.
#include "forge/Import/WeightAttribute.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

class Function {
public:
  explicit Function(const std::string &attributes = "") {
    context.loadDialect<mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func private @f(tensor<2xf32>, tensor<3xf32>" + attributes + ")", &context);
    EXPECT_TRUE(module);
  }
  mlir::func::FuncOp get() { return *module->getOps<mlir::func::FuncOp>().begin(); }
  std::string problem() {
    auto read = weightsOf(get());
    return read ? "" : read.error().message;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST(WeightAttribute, IsReadAsItIsWritten) {
  Function function;
  setWeight(function.get(), 1, {"m.safetensors", "layers.0.w"});
  auto sources = weightsOf(function.get());
  ASSERT_TRUE(sources);
  ASSERT_EQ(sources->size(), 2u);
  EXPECT_FALSE((*sources)[0]);
  ASSERT_TRUE((*sources)[1]);
  EXPECT_EQ((*sources)[1]->file, "m.safetensors");
  EXPECT_EQ((*sources)[1]->tensor, "layers.0.w");
  dropWeights(function.get());
  sources = weightsOf(function.get());
  ASSERT_TRUE(sources);
  EXPECT_FALSE((*sources)[1]);
}

TEST(WeightAttribute, SaysWhatIsQuantised) {
  Function function;
  TensorSpec stored{DType::BF16, {4, 8}};
  using Part = QuantizedMatrix::Part;
  Part parts[] = {Part::NibbleScales, Part::Values};
  for (unsigned i : {0u, 1u})
    setWeight(function.get(), i, {"m", "w", QuantizedMatrix{parts[i], stored}});
  auto sources = weightsOf(function.get());
  ASSERT_TRUE(sources);
  for (unsigned i : {0u, 1u}) {
    const auto &quantized = (*sources)[i]->quantized;
    ASSERT_TRUE(quantized);
    EXPECT_EQ(quantized->part, parts[i]);
    EXPECT_EQ(typeString(quantized->stored), "tensor<4x8xbf16>");
  }
}

TEST(WeightAttribute, HasAFileAndATensor) {
  std::string start = "argument 1: expected forge.weight = {file = \"FILE\", tensor = \"NAME\"}, ";
  for (const char *value :
       {"\"w\"", "{file = \"f\"}", "{file = \"f\", tensor = \"\"}",
        "{file = \"f\", quantized = \"values of tensor<4xf32>\", tensor = \"t\"}",
        "{file = \"f\", quantized = \"values of tensor<4x?xf32>\", tensor = \"t\"}",
        "{file = \"f\", quantized = \"values of tensor<4x4xi8>\", tensor = \"t\"}",
        "{file = \"f\", quantized = \"zeros of tensor<4x4xf32>\", tensor = \"t\"}",
        "{file = \"f\", quantized = 8 : i64, tensor = \"t\"}", "{file = \"f\", tensor = 1 : i64}",
        "{file = \"f\", other = 1 : i64, tensor = \"t\"}"}) {
    Function function(" {forge.weight = " + std::string(value) + "}");
    EXPECT_EQ(function.problem(), start + "but got " + value);
  }
}

// A name with a line break would end the line of a module's signature.
TEST(WeightAttribute, NamesAreOnOneLine) {
  EXPECT_NE(Function(" {forge.weight = {file = \"f\\0Ag\", tensor = \"t\"}}").problem(), "");
  EXPECT_NE(Function(" {forge.weight = {file = \"f\", tensor = \"t\\09u\"}}").problem(), "");
}

} // namespace
