// A tensor copy overwrote rows of a product that were still being read: a fence between both was missing.
// On an H200 tiles were wrong where a kernel with many loads ran on the same multiprocessor.
// RUN: forge verify %s --target cpu
// RUN: forge explain %s --target sim:sm_90a --save-plan %t.plan >%t.explain && sed -i -E 's/<strategy = (gemv|wgmma), .*, library/<strategy = wgmma, m = 64, n = 32, k = 64, stages = 2, library/' %t.plan && grep -q 'm = 64' %t.plan
// RUN: forge verify %s --target sim:sm_90a --plan %t.plan
// RUN: env FORGE_SIM_SEED=1 forge verify %s --target sim:sm_90a --plan %t.plan
// RUN: forge verify %s --target sim:gfx942
func.func @main(%x: tensor<16x320xbf16>, %w: tensor<64x320xbf16>) -> tensor<16x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x320xbf16>, tensor<64x320xbf16>) -> tensor<16x64xbf16>
  return %0 : tensor<16x64xbf16>
}
