gpu.module @kernels {
  gpu.func @k(%a: memref<?xf32>) kernel {
    gpu.return
  }
}
