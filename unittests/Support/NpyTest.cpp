// The .npy reader against bytes written by hand, and reader and writer against each other.
#include "forge/Support/Npy.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

namespace {

/// A file of version `major` whose header is `dict` and whose data are `data`.
std::string npyBytes(const std::string &dict, const std::string &data, int major = 1) {
  std::string bytes("\x93NUMPY");
  bytes += static_cast<char>(major);
  bytes += '\0';
  for (size_t i = 0; i < (major == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return bytes + dict + data;
}

std::string dictOf(const std::string &descr, const std::string &shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <typename T> std::string bytesOf(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values)
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
  return bytes;
}

std::vector<double> valuesOf(const HostTensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    values.push_back(tensor.getDouble(i));
  return values;
}

std::string errorOf(const std::string &bytes) {
  Result<HostTensor> tensor = parseNpy(bytes);
  return tensor ? "no error" : tensor.error().message;
}

/// A path in a directory of its own, removed at the end.
class NpyFile : public ::testing::Test {
protected:
  void SetUp() override {
    dir = std::filesystem::temp_directory_path() / ("forge-npy-" + std::to_string(getpid()));
    std::filesystem::create_directories(dir);
  }
  void TearDown() override { std::filesystem::remove_all(dir); }
  std::string path(const char *name) const { return (dir / name).string(); }
  std::filesystem::path dir;
};

TEST(NpyParse, EveryVersion) {
  for (int major : {1, 2, 3}) {
    Result<HostTensor> tensor =
        parseNpy(npyBytes(dictOf("<f4", "(3,)"), bytesOf<float>({1, 2.5, -3}), major));
    ASSERT_TRUE(static_cast<bool>(tensor)) << tensor.error().message;
    EXPECT_EQ(typeString(*tensor), "tensor<3xf32>");
    EXPECT_EQ(valuesOf(*tensor), (std::vector<double>{1, 2.5, -3}));
  }
}

TEST(NpyParse, ScalarEmptyAndTrailingBytes) {
  Result<HostTensor> scalar = parseNpy(npyBytes(dictOf("<i4", "()"), bytesOf<int32_t>({-7, 1})));
  ASSERT_TRUE(static_cast<bool>(scalar));
  EXPECT_EQ(scalar->rank(), 0);
  EXPECT_EQ(valuesOf(*scalar), std::vector<double>{-7});
  Result<HostTensor> empty = parseNpy(npyBytes(dictOf("<i8", "(3, 0, 5)"), ""));
  ASSERT_TRUE(static_cast<bool>(empty)) << empty.error().message;
  EXPECT_EQ(empty->numElements(), 0);
}

TEST(NpyParse, DictionaryAsOthersWriteIt) {
  // Double quotes, other order, no spaces, no trailing comma, Python 2's long integers.
  std::string dict = R"({"shape":(2L,1L),"fortran_order":False,"descr":"<u2"})";
  Result<HostTensor> tensor = parseNpy(npyBytes(dict, bytesOf<uint16_t>({65535, 2})));
  ASSERT_TRUE(static_cast<bool>(tensor)) << tensor.error().message;
  EXPECT_EQ(typeString(*tensor), "tensor<2x1xui16>");
  EXPECT_EQ(valuesOf(*tensor), (std::vector<double>{65535, 2}));
}

TEST(NpyParse, EveryDtype) {
  struct Case {
    const char *descr;
    const char *type;
    std::string data;
    double value;
  };
  const Case cases[] = {
      {"|b1", "i1", "\x01", 1},
      {"|b1", "i1", "\x80", 1},
      {"|i1", "i8", "\x80", -128},
      {"|u1", "ui8", "\xff", 255},
      {"<i2", "i16", bytesOf<int16_t>({-2}), -2},
      {">i2", "i16", "\xff\xfe", -2},
      {"<u2", "ui16", bytesOf<uint16_t>({40000}), 40000},
      {">u4", "ui32", std::string("\x80\x00\x00\x01", 4), 2147483649.0},
      {"<i4", "i32", bytesOf<int32_t>({-5}), -5},
      {"=i8", "i64", bytesOf<int64_t>({-6}), -6},
      {"<u8", "ui64", bytesOf<uint64_t>({uint64_t(1) << 60}), std::ldexp(1.0, 60)},
      {"<f2", "f16", bytesOf<uint16_t>({0x3e00}), 1.5},
      {">f2", "f16", std::string("\x3e\x00", 2), 1.5},
      {"<f4", "f32", bytesOf<float>({0.1f}), 0.1f},
      {">f8", "f64", std::string("\x3f\xf8\x00\x00\x00\x00\x00\x00", 8), 1.5},
      {"<V2", "ui16", bytesOf<uint16_t>({0x3fc0}), 0x3fc0},
      {"|V1", "ui8", "\x38", 0x38},
  };
  for (const Case &test : cases) {
    Result<HostTensor> tensor = parseNpy(npyBytes(dictOf(test.descr, "(1,)"), test.data));
    ASSERT_TRUE(static_cast<bool>(tensor)) << test.descr << ": " << tensor.error().message;
    EXPECT_EQ(dtypeName(tensor->type()), test.type) << test.descr;
    EXPECT_EQ(tensor->getDouble(0), test.value) << test.descr;
  }
}

TEST(NpyParse, FortranOrder) {
  // Element (i, j, k) is 100 i + 10 j + k; the first index runs fastest.
  std::string data;
  for (int k : {0, 1})
    for (int j : {0, 1, 2})
      for (int i : {0, 1})
        data += static_cast<char>(100 * i + 10 * j + k);
  Result<HostTensor> tensor = parseNpy(npyBytes(dictOf("|i1", "(2, 3, 2)", true), data));
  ASSERT_TRUE(static_cast<bool>(tensor));
  EXPECT_EQ(valuesOf(*tensor),
            (std::vector<double>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

TEST(NpyParse, ComplexNumbersAreTheirParts) {
  std::string bytes = bytesOf<float>({1, 2, 3, 4, 5, 6, 7, 8});
  Result<HostTensor> rows = parseNpy(npyBytes(dictOf("<c8", "(2, 2)"), bytes));
  ASSERT_TRUE(rows);
  EXPECT_EQ(typeString(*rows), "tensor<2x2x2xf32>");
  EXPECT_EQ(rows->getDouble(3), 4);
  // Columns first: the parts of a number stay together.
  Result<HostTensor> columns = parseNpy(npyBytes(dictOf("<c8", "(2, 2)", true), bytes));
  ASSERT_TRUE(columns);
  std::vector<double> values;
  for (int64_t i = 0; i < columns->numElements(); ++i)
    values.push_back(columns->getDouble(i));
  EXPECT_EQ(values, (std::vector<double>{1, 2, 5, 6, 3, 4, 7, 8}));
  Result<HostTensor> wide = parseNpy(npyBytes(dictOf("<c16", "()"), bytesOf<double>({1, -1})));
  ASSERT_TRUE(wide);
  EXPECT_EQ(typeString(*wide), "tensor<2xf64>");
}

TEST(NpyParse, Malformed) {
  EXPECT_EQ(errorOf(""), "truncated: the header is incomplete");
  EXPECT_EQ(errorOf("hello, world"), "not an .npy file: wrong magic");
  EXPECT_EQ(errorOf("\x93NUM"), "truncated: the header is incomplete");
  EXPECT_EQ(errorOf(npyBytes("{}", "", 4)), "unsupported .npy version 4.0");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(2,)"), "1234567")),
            "truncated: expected 8 bytes of data, but got 7");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<c8", "(2,)"), "")),
            "truncated: expected 16 bytes of data, but got 0");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<c32", "(2,)"), "")), "unsupported dtype '<c32'");
  EXPECT_EQ(errorOf(npyBytes(dictOf("|O", "(2,)"), "")), "unsupported dtype '|O'");
  EXPECT_EQ(errorOf(npyBytes(dictOf("a\nb", "(2,)"), "")), "unsupported dtype 'a?b'");
  EXPECT_EQ(errorOf(npyBytes("{'descr': [('a', '<f4')], 'fortran_order': False}", "")),
            "unsupported structured dtype");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(-1,)"), "")), "negative size -1 in shape");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(99999999999999999999,)"), "")),
            "size in shape does not fit 64 bits");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(4294967296, 4294967296)"), "")),
            "size of tensor<4294967296x4294967296xf32> does not fit 64 bits");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(1000000000000,)"), "")),
            "truncated: expected 4000000000000 bytes of data, but got 0");
  EXPECT_EQ(errorOf(npyBytes("{'descr': '<f4', 'shape': ()}", "1234")),
            "malformed header: expected the keys descr, fortran_order and shape");
  EXPECT_EQ(errorOf(npyBytes("{'descr': '<f4'", "1234")), "malformed header: expected ',' or '}'");
  EXPECT_EQ(errorOf(npyBytes(dictOf("<f4", "(2 3)"), "")),
            "malformed header: expected ',' or ')' in shape");
  std::string longHeader("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12);
  EXPECT_EQ(errorOf(longHeader), "header of 2147483647 bytes is too long, the limit is 1048576");
}

TEST(NpyConvert, NarrowTypesAtTheBoundary) {
  Result<HostTensor> wide = HostTensor::create(DType::F32, {3});
  wide->setDouble(0, 1.00390625); // halfway between 1 and the next bf16: to even
  wide->setDouble(1, 1.01171875); // halfway between the next two: to even, upwards
  wide->setDouble(2, NAN);
  Result<HostTensor> narrow = convertNpy(*wide, DType::BF16);
  ASSERT_TRUE(static_cast<bool>(narrow));
  EXPECT_EQ(narrow->getBits(0), 0x3f80u);
  EXPECT_EQ(narrow->getBits(1), 0x3f82u);
  EXPECT_TRUE(std::isnan(narrow->getDouble(2)));

  Result<HostTensor> raw = HostTensor::create(DType::U16, {1});
  raw->setBits(0, 0x3fc0);
  EXPECT_EQ(convertNpy(*raw, DType::BF16)->getDouble(0), 1.5);

  Result<HostTensor> bytes = HostTensor::create(DType::U8, {2});
  bytes->setBits(0, 0x38);
  bytes->setBits(1, 0x0f);
  EXPECT_EQ(convertNpy(*bytes, DType::F8E4M3FN)->getDouble(0), 1.0);
  EXPECT_EQ(convertNpy(*bytes, DType::I4)->getDouble(1), -1.0);
  EXPECT_EQ(convertNpy(*bytes, DType::U4).error().message,
            "element 0 is 56, which does not fit ui4");
  EXPECT_EQ(convertNpy(*bytes, DType::F32).error().message, "expected f32, but got ui8");
  EXPECT_EQ(convertNpy(*bytes, DType::BF16).error().message,
            "expected bf16 (as f32, or its bits as ui16), but got ui8");
}

TEST_F(NpyFile, ErrorsNameTheFile) {
  EXPECT_EQ(readNpy(path("none.npy")).error().message,
            path("none.npy") + ": cannot read: No such file or directory");
  EXPECT_EQ(readNpy(dir.string()).error().message, dir.string() + ": cannot read: Is a directory");
  EXPECT_EQ(readNpy("/dev/null").error().message, "/dev/null: truncated: the header is incomplete");
  EXPECT_EQ(readNpy("/dev/zero").error().message, "/dev/zero: not an .npy file: wrong magic");
  Result<HostTensor> tensor = HostTensor::create(DType::F32, {2});
  EXPECT_EQ(writeNpy(path("none/a.npy"), *tensor).error().message,
            path("none/a.npy") + ": cannot write: No such file or directory");
}

TEST_F(NpyFile, ComesThroughAPipe) {
  Result<HostTensor> tensor = HostTensor::create(DType::I32, {300, 500}); // more than a pipe holds
  for (int64_t i = 0; i < tensor->numElements(); ++i)
    tensor->setBits(i, static_cast<uint64_t>(i));
  ASSERT_TRUE(static_cast<bool>(writeNpy(path("a.npy"), *tensor)));
  std::ifstream file(path("a.npy"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  auto readFrom = [&](std::string text) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text << std::flush; });
    Result<HostTensor> read = readNpy(pipe);
    writer.join();
    return read;
  };
  Result<HostTensor> whole = readFrom(bytes);
  ASSERT_TRUE(static_cast<bool>(whole)) << whole.error().message;
  EXPECT_EQ(whole->dims(), tensor->dims());
  EXPECT_EQ(std::memcmp(whole->data(), tensor->data(), tensor->numBytes()), 0);
  EXPECT_EQ(readFrom(bytes.substr(0, bytes.size() - 8)).error().message,
            pipe + ": truncated: expected 600000 bytes of data, but got 599992");
  EXPECT_EQ(readFrom(bytes.substr(0, 40)).error().message,
            pipe + ": truncated: the header is incomplete");
}

TEST_F(NpyFile, HeaderIsPaddedAndNothingElseIsLeft) {
  Result<HostTensor> tensor = HostTensor::create(DType::I64, {2, 1});
  ASSERT_TRUE(static_cast<bool>(writeNpy(path("a.npy"), *tensor)));
  std::ifstream file(path("a.npy"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(bytes.size(), 128u + 16u);
  EXPECT_EQ(bytes.substr(10, 60), "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1), } ");
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir), {}), 1);
}

TEST_F(NpyFile, SeveralTensorsAreNumbered) {
  std::vector<HostTensor> tensors;
  for (int64_t size : {3, 0})
    tensors.push_back(*HostTensor::create(DType::F32, {size}));
  ASSERT_TRUE(writeNpyFiles(path("new/folder"), "out", tensors));
  EXPECT_EQ(readNpy(path("new/folder/out0.npy"))->numElements(), 3);
  EXPECT_EQ(readNpy(path("new/folder/out1.npy"))->numElements(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("new/folder")), {}), 2);
}

TEST_F(NpyFile, LongHeaderTakesVersion2) {
  Result<HostTensor> tensor = HostTensor::create(DType::U8, std::vector<int64_t>(25000, 1));
  ASSERT_TRUE(static_cast<bool>(writeNpy(path("a.npy"), *tensor)));
  Result<HostTensor> back = readNpy(path("a.npy"));
  ASSERT_TRUE(static_cast<bool>(back)) << back.error().message;
  EXPECT_EQ(back->rank(), 25000);
}

} // namespace
