// The code object, taken apart again: wide as the chip is, no unresolved symbols.
// RUN: forge compile %s --target hip:gfx942 --to hsaco -o %t.hsaco
// RUN: llvm-objdump -d %t.hsaco | FileCheck %s --check-prefixes=CHECK,WAVE64
// RUN: llvm-readelf --notes --dyn-syms %t.hsaco | FileCheck %s --check-prefix=NOTES64
// RUN: forge compile %s --target hip:gfx1100 --to hsaco -o %t.hsaco
// RUN: llvm-objdump -d %t.hsaco | FileCheck %s
// RUN: llvm-readelf --notes %t.hsaco | FileCheck %s --check-prefix=NOTES32
// CHECK: <elementwise>:
// CHECK: global_load
// WAVE64: v_div_scale_f32
// CHECK: v_div_fixup_f32
// CHECK: global_store
// CHECK: s_endpgm
// NOTES64-NOT: UND {{.*[a-z]}}
// NOTES64: .wavefront_size: 64
// NOTES32: .wavefront_size: 32
func.func @main(%a: tensor<1000xf32>, %b: tensor<1000xf32>) -> tensor<1000xf32> {
  %e = tensor.empty() : tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}
