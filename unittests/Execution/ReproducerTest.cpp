#include "CompileText.h"

#include "forge/Support/ScratchFolder.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace forge;
using namespace forge::test;

// An operation on tensors that bufferization does not know.
TEST(Reproducer, InternalFailureIsWrittenAndNamed) {
  Result<ScratchFolder> folder = ScratchFolder::create("forge-reproducer");
  ASSERT_TRUE(folder) << folder.error().message;
  CompileOptions options;
  options.reproducerDir = folder->path() + "/new";
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %i = arith.constant dense<0> : tensor<4x1xindex>
      %r = tensor.gather %a[%i] gather_dims([0])
          : (tensor<4xf32>, tensor<4x1xindex>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    })mlir",
                                              options);
  ASSERT_FALSE(executable);
  llvm::StringRef message = executable.error().message;
  EXPECT_TRUE(message.starts_with("phase bufferize failed: ")) << message.str();
  llvm::StringRef path = message.split("reproducer: ").second;
  ASSERT_TRUE(path.consume_back(")")) << message.str();
  EXPECT_EQ(path.str(), folder->path() + "/new/1/failure.mlir");
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(static_cast<bool>(file)) << path.str();
  EXPECT_TRUE((*file)->getBuffer().contains("tensor.gather"));
  EXPECT_TRUE((*file)->getBuffer().contains("mlir_reproducer"));
}

// StableHLO that no conversion has seen, claimed to be linalg: the call is wrong, and no pass.
TEST(Reproducer, AWrongPhaseIsNoInternalFailure) {
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = stablehlo.sine %a : tensor<4xf32>
      return %r : tensor<4xf32>
    })mlir",
                                              CompileOptions());
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().message, "-:3:12: expected a module at phase 'linalg', but got "
                                        "'stablehlo.sine' of phase 'simplify' or before");
}

TEST(Reproducer, IsNotWrittenWhereNoneIsWanted) {
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %i = arith.constant dense<0> : tensor<4x1xindex>
      %r = tensor.gather %a[%i] gather_dims([0])
          : (tensor<4xf32>, tensor<4x1xindex>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    })mlir",
                                              CompileOptions());
  ASSERT_FALSE(executable);
  EXPECT_TRUE(llvm::StringRef(executable.error().message).starts_with("phase bufferize failed: "));
  EXPECT_EQ(executable.error().message.find("reproducer"), std::string::npos);
}
