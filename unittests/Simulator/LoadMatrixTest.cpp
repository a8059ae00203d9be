// ldmatrix.
#include "SimulatedKernel.h"

#include <cstring>
#include <random>

using namespace forge;
using namespace forge::test;

/// Four matrices of 8x8 in shared memory, rows of 16 bytes; lane i says where row i is.
static std::string loadMatrixKernel(const std::string &layout) {
  return R"mlir(gpu.module @kernels { gpu.func @k(%in: memref<32x8xi16>, %out: memref<32x4xi32>)
    workgroup(%s: memref<32x8xi16, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %row = vector.load %in[%t, %c0] : memref<32x8xi16>, vector<8xi16>
  vector.store %row, %s[%t, %c0] : memref<32x8xi16, #gpu.address_space<workgroup>>, vector<8xi16>
  gpu.barrier
  %i = memref.extract_aligned_pointer_as_index %s : memref<32x8xi16, #gpu.address_space<workgroup>> -> index
  %i64 = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
  %t64 = arith.index_cast %t : index to i64
  %q = llvm.getelementptr %p[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<8 x i16>
  %r = nvvm.ldmatrix %q {num = 4 : i32, layout = #nvvm.mma_layout<)mlir" +
         layout +
         R"mlir(>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  %r0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32)>
  %r1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32)>
  %r2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32)>
  %r3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
  memref.store %r0, %out[%t, %c0] : memref<32x4xi32>
  memref.store %r1, %out[%t, %c1] : memref<32x4xi32>
  memref.store %r2, %out[%t, %c2] : memref<32x4xi32>
  memref.store %r3, %out[%t, %c3] : memref<32x4xi32>
  gpu.return
} })mlir";
}

TEST(LoadMatrix, RowsAndColumns) {
  for (std::string layout : {"row", "col"}) {
    SimulatedKernel kernel(loadMatrixKernel(layout), "sm_80");
    std::vector<uint16_t> in(256);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = i;
    void *din = kernel.upload(in), *dout = kernel.allocate(512);
    sim::LaunchConfig config;
    config.block.x = 32;
    ASSERT_EQ(kernel.launch(config, {&din, &dout}), "");
    std::vector<uint16_t> out = kernel.download<uint16_t>(dout, 256);
    for (int lane = 0; lane < 32; ++lane)
      for (int matrix = 0; matrix < 4; ++matrix)
        for (int e = 0; e < 2; ++e) {
          int row = lane / 4, column = 2 * (lane % 4) + e;
          int expected = matrix * 64 + (layout == "row" ? row * 8 + column : column * 8 + row);
          EXPECT_EQ(out[(lane * 4 + matrix) * 2 + e], expected) << layout << ", lane " << lane;
        }
  }
}

TEST(LoadMatrix, AllLanesTakePart) {
  // Of 16 threads there is no whole warp.
  SimulatedKernel kernel(loadMatrixKernel("row"), "sm_80");
  void *din = kernel.upload(std::vector<uint16_t>(256)), *dout = kernel.allocate(512);
  sim::LaunchConfig config;
  config.block.x = 16;
  EXPECT_NE(kernel.launch(config, {&din, &dout}).find("all 32 lanes of a warp"), std::string::npos);
}
