#include "forge/Checkpoint/Gguf.h"

#include <gtest/gtest.h>

using namespace forge;

template <typename T> static std::string stored(T value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

static std::string text(const std::string &value) { return stored<uint64_t>(value.size()) + value; }

/// The bytes in front of metadata.
static std::string start(uint64_t tensors, uint64_t keys, uint32_t version = 3) {
  return "GGUF" + stored(version) + stored(tensors) + stored(keys);
}

/// An entry of the table; sizes innermost first.
static std::string entry(const std::string &name, const std::vector<uint64_t> &sizes, uint32_t type,
                         uint64_t offset) {
  std::string bytes = text(name) + stored<uint32_t>(sizes.size());
  for (uint64_t size : sizes)
    bytes += stored(size);
  return bytes + stored(type) + stored(offset);
}

/// `head`, padded to a multiple of `alignment`, and `data` bytes 0, 1, 2 ...
static std::string file(std::string head, size_t data, size_t alignment = 32) {
  head.resize((head.size() + alignment - 1) / alignment * alignment);
  for (size_t i = 0; i < data; ++i)
    head += static_cast<char>(i);
  return head;
}

static std::string problemOfGguf(const std::string &bytes) {
  Result<StoredTensors> tensors = parseGguf(bytes);
  return tensors ? "" : tensors.error().message;
}

/// A file with one tensor "a".
static std::string one(const std::vector<uint64_t> &sizes, uint32_t type, uint64_t offset,
                       size_t data) {
  return file(start(1, 0) + entry("a", sizes, type, offset), data);
}

/// A file without tensors and with one value of metadata.
static std::string value(uint32_t type, const std::string &bytes, const std::string &key = "k") {
  return start(0, 1) + text(key) + stored(type) + bytes;
}

static std::string arrayOf(uint32_t type, uint64_t count, const std::string &bytes) {
  return stored(type) + stored(count) + bytes;
}

TEST(Gguf, ReadsTensors) {
  std::string bytes = file(start(3, 0) + entry("b", {2, 3}, 30, 32) + entry("a", {}, 0, 0) +
                               entry("none", {3, 0}, 1, 64),
                           64);
  ASSERT_TRUE(isGguf(bytes));
  Result<StoredTensors> tensors = parseGguf(bytes);
  ASSERT_TRUE(tensors) << tensors.error().message;
  ASSERT_EQ(tensors->size(), 3u);
  EXPECT_EQ(typeString(tensors->at("a").spec), "tensor<f32>");
  EXPECT_EQ(tensors->at("a").elements, std::string("\0\1\2\3", 4));
  EXPECT_EQ(typeString(tensors->at("b").spec), "tensor<3x2xbf16>");
  EXPECT_EQ(tensors->at("b").elements, std::string_view(bytes).substr(bytes.size() - 32, 12));
  EXPECT_EQ(typeString(tensors->at("none").spec), "tensor<0x3xf16>");
}

TEST(Gguf, ReadsTypes) {
  for (auto [number, type] :
       {std::pair(0u, DType::F32), std::pair(1u, DType::F16), std::pair(24u, DType::I8),
        std::pair(25u, DType::I16), std::pair(26u, DType::I32), std::pair(27u, DType::I64),
        std::pair(28u, DType::F64), std::pair(30u, DType::BF16)}) {
    std::string bytes = one({1}, number, 0, byteWidth(type));
    Result<StoredTensors> tensors = parseGguf(bytes);
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(tensors->at("a").spec.type, type);
  }
}

TEST(Gguf, TakesBlocksAsBytes) {
  for (auto [number, elements, size] : {std::tuple(2u, 32u, 18), std::tuple(8u, 32u, 34),
                                        std::tuple(12u, 256u, 144), std::tuple(14u, 256u, 210)}) {
    std::string bytes = one({2 * elements, 3}, number, 0, 6 * static_cast<size_t>(size));
    Result<StoredTensors> tensors = parseGguf(bytes);
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(typeString(tensors->at("a").spec), "tensor<3x" + std::to_string(2 * size) + "xui8>");
    EXPECT_EQ(tensors->at("a").elements.size(), 6 * static_cast<size_t>(size));
  }
}

TEST(Gguf, PassesOverMetadata) {
  for (const std::string &bytes :
       {value(0, "x"), value(7, "\1"), value(6, "1234"), value(12, "12345678"), value(8, text("t")),
        value(9, arrayOf(4, 2, "12345678")), value(9, arrayOf(8, 2, text("a") + text("")))}) {
    EXPECT_EQ(problemOfGguf(bytes), "");
    for (size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(problemOfGguf(bytes.substr(0, size)), "") << size;
  }
}

TEST(Gguf, AlignsAsTheFileSays) {
  std::string head = start(1, 1) + text("general.alignment") + stored(4u) + stored(8u);
  std::string bytes = file(head + entry("a", {1}, 26, 8), 12, 8);
  Result<StoredTensors> tensors = parseGguf(bytes);
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_EQ(tensors->at("a").elements, std::string("\10\11\12\13", 4));
  EXPECT_EQ(problemOfGguf(file(head + entry("a", {1}, 26, 4), 12, 8)),
            "tensor \"a\": expected an offset that is a multiple of 8, but got 4");
  EXPECT_EQ(problemOfGguf(value(4, stored(24u), "general.alignment")),
            "expected general.alignment to be a power of two, but got 24");
  EXPECT_EQ(problemOfGguf(value(10, stored<uint64_t>(32), "general.alignment")),
            "expected general.alignment of type 4, but got 10");
}

TEST(Gguf, RefusesHeadersThatDoNotFit) {
  std::string bytes = one({2}, 0, 0, 8);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(problemOfGguf(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(problemOfGguf("GGML" + bytes.substr(4)),
            "expected the magic number GGUF, but got \"GGML\"");
  EXPECT_EQ(problemOfGguf(start(0, 0, 1)),
            "expected version 2 or 3 of GGUF, little endian, but got 1");
  EXPECT_EQ(problemOfGguf(start(0, 0, 0x03000000)),
            "expected version 2 or 3 of GGUF, little endian, but got 50331648");
  EXPECT_EQ(problemOfGguf(start(UINT64_MAX, 0)),
            "expected a name of 8 bytes at 24, but 0 are left");
  EXPECT_EQ(problemOfGguf(start(0, UINT64_MAX)), "expected a key of 8 bytes at 24, but 0 are left");
  EXPECT_EQ(problemOfGguf(start(0, 1) + stored(UINT64_MAX)),
            "expected a key of 18446744073709551615 bytes at 32, but 0 are left");
}

TEST(Gguf, RefusesMetadataThatLies) {
  EXPECT_EQ(problemOfGguf(value(13, "")), "expected a type of values from 0 to 12, but got 13");
  EXPECT_EQ(problemOfGguf(value(8, stored(UINT64_MAX))),
            "expected a text of 18446744073709551615 bytes at 45, but 0 are left");
  EXPECT_EQ(problemOfGguf(value(9, arrayOf(9, 1, ""))),
            "expected an array of numbers or texts, but got type 9");
  EXPECT_EQ(problemOfGguf(value(9, arrayOf(10, UINT64_MAX, ""))),
            "expected an array of less than 2^64 bytes, but got 18446744073709551615 elements");
  EXPECT_EQ(problemOfGguf(value(9, arrayOf(8, UINT64_MAX, text("a")))),
            "expected a text of 8 bytes at 58, but 0 are left");
  std::string twice = text("k") + stored(0u) + "x";
  EXPECT_EQ(problemOfGguf(start(0, 2) + twice + twice), "key \"k\" is given twice");
}

TEST(Gguf, RefusesTensorsThatLie) {
  EXPECT_EQ(problemOfGguf(one({2}, 0, 0, 7)),
            "tensor \"a\": expected tensor<2xf32> at 0 to be inside "
            "the 7 bytes of all tensors, but got 8 bytes");
  EXPECT_EQ(problemOfGguf(one({2}, 0, UINT64_MAX - 31, 8)),
            "tensor \"a\": expected tensor<2xf32> at 18446744073709551584 to be inside the 8 bytes "
            "of all tensors, but got 8 bytes");
  EXPECT_EQ(problemOfGguf(one({1ULL << 32, 1ULL << 32}, 0, 0, 8)),
            "tensor \"a\": expected tensor<4294967296x4294967296xf32> at 0 to be inside the 8 "
            "bytes of all tensors, but got more than 2^64 bytes");
  EXPECT_EQ(problemOfGguf(one({UINT64_MAX}, 0, 0, 8)),
            "tensor \"a\": expected a size below 2^63, but got 18446744073709551615");
  EXPECT_EQ(problemOfGguf(one({1, 1, 1, 1, 1}, 0, 0, 8)),
            "tensor \"a\": expected at most 4 dimensions, but got 5");
  EXPECT_EQ(problemOfGguf(one({256}, 13, 0, 176)),
            "tensor \"a\": expected type F32, F16, BF16, F64, I8 to I64, Q4_0, Q8_0, Q4_K or Q6_K, "
            "but got number 13");
  EXPECT_EQ(problemOfGguf(one({48}, 8, 0, 68)), "tensor \"a\": expected rows of a multiple of 32 "
                                                "elements of Q8_0, but got 48");
  EXPECT_EQ(problemOfGguf(one({}, 8, 0, 68)), "tensor \"a\": expected rows of a multiple of 32 "
                                              "elements of Q8_0, but got 1");
}

TEST(Gguf, RefusesTensorsThatOverlap) {
  auto two = [](const std::string &name, uint64_t offset) {
    return problemOfGguf(
        file(start(2, 0) + entry("a", {40}, 24, 0) + entry(name, {4}, 24, offset), 80));
  };
  EXPECT_EQ(two("b", 64), "");
  EXPECT_EQ(two("b", 32), "tensors \"a\" and \"b\" overlap");
  EXPECT_EQ(two("a", 64), "tensor \"a\" is given twice");
}

TEST(Gguf, ReadsMetadata) {
  std::string bytes = start(0, 5) + text("a") + stored<uint32_t>(5) + stored<int32_t>(7) +
                      text("b") + stored<uint32_t>(8) + text("word") + text("c") +
                      stored<uint32_t>(9) + arrayOf(6, 2, stored(0.5f) + stored(-1.0f)) +
                      text("d") + stored<uint32_t>(7) + "\1" + text("e") + stored<uint32_t>(9) +
                      arrayOf(8, 2, text("x") + text(""));
  Result<GgufFile> file = parseGgufFile(bytes);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->metadata["a"], 7U);
  EXPECT_TRUE(file->metadata["a"].is_number_unsigned());
  EXPECT_EQ(file->metadata["b"], "word");
  EXPECT_EQ(file->metadata["c"], nlohmann::json({0.5, -1.0}));
  EXPECT_EQ(file->metadata["d"], true);
  EXPECT_EQ(file->metadata["e"], nlohmann::json({"x", ""}));
}

TEST(Gguf, TellsBlocks) {
  std::string bytes =
      file(start(2, 0) + entry("q", {256, 2}, 12, 0) + entry("f", {4}, 0, 288), 320);
  Result<GgufFile> read = parseGgufFile(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->formats.at("q"), BlockFormat::Q4_K);
  EXPECT_FALSE(read->formats.contains("f"));
  EXPECT_EQ(read->tensors.at("q").spec.dims, (std::vector<int64_t>{2, 144}));
}

TEST(Gguf, MetadataStaysWithoutTensors) {
  std::string whole =
      file(start(1, 1) + text("k") + stored<uint32_t>(8) + text("v") + entry("a", {2}, 0, 0), 8);
  Result<std::string> without = withoutTensors(whole);
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_LT(without->size(), whole.size());
  Result<GgufFile> parsed = parseGgufFile(*without);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_TRUE(parsed->tensors.empty());
  EXPECT_EQ(parsed->metadata, parseGgufFile(whole)->metadata);
  EXPECT_FALSE(withoutTensors(whole.substr(0, 30)));
  EXPECT_FALSE(withoutTensors("GGUF"));
  EXPECT_FALSE(withoutTensors("none"));
}
