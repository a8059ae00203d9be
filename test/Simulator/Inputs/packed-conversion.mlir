// To one word of 16 bits, as no kernel of Forge does it.
gpu.module @kernels {
  gpu.func @narrow(%a: memref<1xf32>, %b: memref<1xi16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<1xf32>
    %0 = nvvm.convert.f32x2.to.f8x2 %x, %x {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
    memref.store %0, %b[%c0] : memref<1xi16>
    gpu.return
  }
}
