#include "forge/Support/ModuleSignature.h"

#include <gtest/gtest.h>

using namespace forge;

static ModuleSignature example() {
  ModuleSignature signature;
  signature.function.name = "decode step.1";
  signature.target = "cuda:sm_90a";
  signature.function.arguments = {{DType::F32, {TensorSpec::dynamic, 33}}, {DType::I1, {}}};
  signature.function.donated = {true, false};
  signature.weights = {{{"a folder/m.safetensors", "layer 0.weight"}}, std::nullopt};
  signature.function.results = {{DType::BF16, {2, 0}}, {DType::U4, {TensorSpec::dynamic}}};
  signature.tolerances = {{0, 0.1, 3, "f32, 5 terms"}, {1e-300, 0, 0, ""}};
  return signature;
}

TEST(ModuleSignature, WritesLines) {
  EXPECT_EQ(writeSignature(example()), "function decode step.1\n"
                                       "target cuda:sm_90a\n"
                                       "argument tensor<?x33xf32> donated "
                                       "weight layer 0.weight\ta folder/m.safetensors\n"
                                       "argument tensor<i1>\n"
                                       "result tensor<2x0xbf16> tolerance 0 "
                                       "0.1 3 f32, 5 terms\n"
                                       "result tensor<?xui4> tolerance 1e-300 0 0 \n");
}

TEST(ModuleSignature, ReadsWhatItWrites) {
  std::string text = writeSignature(example());
  Result<ModuleSignature> parsed = parseSignature(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(writeSignature(*parsed), text);
  EXPECT_EQ(parsed->tolerances[0].ofScale, 0.1);
  EXPECT_EQ(parsed->function.arguments[0].dims[0], TensorSpec::dynamic);
}

TEST(ModuleSignature, SaysHowMuchIsReadOfWeights) {
  std::string text = "function f\ntarget cpu\nreads 5000000000\nargument tensor<i1>\n";
  Result<ModuleSignature> parsed = parseSignature(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->weightBytesRead, 5000000000u);
  EXPECT_EQ(writeSignature(*parsed), text);
  for (const char *line : {"reads", "reads x", "reads -1"})
    EXPECT_FALSE(parseSignature("function f\n" + std::string(line) + "\n")) << line;
}

TEST(ModuleSignature, ArgumentsMayHaveNames) {
  std::string text = "function f\ntarget cpu\n"
                     "argument tensor<1x4xi32> name input_ids\n"
                     "argument tensor<1xi32> donated name keys.0\n"
                     "argument tensor<4xf32> name w weight w\tm\n"
                     "argument tensor<4xf32> weight name\tm\n";
  Result<ModuleSignature> parsed = parseSignature(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->names, (std::vector<std::string>{"input_ids", "keys.0", "w", ""}));
  EXPECT_TRUE(parsed->function.donated[1]);
  EXPECT_EQ(parsed->weights[2]->tensor, "w");
  EXPECT_EQ(writeSignature(*parsed), text);
  for (const char *line : {"argument tensor<i1> name", "argument tensor<i1> name ",
                           "argument tensor<i1> name a-b", "argument tensor<i1> name a b"})
    EXPECT_FALSE(parseSignature("function f\n" + std::string(line) + "\n")) << line;
}

TEST(ModuleSignature, WeightsAreQuantisedAsTheyAreRead) {
  std::string text = "function f\ntarget cpu\n"
                     "argument tensor<4x8xi8> weight w\tm\tvalues of tensor<4x8xf16>\n"
                     "argument tensor<4xf32> weight w\tm\tscales of tensor<4x8xf16>\n"
                     "argument tensor<4x1xi32> weight w\tm\tnibbles of tensor<4x8xf16>\n"
                     "argument tensor<4x1xbf16> weight w\tm\tnibble-scales of tensor<4x8xf16>\n"
                     "argument tensor<4x8xf8E4M3FN> weight w\tm\tf8-values of tensor<4x8xf16>\n"
                     "argument tensor<4xf32> weight w\tm\tf8-scales of tensor<4x8xf16>\n";
  Result<ModuleSignature> parsed = parseSignature(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->weights[0]->file, "m");
  using Part = QuantizedMatrix::Part;
  Part parts[] = {Part::Values,       Part::Scales,      Part::Nibbles,
                  Part::NibbleScales, Part::FloatValues, Part::FloatScales};
  for (size_t i = 0; i < std::size(parts); ++i) {
    EXPECT_EQ(parsed->weights[i]->quantized->part, parts[i]);
    EXPECT_EQ(typeString(parsed->weights[i]->quantized->made()),
              typeString(parsed->function.arguments[i]));
  }
  EXPECT_EQ(parsed->weights[1]->quantized->stored.type, DType::F16);
  EXPECT_EQ(writeSignature(*parsed), text);
}

TEST(ModuleSignature, ComplexNumbersHaveADimensionOfParts) {
  std::string text = "function f\ntarget cpu\nresult tensor<3xcomplex<f64>>\n";
  Result<ModuleSignature> parsed = parseSignature(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->function.results[0].dims, (std::vector<int64_t>{3, 2}));
  EXPECT_TRUE(parsed->function.results[0].isComplex);
  EXPECT_EQ(writeSignature(*parsed), text);
}

TEST(ModuleSignature, RefusesWhatItDoesNotKnow) {
  for (const char *line : {"",
                           "function ",
                           "nonsense",
                           "argument tensor<f33>",
                           "argument f32",
                           "argument tensor<-3xf32>",
                           "argument tensor<3xf32> given",
                           "argument tensor<3xf32> weight",
                           "argument tensor<3xf32> weight w",
                           "argument tensor<3xf32> weight w\t",
                           "argument tensor<3xf32> weight \tf",
                           "argument tensor<3xf32> weight w\tf\tg",
                           "argument tensor<3xf32> weight w\tf\tvalues of tensor<3xf32>",
                           "argument tensor<3xf32> weight w\tf donated\x1f",
                           "result tensor<3xf32> tolerance 1 2",
                           "result tensor<3xf32> tolerance a b 3 x",
                           "result tensor<99999999999999999999xf32>",
                           "result tensor<3xcomplex<i32>>",
                           "result tensor<3xcomplex<f32>",
                           "result tensor<3xcomplex<>>"}) {
    Result<ModuleSignature> parsed = parseSignature("function main\n" + std::string(line) + "\n");
    EXPECT_FALSE(parsed) << line;
  }
  EXPECT_FALSE(parseSignature("target cpu\n"));
  // Tolerances for all results, or for none.
  EXPECT_FALSE(parseSignature("function f\nresult tensor<f32>\n"
                              "result tensor<f32> tolerance 0 0 0 x\n"));
}
