// Attention of up to 16 rows of 16-bit factors by strategy flash: warps of a block share keys and columns, blocks of a cluster share keys
// (sm_90a). Lengths, windows, sinks, caps, masks, rows that see nothing, values beyond the last key, depths that are no whole panel.
// RUN: forge compile %s --function grouped --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function parts --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PARTS
// RUN: forge compile %s --function parts --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=WHOLE
// RUN: forge compile %s --function everything --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function beyond --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=FLASH
// RUN: forge compile %s --function masked --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function rows --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function grouped --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=5 forge verify %s --function grouped --target sim:sm_90a
// RUN: forge verify %s --function grouped --target sim:sm_80
// RUN: forge verify %s --function grouped --target sim:gfx942
// RUN: forge verify %s --function grouped --target sim:gfx1100
// RUN: forge verify %s --function grouped --target sim:sm_90a --distribution huge
// RUN: forge verify %s --function parts --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function parts --target sim:sm_90a
// RUN: forge verify %s --function parts --target sim:sm_90a --each-stage
// RUN: forge verify %s --function parts --target sim:gfx90a
// RUN: forge verify %s --function everything --target sim:sm_90a
// RUN: forge verify %s --function everything --target sim:sm_80
// RUN: forge verify %s --function everything --target sim:gfx942
// RUN: forge verify %s --function everything --target sim:gfx1100
// RUN: forge verify %s --function nothing_seen --target sim:sm_90a
// RUN: forge verify %s --function nothing_seen --target sim:gfx942
// RUN: forge verify %s --function beyond --target sim:sm_90a
// RUN: forge verify %s --function beyond --target sim:gfx942
// RUN: forge verify %s --function masked --target sim:sm_90a
// RUN: forge verify %s --function masked --target sim:gfx1100
// RUN: forge verify %s --function rows --target sim:sm_90a
// RUN: forge verify %s --function rows --target sim:gfx942
// RUN: forge verify %s --function rows --target sim:gfx1100
// RUN: forge verify %s --function grouped --target cpu
// Tile programs carry their linalg form.
// RUN: forge compile %s --function small --target sim:sm_90a --to blocks -o %t.mlir
// RUN: forge verify %t.mlir --from blocks --target sim:sm_90a

// ONE: strategy = flash, m = 16, n = {{64|128}}, split_kv =
// ONE-NOT: strategy =
// FLASH: strategy = flash, m = 16,
// PARTS: strategy = flash, m = 16, n = 128, split_kv = 2
// WHOLE: strategy = flash, m = 16, n = {{64|128}}, split_kv = 1

// One new token of two sequences: four query heads share a key head, blocks divide no length.
func.func @grouped(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x177x64xbf16>, %v: tensor<2x2x177x64xbf16>, %n: tensor<2xi32>) -> tensor<2x8x1x64xbf16> {
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<2x8x1x64xbf16>, tensor<2x2x177x64xbf16>, tensor<2x2x177x64xbf16>, tensor<2xi32>) -> tensor<2x8x1x64xbf16>
  return %o : tensor<2x8x1x64xbf16>
}
func.func @parts(%q: tensor<1x6x1x128xf16>, %k: tensor<1x2x600x128xf16>, %v: tensor<1x2x600x128xf16>) -> tensor<1x6x1x128xf16> {
  %o = transformer.attention %q, %k, %v {causal} : (tensor<1x6x1x128xf16>, tensor<1x2x600x128xf16>, tensor<1x2x600x128xf16>) -> tensor<1x6x1x128xf16>
  return %o : tensor<1x6x1x128xf16>
}
func.func @everything(%q: tensor<2x10x1x40xbf16>, %k: tensor<2x2x300x40xbf16>, %v: tensor<2x2x300x72xbf16>, %s: tensor<10xbf16>) -> tensor<2x10x1x72xbf16> {
  %n = arith.constant dense<[280, 97]> : tensor<2xi32>
  %o = arith.constant dense<[270, 60]> : tensor<2xi32>
  %0 = transformer.attention %q, %k, %v lengths %n offsets %o sinks %s {causal, window = 90 : i64, soft_cap = 30.0 : f32}
      : (tensor<2x10x1x40xbf16>, tensor<2x2x300x40xbf16>, tensor<2x2x300x72xbf16>, tensor<2xi32>, tensor<2xi32>, tensor<10xbf16>) -> tensor<2x10x1x72xbf16>
  return %0 : tensor<2x10x1x72xbf16>
}
// A sequence without a key: its rows are zero; of another the last blocks are seen by no row.
func.func @nothing_seen(%q: tensor<3x4x1x64xbf16>, %k: tensor<3x2x600x64xbf16>, %v: tensor<3x2x600x64xbf16>) -> tensor<3x4x1x64xbf16> {
  %n = arith.constant dense<[0, 3, 600]> : tensor<3xi32>
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<3x4x1x64xbf16>, tensor<3x2x600x64xbf16>, tensor<3x2x600x64xbf16>, tensor<3xi32>) -> tensor<3x4x1x64xbf16>
  return %o : tensor<3x4x1x64xbf16>
}
// What is beyond a sequence's length is never used, whatever memory holds.
func.func @beyond(%q: tensor<2x4x1x64xbf16>, %k: tensor<2x2x50x64xbf16>, %v: tensor<2x2x50x64xbf16>) -> tensor<2x4x1x64xbf16> {
  %n = arith.constant dense<[50, 33]> : tensor<2xi32>
  %nan = stablehlo.constant dense<0x7FC0> : tensor<2x2x78x64xbf16>
  %ks = stablehlo.concatenate %k, %nan, dim = 2 : (tensor<2x2x50x64xbf16>, tensor<2x2x78x64xbf16>) -> tensor<2x2x128x64xbf16>
  %vs = stablehlo.concatenate %v, %nan, dim = 2 : (tensor<2x2x50x64xbf16>, tensor<2x2x78x64xbf16>) -> tensor<2x2x128x64xbf16>
  %o = transformer.attention %q, %ks, %vs lengths %n : (tensor<2x4x1x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2xi32>) -> tensor<2x4x1x64xbf16>
  return %o : tensor<2x4x1x64xbf16>
}
func.func @masked(%q: tensor<2x3x2x64xbf16>, %k: tensor<2x3x40x64xbf16>, %v: tensor<2x3x40x64xbf16>, %m: tensor<2x1x2x40xi1>) -> tensor<2x3x2x64xbf16> {
  %o = transformer.attention %q, %k, %v mask %m : (tensor<2x3x2x64xbf16>, tensor<2x3x40x64xbf16>, tensor<2x3x40x64xbf16>, tensor<2x1x2x40xi1>) -> tensor<2x3x2x64xbf16>
  return %o : tensor<2x3x2x64xbf16>
}
// All heads share the keys; 16 rows of 256 columns.
func.func @rows(%q: tensor<1x16x1x256xbf16>, %k: tensor<1x1x130x256xbf16>, %v: tensor<1x1x130x256xbf16>) -> tensor<1x16x1x256xbf16> {
  %o = transformer.attention %q, %k, %v : (tensor<1x16x1x256xbf16>, tensor<1x1x130x256xbf16>, tensor<1x1x130x256xbf16>) -> tensor<1x16x1x256xbf16>
  return %o : tensor<1x16x1x256xbf16>
}
func.func @small(%q: tensor<1x2x1x32xbf16>, %k: tensor<1x1x20x32xbf16>, %v: tensor<1x1x20x32xbf16>) -> tensor<1x2x1x32xbf16> {
  %o = transformer.attention %q, %k, %v {causal} : (tensor<1x2x1x32xbf16>, tensor<1x1x20x32xbf16>, tensor<1x1x20x32xbf16>) -> tensor<1x2x1x32xbf16>
  return %o : tensor<1x2x1x32xbf16>
}
