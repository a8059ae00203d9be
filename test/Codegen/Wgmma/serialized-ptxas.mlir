// What is computed of rounded sums does not make products wait for each other (ptxas would warn, C7514).
// REQUIRES: ptxas
// RUN: forge compile %s --function residual --tier optimized --target cuda:sm_90a --to ptx -o %t.ptx
// RUN: ptxas -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: forge compile %s --function gated --tier optimized --target cuda:sm_90a --to ptx -o %t.ptx
// RUN: ptxas -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: forge compile %s --function half --tier optimized --target cuda:sm_90a --to ptx -o %t.ptx
// RUN: ptxas -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: serialized

func.func @residual(%x: tensor<1000x768xbf16>, %w: tensor<768x768xbf16>, %r: tensor<1000x768xbf16>) -> tensor<1000x768xbf16> {
  %p = transformer.matmul %x, %w : (tensor<1000x768xbf16>, tensor<768x768xbf16>) -> tensor<1000x768xbf16>
  %y = arith.addf %p, %r : tensor<1000x768xbf16>
  return %y : tensor<1000x768xbf16>
}

func.func @gated(%x: tensor<1000x768xbf16>, %g: tensor<768x2048xbf16>, %u: tensor<768x2048xbf16>) -> tensor<1000x2048xbf16> {
  %a = transformer.matmul %x, %g : (tensor<1000x768xbf16>, tensor<768x2048xbf16>) -> tensor<1000x2048xbf16>
  %b = transformer.matmul %x, %u : (tensor<1000x768xbf16>, tensor<768x2048xbf16>) -> tensor<1000x2048xbf16>
  %y = arith.mulf %a, %b : tensor<1000x2048xbf16>
  return %y : tensor<1000x2048xbf16>
}

func.func @half(%x: tensor<1000x768xf16>, %w: tensor<768x768xf16>, %r: tensor<1000x768xf16>) -> tensor<1000x768xf16> {
  %p = transformer.matmul %x, %w : (tensor<1000x768xf16>, tensor<768x768xf16>) -> tensor<1000x768xf16>
  %y = arith.addf %p, %r : tensor<1000x768xf16>
  return %y : tensor<1000x768xf16>
}
