// Pointers say that they begin at multiples of 16 bytes, or of what divides the rows, so that LLVM joins what a thread reads and writes side by side: a running product along contiguous lines reads and
// writes four elements at once. Where rows have an odd number of elements, nothing is known.
// RUN: forge compile %s --function lines --target cuda:sm_90a --tier optimized --to ptx -o - | FileCheck %s --check-prefix=LINES
// RUN: forge compile %s --function odd --target cuda:sm_90a --tier optimized --to ptx -o - | FileCheck %s --check-prefix=ODD
// RUN: forge verify %s --function lines --target sim:sm_90a
// RUN: forge verify %s --function lines --target sim:gfx942
// RUN: forge verify %s --function odd --target sim:sm_90a

// LINES: .param .u64 .ptr .align 16
// LINES-COUNT-8: ld.global.v4.b32
// LINES-NOT: ld.global
// LINES-COUNT-8: st.global.v4.b32
// LINES-NOT: st.global
func.func @lines(%x: tensor<48x96xf32>) -> tensor<48x96xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 1, 96>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [95, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<48x96xf32>, tensor<f32>) -> tensor<48x96xf32>
  return %r : tensor<48x96xf32>
}

// ODD: .param .u64 .ptr .align 1
// ODD-NOT: ld.global.v
func.func @odd(%x: tensor<48x95xf32>) -> tensor<48x95xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 1, 95>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [94, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<48x95xf32>, tensor<f32>) -> tensor<48x95xf32>
  return %r : tensor<48x95xf32>
}
