// What portable artifacts and files of jax.export say of themselves, for any bytes.
#include "../../lib/Import/Portable/FlatBuffer.h"
#include "../../lib/Import/Portable/JaxExport.h"
#include "../../lib/Import/Portable/PortableArtifact.h"
#include "../../lib/Import/Portable/VhloOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

std::string header(const std::string &producer) {
  return "ML\xef"
         "R\x0d" +
         producer + std::string(1, '\0') + "more";
}

/// The version as text, "none", or the error.
std::string versionOf(const std::string &bytecode) {
  Result<std::optional<StableHLOVersion>> version = portableVersion(bytecode);
  if (!version)
    return version.error().message;
  if (!*version)
    return "none";
  return std::to_string((*version)->major) + "." + std::to_string((*version)->minor) + "." +
         std::to_string((*version)->patch);
}

TEST(PortableVersion, IsTheProducers) {
  EXPECT_EQ(versionOf(header("StableHLO_v0.9.0")), "0.9.0");
  EXPECT_EQ(versionOf(header("StableHLO_v1.13.7")), "1.13.7");
  EXPECT_EQ(versionOf(header("StableHLO_v1.22.0")), "1.22.0");
  // A patch of the newest changes nothing that is read.
  EXPECT_EQ(versionOf(header("StableHLO_v1.20.3")), "1.20.3");
  EXPECT_EQ(versionOf(header("MLIR22.1.0")), "none");
}

TEST(PortableVersion, IsOneThatForgeReads) {
  EXPECT_EQ(
      versionOf(header("StableHLO_v1.23.0")),
      "unsupported version 1.23.0 of a StableHLO portable artifact: expected 0.9.0 to 1.22.0");
  EXPECT_EQ(versionOf(header("StableHLO_v2.0.0")),
            "unsupported version 2.0.0 of a StableHLO portable artifact: expected 0.9.0 to 1.22.0");
  EXPECT_EQ(versionOf(header("StableHLO_v0.8.0")),
            "unsupported version 0.8.0 of a StableHLO portable artifact: expected 0.9.0 to 1.22.0");
  for (const char *number :
       {"", "1", "1.2", "1.2.x", "1.2.3.4", "-1.0.0", "99999999999999999999.0.0"})
    EXPECT_EQ(versionOf(header(std::string("StableHLO_v") + number)),
              "expected the version of a StableHLO portable artifact, but got '" +
                  std::string(number) + "'");
}

TEST(PortableVersion, HeadersMayBeCutOff) {
  std::string whole = header("StableHLO_v1.22.0");
  for (size_t size = 0; size < whole.size() - 5; ++size)
    EXPECT_EQ(versionOf(whole.substr(0, size)), "none") << size;
  // A varint of nine bytes, none of which are there.
  EXPECT_EQ(versionOf(std::string("ML\xefR\0", 5)), "none");
}

TEST(VhloOps, AreSortedAndFound) {
  EXPECT_EQ(vhloOps().size(), 145u);
  EXPECT_TRUE(
      llvm::is_sorted(vhloOps(), [](const VhloOp &a, const VhloOp &b) { return a.name < b.name; }));
  for (const VhloOp &op : vhloOps()) {
    EXPECT_EQ(findVhloOp(("vhlo." + op.name).str()), &op);
    // Properties are in alphabetical order.
    llvm::SmallVector<llvm::StringRef> names;
    op.attributes.split(names, ' ', -1, /*KeepEmpty=*/false);
    EXPECT_TRUE(llvm::is_sorted(names)) << op.name.str();
  }
  EXPECT_EQ(findVhloOp("vhlo.add_v1")->baseName(), "add");
  EXPECT_EQ(findVhloOp("vhlo.add_v2"), nullptr);
  EXPECT_EQ(findVhloOp("vhlo.zzz_v1"), nullptr);
  EXPECT_EQ(findVhloOp("stablehlo.add"), nullptr);
}

/// Puts a FlatBuffer together from its start: the root's place, the list of fields, the table, and
/// what it refers to.
class ExportBytes {
public:
  ExportBytes(uint16_t convention, uint32_t devices, const std::vector<std::string> &platforms,
              const std::string &module) {
    constexpr unsigned fields = 19, tableSize = 4 + 4 * 4;
    number<uint32_t>(4 + 4 + 2 * fields + 2); // the root; 2 bytes so that it is aligned
    number<uint16_t>(4 + 2 * fields);
    number<uint16_t>(tableSize);
    for (unsigned field = 0; field < fields; ++field)
      number<uint16_t>(field == 9 ? 4 : field == 13 ? 8 : field == 14 ? 12 : field == 18 ? 16 : 0);
    number<uint16_t>(0);
    size_t table = bytes.size();
    number<int32_t>(static_cast<int32_t>(table) - 4);
    size_t platformsField = reserve(), moduleField = reserve();
    number<uint32_t>(convention);
    number<uint32_t>(devices);
    refer(platformsField);
    number<uint32_t>(static_cast<uint32_t>(platforms.size()));
    std::vector<size_t> names;
    for (size_t i = 0; i < platforms.size(); ++i)
      names.push_back(reserve());
    for (size_t i = 0; i < platforms.size(); ++i) {
      refer(names[i]);
      text(platforms[i]);
    }
    refer(moduleField);
    text(module);
  }

  std::string bytes;

private:
  template <typename Number> void number(Number value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void text(const std::string &value) {
    number<uint32_t>(static_cast<uint32_t>(value.size()));
    bytes += value;
  }
  size_t reserve() {
    number<uint32_t>(0);
    return bytes.size() - 4;
  }
  /// The number at `place` becomes the distance to what comes next.
  void refer(size_t place) {
    auto distance = static_cast<uint32_t>(bytes.size() - place);
    bytes.replace(place, 4, reinterpret_cast<const char *>(&distance), 4);
  }
};

std::string errorOf(const std::string &bytes) {
  Result<JaxExport> exported = parseJaxExport(bytes);
  return exported ? "" : exported.error().message;
}

TEST(JaxExport, HasModuleAndPlatforms) {
  std::string bytes = ExportBytes(10, 1, {"cpu", "cuda"}, "ML\xefR...").bytes;
  EXPECT_TRUE(isJaxExport(bytes));
  Result<JaxExport> exported = parseJaxExport(bytes);
  ASSERT_TRUE(exported) << exported.error().message;
  EXPECT_EQ(exported->module, "ML\xefR...");
  EXPECT_EQ(exported->platforms, (std::vector<std::string>{"cpu", "cuda"}));
}

TEST(JaxExport, IsOneThatForgeReads) {
  EXPECT_EQ(errorOf(ExportBytes(9, 1, {"cpu"}, "ML\xefR").bytes), "");
  EXPECT_EQ(errorOf(ExportBytes(8, 1, {"cpu"}, "ML\xefR").bytes),
            "unsupported calling convention version 8 of a jax.export file: expected 9 or 10");
  EXPECT_EQ(errorOf(ExportBytes(11, 1, {"cpu"}, "ML\xefR").bytes),
            "unsupported calling convention version 11 of a jax.export file: expected 9 or 10");
  // The module says what several devices are for.
  EXPECT_EQ(errorOf(ExportBytes(10, 4, {"cpu"}, "ML\xefR").bytes), "");
  EXPECT_FALSE(isJaxExport(ExportBytes(10, 1, {"cpu"}, "zstd").bytes));
}

/// What is read is inside the bytes, and so is every byte that is looked at: they have exactly
/// their size, for sanitizers.
void parseExactly(const std::string &bytes) {
  std::vector<char> exact(bytes.begin(), bytes.end());
  llvm::StringRef view(exact.data(), exact.size());
  Result<JaxExport> exported = parseJaxExport(view);
  if (!exported || exported->module.empty())
    return;
  EXPECT_GE(exported->module.begin(), view.begin());
  EXPECT_LE(exported->module.end(), view.end());
}

TEST(JaxExport, MayBeCutOff) {
  std::string whole = ExportBytes(10, 1, {"cpu", "cuda"}, "ML\xefR...").bytes;
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(isJaxExport(whole.substr(0, size))) << size;
    parseExactly(whole.substr(0, size));
  }
}

TEST(JaxExport, MayHaveAnyByteInAnyPlace) {
  std::string whole = ExportBytes(10, 1, {"cpu", "cuda"}, "ML\xefR...").bytes;
  for (size_t place = 0; place < whole.size(); ++place)
    for (int value = 0; value < 256; ++value) {
      std::string bytes = whole;
      bytes[place] = static_cast<char>(value);
      parseExactly(bytes);
      for (size_t next = 1; next < 4 && place + next < bytes.size(); ++next)
        bytes[place + next] = static_cast<char>(value);
      parseExactly(bytes);
    }
}

} // namespace
