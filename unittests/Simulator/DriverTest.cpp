// What the simulator's driver says of a defect.
#include "ConformanceFixture.h"

#include "forge/Runtime/DeviceArena.h"
#include "forge/Simulator/Driver.h"
#include "forge/Simulator/Module.h"

#include <malloc.h>

using namespace forge;

static const char *driverKernels = R"mlir(
gpu.module @kernels {
  gpu.func @read(%a: memref<8xf32>, %b: memref<8xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<8xf32>
    memref.store %v, %b[%t] : memref<8xf32>
    gpu.return
  }
  gpu.func @race(%a: memref<8xf32>, %b: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<8xf32>
    memref.store %v, %b[%c0] : memref<8xf32>
    gpu.return
  }
}
)mlir";

namespace {
class SimulatorDriver : public testing::Test {
protected:
  void SetUp() override {
    sim::registerDriver();
    auto opened = rt::openDevice("sim:gfx942");
    ASSERT_OK(opened);
    device = *opened;
    auto made = device->createStream();
    ASSERT_OK(made);
    stream = std::move(*made);
    auto loaded = device->loadModule(driverKernels, "test");
    ASSERT_OK(loaded);
    module = std::move(*loaded);
  }
  Result<void> launch(uint32_t threads, void *a, void *b, const char *kernel = "read") {
    void *arguments[] = {&a, &b};
    rt::Launch how;
    how.block = {threads, 1, 1};
    how.arguments = arguments;
    how.numArguments = 2;
    how.description = "rows; tile 8";
    return stream->launch(**module->kernel(kernel), how);
  }
  void *allocate(size_t bytes) {
    Result<void *> memory = device->allocate(bytes);
    EXPECT_OK(memory);
    return *memory;
  }
  std::shared_ptr<rt::Device> device;
  std::unique_ptr<rt::Stream> stream;
  std::unique_ptr<rt::Module> module;
};
} // namespace

TEST_F(SimulatorDriver, FindingsAreErrorsWithAllDetails) {
  void *a = allocate(32), *b = allocate(32);
  EXPECT_ERROR(
      launch(8, a, b),
      "kernel 'read': read of uninitialised memory: nothing was written to offset 0 of argument 0");
  EXPECT_ERROR(launch(8, a, b),
               "while launching @read, 1x1x1 blocks of 8x1x1 threads (rows; tile 8)");
  ASSERT_OK(stream->fill(a, 0, 4, 8));
  ASSERT_OK(launch(8, a, b));
  EXPECT_ERROR(launch(9, a, b), "by thread (8,0,0) of block (0,0,0) at ");
  ASSERT_OK(launch(8, a, b));
  EXPECT_OK(device->release(a));
  EXPECT_ERROR(launch(8, a, b), "argument 0: expected 32 bytes of device memory");
  EXPECT_OK(device->release(b));
}

// What ends a launch leaves a stack in its middle; what stood there is destroyed all the same.
TEST_F(SimulatorDriver, FindingsLeaveNoMemoryBehind) {
  void *a = allocate(32), *b = allocate(32);
  ASSERT_OK(stream->fill(a, 0, 4, 8));
  auto launchSome = [&] {
    for (int i = 0; i < 100; ++i)
      EXPECT_ERROR(launch(8, a, b, "race"), "no synchronisation between two accesses");
    return mallinfo2().uordblks;
  };
  size_t before = launchSome();
  EXPECT_LT(launchSome(), before + 1600); // a vector with one party would be more, at each launch
  EXPECT_OK(device->release(a));
  EXPECT_OK(device->release(b));
}

TEST_F(SimulatorDriver, BlocksOfAnArenaBeginUninitialised) {
  rt::DeviceArena arena(device);
  Result<void *> a = arena.allocate(256), b = arena.allocate(256);
  ASSERT_OK(a);
  ASSERT_OK(b);
  ASSERT_OK(stream->fill(*a, 0, 4, 8));
  ASSERT_OK(launch(8, *a, *b));
  // The same bytes again: what the last buffer held is not the next one's content.
  ASSERT_OK(arena.release(*a));
  Result<void *> again = arena.allocate(256);
  ASSERT_OK(again);
  ASSERT_EQ(*a, *again);
  EXPECT_ERROR(launch(8, *again, *b), "read of uninitialised memory");
}

TEST_F(SimulatorDriver, MemoryIsOfOneMachine) {
  sim::Machine machine(*sim::chipOf("sm_90a"));
  EXPECT_EQ(machine.bytesInUse(), 0u);
  Result<void *> memory = machine.allocate(100);
  ASSERT_OK(memory);
  EXPECT_EQ(machine.bytesInUse(), 100u);
  char bytes[101] = {};
  EXPECT_ERROR(machine.write(*memory, bytes, 101), "expected 101 bytes of device memory");
  EXPECT_ERROR(machine.read(bytes, static_cast<char *>(*memory) + 100, 1),
               "0 bytes after the end of an allocation of 100 bytes");
  EXPECT_ERROR(machine.free(static_cast<char *>(*memory) + 1), "not the start of an allocation");
  EXPECT_OK(machine.free(*memory));
  EXPECT_ERROR(machine.free(*memory), "not the start of an allocation");
}

TEST_F(SimulatorDriver, WarpSizesAreTheChips) {
  for (auto [target, lanes] :
       {std::pair("sim:sm_75", 32u), std::pair("sim:gfx90a", 64u), std::pair("sim:gfx1100", 32u)}) {
    auto opened = rt::openDevice(target);
    ASSERT_OK(opened);
    EXPECT_EQ((*opened)->properties().warpSize, lanes) << target;
  }
}

TEST_F(SimulatorDriver, WhatHasNoModelIsAnErrorOfLoading) {
  EXPECT_ERROR(device->loadModule("gpu.module @m { gpu.func @k() kernel { %t = "
                                  "nvvm.read.ptx.sreg.clock : i32 gpu.return } }",
                                  "clocks"),
               "loading module clocks: ");
}
