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

// Kinds of errors are part of the diagnostic: "unsupported" in its text says nothing.
TEST(Reproducer, WordsDoNotMakeAnErrorTheUsers) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @main() {
      "test.unsupported"() : () -> ()
      return
    })mlir",
                                                        &context);
  ASSERT_TRUE(module);
  CompileOptions options;
  options.from = Phase::Bufferize;
  Result<Executable> executable = Executable::compile(*module, options);
  ASSERT_FALSE(executable);
  llvm::StringRef message = executable.error().message;
  EXPECT_TRUE(message.starts_with("phase ")) << message.str();
  EXPECT_TRUE(message.contains("unsupported")) << message.str();
}

TEST(Reproducer, AMistakeInAScheduleIsTheUsers) {
  CompileOptions options;
  options.target = "sim:sm_90a";
  Result<Executable> executable = compileText(R"mlir(
    func.func private @k(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {forge.kernel,
        forge.schedule = #forge.schedule<strategy = magic, threads = 32>} {
      %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = call @k(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })mlir",
                                              options, Phase::Fuse);
  ASSERT_FALSE(executable);
  llvm::StringRef message = executable.error().message;
  EXPECT_FALSE(message.starts_with("phase ")) << message.str();
  EXPECT_TRUE(message.contains("expected one of the strategies")) << message.str();
}
