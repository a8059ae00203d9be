// What ptxas and the metadata of AMD's code objects tell of kernels whose needs are known: shared
// memory of 1024 bytes, an array of the thread's own, more values at once than there are registers.
#include "forge/Pipelines/InitAll.h"
#include "forge/Target/NVVM/PTX.h"
#include "forge/Target/ROCDL/HSACO.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <map>

using namespace forge;

static std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// KERNEL, LIMITED: attributes of a kernel, of one with few registers; STACK: the address space of
/// a thread's own arrays.
static std::string kernels(const std::string &kernel, const std::string &limited,
                           const std::string &stack) {
  std::string text = R"mlir(
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<256 x f32>
    llvm.func @plain(%out: !llvm.ptr<1>) attributes {KERNEL} {
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.store %one, %out : i32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @shared(%out: !llvm.ptr<1>, %i: i32) attributes {KERNEL} {
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %at = llvm.getelementptr %tile[0, %i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<256 x f32>
      %x = llvm.load volatile %at : !llvm.ptr<3> -> f32
      llvm.store volatile %x, %at : f32, !llvm.ptr<3>
      llvm.store %x, %out : f32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @stack(%out: !llvm.ptr<1>, %i: i32) attributes {KERNEL} {
      %n = llvm.mlir.constant(64 : i32) : i32
      %array = llvm.alloca %n x i32 : (i32) -> !llvm.ptrSTACK
      %at = llvm.getelementptr %array[%i] : (!llvm.ptrSTACK, i32) -> !llvm.ptrSTACK, i32
      llvm.store volatile %i, %at : i32, !llvm.ptrSTACK
      %x = llvm.load volatile %array : !llvm.ptrSTACK -> i32
      llvm.store %x, %out : i32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @spills(%p: !llvm.ptr<1>) attributes {KERNELLIMITED} {
)mlir";
  std::string loads, stores;
  for (int i = 0; i < 96; ++i) {
    std::string n = std::to_string(i);
    loads +=
        "%a" + n + " = llvm.getelementptr %p[" + n + "] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32\n";
    loads += "%v" + n + " = llvm.load volatile %a" + n + " : !llvm.ptr<1> -> i32\n";
    stores += "llvm.store volatile %v" + n + ", %a" + n + " : i32, !llvm.ptr<1>\n";
  }
  text += loads + stores + "llvm.return\n}\n}\n";
  text = replaceAll(text, "LIMITED", limited);
  return replaceAll(replaceAll(text, "KERNEL", kernel), "STACK", stack);
}

namespace {
class Resources : public ::testing::Test {
protected:
  mlir::gpu::GPUModuleOp parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return module ? *module->getOps<mlir::gpu::GPUModuleOp>().begin() : mlir::gpu::GPUModuleOp();
  }

  void check(const std::vector<KernelResources> &found) {
    std::map<std::string, KernelResources> byName;
    for (const KernelResources &kernel : found)
      byName[kernel.name] = kernel;
    ASSERT_EQ(byName.size(), 4u);
    for (const auto &[name, kernel] : byName) {
      EXPECT_EQ(kernel.sharedBytes, name == "shared" ? 1024 : 0) << name;
      EXPECT_EQ(kernel.spillBytes > 0, name == "spills") << name << ": " << kernel.spillBytes;
      EXPECT_GT(kernel.registers, 0) << name;
      EXPECT_LE(kernel.registers, 64) << name;
    }
    EXPECT_GE(byName["stack"].stackBytes, 256);
    EXPECT_EQ(byName["plain"].stackBytes, 0);
    // Each spilled value takes a word of the stack.
    EXPECT_GE(byName["spills"].stackBytes, 4 * (96 - 64));
  }

  mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry all;
    forge::registerAllDialects(all);
    return all;
  }();
  mlir::MLIRContext context{registry};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_F(Resources, AMDMetadata) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx1100"}) {
    auto device = parse(kernels("gpu.kernel, rocdl.kernel",
                                ", passthrough = [[\"amdgpu-num-vgpr\", \"16\"]]", "<5>"));
    ASSERT_TRUE(device);
    std::vector<KernelResources> found;
    Result<std::string> code = emitHSACO(device, *findChip(chip), found);
    ASSERT_TRUE(code) << code.error().message;
    SCOPED_TRACE(chip);
    check(found);
    for (const KernelResources &kernel : found)
      EXPECT_GT(kernel.scalarRegisters, 0) << kernel.name;
  }
}

/// A kernel that requires blocks of 16x16x2 threads, and is compiled for `threads` of them.
static std::string kernelOfBlock(const std::string &threads) {
  return R"mlir(
  gpu.module @kernels {
    llvm.func @block(%out: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel,
        rocdl.reqd_work_group_size = array<i32: 16, 16, 2>)mlir" +
         threads + R"mlir(} {
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.store %one, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  })mlir";
}

// HIP launches no block of more threads than the code object names, which are 256 where nothing
// says otherwise.
TEST_F(Resources, AMDBlockSizes) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx1100"}) {
    SCOPED_TRACE(chip);
    std::vector<KernelResources> found;
    auto right = parse(kernelOfBlock(", rocdl.flat_work_group_size = \"512,512\""));
    ASSERT_TRUE(right);
    Result<std::string> code = emitHSACO(right, *findChip(chip), found);
    ASSERT_TRUE(code) << code.error().message;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].maxThreads, 512);
    auto wrong = parse(kernelOfBlock(""));
    ASSERT_TRUE(wrong);
    code = emitHSACO(wrong, *findChip(chip), found);
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().message,
              "expected code of kernel @block for blocks of 512 threads, but got it for 256");
    EXPECT_EQ(found.size(), 1u);
  }
}

TEST_F(Resources, Ptxas) {
  if (Result<std::string> ptxas = findPtxas(); !ptxas)
    GTEST_SKIP() << ptxas.error().message;
  auto device = parse(kernels("gpu.kernel, nvvm.kernel", ", nvvm.maxnreg = 24 : i32", ""));
  ASSERT_TRUE(device);
  Result<std::string> ptx = emitPTX(device, *findChip("sm_80"));
  ASSERT_TRUE(ptx) << ptx.error().message;
  std::vector<KernelResources> found;
  Result<std::string> code = assemblePTX(*ptx, *findChip("sm_80"), found);
  ASSERT_TRUE(code) << code.error().message;
  check(found);
}
