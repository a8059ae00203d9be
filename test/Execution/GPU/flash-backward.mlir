// Gradients of attention are kernels of strategy flash_backward on sm_90a, which compute the weights again: with causal masks, windows,
// lengths, sinks, caps, regions, masks, cotangents of the lse, rows that see nothing, and sizes that tiles do not divide. At a depth of
// 256 sums of keys and of values are a kernel each. Two sequences are in `window` and `everything`: what the others check does not depend
// on how many there are, and tolerances of gradients take long to measure.
// RUN: forge compile %s --function causal --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function full --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function window --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function everything --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function score --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WIDE
// RUN: forge-opt %s --transformer-differentiate="function=trained primal-results" -o %t.mlir
// RUN: forge compile %t.mlir --function trained_grad --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=TRAINED
// RUN: forge verify %s --function causal --target sim:sm_90a
// RUN: forge verify %s --function full --target sim:sm_90a
// RUN: forge verify %s --function window --target sim:sm_90a
// RUN: forge verify %s --function everything --target sim:sm_90a
// RUN: forge verify %s --function score --target sim:sm_90a
// RUN: forge verify %s --function wide --target sim:sm_90a
// RUN: forge verify %t.mlir --function trained_grad --target sim:sm_90a

// One for keys and values, one for queries; the forward kernel for the result.
// CHECK-DAG: strategy = flash,
// CHECK-DAG: strategy = rows
// CHECK-COUNT-2: strategy = flash_backward
// CHECK-NOT: strategy = {{wgmma|tiles|generic}}

// WIDE-COUNT-3: strategy = flash_backward
// WIDE-NOT: strategy = {{wgmma|tiles|generic}}

// The result of the forward part is used, with the number of each row that it leaves besides.
// TRAINED-COUNT-1: strategy = flash,
// TRAINED-NOT: strategy = {{flash,|wgmma|tiles|generic}}

func.func @causal(%do: tensor<1x4x200x64xbf16>, %q: tensor<1x4x200x64xbf16>, %k: tensor<1x2x200x64xbf16>, %v: tensor<1x2x200x64xbf16>)
    -> (tensor<1x4x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal}
      : (tensor<1x4x200x64xbf16>, tensor<1x4x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>)
      -> (tensor<1x4x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>)
  return %0#0, %0#1, %0#2 : tensor<1x4x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>
}

func.func @full(%do: tensor<1x2x128x128xf16>, %q: tensor<1x2x128x128xf16>, %k: tensor<1x2x256x128xf16>, %v: tensor<1x2x256x128xf16>)
    -> (tensor<1x2x128x128xf16>, tensor<1x2x256x128xf16>, tensor<1x2x256x128xf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v
      : (tensor<1x2x128x128xf16>, tensor<1x2x128x128xf16>, tensor<1x2x256x128xf16>, tensor<1x2x256x128xf16>)
      -> (tensor<1x2x128x128xf16>, tensor<1x2x256x128xf16>, tensor<1x2x256x128xf16>)
  return %0#0, %0#1, %0#2 : tensor<1x2x128x128xf16>, tensor<1x2x256x128xf16>, tensor<1x2x256x128xf16>
}

// Rows from 130 on see no key, and keys before some row are seen by none.
func.func @window(%do: tensor<2x2x300x64xf16>, %q: tensor<2x2x300x64xf16>, %k: tensor<2x2x90x64xf16>, %v: tensor<2x2x90x64xf16>, %first: tensor<2xi32>)
    -> (tensor<2x2x300x64xf16>, tensor<2x2x90x64xf16>, tensor<2x2x90x64xf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v offsets %first {window = 40 : i64}
      : (tensor<2x2x300x64xf16>, tensor<2x2x300x64xf16>, tensor<2x2x90x64xf16>, tensor<2x2x90x64xf16>, tensor<2xi32>)
      -> (tensor<2x2x300x64xf16>, tensor<2x2x90x64xf16>, tensor<2x2x90x64xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x2x300x64xf16>, tensor<2x2x90x64xf16>, tensor<2x2x90x64xf16>
}

func.func @everything(%do: tensor<2x4x100x72xbf16>, %q: tensor<2x4x100x40xbf16>, %k: tensor<2x2x150x40xbf16>, %v: tensor<2x2x150x72xbf16>,
                      %dl: tensor<2x4x100xf32>, %m: tensor<2x1x100x150xi1>, %o: tensor<2xi32>)
    -> (tensor<2x4x100x40xbf16>, tensor<2x2x150x40xbf16>, tensor<2x2x150x72xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v lse %dl mask %m offsets %o {causal, window = 90 : i64, soft_cap = 30.0 : f32}
      : (tensor<2x4x100x72xbf16>, tensor<2x4x100x40xbf16>, tensor<2x2x150x40xbf16>, tensor<2x2x150x72xbf16>, tensor<2x4x100xf32>, tensor<2x1x100x150xi1>, tensor<2xi32>)
      -> (tensor<2x4x100x40xbf16>, tensor<2x2x150x40xbf16>, tensor<2x2x150x72xbf16>)
  return %0#0, %0#1, %0#2 : tensor<2x4x100x40xbf16>, tensor<2x2x150x40xbf16>, tensor<2x2x150x72xbf16>
}

func.func @score(%do: tensor<1x2x129x64xbf16>, %q: tensor<1x2x129x64xbf16>, %k: tensor<1x1x129x64xbf16>, %v: tensor<1x1x129x64xbf16>)
    -> (tensor<1x2x129x64xbf16>, tensor<1x1x129x64xbf16>, tensor<1x1x129x64xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal} score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %far = arith.subi %s, %t : index
    %int = arith.index_cast %far : index to i32
    %f = arith.sitofp %int : i32 to f32
    %slope = arith.constant 0.0625 : f32
    %p = arith.mulf %f, %slope : f32
    %y = arith.subf %x, %p : f32
    transformer.yield %y : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %one = arith.constant 1.0 : f32
    transformer.yield %one : f32
  } : (tensor<1x2x129x64xbf16>, tensor<1x2x129x64xbf16>, tensor<1x1x129x64xbf16>, tensor<1x1x129x64xbf16>)
      -> (tensor<1x2x129x64xbf16>, tensor<1x1x129x64xbf16>, tensor<1x1x129x64xbf16>)
  return %0#0, %0#1, %0#2 : tensor<1x2x129x64xbf16>, tensor<1x1x129x64xbf16>, tensor<1x1x129x64xbf16>
}

func.func @trained(%q: tensor<1x4x96x64xbf16>, %k: tensor<1x2x96x64xbf16>, %v: tensor<1x2x96x64xbf16>) -> tensor<1x4x96x64xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x96x64xbf16>, tensor<1x2x96x64xbf16>, tensor<1x2x96x64xbf16>) -> tensor<1x4x96x64xbf16>
  return %0 : tensor<1x4x96x64xbf16>
}

func.func @wide(%do: tensor<1x2x70x256xbf16>, %q: tensor<1x2x70x256xbf16>, %k: tensor<1x1x130x256xbf16>, %v: tensor<1x1x130x256xbf16>)
    -> (tensor<1x2x70x256xbf16>, tensor<1x1x130x256xbf16>, tensor<1x1x130x256xbf16>) {
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal}
      : (tensor<1x2x70x256xbf16>, tensor<1x2x70x256xbf16>, tensor<1x1x130x256xbf16>, tensor<1x1x130x256xbf16>)
      -> (tensor<1x2x70x256xbf16>, tensor<1x1x130x256xbf16>, tensor<1x1x130x256xbf16>)
  return %0#0, %0#1, %0#2 : tensor<1x2x70x256xbf16>, tensor<1x1x130x256xbf16>, tensor<1x1x130x256xbf16>
}
