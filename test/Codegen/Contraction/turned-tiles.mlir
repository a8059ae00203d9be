// A large factor that is contiguous along k is read where it is: it takes A's place, and C is written by turned tiles.
// RUN: forge-opt %s --forge-lower-contractions=target=avx512-bf16 -canonicalize -cse | FileCheck %s
// RUN: forge-opt %s --forge-lower-contractions=target=avx2 -canonicalize -cse | FileCheck %s --check-prefix=AVX2

// Without registers for masks, the 6 rows of a full tile are stored as 4 and 2.
// AVX2: func private @forge_microkernel_f32_6x16_a768_1_r_c_t(
// AVX2-NOT: masked
// AVX2: vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [4], strides = [1]}
// AVX2: vector.store {{.*}} vector<4xf32>
// AVX2: vector.extract_strided_slice {{.*}} {offsets = [4], sizes = [2], strides = [1]}
// AVX2: vector.store {{.*}} vector<2xf32>
// AVX2-NOT: masked
// AVX2: return

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// A tile of 14 rows by two vectors is two squares, each turned in four steps of 16 shuffles (two of zeros); 14 lanes of a
// vector are written. Only the small factor is packed.
// CHECK: func private @forge_microkernel_f32_14x32_a768_1_r_c_t(
// CHECK-COUNT-28: vector.fma
// CHECK-COUNT-62: vector.shuffle
// CHECK: vector.constant_mask [14] : vector<16xi1>
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK: vector.maskedstore
// CHECK: func private @contraction_f32_128x50250x768({{.*}}strategy = packed, m = 14, n = 32, {{.*}}pack = b, stage_b = false, swap = true,
func.func @logits(%a: memref<128x768xf32>, %b: memref<50250x768xf32>, %c: memref<128x50250xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x768xf32>, memref<50250x768xf32>) outs(%c : memref<128x50250xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// As many rows as columns: turning tiles would save nothing.
// CHECK: func private @contraction_f32_128x128x64({{.*}}swap = false,
func.func @square(%a: memref<128x64xf32>, %b: memref<128x64xf32>, %c: memref<128x128xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x64xf32>, memref<128x64xf32>) outs(%c : memref<128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}
