gpu.module @kernels {
  gpu.func @k(%a: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %t = nvvm.read.ptx.sreg.clock : i32
    memref.store %t, %a[%c0] : memref<1xi32>
    gpu.return
  }
}
