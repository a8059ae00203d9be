// RUN: forge-opt --split-input-file --verify-diagnostics %s

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c1(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected 2 indices of 'memref<8x128xf32>', but got 1}}
  %x = tile.load %m[%i] dims [1] : memref<8x128xf32> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c2(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected 1 dims, but got 2}}
  %x = tile.load %m[%i, %i] dims [0, 1] : memref<8x128xf32> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c3(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected elements of type 'f32', but got 'f16'}}
  %x = tile.load %m[%i, %i] dims [1] : memref<8x128xf32> -> tensor<128xf16, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c3_fill(%m: memref<8x128xf32>, %i: index, %f: f16) {
  // expected-error @below {{expected fill of type 'f32', but got 'f16'}}
  %x = tile.load %m[%i, %i] dims [1] limits(%i) fill %f : f16 : memref<8x128xf32> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c4(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected 1 limits of}}
  %x = tile.load %m[%i, %i] dims [1] limits(%i, %i) : memref<8x128xf32> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @load_c5(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected align to be a power of two of an element or more, but got 2}}
  %x = tile.load %m[%i, %i] dims [1] {align = 2} : memref<8x128xf32> -> tensor<128xf32, #row>
  return
}

// -----

func.func @load_c6(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected a tile with a layout, but got 'tensor<128xf32>'}}
  %x = tile.load %m[%i, %i] dims [1] : memref<8x128xf32> -> tensor<128xf32>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @store_c2(%m: memref<8x128xf32>, %i: index, %x: tensor<128xf32, #row>) {
  // expected-error @below {{expected dims below 2, but got 2}}
  tile.store %x, %m[%i, %i] dims [2] : tensor<128xf32, #row>, memref<8x128xf32>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @copy_c5(%m: memref<64x64xbf16>, %i: index) {
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    // expected-error @below {{expected an align of 4, 8 or 16, a multiple of 2, but got 2}}
    tile.copy %m[%i, %i] to %a by cp_async {align = 2} : memref<64x64xbf16> to !A
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @copy_c2(%m: memref<64x64xbf16>, %i: index) {
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    // expected-error @below {{expected ascending dims, but got 0 after 1}}
    tile.copy %m[%i, %i] dims [1, 0] to %a by tma : memref<64x64xbf16> to !A
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @copy_c4(%m: memref<64x64xbf16>, %i: index) {
  %a = tile.alloc : !A
  // expected-error @below {{expected to fill a buffer of the tile.put around it}}
  tile.copy %m[%i, %i] to %a by tma : memref<64x64xbf16> to !A
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @put_c1(%ring: !tile.ring<2, !A>) {
  // expected-error @below {{expected the buffers of '!tile.ring<2, !tile.shared<64x64xbf16, sw128>>' as block arguments}}
  tile.put %ring : !tile.ring<2, !A> {
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @put_c2(%ring: !tile.ring<2, !A>) {
  // expected-error @below {{expected copies to all of buffer 0, but got 0 of 0 bytes}}
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
  }
  return
}

// -----

func.func @role_c1(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{expected to be directly in a function}}
    tile.role @a warps = 4 {
    }
  }
  return
}

// -----

func.func @role_c2() {
  // expected-error @below {{expected a power of two of warps, but got 3}}
  tile.role @a warps = 3 {
  }
  return
}

// -----

func.func @role_c2_registers() {
  // expected-error @below {{expected a multiple of 4 warps with a number of registers, but got 2}}
  tile.role @a warps = 2 registers = 40 {
  }
  return
}

// -----

func.func @role_c3() {
  // expected-error @below {{expected a multiple of 8 registers from 24 to 256, but got 42}}
  tile.role @a warps = 4 registers = 42 {
  }
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @role_c4() {
  // expected-note @below {{the tile}}
  %x = arith.constant dense<0.0> : tensor<128xf32, #row>
  // expected-error @below {{expected no tile from outside, but got}}
  tile.role @a warps = 1 {
    %y = arith.addf %x, %x : tensor<128xf32, #row>
  }
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#all = #tile.layout<reg = [y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
func.func @broadcast_c1(%x: tensor<128xf32, #row>) {
  // expected-error @below {{without dims of the operand, but got}}
  %y = tile.broadcast %x dims [1] : tensor<128xf32, #row> -> tensor<2x128xf32, #all>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#all = #tile.layout<reg = [y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
func.func @broadcast_c2(%x: tensor<128xf32, #row>) {
  // expected-error @below {{expected elements of type 'f16', but got 'f32'}}
  %y = tile.broadcast %x dims [0] : tensor<128xf32, #row> -> tensor<2x128xf16, #all>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#all = #tile.layout<reg = [y1], lane = [y2, y4, y8, y16, y32], warp = []>
func.func @broadcast_c3(%x: tensor<128xf32, #row>) {
  // expected-error @below {{expected an operand of layout #tile.layout<reg = [x1], lane = [x2, x4, x8, x16, x32], warp = []>, the result's without dims, but got}}
  %y = tile.broadcast %x dims [0] : tensor<128xf32, #row> -> tensor<2x128xf32, #all>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @iota_c1() {
  // expected-error @below {{expected dim below 1, but got 1}}
  %y = tile.iota dim 1 : tensor<128xi32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @iota_c2() {
  // expected-error @below {{expected elements of 32 bits or more, or indices, but got 'i8'}}
  %y = tile.iota dim 0 : tensor<128xi8, #row>
  return
}

// -----

#all = #tile.layout<reg = [x1, y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @reduce_c1(%x: tensor<2x128xf32, #all>) {
  // expected-error @below {{without dims of the result, but got}}
  %y = tile.reduce add %x dims [1] : tensor<2x128xf32, #all> -> tensor<128xf32, #row>
  return
}

// -----

#all = #tile.layout<reg = [x1, y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
func.func @reduce_c1_scalar(%x: tensor<2x128xf32, #all>) {
  // expected-error @below {{expected a tile as result, but got 'f32'}}
  %y = tile.reduce add %x dims [1] : tensor<2x128xf32, #all> -> f32
  return
}

// -----

#all = #tile.layout<reg = [x1, y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
func.func @reduce_c2(%x: tensor<2x128xf32, #all>) {
  // expected-error @below {{expected elements of type 'f32', but got 'f16'}}
  %y = tile.reduce add %x dims [0, 1] : tensor<2x128xf32, #all> -> f16
  return
}

// -----

#all = #tile.layout<reg = [x1, y1, y2], lane = [y4, y8, y16, y32, y64], warp = []>
#row = #tile.layout<reg = [x1], lane = [x2, x4, x8, x16, x32], warp = []>
func.func @reduce_c3(%x: tensor<2x128xf32, #all>) {
  // expected-error @below {{expected a result of layout #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>, the operand's without dims, but got}}
  %y = tile.reduce add %x dims [0] : tensor<2x128xf32, #all> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @slice_c1(%x: tensor<128xf32, #row>, %i: index) {
  // expected-error @below {{expected a part of}}
  %y = tile.slice %x[%i] : tensor<128xf32, #row> -> tensor<256xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#other = #tile.layout<reg = [x1], lane = [x2, x4, x8, x16, x32], warp = []>
func.func @slice_c2(%x: tensor<256xf32, #row>, %i: index) {
  // expected-error @below {{expected the element type and the layout of}}
  %y = tile.slice %x[%i] : tensor<256xf32, #row> -> tensor<128xf32, #other>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
!B = !tile.shared<64x128xbf16, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c1(%a: !A, %b: !B, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected as many terms of both factors, but got 64 and 128}}
  %d = tile.dot wgmma<64x64x16> %a, %b, %c : !A, !B, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x32xf32, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2(%a: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected factors of bf16, f16, f8E4M3FN, f8E5M2 or i8 for wgmma, but got 'f32'}}
  %d = tile.dot wgmma<64x64x16> %a, %a, %c : !A, !A, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c3(%a: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an instruction of 64 rows, 8 to 256 columns in eights and 16 terms}}
  %d = tile.dot wgmma<64x60x16> %a, %a, %c : !A, !A, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x128xi8, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_integers(%a: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an accumulator of i32 for wgmma, but got 'f32'}}
  %d = tile.dot wgmma<64x64x32> %a, %a, %c : !A, !A, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x128xf8E4M3FN, sw128>
!B = !tile.shared<64x128xi8, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c2_two(%a: !A, %b: !B, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected factors of one element type, but got 'f8E4M3FN' and 'i8'}}
  %d = tile.dot wgmma<64x64x32> %a, %b, %c : !A, !B, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x128xf8E4M3FN, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c3_bytes(%a: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an instruction of 64 rows, 8 to 256 columns in eights and 32 terms, as in wgmma<64x256x32>}}
  %d = tile.dot wgmma<64x64x16> %a, %a, %c : !A, !A, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x128xf8E4M3FN, sw128>
!B = !tile.shared<128x128xf8E5M2, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c10(%a: !A, %b: !B, %c: tensor<64x128xf32, #acc>) {
  // expected-error @below {{expected factors of 8 bits in shared memory, not transposed, for wgmma}}
  %d = tile.dot wgmma<64x128x32> %a, %b transposed, %c : !A, !B, tensor<64x128xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
!B = !tile.shared<64x64xbf16>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c4(%a: !A, %b: !B, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected a swizzle of 128 bytes for wgmma}}
  %d = tile.dot wgmma<64x64x16> %a, %b, %c : !A, !B, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
#acc = #tile.layout<reg = [y1], lane = [y2, y4, y8, x1, x2], warp = [x4, x8]>
func.func @dot_c5(%a: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected an accumulator of layout}}
  %d = tile.dot wgmma<64x64x16> %a, %a, %c : !A, !A, tensor<64x64xf32, #acc>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
func.func @dot_c6(%a: tensor<64x64xbf16, #acc>, %b: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected both factors in shared memory or both in registers for fma, but got}}
  %d = tile.dot fma %a, %b, %c : tensor<64x64xbf16, #acc>, !A, tensor<64x64xf32, #acc>
  return
}

// -----

// expected-error @below {{expected rows of a multiple of 128 bytes for sw128, but got 64}}
func.func @shared_rows(%a: !tile.shared<64x32xbf16, sw128>)

// -----

// expected-error @below {{expected a multiple of 8 rows for sw128, but got 4}}
func.func @shared_pattern(%a: !tile.shared<4x64xbf16, sw128>)

// -----

// expected-error @below {{expected 1 to 16777216 elements, but got a dimension of 4294967296}}
func.func @shared_size(%a: !tile.shared<4294967296x4294967296xbf16>)

// -----

// expected-error @below {{expected sw32, sw64, sw128 or pad}}
func.func @shared_word(%a: !tile.shared<64x32xbf16, swizzle>)

// -----

// expected-error @below {{expected 1 to 64 slots, but got 0}}
func.func @ring_slots(%a: !tile.ring<0, !tile.shared<64x64xbf16>>)

// -----

// expected-error @below {{expected buffers of type !tile.shared, but got 'f32'}}
func.func @ring_buffers(%a: !tile.ring<2, f32>)

// -----

// expected-error @below {{expected one to three numbers for tile.grid}}
func.func private @grid() attributes {tile.grid = 3 : i64}

// -----

// expected-error @below {{expected a power of two for tile.warps, but got 3 : i64}}
func.func private @warps() attributes {tile.warps = 3}

// -----

// expected-error @below {{expected tile.grid, tile.warps or tile.unroll of the tile dialect's attributes, but got tile.grids}}
func.func private @unknown() attributes {tile.grids = 3}

// -----

func.func @stage_c1() {
  // expected-error @below {{expected a name}}
  tile.stage ""
  return
}

// -----

func.func @stamp_c1(%row: i32, %is_first: i1) {
  // expected-error @below {{expected one row or more from 0 on, but got 0 from 1}}
  tile.stamp "multiply" of "math" rows 0 from 1 at %row when %is_first
  return
}

// -----

func.func @wgmma_c1(%s: !llvm.struct<(f32, f32)>, %w: i32, %d: i64) {
  // expected-error @below {{expected a struct of 4 f32, but got '!llvm.struct<(f32, f32)>'}}
  %0 = tile.wgmma %s, [%w, %w, %w, %w], %d columns 8 element bf16 : !llvm.struct<(f32, f32)>
  return
}

// -----

func.func @wgmma_c2(%s: !llvm.struct<(f32, f32, f32, f32)>, %w: i32, %d: i64) {
  // expected-error @below {{expected bf16 or f16, but got 'f32'}}
  %0 = tile.wgmma %s, [%w, %w, %w, %w], %d columns 8 element f32 : !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @wgmma_c3(%s: !llvm.struct<(f32, f32, f32, f32)>, %w: i32, %d: i64) {
  // expected-error @below {{expected 4 words of the left factor, but got 2}}
  %0 = tile.wgmma %s, [%w, %w], %d columns 8 element f16 : !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#other = #tile.layout<reg = [y1], lane = [y2, y4, x1, x2, x4], warp = [x8, x16]>
func.func @dot_c7(%a: tensor<64x64xbf16, #other>, %b: !A, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expected a left factor of layout}}
  %d = tile.dot wgmma<64x64x16> %a, %b, %c : tensor<64x64xbf16, #other>, !A, tensor<64x64xf32, #acc>
  return
}

// -----

func.func @turn_c1() {
  tile.role @a warps = 4 {
    // expected-error @below {{expected to be in a role of two warpgroups or more}}
    tile.turn
    tile.pass
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func @turn_c1_put(%ring: !tile.ring<2, !A>, %m: memref<64x64xbf16>, %i: index) {
  tile.role @a warps = 8 {
    tile.put %ring : !tile.ring<2, !A> {
    ^bb0(%a: !A):
      tile.copy %m[%i, %i] to %a by tma : memref<64x64xbf16> to !A
      // expected-error @below {{expected not to be in a tile.put, which one thread runs}}
      tile.turn
      tile.pass
    }
  }
  return
}

// -----

func.func @turn_c2(%n: index, %m: index) {
  tile.role @a warps = 8 {
    scf.for %i = %n to %m step %n {
      // expected-error @below {{expected a tile.pass after it in its block}}
      tile.turn
      tile.turn
      tile.pass
    }
  }
  return
}

// -----

func.func @pass_c1() {
  tile.role @a warps = 8 {
    tile.turn
    tile.pass
    // expected-error @below {{expected a tile.turn before it in its block}}
    tile.pass
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c1(%c: tensor<64xi1, #t>, %x: tensor<64xf32, #t>) {
  // expected-error @below {{expected a region that yields the types of its initial values}}
  %r = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<64xi1, #t> {
    tile.yield %c : tensor<64xi1, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c2(%c: tensor<64xf32, #t>, %x: tensor<64xf32, #t>) {
  // expected-error @below {{expected a condition of i1, but got 'tensor<64xf32, #tile.layout}}
  %r = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<64xf32, #t> {
    tile.yield %x : tensor<64xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c3(%c: tensor<64xi1, #t>, %x: tensor<32xf32, #one>) {
  // expected-error @below {{expected no element in two warps that vote by themselves, but got 'tensor<32xf32, #tile.layout}}
  %r = tile.when %c else (%x : tensor<32xf32, #one>) : tensor<64xi1, #t> {
    tile.yield %x : tensor<32xf32, #one>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c3_layout(%c: tensor<64xi1>, %x: tensor<64xf32, #t>) {
  // expected-error @below {{expected tiles with a layout, but got 'tensor<64xi1>'}}
  %r = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<64xi1> {
    tile.yield %x : tensor<64xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c3_warps(%c: tensor<128xi1, #four>, %x: tensor<64xf32, #t>) {
  // expected-error @below {{expected tiles of 4 warps, but got 2 in}}
  %r = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<128xi1, #four> {
    tile.yield %x : tensor<64xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
#one = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [_]>
#four = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>
func.func @when_c4(%c: tensor<64xi1, #t>, %x: tensor<64xf32, #t>) {
  %r = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<64xi1, #t> {
    // expected-error @below {{expected constants, tile.broadcast and elementwise operations in a tile.when}}
    %y = tile.convert %x : tensor<64xf32, #t> -> tensor<64xf32, #t>
    tile.yield %y : tensor<64xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
func.func @when_c1_values(%c: tensor<64xi1, #t>) {
  // expected-error @below {{expected an initial value or more}}
  "tile.when"(%c) ({
    "tile.yield"() : () -> ()
  }) : (tensor<64xi1, #t>) -> ()
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c1(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  tile.role @a warps = 1 {
    %c = arith.constant dense<1.0> : tensor<32xf32, #t>
    // expected-error @below {{expected to be directly in a function}}
    %r = tile.split of 4 : tensor<32xf32, #t> {
    ^bb0(%part: index):
      tile.yield %c : tensor<32xf32, #t>
    } combine {
    ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
      tile.yield %a : tensor<32xf32, #t>
    }
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c1_other(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  // expected-error @below {{expected no role and no other tile.split in the function}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  tile.role @a warps = 1 {
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c1_grid(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4, 2>, tile.warps = 1} {
  // expected-error @below {{expected a grid of one dimension, but got 2}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c2(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  // expected-error @below {{expected a power of two of parts, but got 3}}
  %r = tile.split of 3 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c3(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  // expected-error @below {{expected a region with an index that yields the types of the results}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: i32):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c3_combine(%x: tensor<32xf32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  // expected-error @below {{expected a second region with the results' types twice that yields them}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c4(%x: tensor<32xi32, #t>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  // expected-error @below {{expected results of f32, but got 'tensor<32xi32, #tile.layout}}
  %r = tile.split of 4 : tensor<32xi32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xi32, #t>
  } combine {
  ^bb0(%a: tensor<32xi32, #t>, %b: tensor<32xi32, #t>):
    tile.yield %a : tensor<32xi32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c5(%x: tensor<32xf32, #t>, %m: memref<32xf32>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected no stores before it, and none to memory in it}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.store %x, %m[%c0] : tensor<32xf32, #t>, memref<32xf32>
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @split_c5_before(%x: tensor<32xf32, #t>, %m: memref<32xf32>) attributes {tile.grid = array<i64: 4>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  tile.store %x, %m[%c0] : tensor<32xf32, #t>, memref<32xf32>
  // expected-error @below {{expected no stores before it, and none to memory in it}}
  %r = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    tile.yield %x : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    tile.yield %a : tensor<32xf32, #t>
  }
  return
}

// -----

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @yield_c1(%x: tensor<32xf32, #t>) {
  tile.role @a warps = 1 {
    %c = arith.constant dense<1.0> : tensor<32xf32, #t>
    // expected-error @below {{expected no operands in tile.role}}
    tile.yield %c : tensor<32xf32, #t>
  }
  return
}

// -----

func.func @work_c1(%n: i32, %c: memref<2xi32>) {
  tile.role @a warps = 1 {
    // expected-error @below {{expected one tile.work in a role}}
    tile.work %t below %n from %c : memref<2xi32> {
    }
    tile.work %t below %n from %c : memref<2xi32> {
    }
  }
  return
}

// -----

func.func @work_c1_first(%n: i32, %c: memref<2xi32>) {
  tile.role @a warps = 8 {
    // expected-error @below {{expected the first role with a tile.work to do nothing but copy}}
    tile.work %t below %n from %c : memref<2xi32> {
    }
    tile.turn
    tile.pass
  }
  return
}

// -----

func.func @work_c2(%n: i32, %c: memref<2xi32>) attributes {tile.grid = array<i64: 4, 2>} {
  tile.role @a warps = 1 {
    // expected-error @below {{expected a grid of one dimension, but got array<i64: 4, 2>}}
    tile.work %t below %n from %c : memref<2xi32> {
    }
  }
  return
}

// -----

func.func @work_c3(%n: i32, %c: memref<1xi32>) {
  tile.role @a warps = 1 {
    // expected-error @below {{expected a counter of memref<2xi32>, an argument of the function, but got 'memref<1xi32>'}}
    tile.work %t below %n from %c : memref<1xi32> {
    }
  }
  return
}

// -----

func.func @work_c3_count(%n: i32, %m: i32, %c: memref<2xi32>) {
  tile.role @a warps = 1 {
    tile.work %t below %n from %c : memref<2xi32> {
    }
  }
  tile.role @b warps = 1 {
    // expected-error @below {{expected the count and counter of the first tile.work of the function}}
    tile.work %t below %m from %c : memref<2xi32> {
    }
  }
  return
}

// -----

func.func @work_c4(%n: i32, %c: memref<2xi32>) {
  tile.role @a warps = 1 {
    // expected-error @below {{expected one argument of i32}}
    "tile.work"(%n, %c) ({
    ^bb0(%t: index):
      "tile.yield"() : () -> ()
    }) : (i32, memref<2xi32>) -> ()
  }
  return
}

// -----

func.func @work_in_role(%n: i32, %c: memref<2xi32>) {
  // expected-error @below {{expects parent op 'tile.role'}}
  tile.work %t below %n from %c : memref<2xi32> {
  }
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @gather_c1(%m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected 2 indices of 'memref<8x128xf32>', but got 1}}
  %x = tile.gather %m[%i] : memref<8x128xf32>, index -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#other = #tile.layout<reg = [x32, x64], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @gather_c2(%m: memref<128xf32>) {
  %i = tile.iota dim 0 : tensor<128xindex, #other>
  // expected-error @below {{expected tiles of indices of the result's shape and layout}}
  %x = tile.gather %m[%i] : memref<128xf32>, tensor<128xindex, #other> -> tensor<128xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @gather_c3(%m: memref<128xf32>, %i: index) {
  // expected-error @below {{expected elements of type 'f32', but got 'f16'}}
  %x = tile.gather %m[%i] : memref<128xf32>, index -> tensor<128xf16, #row>
  return
}

// -----

func.func @gather_c4(%m: memref<128xf32>, %i: index) {
  // expected-error @below {{expected a tile with a layout, but got 'tensor<128xf32>'}}
  %x = tile.gather %m[%i] : memref<128xf32>, index -> tensor<128xf32>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @scatter_c1(%x: tensor<128xf32, #row>, %m: memref<8x128xf32>, %i: index) {
  // expected-error @below {{expected 2 indices of 'memref<8x128xf32>', but got 1}}
  tile.scatter %x, %m[%i] : tensor<128xf32, #row>, memref<8x128xf32>, index
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#other = #tile.layout<reg = [x32, x64], lane = [x1, x2, x4, x8, x16], warp = []>
func.func @scatter_c2(%x: tensor<128xf32, #row>, %m: memref<128xf32>) {
  %i = tile.iota dim 0 : tensor<128xindex, #other>
  // expected-error @below {{expected tiles of indices of the value's shape and layout}}
  tile.scatter %x, %m[%i] : tensor<128xf32, #row>, memref<128xf32>, tensor<128xindex, #other>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @scatter_c3(%x: tensor<128xf16, #row>, %m: memref<128xf32>, %i: index) {
  // expected-error @below {{expected elements of type 'f32', but got 'f16'}}
  tile.scatter %x, %m[%i] : tensor<128xf16, #row>, memref<128xf32>, index
  return
}

// -----

func.func @scatter_c4(%x: tensor<128xf32>, %m: memref<128xf32>, %i: index) {
  // expected-error @below {{expected a tile with a layout, but got 'tensor<128xf32>'}}
  tile.scatter %x, %m[%i] : tensor<128xf32>, memref<128xf32>, index
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func @scatter_c5(%x: tensor<128xf32, #row>, %m: memref<128xf32>, %i: tensor<128xindex, #row>, %has: tensor<128xi8, #row>) {
  // expected-error @below {{expected a mask of i1 of the value's shape and layout, but got}}
  tile.scatter %x, %m[%i] where %has : tensor<128xi8, #row> : tensor<128xf32, #row>, memref<128xf32>, tensor<128xindex, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#box = #tile.layout<reg = [y1, y2], lane = [y4, y8, y16, x1, x2], warp = []>
func.func @reshape_c1(%m: memref<128xf32>, %i: index) {
  %x = tile.load %m[%i] : memref<128xf32> -> tensor<128xf32, #row>
  // expected-error @below {{expected two tiles or two buffers of as many elements of one type}}
  %y = tile.reshape %x : tensor<128xf32, #row> -> tensor<4x64xf32, #box>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
#box = #tile.layout<reg = [y1, x1], lane = [y2, y4, y8, y16, x2], warp = []>
func.func @reshape_c2(%m: memref<128xf32>, %i: index) {
  %x = tile.load %m[%i] : memref<128xf32> -> tensor<128xf32, #row>
  // expected-error @below {{expected layouts by which threads hold the same elements}}
  %y = tile.reshape %x : tensor<128xf32, #row> -> tensor<4x32xf32, #box>
  return
}

// -----

func.func @reshape_c3() {
  %a = tile.alloc : !tile.shared<128x64xbf16, sw128>
  // expected-error @below {{expected buffers with the same last dimension, swizzle and padding}}
  %b = tile.reshape %a : !tile.shared<128x64xbf16, sw128> -> !tile.shared<64x128xbf16, sw128>
  return
}

// -----

!A = !tile.shared<128x64xbf16, sw128>
func.func @copy_c4(%x: memref<8x16x64xbf16>, %i: index) {
  %ring = tile.ring : !tile.ring<2, !A>
  %other = tile.alloc : !A
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    tile.copy %x[%i, %i, %i] dims [1, 2] to %a by tma : memref<8x16x64xbf16> to !A
    %b = tile.reshape %other : !A -> !tile.shared<8x16x64xbf16, sw128>
    // expected-error @below {{expected to fill a buffer of the tile.put around it}}
    tile.copy %x[%i, %i, %i] to %b by tma : memref<8x16x64xbf16> to !tile.shared<8x16x64xbf16, sw128>
  }
  return
}

// -----

func.func @limit_grid_c1(%n: index) {
  tile.role @a warps = 1 {
    // expected-error @below {{expected to be directly in a function}}
    tile.limit_grid %n
  }
  return
}

// -----

func.func @slice_c3() {
  %a = tile.alloc : !tile.shared<256x64xbf16, sw128>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected rows from a multiple of 8 on of a buffer of one panel, or whole panels of 64 columns}}
  %b = tile.slice %a[%c4, %c0] : !tile.shared<256x64xbf16, sw128> -> !tile.shared<128x64xbf16, sw128>
  return
}

// -----

func.func @slice_c3_panels() {
  %a = tile.alloc : !tile.shared<64x256xbf16, sw128>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error @below {{expected rows from a multiple of 8 on of a buffer of one panel, or whole panels of 64 columns}}
  %b = tile.slice %a[%c8, %c0] : !tile.shared<64x256xbf16, sw128> -> !tile.shared<32x256xbf16, sw128>
  return
}

// -----

!A = !tile.shared<256x64xbf16, sw128>
func.func @put_c2_parts(%x: memref<512x64xbf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %ring = tile.ring : !tile.ring<2, !A>
  // expected-error @below {{expected each byte of buffer 0 to be filled by one copy, but got copies of bytes 16384 to 32768 behind byte 0}}
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    %b = tile.slice %a[%c128, %c0] : !A -> !tile.shared<128x64xbf16, sw128>
    tile.copy %x[%i, %i] to %b by tma : memref<512x64xbf16> to !tile.shared<128x64xbf16, sw128>
  }
  return
}
