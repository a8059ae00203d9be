// A product over no terms is 0: what has no elements is not passed to a kernel. LLVM's pointers stand for no such memref.
// RUN: forge compile %s --target cuda:sm_90a --to ptx -o - | FileCheck %s
// RUN: forge compile %s --target hip:gfx942 --to hsaco -o %t.hsaco
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx1100

// CHECK: .entry
// CHECK-NEXT: .param .u64
// CHECK-NEXT: )
func.func @main(%a: tensor<3x0xf32>, %b: tensor<0x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
