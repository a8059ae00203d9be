// Code objects linked inside the process: from several threads, and after a link that failed.
#include "forge/Target/ROCDL/Link.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Target/ROCDL/HSACO.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <thread>

using namespace forge;

static const char *kernel = R"mlir(
  gpu.module @kernels {
    llvm.func @stores(%out: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.store %one, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  })mlir";

static Result<std::string> build() {
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kernel, &context);
  if (!module)
    return Error{"does not parse"};
  std::vector<KernelResources> resources;
  Result<std::string> code =
      emitHSACO(*module->getOps<mlir::gpu::GPUModuleOp>().begin(), *findChip("gfx942"), resources);
  if (code && (resources.size() != 1 || resources[0].name != "stores"))
    return Error{"no metadata of the kernel"};
  return code;
}

TEST(Link, FromThreads) {
  std::vector<Result<std::string>> results(4, Error{"did not run"});
  std::vector<std::thread> threads;
  for (Result<std::string> &result : results)
    threads.emplace_back([&] { result = build(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Result<std::string> &result : results) {
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->substr(0, 4), "\x7f"
                                    "ELF");
    EXPECT_EQ(*result, *results.front());
  }
}

TEST(Link, FailureLeavesItUsable) {
  for (const std::string &object : {std::string("no object at all"), std::string("\x7f"
                                                                                 "ELF cut off")}) {
    Result<std::string> wrong = linkCodeObject(object);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("kernels.o"), std::string::npos) << wrong.error().message;
    Result<std::string> right = build();
    EXPECT_TRUE(right) << right.error().message;
  }
}
