// Products of factors in registers: one matrix instruction for each 16 or 32 rows, 8 to 32 columns and 8 or 16 terms, all of one step of
// terms before the next.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge-opt %t/mma.mlir --forge-lower-kernels=chip=sm_80 | FileCheck %t/mma.mlir
// RUN: forge-opt %t/mfma.mlir --forge-lower-kernels=chip=gfx90a | FileCheck %t/mfma.mlir
// RUN: forge-opt %t/mfma.mlir --forge-lower-kernels=chip=gfx942 | FileCheck %t/mfma.mlir
// RUN: forge-opt %t/wmma.mlir --forge-lower-kernels=chip=gfx1100 | FileCheck %t/wmma.mlir

//--- mma.mlir
#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = []>
#right = #tile.layout<reg = [y1, y8], lane = [y2, y4, x1, x2, x4], warp = []>
// CHECK-LABEL: gpu.func @mma
// CHECK: %[[FIRST:.*]] = nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK: %[[SUM:.*]] = llvm.extractvalue %[[FIRST]][0]
// CHECK: nvvm.mma.sync
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[%[[SUM]],
// CHECK: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
func.func private @mma(%a: memref<16x32xbf16>, %b: memref<16x32xbf16>, %c: memref<16x16xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %l = tile.load %a[%c0, %c0] : memref<16x32xbf16> -> tensor<16x32xbf16, #left>
  %r = tile.load %b[%c0, %c0] : memref<16x32xbf16> -> tensor<16x32xbf16, #right>
  %s = tile.load %c[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #left>
  %d = tile.dot mma<16x8x16> %l, %r, %s : tensor<16x32xbf16, #left>, tensor<16x32xbf16, #right>, tensor<16x16xf32, #left>
  tile.store %d, %c[%c0, %c0] : tensor<16x16xf32, #left>, memref<16x16xf32>
  return
}

//--- mfma.mlir
#factor = #tile.layout<reg = [y1, y2], lane = [x1, x2, x4, x8, x16, y4], warp = []>
#acc = #tile.layout<reg = [x1, x2, x8, x16], lane = [y1, y2, y4, y8, y16, x4], warp = []>
// CHECK-LABEL: gpu.func @mfma
// CHECK: amdgpu.mfma 32x32x8 {{.*}} : vector<4xbf16>, vector<4xbf16>, vector<16xf32>
// CHECK: amdgpu.mfma 32x32x8
// CHECK-NOT: amdgpu.mfma
func.func private @mfma(%a: memref<32x16xbf16>, %b: memref<32x16xbf16>, %c: memref<32x32xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %l = tile.load %a[%c0, %c0] : memref<32x16xbf16> -> tensor<32x16xbf16, #factor>
  %r = tile.load %b[%c0, %c0] : memref<32x16xbf16> -> tensor<32x16xbf16, #factor>
  %s = tile.load %c[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32, #acc>
  %d = tile.dot mfma<32x32x8> %l, %r, %s : tensor<32x16xbf16, #factor>, tensor<32x16xbf16, #factor>, tensor<32x32xf32, #acc>
  tile.store %d, %c[%c0, %c0] : tensor<32x32xf32, #acc>, memref<32x32xf32>
  return
}

//--- wmma.mlir
#factor = #tile.layout<reg = [y1, y2, y4, y8], lane = [x1, x2, x4, x8, _], warp = []>
#acc = #tile.layout<reg = [x2, x4, x8], lane = [y1, y2, y4, y8, x1], warp = []>
// CHECK-LABEL: gpu.func @wmma
// CHECK: amdgpu.wmma 16x16x16 {{.*}} : vector<16xf16>, vector<16xf16>, vector<8xf32>
// CHECK-NOT: amdgpu.wmma
func.func private @wmma(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %l = tile.load %a[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16, #factor>
  %r = tile.load %b[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16, #factor>
  %s = tile.load %c[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #acc>
  %d = tile.dot wmma<16x16x16> %l, %r, %s : tensor<16x16xf16, #factor>, tensor<16x16xf16, #factor>, tensor<16x16xf32, #acc>
  tile.store %d, %c[%c0, %c0] : tensor<16x16xf32, #acc>, memref<16x16xf32>
  return
}
