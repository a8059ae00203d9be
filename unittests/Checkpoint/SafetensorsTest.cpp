#include "forge/Checkpoint/Safetensors.h"

#include "SafetensorsText.h"

#include <gtest/gtest.h>

using namespace forge;

static std::string problemOfSafetensors(const std::string &header, size_t data) {
  Result<StoredTensors> tensors = parseSafetensors(safetensorsText(header, data));
  return tensors ? "" : tensors.error().message;
}

/// A header of one tensor "a".
static std::string one(const std::string &dtype, const std::string &shape,
                       const std::string &offsets) {
  return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

TEST(Safetensors, ReadsTensors) {
  std::string bytes = safetensorsText(
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,1],"data_offsets":[4,8]},)"
      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("none":{"dtype":"I64","shape":[0,3],"data_offsets":[8,8]}})",
      8);
  Result<StoredTensors> tensors = parseSafetensors(bytes);
  ASSERT_TRUE(tensors) << tensors.error().message;
  ASSERT_EQ(tensors->size(), 3u);
  EXPECT_EQ(typeString(tensors->at("a").spec), "tensor<f32>");
  EXPECT_EQ(tensors->at("a").elements, std::string("\0\1\2\3", 4));
  EXPECT_EQ(typeString(tensors->at("b").spec), "tensor<2x1xbf16>");
  EXPECT_EQ(tensors->at("b").elements, std::string("\4\5\6\7", 4));
  EXPECT_EQ(typeString(tensors->at("none").spec), "tensor<0x3xi64>");
}

TEST(Safetensors, ReadsTypes) {
  for (auto [name, type] :
       {std::pair("F64", DType::F64), std::pair("F16", DType::F16),
        std::pair("F8_E4M3", DType::F8E4M3FN), std::pair("F8_E5M2", DType::F8E5M2),
        std::pair("BOOL", DType::I1), std::pair("I8", DType::I8), std::pair("U16", DType::U16)}) {
    std::string size = std::to_string(byteWidth(type));
    std::string bytes = safetensorsText(
        one("\"" + std::string(name) + "\"", "[1]", "[0," + size + "]"), byteWidth(type));
    Result<StoredTensors> tensors = parseSafetensors(bytes);
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(tensors->at("a").spec.type, type);
  }
}

TEST(Safetensors, RefusesHeadersThatDoNotFit) {
  EXPECT_EQ(parseSafetensors("1234567").error().message,
            "expected 8 bytes with the length of the header, but got 7");
  std::string bytes = safetensorsText(one("\"F32\"", "[1]", "[0,4]"), 4);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseSafetensors(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_EQ(parseSafetensors(std::string(16, '\xff')).error().message,
            "expected a header of at most 8 bytes, but got 18446744073709551615");
  EXPECT_EQ(problemOfSafetensors("{", 0), "header: not valid JSON at line 1, column 1");
  EXPECT_EQ(problemOfSafetensors(R"({"a":{},"a":{}})", 0), "header: key \"a\" is given twice");
}

TEST(Safetensors, RefusesTensorsThatLie) {
  EXPECT_EQ(problemOfSafetensors(one("\"F32\"", "[2]", "[0,8]"), 7),
            "tensor \"a\": expected its bytes to end by 7, where the file ends, but got 8");
  EXPECT_EQ(problemOfSafetensors(one("\"F32\"", "[2]", "[0,4]"), 8),
            "tensor \"a\": expected 8 bytes of tensor<2xf32>, but got 4");
  EXPECT_EQ(problemOfSafetensors(one("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 8),
            "tensor \"a\": expected more than 2^64 bytes of tensor<4294967296x4294967296xf32>, but "
            "got 0");
  EXPECT_EQ(problemOfSafetensors(one("\"F32\"", "[2]", "[8,0]"), 8),
            "tensor \"a\": expected data_offsets to be [begin, end], but got [8,0]");
  EXPECT_EQ(problemOfSafetensors(one("\"F32\"", "[-2]", "[0,8]"), 8),
            "tensor \"a\": expected shape to be an array of sizes, but got [-2]");
  EXPECT_EQ(
      problemOfSafetensors(one("\"F33\"", "[2]", "[0,8]"), 8),
      "tensor \"a\": expected dtype to be one of F64, F32, F16, BF16, F8_E4M3, F8_E5M2, BOOL, "
      "I8 to I64 or U8 to U64, but got \"F33\"");
  EXPECT_EQ(problemOfSafetensors(R"({"a":{"dtype":"F32","shape":[1]}})", 8),
            "tensor \"a\": expected data_offsets to be [begin, end], but got none");
  EXPECT_EQ(problemOfSafetensors(R"({"a":3})", 8), "tensor \"a\": expected an object, but got 3");
}

TEST(Safetensors, RefusesTensorsThatOverlap) {
  auto two = [](const char *second) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],)"
           R"("data_offsets":)" +
           std::string(second) + "}}";
  };
  EXPECT_EQ(problemOfSafetensors(two("[4,8]"), 8), "");
  EXPECT_EQ(problemOfSafetensors(two("[3,7]"), 8), "tensors \"a\" and \"b\" overlap");
  EXPECT_EQ(problemOfSafetensors(two("[0,4]"), 8), "tensors \"a\" and \"b\" overlap");
}
