// Rows appended to a cache by one launch, whatever the number of sequences: results against the reference, races and wrong addresses found by
// the simulator. Open sizes of the table give more pages to write than the pool has: those are dropped.
// RUN: forge compile %s --function contiguous --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge compile %s --function paged --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge compile %s --function open --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function contiguous --target sim:sm_90a
// RUN: forge verify %s --function contiguous --target sim:gfx942
// RUN: forge verify %s --function contiguous --target sim:sm_90a --tier correctness
// RUN: forge verify %s --function paged --target sim:sm_90a
// RUN: forge verify %s --function paged --target sim:sm_90a --seed 3
// RUN: forge verify %s --function paged --target sim:gfx942 --seed 4
// RUN: forge verify %s --function open --target sim:sm_90a
// RUN: forge verify %s --function open --target sim:gfx942 --dynamic-size 1
// RUN: forge verify %s --function open --target sim:sm_90a --dynamic-size 0
// RUN: forge verify %s --function steps --target sim:sm_90a
// RUN: forge verify %s --function steps --target sim:gfx942
// Two sequences that write one page, which is not specified, are a race.
// RUN: not forge verify %s --function shared_page --target sim:sm_90a 2>&1 | FileCheck %s --check-prefix=RACE

// RACE: race

// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @contiguous(%rows: tensor<7x2x3x5xbf16>, %cache: tensor<7x2x11x5xbf16> {tf.aliasing_output = 0 : i32}, %at: tensor<7xi32>)
    -> tensor<7x2x11x5xbf16> {
  %0 = transformer.kv_append %rows into %cache at %at
      : (tensor<7x2x3x5xbf16>, tensor<7x2x11x5xbf16>, tensor<7xi32>) -> tensor<7x2x11x5xbf16>
  return %0 : tensor<7x2x11x5xbf16>
}

func.func @paged(%rows: tensor<5x2x3x8xf32>, %pages: tensor<9x2x4x8xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<5xi64>, %table: tensor<5x3xi32>)
    -> tensor<9x2x4x8xf32> {
  %0 = transformer.kv_append %rows into %pages at %at table %table
      : (tensor<5x2x3x8xf32>, tensor<9x2x4x8xf32>, tensor<5xi64>, tensor<5x3xi32>) -> tensor<9x2x4x8xf32>
  return %0 : tensor<9x2x4x8xf32>
}

func.func @open(%rows: tensor<?x2x?x8xf32>, %pages: tensor<?x2x4x8xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<?xi32>, %table: tensor<?x3xi32>)
    -> tensor<?x2x4x8xf32> {
  %0 = transformer.kv_append %rows into %pages at %at table %table
      : (tensor<?x2x?x8xf32>, tensor<?x2x4x8xf32>, tensor<?xi32>, tensor<?x3xi32>) -> tensor<?x2x4x8xf32>
  return %0 : tensor<?x2x4x8xf32>
}

// Into a copy, since the old cache is returned too, and once more into that.
func.func @steps(%x: tensor<2x2x1x8xf32>, %y: tensor<2x2x2x8xf32>, %cache: tensor<2x2x4x8xf32>, %at: tensor<2xi32>)
    -> (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>) {
  %0 = transformer.kv_append %x into %cache at %at : (tensor<2x2x1x8xf32>, tensor<2x2x4x8xf32>, tensor<2xi32>) -> tensor<2x2x4x8xf32>
  %1 = transformer.kv_append %y into %0 at %at : (tensor<2x2x2x8xf32>, tensor<2x2x4x8xf32>, tensor<2xi32>) -> tensor<2x2x4x8xf32>
  return %cache, %1 : tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>
}

func.func @shared_page(%rows: tensor<2x2x1x8xf32>, %pages: tensor<3x2x4x8xf32>) -> tensor<3x2x4x8xf32> {
  %at = arith.constant dense<1> : tensor<2xi32>
  %table = arith.constant dense<2> : tensor<2x1xi32>
  %0 = transformer.kv_append %rows into %pages at %at table %table
      : (tensor<2x2x1x8xf32>, tensor<3x2x4x8xf32>, tensor<2xi32>, tensor<2x1xi32>) -> tensor<3x2x4x8xf32>
  return %0 : tensor<3x2x4x8xf32>
}

// Many tokens: a thread has the 8 neighbours of one access, of which the branch on the position is one. Rotated keys too.
// RUN: forge verify %s --function many --target sim:sm_90a
// RUN: forge verify %s --function rotated --target sim:sm_90a
// RUN: forge compile %s --function many --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefix=MANY
// RUN: forge compile %s --function rotated --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefix=ROTATED
// MANY: ld.global.v4.b32
// MANY-NOT: ld.global.b16
// MANY: st.global.v4.b32
// MANY-NOT: st.global.b16
// ROTATED: st.global.v4.b32
// ROTATED-NOT: st.global.b16
func.func @many(%rows: tensor<1x8x1024x128xbf16>, %cache: tensor<1x8x1040x128xbf16>, %at: tensor<1xi32>) -> tensor<1x8x1040x128xbf16> {
  %0 = transformer.kv_append %rows into %cache at %at : (tensor<1x8x1024x128xbf16>, tensor<1x8x1040x128xbf16>, tensor<1xi32>) -> tensor<1x8x1040x128xbf16>
  return %0 : tensor<1x8x1040x128xbf16>
}
func.func @rotated(%rows: tensor<1x8x1024x128xbf16>, %cache: tensor<1x8x1040x128xbf16>, %at: tensor<1xi32>, %positions: tensor<1x1024xi32>) -> tensor<1x8x1040x128xbf16> {
  %r = transformer.rope %rows positions %positions : (tensor<1x8x1024x128xbf16>, tensor<1x1024xi32>) -> tensor<1x8x1024x128xbf16>
  %0 = transformer.kv_append %r into %cache at %at : (tensor<1x8x1024x128xbf16>, tensor<1x8x1040x128xbf16>, tensor<1xi32>) -> tensor<1x8x1040x128xbf16>
  return %0 : tensor<1x8x1040x128xbf16>
}
