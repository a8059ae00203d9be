// RUN: forge-opt %s --forge-lower-contractions=target=avx512-bf16 -canonicalize -cse | FileCheck %s
// RUN: forge-opt %s --forge-lower-contractions=target=avx2 -canonicalize -cse | FileCheck %s --check-prefix=AVX2

// The fill is absorbed; equal products share one function, which says how it is computed.
// CHECK-LABEL: func @two_layers
// CHECK-NOT: linalg.fill
// CHECK: call @contraction_f32_640x640x640(
// CHECK: call @contraction_f32_640x640x640(
func.func @two_layers(%a: memref<640x640xf32>, %b: memref<640x640xf32>, %t: memref<640x640xf32>, %c: memref<640x640xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%t : memref<640x640xf32>)
  linalg.matmul ins(%a, %b : memref<640x640xf32>, memref<640x640xf32>) outs(%t : memref<640x640xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<640x640xf32>)
  linalg.matmul ins(%t, %b : memref<640x640xf32>, memref<640x640xf32>) outs(%c : memref<640x640xf32>)
  return
}

// An output that holds numbers is added to: another kernel.
// CHECK-LABEL: func @accumulate
// CHECK: call @contraction_f32_640x640x640_1(
func.func @accumulate(%a: memref<640x640xf32>, %b: memref<640x640xf32>, %c: memref<640x640xf32>) {
  linalg.matmul ins(%a, %b : memref<640x640xf32>, memref<640x640xf32>) outs(%c : memref<640x640xf32>)
  return
}

// CHECK-LABEL: func @row_times_matrix
// CHECK: call @contraction_f32_1x640x640(
func.func @row_times_matrix(%a: memref<1x640xf32>, %b: memref<640x640xf32>, %c: memref<1x640xf32>) {
  linalg.matmul ins(%a, %b : memref<1x640xf32>, memref<640x640xf32>) outs(%c : memref<1x640xf32>)
  return
}

// A weight stored [n, k].
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @rows_times_transposed
// CHECK: call @contraction_bf16_4x640x640(
func.func @rows_times_transposed(%a: memref<4x640xbf16>, %b: memref<640x640xbf16>, %c: memref<4x640xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x640xbf16>, memref<640x640xbf16>) outs(%c : memref<4x640xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Integers are no business of this pass.
// CHECK-LABEL: func @integers
// CHECK: linalg.matmul
func.func @integers(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %c: memref<4x4xi32>) {
  linalg.matmul ins(%a, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%c : memref<4x4xi32>)
  return
}

// The next panel of B is asked for, a line for each step; the one that tiles read was copied by the task.
// CHECK: func private @forge_microkernel_f32_8x48_a640_1_r_ahead_f32
// CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK: memref.prefetch {{.*}}, read, locality<2>, data
// CHECK-COUNT-24: vector.fma
// CHECK: func private @contraction_f32_640x640x640({{.*}}forge.schedule = #forge.schedule<strategy = packed, m = 8, n = 48, {{.*}}pack = none, stage_b = true, swap = false, parallel = true>
// CHECK: scf.parallel
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<30720xf32>
// CHECK: vector.store
// CHECK: call @forge_microkernel_f32_8x48_a640_1_r_ahead_f32
// CHECK: func private @contraction_f32_1x640x640({{.*}}strategy = stream,
// CHECK: func private @contraction_bf16_4x640x640({{.*}}strategy = dot,
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"

// AVX2: func private @forge_microkernel_f32_6x16_a640_1_r_c_ahead_f32
// AVX2-NOT: x86.avx512
