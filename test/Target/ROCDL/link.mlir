// Code objects are linked in the process; FORGE_LLD asks for a program.
// RUN: forge compile %s --target hip:gfx942 --to hsaco -o %t.hsaco
// RUN: llvm-readelf --file-header --dyn-syms %t.hsaco | FileCheck %s
// RUN: env FORGE_LLD=/nowhere/ld.lld %exits 1 forge compile %s --target hip:gfx942 --to hsaco -o %t.none 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not ls %t.none
// CHECK: Type: DYN
// CHECK: Machine: EM_AMDGPU
// CHECK-NOT: UND {{[a-z]}}
// CHECK: elementwise{{$}}
// PROGRAM: error: {{.*}}/nowhere/ld.lld failed
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.abs %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
