// RUN: forge-opt --split-input-file --verify-diagnostics --forge-lower-kernels=chip=sm_90a %s

// expected-error @below {{expected tile.warps on a tile program without roles}}
func.func private @no_warps(%m: memref<8xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>} {
  gpu.barrier
  return
}

// -----

// expected-error @below {{expected tile.grid on a tile program}}
func.func private @no_grid(%m: memref<8xf32>) attributes {forge.kernel} {
  %s = tile.alloc : !tile.shared<8xf32>
  return
}

// -----

// expected-error @below {{expected at most 1024 threads, but got 2048 in 64 warps}}
func.func private @threads(%m: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 64} {
  %c0 = arith.constant 0 : index
  %s = tile.alloc : !tile.shared<8xf32>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64, x128], warp = []>
func.func private @lanes(%m: memref<256xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a layout of 32 lanes for sm_90a, but got 64}}
  %x = tile.load %m[%c0] : memref<256xf32> -> tensor<256xf32, #row>
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @warps(%m: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 4} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a layout of 4 warps, but got 1}}
  %x = tile.load %m[%c0] : memref<128xf32> -> tensor<128xf32, #row>
  gpu.barrier
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @elementwise(%m: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %x = tile.load %m[%c0] : memref<128xf32> -> tensor<128xf32, #row>
  // expected-error @below {{expected an operation of tile programs, or an elementwise one}}
  %y = tensor.extract %x[%c0] : tensor<128xf32, #row>
  gpu.barrier
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @slice(%m: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %i = gpu.block_id x
  %x = arith.constant dense<0.0> : tensor<256xf32, #row>
  // expected-error @below {{expected constant indices, such as those of loops with tile.unroll}}
  %y = tile.slice %x[%i] : tensor<256xf32, #row> -> tensor<128xf32, #row>
  gpu.barrier
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @slice_atom(%m: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c64 = arith.constant 64 : index
  %x = arith.constant dense<0.0> : tensor<256xf32, #row>
  // expected-error @below {{expected a multiple of 128 from 0 to 128 in dimension 0, but got 64}}
  %y = tile.slice %x[%c64] : tensor<256xf32, #row> -> tensor<128xf32, #row>
  gpu.barrier
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @unroll(%m: memref<128xf32>, %n: index) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected constant bounds of a loop with tile.unroll}}
  scf.for %i = %c0 to %n step %c1 {
    %x = tile.load %m[%i] : memref<128xf32> -> tensor<128xf32, #row>
  } {tile.unroll}
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @dynamic(%m: memref<?xf32, strided<[2]>>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected memory that is contiguous, or of static shape and strides, but got 'memref<?xf32, strided<[2]>>'}}
  %x = tile.load %m[%c0] : memref<?xf32, strided<[2]>> -> tensor<128xf32, #row>
  gpu.barrier
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @engines(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A, !A>
  tile.put %ring : !tile.ring<2, !A, !A> {
  ^bb0(%a: !A, %b: !A):
    tile.copy %m[%c0, %c0] to %a by cp_async {align = 16} : memref<64x64xbf16> to !A
    // expected-error @below {{expected one engine to fill a ring, but got tma and cp_async}}
    tile.copy %m[%c0, %c0] to %b by tma : memref<64x64xbf16> to !A
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @read_elsewhere(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  tile.role @copy warps = 1 {
    tile.put %ring : !tile.ring<2, !A> {
    ^bb0(%a: !A):
      tile.copy %m[%c0, %c0] to %a by cp_async {align = 16} : memref<64x64xbf16> to !A
    }
  }
  tile.role @read warps = 1 {
    // expected-error @below {{expected the role that fills a ring by cp_async to read it}}
    %s, %a = tile.get %ring : !tile.ring<2, !A>
    tile.drop %s
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @got_before_put(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  // expected-error @below {{expected a tile.put of the slot before it}}
  %s, %a = tile.get %ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%b: !A):
    tile.copy %m[%c0, %c0] to %b by cp_async {align = 16} : memref<64x64xbf16> to !A
  }
  tile.drop %s
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @put_in_branch(%m: memref<64x64xbf16>, %is: i1) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  // expected-error @below {{expected no tile.put or tile.get in a branch where cp_async fills the ring}}
  scf.if %is {
    tile.put %ring : !tile.ring<2, !A> {
    ^bb0(%b: !A):
      tile.copy %m[%c0, %c0] to %b by cp_async {align = 16} : memref<64x64xbf16> to !A
    }
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @unbalanced(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.ring : !tile.ring<2, !A>
  // expected-error @below {{expected as many slots of each ring put as got in an iteration}}
  scf.for %i = %c0 to %c2 step %c1 {
    tile.put %ring : !tile.ring<2, !A> {
    ^bb0(%b: !A):
      tile.copy %m[%c0, %c0] to %b by cp_async {align = 16} : memref<64x64xbf16> to !A
    }
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @strided(%m: memref<64x64xbf16, strided<[128, 2]>>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%b: !A):
    // expected-error @below {{expected rows of a multiple of 16 bytes, contiguous in memory, for cp_async}}
    tile.copy %m[%c0, %c0] to %b by cp_async {align = 16} : memref<64x64xbf16, strided<[128, 2]>> to !A
  }
  return
}

// -----

!A = !tile.shared<64x16xf64, sw128>
func.func private @element(%m: memref<64x16xf64>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    // expected-error @below {{expected elements of bf16, f16, f32, f8E4M3FN, f8E5M2 or i8 for tma, but got 'f64'}}
    tile.copy %m[%c0, %c0] to %a by tma : memref<64x16xf64> to !A
  }
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @stride(%m: memref<64x68xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    // expected-error @below {{expected strides of a multiple of 16 bytes for tma, but got 136 in}}
    tile.copy %m[%c0, %c0] to %a by tma : memref<64x68xbf16> to !A
  }
  return
}

// -----

!A = !tile.shared<512x64xbf16, sw128>
func.func private @box(%m: memref<512x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<1, !A>
  tile.put %ring : !tile.ring<1, !A> {
  ^bb0(%a: !A):
    // expected-error @below {{expected at most 256 elements along a dimension for tma, but got 512}}
    tile.copy %m[%c0, %c0] to %a by tma : memref<512x64xbf16> to !A
  }
  return
}

// -----

// expected-error @below {{expected at most 232448 bytes of shared memory, but got}}
func.func private @shared(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %s = tile.alloc : !tile.shared<1024x256xf32>
  return
}

// -----

func.func private @place(%m: memref<8xf32>, %n: index) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{expected to be directly in the function}}
    %s = tile.alloc : !tile.shared<8xf32>
  }
  return
}

// -----

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = []>
func.func private @reduce_bits(%m: memref<1xi1>, %x: i1) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %t = tensor.splat %x : tensor<128xi1, #row>
  // expected-error @below {{expected elements of whole bytes, but got 'i1'}}
  %y = tile.reduce max %t dims [0] : tensor<128xi1, #row> -> i1
  memref.store %y, %m[%c0] : memref<1xi1>
  return
}

// -----

!A = !tile.shared<64x64xbf16, sw128>
func.func private @put(%m: memref<64x64xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring : !tile.ring<2, !A>
  tile.put %ring : !tile.ring<2, !A> {
  ^bb0(%a: !A):
    tile.copy %m[%c0, %c0] to %a by tma : memref<64x64xbf16> to !A
    // expected-error @below {{expected copies and index arithmetic in a tile.put}}
    gpu.barrier
  }
  return
}

// -----

#factor = #tile.layout<reg = [y1, y2, y4, y8], lane = [x1, x2, x4, x8, _], warp = []>
#acc = #tile.layout<reg = [x2, x4, x8], lane = [y1, y2, y4, y8, x1], warp = []>
func.func private @wmma(%m: memref<16x16xbf16>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %f = tile.load %m[%c0, %c0] : memref<16x16xbf16> -> tensor<16x16xbf16, #factor>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
  // expected-error @below {{expected a chip with wmma, but got sm_90a}}
  %d = tile.dot wmma<16x16x16> %f, %f, %zero : tensor<16x16xbf16, #factor>, tensor<16x16xbf16, #factor>, tensor<16x16xf32, #acc>
  return
}

// -----

// Of the 16 barriers of a block one is the block's, and each role has one.
func.func private @barriers() attributes {forge.kernel, tile.grid = array<i64: 1>} {
  tile.role @r0 warps = 1 {
  }
  tile.role @r1 warps = 1 {
  }
  tile.role @r2 warps = 1 {
  }
  tile.role @r3 warps = 1 {
  }
  tile.role @r4 warps = 1 {
  }
  tile.role @r5 warps = 1 {
  }
  tile.role @r6 warps = 1 {
  }
  tile.role @r7 warps = 1 {
  }
  tile.role @r8 warps = 1 {
  }
  tile.role @r9 warps = 1 {
  }
  tile.role @r10 warps = 1 {
  }
  tile.role @r11 warps = 1 {
  }
  tile.role @r12 warps = 1 {
  }
  tile.role @math warps = 8 {
    // expected-error @below {{expected at most 16 barriers of roles and of warpgroups that take turns, but got 17}}
    tile.turn
    tile.pass
  }
  return
}
