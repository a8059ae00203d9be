#include "../../lib/Import/BytecodeSizes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

using namespace forge;

static std::unique_ptr<llvm::MemoryBuffer> copy(llvm::StringRef bytes) {
  return llvm::MemoryBuffer::getMemBufferCopy(bytes);
}

/// "whole", "malformed", or the error.
static std::string scan(llvm::StringRef bytes) {
  Result<bool> result = checkBytecodeSizes(copy(bytes)->getBuffer());
  return !result ? result.error().message : *result ? "whole" : "malformed";
}

static std::string read(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(FORGE_IMPORT_INPUTS) + "/" + name);
  EXPECT_TRUE(bool(file)) << name;
  return file ? (*file)->getBuffer().str() : "";
}

// Of versions 1, 4 and 6 of the bytecode, with nested regions and large constants.
TEST(BytecodeSizes, WholeFilesAreUnderstood) {
  std::error_code error;
  int count = 0;
  for (llvm::sys::fs::directory_iterator it(FORGE_IMPORT_INPUTS, error), end; it != end && !error;
       it.increment(error)) {
    if (llvm::sys::path::extension(it->path()) != ".mlirbc")
      continue;
    auto file = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(bool(file));
    EXPECT_EQ(scan((*file)->getBuffer()), "whole") << it->path();
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(BytecodeSizes, CutOffFilesAreLeftToTheReader) {
  std::string whole = read("ops-1.17.0.mlirbc");
  // Without the operations they are malformed; what follows them is sections again.
  size_t operations = 2800;
  for (size_t size = 0; size < whole.size(); ++size) {
    std::string result = scan(llvm::StringRef(whole).take_front(size));
    EXPECT_TRUE(result == "malformed" || (result == "whole" && size > operations))
        << size << ": " << result;
  }
}

/// A number in eight bytes behind one of zeros.
static std::string large(uint64_t number) {
  std::string bytes(1, '\0');
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(number >> 8 * i);
  return bytes;
}

static std::string section(char id, const std::string &data) {
  return std::string(1, id) + static_cast<char>(data.size() << 1 | 1) + data;
}

/// A file of version 6 with these sections.
static std::string file(const std::string &sections) {
  return "ML\xefR\x0dtest" + std::string(1, '\0') + sections;
}

/// One operation that has `components`, by its mask.
static std::string operation(char mask, const std::string &components) {
  return section(4, "\x05\x01" + std::string(1, mask) + "\x01" + components);
}

TEST(BytecodeSizes, CountsNeedBytes) {
  EXPECT_EQ(scan(file(section(0, large(1000)))), "malformed bytecode: 1000 strings in 0 bytes");
  EXPECT_EQ(scan(file(section(1, large(1) + ""))), "malformed bytecode: 1 dialects in 0 bytes");
  EXPECT_EQ(scan(file(section(3, large(7) + large(1) + "abcdef"))),
            "malformed bytecode: 7 attributes in 6 bytes");
  EXPECT_EQ(scan(file(section(3, "\x01" + large(uint64_t(1) << 40)))),
            "malformed bytecode: 1099511627776 types in 0 bytes");
  EXPECT_EQ(scan(file(section(6, large(100)))),
            "malformed bytecode: 100 groups of resources in 9 bytes");
  EXPECT_EQ(scan(file(section(8, large(5) + "a"))), "malformed bytecode: 5 properties in 1 byte");
  EXPECT_EQ(scan(file(operation(2, large(3)))), "malformed bytecode: 3 results in 0 bytes");
  EXPECT_EQ(scan(file(operation(4, large(3)))), "malformed bytecode: 3 operands in 0 bytes");
  EXPECT_EQ(scan(file(operation(8, large(3)))), "malformed bytecode: 3 successors in 0 bytes");
  EXPECT_EQ(scan(file(operation(16, large(6)))), "malformed bytecode: 3 regions in 0 bytes");
  EXPECT_EQ(scan(file(operation(32, large(8)))), "malformed bytecode: 4 uses in 0 bytes");
  // A region of no arguments and operations.
  std::string empty = operation(16, "\x05\x03\x01\x01");
  EXPECT_EQ(scan(file(empty)), "whole");
  std::string values = file(operation(16, "\x05\x03" + large(uint64_t(1) << 29) + "\x01"));
  EXPECT_EQ(scan(values),
            "malformed bytecode: 536870912 values in " + std::to_string(values.size()) + " bytes");
  std::string blocks = file(operation(16, "\x05" + large(1000) + "\x01\x01"));
  EXPECT_EQ(scan(blocks),
            "malformed bytecode: 1000 blocks in " + std::to_string(blocks.size()) + " bytes");
  // Two regions of 20 values each: the file is too short for both.
  std::string twice = file(operation(16, "\x09\x03\x29\x01\x03\x29\x01"));
  EXPECT_EQ(scan(twice),
            "malformed bytecode: 20 values in " + std::to_string(twice.size() - 20) + " bytes");
  EXPECT_EQ(scan(file(operation(16, "\x05\x03\x01\x03" + large(9)))),
            "malformed bytecode: 9 arguments in 0 bytes");
}

TEST(BytecodeSizes, NestingHasALimit) {
  // An operation in the region of each: 7 bytes.
  std::string nested;
  for (int i = 0; i < 600; ++i)
    nested += "\x01\x10\x01\x05\x03\x01\x05";
  nested += std::string("\x01\x00\x01", 3);
  std::string data = "\x05" + nested;
  std::string sections = std::string(1, '\x04') + large(data.size()) + data;
  EXPECT_EQ(scan(file(sections)), "malformed bytecode: regions are nested deeper than 512");
}
