// Values that other threads get: of blocks of a cluster, and of lanes of a warp.
#include "../../../lib/Codegen/RowKernels/ClusterMemory.h"
#include "../../../lib/Codegen/RowKernels/Shuffle.h"
#include "ThreadCode.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

TEST(ClusterMemoryTest, AStoreGoesToTheSamePlaceOfAnotherBlock) {
  ThreadCode code("index");
  auto space = gpu::AddressSpaceAttr::get(&code.kernel.context, gpu::AddressSpace::Workgroup);
  Value buffer = memref::AllocOp::create(
      code.b, MemRefType::get({4}, code.b.getIndexType(), MemRefLayoutAttrInterface(), space));
  storeInCluster(code.b, code.argument(2), buffer, code.argument(1), code.argument(0));
  ASSERT_TRUE(code.isValid());
  code.kernel.module->walk([&](LLVM::StoreOp store) {
    EXPECT_TRUE(store.getValue().getType().isInteger(64)) << "an index has eight bytes in memory";
    auto place = store.getAddr().getDefiningOp<LLVM::GEPOp>();
    ASSERT_TRUE(place);
    EXPECT_TRUE(place.getElemType().isInteger(64));
    EXPECT_TRUE(place.getBase().getDefiningOp<NVVM::MapaOp>());
    EXPECT_EQ(cast<LLVM::LLVMPointerType>(store.getAddr().getType()).getAddressSpace(), 7u)
        << "shared::cluster";
  });
  EXPECT_EQ(code.count<LLVM::StoreOp>(), 1);
}

TEST(ShuffleTest, NarrowValuesTakeOneWordAndWideOnesTwo) {
  for (auto [type, words] : {std::pair("f32", 1),
                             {"bf16", 1},
                             {"i8", 1},
                             {"i32", 1},
                             {"f64", 2},
                             {"i64", 2},
                             {"index", 2}}) {
    ThreadCode code(type);
    Value other = shuffleXor(code.b, code.argument(2), 1, 32);
    EXPECT_EQ(other.getType(), code.argument(2).getType());
    EXPECT_EQ(code.count<gpu::ShuffleOp>(), words) << type;
    EXPECT_TRUE(code.isValid()) << type;
  }
}

} // namespace
