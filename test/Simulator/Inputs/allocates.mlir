gpu.module @kernels {
  gpu.func @k(%a: memref<4xf32>) kernel {
    %m = memref.alloc() : memref<4xf32>
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}
