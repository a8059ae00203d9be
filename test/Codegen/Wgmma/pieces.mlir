// Factors in pieces: the products of a stage, the smallest first, to sums of their own, which are added to the accumulator.
// RUN: sed 's/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 2>/' %s | forge compile - --from kernels --target cuda:sm_90a --to blocks -o - | FileCheck %s
// RUN: sed 's/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256, k = 64, stages = 2>/' %s | not forge-opt - --forge-schedule-kernels="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=WIDE
// Without the mark nothing may be left out: it is not a product of pieces.
// RUN: sed 's/{forge.pieces} //; s/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma>/' %s | not forge-opt - --forge-schedule-kernels="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=UNMARKED
// UNMARKED: error: strategy 'wgmma' cannot take this kernel: it is not a product of two matrices
// WIDE: error: expected tiles of 64 or 128 columns for factors in pieces, but got 256
// RUN: sed 's/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 128, k = 64, stages = 3>/' %s | not forge-opt - --forge-schedule-kernels="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: error: expected 2 stages or more in 232448 bytes of shared memory, but got 3 in 295984

// CHECK: tile.ring : !tile.ring<2, !tile.shared<128x64xbf16, sw128>, !tile.shared<128x64xbf16, sw128>, !tile.shared<128x64xbf16, sw128>, !tile.shared<64x128xbf16, sw128>, !tile.shared<64x128xbf16, sw128>, !tile.shared<64x128xbf16, sw128>>
// CHECK: tile.role @copy
// CHECK-COUNT-6: tile.copy
// CHECK: tile.role @math
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO:.*]]) -> (tensor<128x128xf32
// CHECK: %[[SLOT:.*]], %[[P:.*]]:6 = tile.get
// CHECK: %[[D0:.*]] = tile.dot wgmma<64x128x16> %[[P]]#0, %[[P]]#5 transposed, %[[ZERO]] :
// CHECK: %[[D1:.*]] = tile.dot wgmma<64x128x16> %[[P]]#1, %[[P]]#4 transposed, %[[D0]] :
// CHECK: %[[D2:.*]] = tile.dot wgmma<64x128x16> %[[P]]#2, %[[P]]#3 transposed, %[[D1]] :
// CHECK: %[[D3:.*]] = tile.dot wgmma<64x128x16> %[[P]]#0, %[[P]]#4 transposed, %[[D2]] :
// CHECK: %[[D4:.*]] = tile.dot wgmma<64x128x16> %[[P]]#1, %[[P]]#3 transposed, %[[D3]] :
// CHECK: %[[D5:.*]] = tile.dot wgmma<64x128x16> %[[P]]#0, %[[P]]#3 transposed, %[[D4]] :
// CHECK: tile.drop %[[SLOT]]
// CHECK: arith.addf %[[ACC]], %[[D5]]

#l = affine_map<(m, n, k) -> (m, k)>
#r = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func private @product(%a0: tensor<2048x256xbf16>, %a1: tensor<2048x256xbf16>, %a2: tensor<2048x256xbf16>, %b0: tensor<256x1024xbf16>, %b1: tensor<256x1024xbf16>, %b2: tensor<256x1024xbf16>,
    %out: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> attributes {forge.kernel, SCHEDULE} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%out : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %p = linalg.generic {indexing_maps = [#l, #l, #l, #r, #r, #r, #o], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a0, %a1, %a2, %b0, %b1, %b2 : tensor<2048x256xbf16>, tensor<2048x256xbf16>, tensor<2048x256xbf16>, tensor<256x1024xbf16>, tensor<256x1024xbf16>, tensor<256x1024xbf16>) outs(%z : tensor<2048x1024xf32>) {
  ^bb0(%x0: bf16, %x1: bf16, %x2: bf16, %y0: bf16, %y1: bf16, %y2: bf16, %c: f32):
    %f0 = arith.extf %x0 : bf16 to f32
    %f1 = arith.extf %x1 : bf16 to f32
    %f2 = arith.extf %x2 : bf16 to f32
    %g0 = arith.extf %y0 : bf16 to f32
    %g1 = arith.extf %y1 : bf16 to f32
    %g2 = arith.extf %y2 : bf16 to f32
    %fs = arith.addf %f0, %f1 : f32
    %f = arith.addf %fs, %f2 : f32
    %gs = arith.addf %g0, %g1 : f32
    %g = arith.addf %gs, %g2 : f32
    %m = arith.mulf %f, %g {forge.pieces} : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x1024xf32>
  return %p : tensor<2048x1024xf32>
}
func.func @main(%a0: tensor<2048x256xbf16>, %a1: tensor<2048x256xbf16>, %a2: tensor<2048x256xbf16>, %b0: tensor<256x1024xbf16>, %b1: tensor<256x1024xbf16>, %b2: tensor<256x1024xbf16>) -> tensor<2048x1024xf32> {
  %out = tensor.empty() : tensor<2048x1024xf32>
  %p = call @product(%a0, %a1, %a2, %b0, %b1, %b2, %out) : (tensor<2048x256xbf16>, tensor<2048x256xbf16>, tensor<2048x256xbf16>, tensor<256x1024xbf16>, tensor<256x1024xbf16>, tensor<256x1024xbf16>, tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  return %p : tensor<2048x1024xf32>
}
