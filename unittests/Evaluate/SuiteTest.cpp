#include "forge/Evaluate/Suite.h"

#include "forge/Support/ErrorDetails.h"
#include "forge/Support/ScratchFolder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace forge;

namespace {

TEST(Suite, ReadsLines) {
  Result<std::vector<SuiteEntry>> read = parseSuite("forge-suite 1\n"
                                                    "// a comment\n"
                                                    "a.mlir\n\n"
                                                    "../models/tiny  // behind it\n"
                                                    "t/b.mlir from=bufferize chip=sm_90a\n"
                                                    "a.mlir function=f size=50",
                                                    "dir/suite.txt");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 4u);
  EXPECT_EQ((*read)[0].name, "a.mlir");
  EXPECT_EQ((*read)[0].path, "dir/a.mlir");
  EXPECT_EQ((*read)[0].from, Phase::Import);
  EXPECT_EQ((*read)[0].location, "dir/suite.txt:3:1");
  EXPECT_EQ((*read)[2].location, "dir/suite.txt:6:1");
  EXPECT_EQ((*read)[1].name, "../models/tiny");
  EXPECT_EQ((*read)[1].path, "models/tiny");
  EXPECT_EQ((*read)[2].from, Phase::Bufferize);
  EXPECT_TRUE((*read)[2].isFor(*Target::parse("sim:sm_90a")));
  EXPECT_FALSE((*read)[2].isFor(*Target::parse("sim:gfx942")));
  EXPECT_FALSE((*read)[2].isFor(*Target::parse("cpu")));
  EXPECT_TRUE((*read)[0].isFor(*Target::parse("cpu")));
  EXPECT_EQ((*read)[3].function, "f");
  EXPECT_EQ((*read)[3].dynamicSize, 50);
}

std::string messageOf(llvm::StringRef text) {
  Result<std::vector<SuiteEntry>> read = parseSuite(text, "s.txt");
  if (read)
    return "";
  const std::string &message = read.error().message;
  return knownDetails(message).location + ": " + message;
}

TEST(Suite, RefusesOthers) {
  EXPECT_EQ(messageOf(""), "s.txt:1:1: expected 'forge-suite 1'");
  EXPECT_EQ(messageOf("a.mlir\n"), "s.txt:1:1: expected 'forge-suite 1'");
  EXPECT_EQ(messageOf("forge-suite 2\na.mlir\n"), "s.txt:1:1: expected 'forge-suite 1'");
  EXPECT_EQ(messageOf("forge-suite 1\n// nothing\n"),
            "s.txt:2:1: expected a module on each line, but there is none");
  EXPECT_EQ(messageOf("forge-suite 1\na.mlir b.mlir\n"),
            "s.txt:2:8: expected KEY=VALUE behind the path, but got 'b.mlir'");
  EXPECT_EQ(messageOf("forge-suite 1\na.mlir tier=fast\n"),
            "s.txt:2:8: expected function, from, size or chip, but got 'tier'");
  EXPECT_TRUE(llvm::StringRef(messageOf("forge-suite 1\na.mlir from=never\n"))
                  .starts_with("s.txt:2:8: expected one of the phases import, "));
  EXPECT_EQ(messageOf("forge-suite 1\n\n a.mlir  size=-1\n"),
            "s.txt:3:10: expected a size from 0 to 2^20, but got '-1'");
  EXPECT_EQ(messageOf("forge-suite 1\na.mlir chip=sm_1\n"), "s.txt:2:8: unknown chip 'sm_1'");
  EXPECT_EQ(messageOf("forge-suite 1\na.mlir\na.mlir\n"), "s.txt:3:1: 'a.mlir' is there twice");
}

TEST(Suite, OfAFolder) {
  Result<ScratchFolder> folder = ScratchFolder::create("suite");
  ASSERT_TRUE(folder);
  std::filesystem::path root = folder->path();
  std::filesystem::create_directories(root / "b");
  std::filesystem::create_directories(root / "model");
  for (const char *file : {"z.mlir", "b/a.mlir", "notes.txt", "model/config.json", "model/x.mlir"})
    std::ofstream(root / file) << "text";
  Result<std::vector<SuiteEntry>> read = openSuite(root);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[0].name, "b/a.mlir");
  EXPECT_EQ((*read)[1].name, "model");
  EXPECT_EQ((*read)[2].name, "z.mlir");
  EXPECT_EQ((*read)[2].path, (root / "z.mlir").string());
  // A model, a module, a suite, nothing.
  EXPECT_EQ(openSuite(root / "model")->front().name, "model");
  EXPECT_EQ(openSuite(root / "z.mlir")->front().name, "z.mlir");
  std::ofstream(root / "suite.txt") << "forge-suite 1\nz.mlir\n";
  EXPECT_EQ(openSuite(root / "suite.txt")->front().path, (root / "z.mlir").string());
  EXPECT_FALSE(openSuite(root / "missing"));
  std::ofstream(root / "nothing.txt");
  Result<std::vector<SuiteEntry>> nothing = openSuite(root / "nothing.txt");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(knownDetails(nothing.error().message).location,
            (root / "nothing.txt").string() + ":1:1");
  std::filesystem::create_directories(root / "empty");
  EXPECT_FALSE(openSuite(root / "empty"));
}

} // namespace
