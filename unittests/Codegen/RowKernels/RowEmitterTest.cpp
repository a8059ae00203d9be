// What one thread does, under every form of a plan: the code is valid, memory is read as often as
// it should be, and threads meet as often as they must.
#include "Emitted.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

TEST(RowEmitterTest, ARowInRegistersIsReadOnce) {
  Emitted code(softmaxText(On::Buffers, {"8", "4096", "bf16", "bf16"}), plan(8, 128, 4), kLimits);
  EXPECT_EQ(code.loads(), 4);
  EXPECT_EQ(code.count<vector::StoreOp>(), 4);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 2); // the sum needs the maximum
  EXPECT_EQ(code.count<scf::ForOp>(), 0);
}

TEST(RowEmitterTest, AWarpNeedsNoBarrier) {
  Emitted code(softmaxText(On::Buffers, {"8", "256", "bf16", "bf16"}), plan(8, 32, 1, 8), kLimits);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 0);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 10);
}

TEST(RowEmitterTest, ALoopReadsTheRowTwiceAndExchangesOnce) {
  Emitted code(softmaxText(On::Buffers, {"8", "131072", "f32", "f32"}), plan(4, 256, 0), kLimits);
  EXPECT_EQ(code.count<scf::ForOp>(), 2);
  EXPECT_EQ(code.loads(), 2 * 8);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 1); // maximum and sum together
  EXPECT_EQ(code.count<NVVM::ClusterArriveOp>(), 0);
}

TEST(RowEmitterTest, AClusterReadsTheRowOnce) {
  Emitted code(softmaxText(On::Buffers, {"8", "128256", "bf16", "f32"}), plan(4, 128, 0, 1, 8),
               kLimits);
  EXPECT_EQ(code.loads(), 8);
  EXPECT_EQ(code.count<vector::LoadOp>(), 2 * 8); // the others are of shared memory
  // One at the beginning, one for the exchange; both are waited for.
  EXPECT_EQ(code.count<NVVM::ClusterArriveOp>(), 2);
  EXPECT_EQ(code.count<NVVM::ClusterWaitOp>(), 2);
  EXPECT_EQ(code.count<NVVM::MapaOp>(), 2);
  EXPECT_EQ(code.count<gpu::BarrierOp>(), 0);
}

TEST(RowEmitterTest, WhatABlockCannotKeepIsReadAgain) {
  Emitted code(softmaxText(On::Buffers, {"8", "128256", "bf16", "f32"}), plan(4, 128, 0, 1, 2),
               kLimits);
  EXPECT_EQ(code.loads(), 2 * 8);
}

TEST(RowEmitterTest, SizesThatAreNotKnown) {
  Emitted code(softmaxText(On::Buffers, {"?", "?", "f32", "f32"}), plan(1, 256, 0), kLimits);
  EXPECT_EQ(code.count<vector::LoadOp>(), 0);
  EXPECT_EQ(code.count<scf::ForOp>(), 2);
}

TEST(RowEmitterTest, PiecesOfARowWithoutReduction) {
  Emitted code(siluText(On::Buffers, {"8", "4096", "bf16", "bf16"}), plan(8, 256, 1, 1, 2),
               kLimits);
  EXPECT_EQ(code.loads(), 1);
  EXPECT_EQ(code.count<vector::StoreOp>(), 1);
  EXPECT_EQ(code.count<gpu::ShuffleOp>(), 0);
}

TEST(RowEmitterTest, TheFirstThreadWritesTheResultOfARow) {
  Emitted code(sumText(On::Buffers, {"8", "4096", "f32", "f32"}), plan(4, 128, 8), kLimits);
  int stores = 0;
  code.kernel.module->walk([&](memref::StoreOp store) {
    stores += store.getMemRef() == code.kernel.function().getArgument(1);
    EXPECT_TRUE(store->getParentOfType<scf::IfOp>());
  });
  EXPECT_EQ(stores, 1);
}

} // namespace
