#include "CompileText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace forge;
using namespace forge::test;

// StableHLO that no conversion has seen, claimed to be linalg: bufferization cannot go on.
TEST(Reproducer, InternalFailureIsWrittenAndNamed) {
  llvm::SmallString<128> directory;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("forge-test", directory));
  CompileOptions options;
  options.reproducerDir = directory.str().str();
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
  llvm::sys::fs::remove_directories(directory);
}
