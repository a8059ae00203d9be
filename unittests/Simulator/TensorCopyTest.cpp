// Tensor copies between global memory and 32 numbers of shared memory: to several blocks of a
// cluster, and the fences that they need behind accesses of threads.
#include "SimulatedKernel.h"

#include "forge/Simulator/TensorMap.h"

#include <cstring>

using namespace forge;
using namespace forge::test;

static std::vector<float> squares(int count) {
  std::vector<float> numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = float(i * i);
  return numbers;
}

/// A tensor map, in device memory, of `count` numbers of f32 at `memory`, in boxes of 32.
static void *mapOf(SimulatedKernel &kernel, void *memory, uint64_t count) {
  sim::TensorMap tensor;
  tensor.rank = 1;
  tensor.elementBytes = 4;
  tensor.base = reinterpret_cast<uint64_t>(memory);
  tensor.sizes[0] = count;
  tensor.box[0] = 32;
  std::vector<char> bytes(128);
  std::memcpy(bytes.data(), &tensor, sizeof(tensor));
  return kernel.upload(bytes);
}

/// Blocks of a warp, in one cluster, with shared memory for a box and an mbarrier.
static sim::LaunchConfig aWarp(uint32_t blocks) {
  sim::LaunchConfig config;
  config.grid.x = config.cluster.x = blocks;
  config.block.x = 32;
  config.dynamicShared = 32 * 4 + 8;
  return config;
}

/// The first block of a cluster of two loads a box of 32 numbers, from number `first` on, for the
/// blocks of `mask`; both wait for it, and write it out.
static std::string runMulticast(int mask, std::vector<float> &got, int first = 0) {
  std::string text = R"mlir(gpu.module @kernels {
llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.func @share(%map: !llvm.ptr, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bytes = arith.constant 128 : i32
  %ticks = arith.constant 1000 : i32
  %mask = arith.constant MASK : i16
  %at = arith.constant FIRST : i32
  %a = llvm.mlir.addressof @memory : !llvm.ptr<3>
  %bar = llvm.getelementptr %a[128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
  }
  nvvm.cluster.arrive
  nvvm.cluster.wait
  %leader = arith.cmpi eq, %block, %c0 : index
  %loads = arith.andi %first, %leader : i1
  scf.if %loads {
    %ca = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %ca, %map, %bar, box [%at] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
  }
  nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
  %ti = arith.index_cast %t : index to i64
  %p = llvm.getelementptr %a[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %v = llvm.load %p : !llvm.ptr<3> -> f32
  %base = arith.muli %block, %c32 : index
  %place = arith.addi %base, %t : index
  memref.store %v, %out[%place] : memref<64xf32>
  nvvm.cluster.arrive
  nvvm.cluster.wait
  gpu.return
} })mlir";
  text.replace(text.find("MASK"), 4, std::to_string(mask));
  text.replace(text.find("FIRST"), 5, std::to_string(first));
  SimulatedKernel kernel(text, "sm_90a");
  void *map = mapOf(kernel, kernel.upload(squares(32)), 32), *out = kernel.allocate(64 * 4);
  std::string finding = kernel.launch(aWarp(/*blocks=*/2), {&map, &out});
  if (finding.empty())
    got = kernel.download<float>(out, 64);
  return finding;
}

TEST(HopperMulticast, ReachesAllBlocks) {
  std::vector<float> got;
  ASSERT_EQ(runMulticast(3, got), "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], float(i % 32 * (i % 32)));
}

TEST(HopperCopies, HaveZerosInFrontAndBehind) {
  for (int first : {-8, -32, 12}) {
    std::vector<float> got;
    ASSERT_EQ(runMulticast(3, got, first), "");
    for (int i = 0; i < 32; ++i) {
      int number = first + i;
      EXPECT_EQ(got[i], number >= 0 && number < 32 ? float(number * number) : 0) << first;
    }
  }
}

TEST(HopperCopies, BeginAtMultiplesOf16Bytes) {
  for (int first : {-3, 1, 6}) {
    std::vector<float> got;
    EXPECT_NE(runMulticast(3, got, first).find("multiple of 16 bytes"), std::string::npos) << first;
  }
}

TEST(HopperMulticast, ABlockIsLeftOut) {
  std::vector<float> got;
  EXPECT_NE(runMulticast(1, got).find("deadlock"), std::string::npos);
}

TEST(HopperMulticast, ABlockThatIsNone) {
  std::vector<float> got;
  EXPECT_NE(runMulticast(7, got).find("of a cluster of 2"), std::string::npos);
}

namespace {
/// Where the kernel of runRefill has a fence between reads and the copy that overwrites.
enum class Fence { None, Readers, Copier };
} // namespace

/// Two boxes of 32 numbers come to the same shared memory, one after the other. 32 threads read
/// each and write it out; a barrier is in between, and a fence where `fence` says.
static std::string runRefill(Fence fence, std::vector<float> &got) {
  std::string proxyFence =
      "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n";
  std::string text = R"mlir(gpu.module @kernels {
llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.func @refill(%map: !llvm.ptr, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %bytes = arith.constant 128 : i32
  %ticks = arith.constant 1000 : i32
  %a = llvm.mlir.addressof @memory : !llvm.ptr<3>
  %bar = llvm.getelementptr %a[128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
  }
  gpu.barrier
  scf.for %box = %c0 to %c2 step %c1 {
    %begin = arith.muli %box, %c32 : index
    %x = arith.index_cast %begin : index to i32
    scf.if %first {
      COPIER
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      %ca = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %ca, %map, %bar, box [%x] : !llvm.ptr<7>, !llvm.ptr
    }
    %phase = arith.index_cast %box : index to i32
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %ti = arith.index_cast %t : index to i64
    %p = llvm.getelementptr %a[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %v = llvm.load %p : !llvm.ptr<3> -> f32
    %place = arith.addi %begin, %t : index
    memref.store %v, %out[%place] : memref<64xf32>
    READERS
    gpu.barrier
  }
  gpu.return
} })mlir";
  text.replace(text.find("COPIER"), 6, fence == Fence::Copier ? proxyFence : "");
  text.replace(text.find("READERS"), 7, fence == Fence::Readers ? proxyFence : "");
  SimulatedKernel kernel(text, "sm_90a");
  void *map = mapOf(kernel, kernel.upload(squares(64)), 64), *out = kernel.allocate(64 * 4);
  std::string finding = kernel.launch(aWarp(/*blocks=*/1), {&map, &out});
  if (finding.empty())
    got = kernel.download<float>(out, 64);
  return finding;
}

TEST(HopperFences, ACopyOverwritesWhatWasRead) {
  std::vector<float> got;
  std::string finding = runRefill(Fence::None, got);
  EXPECT_NE(
      finding.find("a tensor copy writes what a thread has read before, at offset 0 of shared "
                   "memory, without fence.proxy.async in between"),
      std::string::npos)
      << finding;
}

TEST(HopperFences, OfWhoReadsOrOfWhoCopies) {
  for (Fence fence : {Fence::Readers, Fence::Copier}) {
    std::vector<float> got;
    ASSERT_EQ(runRefill(fence, got), "");
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(got[i], float(i * i));
  }
}

/// 32 threads write shared memory, and one copies it to global memory.
static std::string runWriteBack(bool hasFence, std::vector<float> &got) {
  std::string text = R"mlir(gpu.module @kernels {
llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.func @back(%map: !llvm.ptr) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %a = llvm.mlir.addressof @memory : !llvm.ptr<3>
  %first = arith.cmpi eq, %t, %c0 : index
  %ti = arith.index_cast %t : index to i64
  %p = llvm.getelementptr %a[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %v = arith.sitofp %ti : i64 to f32
  llvm.store %v, %p : f32, !llvm.ptr<3>
  FENCE
  gpu.barrier
  scf.if %first {
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %a, box [%zero] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
  }
  gpu.return
} })mlir";
  text.replace(text.find("FENCE"), 5,
               hasFence ? "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}" : "");
  SimulatedKernel kernel(text, "sm_90a");
  void *out = kernel.allocate(32 * 4);
  void *map = mapOf(kernel, out, 32);
  std::string finding = kernel.launch(aWarp(/*blocks=*/1), {&map});
  if (finding.empty())
    got = kernel.download<float>(out, 32);
  return finding;
}

TEST(HopperFences, ACopyReadsWhatWasWritten) {
  std::vector<float> got;
  std::string finding = runWriteBack(false, got);
  EXPECT_NE(finding.find("a tensor copy reads what a thread has written before"), std::string::npos)
      << finding;
  ASSERT_EQ(runWriteBack(true, got), "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], float(i));
}
