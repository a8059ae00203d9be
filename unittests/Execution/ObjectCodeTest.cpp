#include "forge/Execution/ObjectCode.h"

#include "CompileText.h"

#include "forge/Execution/CodeCache.h"
#include "forge/Support/ScratchFolder.h"

#include <thread>

using namespace forge;
using namespace forge::test;

/// @scale0 to @scale3, which multiply by 0 to 3, and @wrong, which bufferization does not know.
static constexpr char kText[] = R"mlir(
  func.func @scale0(%a: tensor<2xf32>) -> tensor<2xf32> {
    %f = arith.constant dense<0.0> : tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %r = linalg.mul ins(%a, %f : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  }
  func.func @scale1(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @scale2(%a: tensor<2xf32>) -> tensor<2xf32> {
    %e = tensor.empty() : tensor<2xf32>
    %r = linalg.add ins(%a, %a : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  }
  func.func @scale3(%a: tensor<2xf32>) -> tensor<2xf32> {
    %f = arith.constant dense_resource<three> : tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %r = linalg.mul ins(%a, %f : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  }
  func.func @wrong(%a: tensor<4xf32>) -> tensor<4xf32> {
    %i = arith.constant dense<0> : tensor<4x1xindex>
    %r = tensor.gather %a[%i] gather_dims([0]) : (tensor<4xf32>, tensor<4x1xindex>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
  {-# dialect_resources: { builtin: { three: "0x400000000000404000004040" } } #-}
)mlir";

namespace {
class ObjectCodeTest : public ::testing::Test {
protected:
  ObjectCodeTest() : context(registry()) {
    module = mlir::parseSourceString<mlir::ModuleOp>(kText, &context);
    target = *Target::parse("cpu");
  }
  void SetUp() override { ASSERT_TRUE(module); }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  std::vector<CompileJob> jobs(std::vector<std::string> names, CodeCache *cache = nullptr) {
    std::vector<CompileJob> jobs;
    for (std::string &name : names) {
      CompileJob &job = jobs.emplace_back(CompileJob{*module, {}});
      job.options.function = std::move(name);
      job.options.cache = cache;
    }
    return jobs;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Target target;
};
} // namespace

TEST_F(ObjectCodeTest, SideBySideIsTheCodeOfOneByOne) {
  std::vector<CompileJob> all = jobs({"scale0", "scale1", "scale2", "scale3"});
  Result<std::vector<ObjectCode>> codes = compileSideBySide(all, target);
  ASSERT_TRUE(codes) << codes.error().message;
  ASSERT_EQ(codes->size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    Result<ObjectCode> alone = compileToObject(*module, all[i].options, target);
    ASSERT_TRUE(alone) << alone.error().message;
    EXPECT_EQ((*codes)[i].object->getBuffer(), alone->object->getBuffer());
    EXPECT_EQ((*codes)[i].signature.name, "scale" + std::to_string(i));
    Result<Executable> loaded = Executable::load(std::move((*codes)[i]), {target, nullptr});
    ASSERT_TRUE(loaded) << loaded.error().message;
    Result<RunResult> done = loaded->run({tensor(DType::F32, {2}, {1, 2})});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(values(done->results[0]), (std::vector<double>{1.0 * i, 2.0 * i}));
  }
}

TEST_F(ObjectCodeTest, TheFirstFailureIsToldOnce) {
  std::vector<CompileJob> all = jobs({"scale0", "wrong", "missing"});
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler count(&context, [&](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::success();
  });
  Result<std::vector<ObjectCode>> codes = compileSideBySide(all, target);
  ASSERT_FALSE(codes);
  EXPECT_TRUE(llvm::StringRef(codes.error().message).starts_with("phase bufferize failed: "))
      << codes.error().message;
  unsigned once = errors;
  EXPECT_GE(once, 1u);
  ASSERT_FALSE(compileToObject(*module, all[1].options, target));
  EXPECT_EQ(errors, 2 * once);
}

TEST_F(ObjectCodeTest, AheadLeavesOutWhatFails) {
  std::vector<std::optional<ObjectCode>> codes =
      compileAhead(jobs({"scale0", "wrong", "scale2"}), target);
  ASSERT_EQ(codes.size(), 3u);
  bool sideBySide = std::thread::hardware_concurrency() > 1;
  EXPECT_EQ(codes[0].has_value(), sideBySide);
  EXPECT_FALSE(codes[1].has_value());
  EXPECT_EQ(codes[2].has_value(), sideBySide);
  EXPECT_FALSE(compileAhead(jobs({"scale0"}), target)[0].has_value());
  EXPECT_TRUE(compileAhead({}, target).empty());
}

TEST_F(ObjectCodeTest, ThreadsShareACache) {
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-object-code");
  ASSERT_TRUE(scratch) << scratch.error().message;
  std::vector<std::string> names = {"scale0", "scale1", "scale2", "scale3"};
  CodeCache first(scratch->path() + "/cache");
  ASSERT_TRUE(compileSideBySide(jobs(names, &first), target));
  EXPECT_EQ(first.numMisses(), 4u);
  // What a copy of the module has stored, the module itself finds.
  CodeCache second(scratch->path() + "/cache");
  for (const CompileJob &job : jobs(names, &second))
    EXPECT_TRUE(compileToObject(job.module, job.options, target));
  EXPECT_EQ(second.numHits(), 4u);
  ASSERT_TRUE(compileSideBySide(jobs(names, &second), target));
  EXPECT_EQ(second.numHits(), 8u);
  EXPECT_EQ(second.numMisses(), 0u);
}
