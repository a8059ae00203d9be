// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a from=fuse to=gpu" | FileCheck %s --check-prefixes=CHECK,NV
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=hip:gfx942 from=fuse to=gpu" | FileCheck %s --check-prefixes=CHECK,AMD

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>

// A norm of rows of 4096 bf16: a block a row, two accesses of 16 bytes a thread; the row is read once. Sums meet in a warp by
// shuffles, then in shared memory.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: workgroup(%[[SHARED:.*]] : memref<{{[84]}}xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[X0:.*]] = vector.load %{{.*}} {alignment = 16 : i64} : memref<512x4096xbf16>, vector<8xbf16>
// CHECK: %[[X1:.*]] = vector.load %{{.*}} {alignment = 16 : i64} : memref<512x4096xbf16>, vector<8xbf16>
// NV-COUNT-5: gpu.shuffle xor
// AMD-COUNT-6: gpu.shuffle xor
// CHECK: memref.store %{{.*}}, %[[SHARED]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SHARED]]
// NV-COUNT-3: gpu.shuffle xor
// AMD-COUNT-2: gpu.shuffle xor
// CHECK-NOT: vector.load %{{.*}} : memref<512x4096xbf16>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<512x4096xbf16>, vector<8xbf16>
// CHECK: gpu.return
// CHECK: gpu.launch_func @kernels::@rows blocks in (%c512, %c1, %c1) threads in (%c256, %c1, %c1)
func.func @main(%x: tensor<512x4096xbf16>, %w: tensor<4096xbf16>) -> tensor<512x4096xbf16> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4096.0 : f32
  %row = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x4096xbf16>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x4096xbf16>) outs(%0 : tensor<512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<512xf32>
  %inv = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<512xf32>) outs(%row : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.divf %in, %n : f32
    %2 = math.rsqrt %1 : f32
    linalg.yield %2 : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#m, #r, #c, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %inv, %w : tensor<512x4096xbf16>, tensor<512xf32>, tensor<4096xbf16>) outs(%all : tensor<512x4096xbf16>) {
  ^bb0(%in: bf16, %f: f32, %s: bf16, %out: bf16):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.extf %s : bf16 to f32
    %3 = arith.mulf %1, %f : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<512x4096xbf16>
  return %y : tensor<512x4096xbf16>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// A row of 33: elements one by one, several rows in a block, the last threads of a row without work take no part in the sum
// and store nothing.
// CHECK-LABEL: gpu.func @reduce(
// CHECK-NOT: gpu.barrier
// CHECK: arith.cmpi ult
// CHECK: arith.select
// CHECK: gpu.shuffle xor
// CHECK: scf.if
// CHECK: memref.store
func.func @main(%x: tensor<5x33xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<5xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x33xf32>) outs(%0 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<5xf32>
  return %sum : tensor<5xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// A row longer than registers hold, or of unknown length, is looped over.
// CHECK-LABEL: gpu.func @reduce(
// CHECK: scf.for
// CHECK-COUNT-8: vector.load
// CHECK: scf.yield
// CHECK: gpu.barrier
// CHECK-LABEL: gpu.func @reduce_0(
// CHECK: scf.for
// CHECK-NOT: vector.load
// CHECK: gpu.barrier
func.func @main(%x: tensor<200x131072xf32>, %y: tensor<?x?xf32>, %n: index) -> (tensor<200xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<200xf32>
  %dyn = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<200xf32>) -> tensor<200xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<200x131072xf32>) outs(%0 : tensor<200xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<200xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%dyn : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<?x?xf32>) outs(%1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.maximumf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<?xf32>
  return %sum, %max : tensor<200xf32>, tensor<?xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// The sum of exponentials below a maximum is found in the same loop as the maximum: two reads of the row in all, not three.
// CHECK-LABEL: gpu.func @rows(
// CHECK: %{{.*}}:2 = scf.for {{.*}} iter_args(%[[MAX:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (f32, f32)
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: vector.store
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @main(%x: tensor<2048x131072xf32>) -> tensor<2048x131072xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<2048xf32>
  %all = tensor.empty() : tensor<2048x131072xf32>
  %0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<2048xf32>) -> tensor<2048xf32>
  %max = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x131072xf32>) outs(%0 : tensor<2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<2048xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%row : tensor<2048xf32>) -> tensor<2048xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %max : tensor<2048x131072xf32>, tensor<2048xf32>) outs(%3 : tensor<2048xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %1 = arith.subf %in, %top : f32
    %2 = math.exp %1 : f32
    %4 = arith.addf %2, %out : f32
    linalg.yield %4 : f32
  } -> tensor<2048xf32>
  %y = linalg.generic {indexing_maps = [#m, #r, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %max, %sum : tensor<2048x131072xf32>, tensor<2048xf32>, tensor<2048xf32>) outs(%all : tensor<2048x131072xf32>) {
  ^bb0(%in: f32, %top: f32, %total: f32, %out: f32):
    %1 = arith.subf %in, %top : f32
    %2 = arith.subf %1, %total : f32
    linalg.yield %2 : f32
  } -> tensor<2048x131072xf32>
  return %y : tensor<2048x131072xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Eight blocks of a cluster keep a row of 256 KiB in shared memory between the two passes, where a chip has clusters: it is read
// once. What is read is 4 elements, so that 16 bytes of the result are written by one access.
// CHECK-LABEL: gpu.func @rows(
// NV-SAME: workgroup(%[[ROW:[a-z0-9]+]] : memref<16000xbf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}
// NV-SAME: known_block_size = array<i32: 512, 1, 1>, known_cluster_size = array<i32: 8, 1, 1>
// AMD-NOT: known_cluster_size
// NV: nvvm.cluster.arrive {aligned}
// CHECK: scf.for
// NV-COUNT-8: vector.load %{{.*}} {alignment = 8 : i64} : memref<8x128000xbf16>, vector<4xbf16>
// NV: vector.store %{{.*}}, %[[ROW]][{{.*}}] {alignment = 8 : i64}
// NV: nvvm.cluster.wait {aligned}
// NV: nvvm.mapa %{{.*}}, %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// NV: llvm.store %{{.*}} : f32, !llvm.ptr<7>
// NV: nvvm.cluster.arrive {aligned}
// NV-NEXT: nvvm.cluster.wait {aligned}
// NV-NOT: nvvm.cluster
// NV-NOT: vector.load %{{.*}} : memref<8x128000xbf16>
// NV: scf.for
// NV: vector.load %[[ROW]]
// AMD-NOT: nvvm
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<8x128000xf32>, vector<4xf32>
// CHECK: gpu.return
// NV: gpu.launch_func @kernels::@rows blocks in (%c64, %c1, %c1) threads in (%c512, %c1, %c1)
// AMD: gpu.launch_func @kernels::@rows blocks in (%c8, %c1, %c1) threads in (%c1024, %c1, %c1)
func.func @main(%x: tensor<8x128000xbf16>) -> tensor<8x128000xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x128000xf32>
  %0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x128000xbf16>) outs(%0 : tensor<8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.maximumf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %max : tensor<8x128000xbf16>, tensor<8xf32>) outs(%3 : tensor<8xf32>) {
  ^bb0(%in: bf16, %top: f32, %out: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.subf %1, %top : f32
    %4 = math.exp %2 : f32
    %5 = arith.addf %4, %out : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#m, #r, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %max, %sum : tensor<8x128000xbf16>, tensor<8xf32>, tensor<8xf32>) outs(%all : tensor<8x128000xf32>) {
  ^bb0(%in: bf16, %top: f32, %total: f32, %out: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.subf %1, %top : f32
    %4 = arith.subf %2, %total : f32
    linalg.yield %4 : f32
  } -> tensor<8x128000xf32>
  return %y : tensor<8x128000xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Two reductions of one pass meet in one exchange. The result is rounded to bf16: the exponential and the quotient are by
// instructions that approximate, where a chip has them.
// CHECK-LABEL: gpu.func @rows(
// NV: math.exp2 %{{.*}} fastmath<afn> : f32
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// NV-NOT: math.fma
// AMD: math.fma
// CHECK: gpu.return
func.func @main(%x: tensor<512x4096xbf16>) -> (tensor<512x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x4096xbf16>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x4096xbf16>) outs(%0 : tensor<512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %out : f32
    linalg.yield %3 : f32
  } -> tensor<512xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %squares = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x4096xbf16>) outs(%1 : tensor<512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %4 = arith.extf %in : bf16 to f32
    %2 = arith.mulf %4, %4 : f32
    %3 = arith.addf %2, %out : f32
    linalg.yield %3 : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#m, #r, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %squares : tensor<512x4096xbf16>, tensor<512xf32>, tensor<512xf32>) outs(%all : tensor<512x4096xbf16>) {
  ^bb0(%in: bf16, %total: f32, %square: f32, %out: bf16):
    %4 = arith.extf %in : bf16 to f32
    %2 = math.exp %4 : f32
    %3 = arith.divf %2, %total : f32
    %5 = arith.mulf %3, %square : f32
    %6 = arith.truncf %5 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<512x4096xbf16>
  return %y : tensor<512x4096xbf16>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>

// A tanh whose error stays what it is, relative to the value, until it is rounded to bf16: one 2^x each, no branches for small numbers.
// CHECK-LABEL: gpu.func @elementwise(
// NV: math.exp2 %{{.*}} fastmath<afn> {forge.normal} : f32
// NV: arith.cmpf olt
// NV: arith.mulf
// NV: arith.truncf
// NV-NOT: math.copysign
// AMD: math.copysign
// CHECK: gpu.return
func.func @main(%x: tensor<512x4096xbf16>) -> tensor<512x4096xbf16> {
  %cap = arith.constant 3.0e+01 : f32
  %all = tensor.empty() : tensor<512x4096xbf16>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x4096xbf16>) outs(%all : tensor<512x4096xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.divf %1, %cap : f32
    %3 = math.tanh %2 : f32
    %4 = arith.mulf %3, %cap : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<512x4096xbf16>
  return %y : tensor<512x4096xbf16>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Few rows that are read once are shared by the blocks of a cluster.
// CHECK-LABEL: gpu.func @reduce(
// NV-SAME: blocks = {{8|16}}, threads
func.func @main(%x: tensor<8x131072xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x131072xf32>) outs(%0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
