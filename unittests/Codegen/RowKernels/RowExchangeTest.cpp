// How threads join their partial results: as many steps, barriers and buffers as it takes.
#include "../../../lib/Codegen/RowKernels/RowExchange.h"
#include "ThreadCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

RowPlan planOf(int64_t threads, int64_t pieces = 1) { return {1, threads, 0, 1, pieces}; }

/// Joins `partials` sums per thread, `times` times.
void joinSums(ThreadCode &code, const RowPlan &plan, int64_t warpSize, bool isSymmetric,
              unsigned partials = 1, int times = 1) {
  RowExchange exchange(code.b, plan, warpSize);
  exchange.begin(code.argument(0), code.argument(1));
  RowJoin join{[&](ValueRange x, ValueRange y) {
                 SmallVector<Value> sums;
                 for (auto [left, right] : llvm::zip_equal(x, y))
                   sums.push_back(arith::AddFOp::create(code.b, left, right));
                 return sums;
               },
               isSymmetric};
  for (int i = 0; i < times; ++i) {
    SmallVector<Value> joined = exchange.join(join, SmallVector<Value>(partials, code.argument(2)));
    EXPECT_EQ(joined.size(), partials);
  }
  EXPECT_TRUE(code.isValid());
}

TEST(RowExchangeTest, AWarpTakesTheLogarithmOfItsLanes) {
  for (auto [threads, warpSize, steps] : {std::tuple(32, 32, 5), {8, 32, 3}, {64, 64, 6}}) {
    ThreadCode code;
    joinSums(code, planOf(threads), warpSize, /*isSymmetric=*/true);
    EXPECT_EQ(code.count<gpu::ShuffleOp>(), steps);
    EXPECT_EQ(code.count<arith::AddFOp>(), steps);
    EXPECT_EQ(code.count<gpu::BarrierOp>(), 0);
    EXPECT_EQ(code.count<arith::SelectOp>(), 0);
  }
}

TEST(RowExchangeTest, OneThreadHasIt) {
  ThreadCode code;
  joinSums(code, planOf(1), 32, /*isSymmetric=*/true);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 0);
}

// Both lanes of a pair join in the order of their numbers: two selects for each partial result.
TEST(RowExchangeTest, AnOrderForJoinsThatAreNotSymmetric) {
  ThreadCode code;
  joinSums(code, planOf(32), 32, /*isSymmetric=*/false, /*partials=*/3);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 3 * 5);
  EXPECT_EQ(code.count<arith::SelectOp>(), 2 * 3 * 5);
}

TEST(RowExchangeTest, WarpsMeetOnceInSharedMemory) {
  ThreadCode code;
  joinSums(code, planOf(256), 32, /*isSymmetric=*/true, /*partials=*/2);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 2 * (5 + 3));
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 1);
  EXPECT_EQ(code.count<memref::StoreOp>(), 2);
  EXPECT_EQ(code.count<memref::LoadOp>(), 2);
  code.kernel.module->walk([&](memref::AllocOp alloc) {
    EXPECT_EQ(alloc.getType().getShape(), ArrayRef<int64_t>(8)) << "one place for each warp";
    EXPECT_TRUE(gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()));
  });
  code.kernel.module->walk([&](memref::StoreOp store) {
    EXPECT_TRUE(store->getParentOfType<scf::IfOp>()) << "by one lane of the warp";
  });
}

// Each exchange has buffers of its own: a warp may be a join ahead of another.
TEST(RowExchangeTest, BuffersAreUsedOnce) {
  ThreadCode code;
  joinSums(code, planOf(64), 32, /*isSymmetric=*/true, /*partials=*/1, /*times=*/3);
  EXPECT_EQ(code.count<memref::AllocOp>(), 3);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 3);
}

TEST(RowExchangeTest, BlocksOfAClusterWaitForEachOtherToBeginOnce) {
  ThreadCode code;
  joinSums(code, planOf(128, /*pieces=*/4), 32, /*isSymmetric=*/true, /*partials=*/1, /*times=*/2);
  EXPECT_EQ(code.count<NVVM::ClusterArriveOp>(), 1 + 2);
  EXPECT_EQ(code.count<NVVM::ClusterWaitOp>(), 1 + 2);
  EXPECT_EQ(code.count<NVVM::MapaOp>(), 2);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 0);
  // Four warps of four blocks: sixteen lanes hold one result each.
  EXPECT_EQ(code.count<memref::LoadOp>(), 2);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 2 * (5 + 4));
  code.kernel.module->walk([&](NVVM::MapaOp there) {
    EXPECT_TRUE(there->getParentOfType<scf::IfOp>()) << "by as many lanes as there are blocks";
  });
}

// More warps than a warp has lanes: some lanes hold several results.
TEST(RowExchangeTest, ManyWarpsOfACluster) {
  ThreadCode code;
  joinSums(code, planOf(512, /*pieces=*/8), 32, /*isSymmetric=*/true);
  EXPECT_EQ(code.count<memref::LoadOp>(), 128 / 32);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 5 + 5);
}

} // namespace
