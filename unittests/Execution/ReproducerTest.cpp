#include "CompileText.h"

#include "forge/Support/ScratchFolder.h"

#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>

using namespace forge;
using namespace forge::test;

// StableHLO that no conversion has seen, claimed to be linalg: bufferization cannot go on.
TEST(Reproducer, InternalFailureIsWrittenAndNamed) {
  Result<ScratchFolder> folder = ScratchFolder::create("forge-reproducer");
  ASSERT_TRUE(folder) << folder.error().message;
  CompileOptions options;
  options.reproducerDir = folder->path();
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = stablehlo.sine %a : tensor<4xf32>
      return %r : tensor<4xf32>
    })mlir",
                                              options);
  ASSERT_FALSE(executable);
  llvm::StringRef message = executable.error().message;
  EXPECT_TRUE(message.starts_with("phase bufferize failed: ")) << message.str();
  llvm::StringRef path = message.split("reproducer: ").second;
  ASSERT_TRUE(path.consume_back(")")) << message.str();
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(static_cast<bool>(file)) << path.str();
  EXPECT_TRUE((*file)->getBuffer().contains("stablehlo.sine"));
  EXPECT_TRUE((*file)->getBuffer().contains("mlir_reproducer"));
}

TEST(Reproducer, IsNotWrittenWhereNoneIsWanted) {
  Result<ScratchFolder> folder = ScratchFolder::create("forge-reproducer");
  ASSERT_TRUE(folder) << folder.error().message;
  CompileOptions options;
  options.reproducerDir = folder->path();
  options.writeReproducer = false;
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = stablehlo.sine %a : tensor<4xf32>
      return %r : tensor<4xf32>
    })mlir",
                                              options);
  ASSERT_FALSE(executable);
  EXPECT_TRUE(llvm::StringRef(executable.error().message).starts_with("phase bufferize failed: "));
  EXPECT_EQ(executable.error().message.find("reproducer"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder->path()));
}
