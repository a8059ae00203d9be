// Attention of many rows is one kernel of strategy flash on sm_90a, whatever says which keys a row sees: skipped blocks, windows,
// lengths, sinks, caps, regions, masks, rows that see nothing, depths that are no whole panel, and places behind and before it.
// RUN: forge compile %s --function causal --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function window --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function everything --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function mask --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function score --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function whole_weights --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WHOLE
// RUN: forge compile %s --function lse --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function lse_of_everything --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --function lse --target sim:sm_90a --each-stage
// RUN: forge verify %s --function lse_of_everything --target sim:sm_90a
// RUN: forge verify %s --function lse_of_everything --target sim:gfx942
// RUN: forge verify %s --function causal --target sim:sm_90a
// RUN: forge verify %s --function window --target sim:sm_90a
// RUN: forge verify %s --function everything --target sim:sm_90a
// RUN: forge verify %s --function mask --target sim:sm_90a
// RUN: forge verify %s --function score --target sim:sm_90a
// RUN: forge verify %s --function whole_weights --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=7 forge verify %s --function everything --target sim:sm_90a
// RUN: forge verify %s --function everything --target sim:gfx942
// RUN: forge verify %s --function everything --target cpu
// RUN: forge verify %s --function score --target sim:sm_90a --each-stage

// ONE: strategy = flash
// ONE-NOT: strategy =
// CHECK: strategy = flash
// WHOLE-NOT: strategy = flash

func.func @causal(%q: tensor<1x4x200x128xbf16>, %k: tensor<1x2x200x128xbf16>, %v: tensor<1x2x200x128xbf16>) -> tensor<1x4x200x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x200x128xbf16>, tensor<1x2x200x128xbf16>, tensor<1x2x200x128xbf16>) -> tensor<1x4x200x128xbf16>
  return %0 : tensor<1x4x200x128xbf16>
}

// Rows from 130 on see no key.
func.func @window(%q: tensor<1x2x300x64xf16>, %k: tensor<1x2x90x64xf16>, %v: tensor<1x2x90x64xf16>, %first: tensor<1xi32>) -> tensor<1x2x300x64xf16> {
  %0 = transformer.attention %q, %k, %v offsets %first {window = 40 : i64} : (tensor<1x2x300x64xf16>, tensor<1x2x90x64xf16>, tensor<1x2x90x64xf16>, tensor<1xi32>) -> tensor<1x2x300x64xf16>
  return %0 : tensor<1x2x300x64xf16>
}

func.func @everything(%q: tensor<2x4x100x40xbf16>, %k: tensor<2x2x256x40xbf16>, %v: tensor<2x2x256x72xbf16>, %n: tensor<2xi32>, %o: tensor<2xi32>, %s: tensor<4xbf16>) -> tensor<2x4x100x72xbf16> {
  %0 = transformer.attention %q, %k, %v lengths %n offsets %o sinks %s {causal, window = 90 : i64, soft_cap = 30.0 : f32}
      : (tensor<2x4x100x40xbf16>, tensor<2x2x256x40xbf16>, tensor<2x2x256x72xbf16>, tensor<2xi32>, tensor<2xi32>, tensor<4xbf16>) -> tensor<2x4x100x72xbf16>
  return %0 : tensor<2x4x100x72xbf16>
}

func.func @mask(%q: tensor<2x2x65x256xbf16>, %k: tensor<2x2x130x256xbf16>, %v: tensor<2x2x130x256xbf16>, %m: tensor<2x1x65x130xi1>) -> tensor<2x2x65x256xbf16> {
  %0 = transformer.attention %q, %k, %v mask %m : (tensor<2x2x65x256xbf16>, tensor<2x2x130x256xbf16>, tensor<2x2x130x256xbf16>, tensor<2x1x65x130xi1>) -> tensor<2x2x65x256xbf16>
  return %0 : tensor<2x2x65x256xbf16>
}

func.func @score(%q: tensor<1x2x129x192xbf16>, %k: tensor<1x1x129x192xbf16>, %v: tensor<1x1x129x128xbf16>) -> tensor<1x2x129x128xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %far = arith.subi %s, %t : index
    %int = arith.index_cast %far : index to i32
    %f = arith.sitofp %int : i32 to f32
    %slope = arith.constant 0.0625 : f32
    %p = arith.mulf %f, %slope : f32
    %y = arith.subf %x, %p : f32
    transformer.yield %y : f32
  } : (tensor<1x2x129x192xbf16>, tensor<1x1x129x192xbf16>, tensor<1x1x129x128xbf16>) -> tensor<1x2x129x128xbf16>
  return %0 : tensor<1x2x129x128xbf16>
}

// The logarithm of the softmax's sum is a result of the same kernel. Rows before 37 see no key.
func.func @lse(%q: tensor<1x4x140x64xbf16>, %k: tensor<1x2x103x64xbf16>, %v: tensor<1x2x103x64xbf16>) -> (tensor<1x4x140x64xbf16>, tensor<1x4x140xf32>) {
  %0, %1 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x140x64xbf16>, tensor<1x2x103x64xbf16>, tensor<1x2x103x64xbf16>) -> (tensor<1x4x140x64xbf16>, tensor<1x4x140xf32>)
  return %0, %1 : tensor<1x4x140x64xbf16>, tensor<1x4x140xf32>
}

func.func @lse_of_everything(%q: tensor<2x4x100x40xf16>, %k: tensor<2x2x256x40xf16>, %v: tensor<2x2x256x72xf16>, %n: tensor<2xi32>, %s: tensor<4xf16>) -> (tensor<2x4x100x72xf16>, tensor<2x4x100xf32>) {
  %0, %1 = transformer.attention %q, %k, %v lengths %n sinks %s {causal, window = 90 : i64, soft_cap = 30.0 : f32}
      : (tensor<2x4x100x40xf16>, tensor<2x2x256x40xf16>, tensor<2x2x256x72xf16>, tensor<2xi32>, tensor<4xf16>) -> (tensor<2x4x100x72xf16>, tensor<2x4x100xf32>)
  return %0, %1 : tensor<2x4x100x72xf16>, tensor<2x4x100xf32>
}

// A product of weights in f32 is no matrix unit's.
func.func @whole_weights(%q: tensor<1x2x64x64xbf16>, %k: tensor<1x2x64x64xbf16>, %v: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = transformer.attention %q, %k, %v {weights = f32} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
  return %0 : tensor<1x2x64x64xbf16>
}
