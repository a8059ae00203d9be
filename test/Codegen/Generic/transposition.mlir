// What is read across memory goes through the memory of a block, in tiles.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s
// RUN: forge verify %s --function transpose --target sim:sm_90a
// RUN: forge verify %s --function transpose --target sim:gfx942
// RUN: forge verify %s --function scaled --target sim:sm_90a
// RUN: forge verify %s --function scaled --target sim:gfx1100
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function bytes --target sim:sm_90a
// RUN: forge verify %s --function narrow --target sim:sm_90a
// RUN: forge verify %s --function padded --target sim:sm_90a
// RUN: forge verify %s --function padded --target sim:gfx942
// RUN: forge verify %s --function five --target sim:sm_90a
// RUN: forge verify %s --function part --target sim:sm_90a
// RUN: forge verify %s --function rows --target sim:sm_90a

// Two elements of 16 bits at a time; rows of the tile begin in banks of their own.
// CHECK: gpu.func @elementwise({{.*}} workgroup(%[[TILE:.*]] : memref<64x66xbf16, #gpu.address_space<workgroup>>)
// CHECK-COUNT-8: vector.load {{.*}} memref<4x256x512xbf16>, vector<2xbf16>
// CHECK-COUNT-8: vector.store {{.*}} memref<64x66xbf16, #gpu.address_space<workgroup>>, vector<2xbf16>
// CHECK: gpu.barrier
// CHECK-COUNT-16: memref.load %[[TILE]]
// CHECK: gpu.return
func.func @transpose(%x: tensor<4x256x512xbf16>) -> tensor<4x512x256xbf16> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<4x256x512xbf16>) -> tensor<4x512x256xbf16>
  return %0 : tensor<4x512x256xbf16>
}

// -----

// With what is computed of it; the other operand is along memory.
// CHECK: gpu.func @elementwise({{.*}} workgroup(%{{.*}} : memref<64x65xf32, #gpu.address_space<workgroup>>)
// CHECK: gpu.barrier
// CHECK: arith.mulf
// CHECK: gpu.return
func.func @scaled(%x: tensor<640x192xf32>, %y: tensor<192x640xbf16>, %z: tensor<192xf32>) -> tensor<192x640xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<640x192xf32>) -> tensor<192x640xf32>
  %1 = stablehlo.convert %y : (tensor<192x640xbf16>) -> tensor<192x640xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<192x640xf32>
  %3 = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<192xf32>) -> tensor<192x640xf32>
  %4 = stablehlo.add %2, %3 : tensor<192x640xf32>
  return %4 : tensor<192x640xf32>
}

// -----

// Tiles that end behind the last element.
// CHECK: gpu.func @elementwise({{.*}} workgroup(%{{.*}} : memref<64x66xf16, #gpu.address_space<workgroup>>)
// CHECK: arith.minui
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: gpu.return
func.func @odd(%x: tensor<3x203x333xf16>) -> tensor<333x3x203xf16> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x203x333xf16>) -> tensor<333x3x203xf16>
  return %0 : tensor<333x3x203xf16>
}

// -----

// CHECK: gpu.func @elementwise({{.*}} workgroup(%{{.*}} : memref<64x68xi8, #gpu.address_space<workgroup>>)
// CHECK: vector.load {{.*}} vector<4xi8>
// CHECK: gpu.return
func.func @bytes(%x: tensor<512x256xi8>) -> tensor<256x512xi8> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<512x256xi8>) -> tensor<256x512xi8>
  return %0 : tensor<256x512xi8>
}

// -----

// Few columns: lines of memory that threads read across are in the caches.
// CHECK: gpu.func @elementwise
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @narrow(%x: tensor<65536x3xf32>) -> tensor<3x65536xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<65536x3xf32>) -> tensor<3x65536xf32>
  return %0 : tensor<3x65536xf32>
}

// -----

// Padded behind the transpose: the body reads at computed indices.
// CHECK: gpu.func @elementwise({{.*}} workgroup(%[[TILE:.*]] : memref<64x66xbf16, #gpu.address_space<workgroup>>)
// CHECK: vector.load {{.*}} memref<4x255x512xbf16>, vector<2xbf16>
// CHECK: gpu.barrier
// CHECK: %[[X:.*]] = memref.load %[[TILE]]
// CHECK: arith.select %{{.*}}, %[[X]], %{{.*}} : bf16
// CHECK: gpu.return
func.func @padded(%x: tensor<4x255x512xbf16>) -> tensor<4x512x256xbf16> {
  %c = stablehlo.constant dense<2.0> : tensor<bf16>
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<4x255x512xbf16>) -> tensor<4x512x255xbf16>
  %1 = stablehlo.pad %0, %c, low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x512x255xbf16>, tensor<bf16>) -> tensor<4x512x256xbf16>
  return %1 : tensor<4x512x256xbf16>
}

// -----

// Five inputs: smaller tiles, so that several blocks fit a multiprocessor.
// CHECK: gpu.func @elementwise({{.*}} workgroup(%{{.*}} : memref<32x33xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.return
func.func @five(%a: tensor<256x512xf32>, %b: tensor<256x512xf32>, %c: tensor<256x512xf32>, %d: tensor<256x512xf32>, %e: tensor<256x512xf32>) -> tensor<512x256xf32> {
  %0 = stablehlo.add %a, %b : tensor<256x512xf32>
  %1 = stablehlo.subtract %c, %d : tensor<256x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xf32>
  %3 = stablehlo.add %2, %e : tensor<256x512xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
  return %4 : tensor<512x256xf32>
}

// -----

// A part of a tensor.
// CHECK: gpu.func @elementwise({{.*}} workgroup(
// CHECK: vector.load {{.*}} vector<2xbf16>
// CHECK: gpu.return
func.func @part(%x: tensor<128x64x3x32xbf16>) -> tensor<128x32x64xbf16> {
  %0 = stablehlo.slice %x [0:128, 0:64, 1:2, 0:32] : (tensor<128x64x3x32xbf16>) -> tensor<128x64x1x32xbf16>
  %1 = stablehlo.reshape %0 : (tensor<128x64x1x32xbf16>) -> tensor<128x64x32xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<128x64x32xbf16>) -> tensor<128x32x64xbf16>
  return %2 : tensor<128x32x64xbf16>
}

// -----

// Rows that are padded and scaled: neighbours read one number of their row, which needs no tile.
// CHECK: gpu.func @elementwise({{[^)]*}}memref<512x256xbf16>) kernel
// CHECK: gpu.return
func.func @rows(%x: tensor<512x250xf32>, %s: tensor<512xf32>) -> tensor<512x256xbf16> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<512xf32>) -> tensor<512x250xf32>
  %0 = stablehlo.multiply %x, %b : tensor<512x250xf32>
  %1 = stablehlo.pad %0, %c, low = [0, 0], high = [0, 6], interior = [0, 0] : (tensor<512x250xf32>, tensor<f32>) -> tensor<512x256xf32>
  %2 = stablehlo.convert %1 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
  return %2 : tensor<512x256xbf16>
}
