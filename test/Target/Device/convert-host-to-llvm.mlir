// RUN: forge-opt %s --forge-convert-host-to-llvm | FileCheck %s

// CHECK-DAG: llvm.mlir.global external constant @forge_device_code_size
// CHECK-DAG: "k\00"
// CHECK-DAG: "generic; one\00"
// CHECK-LABEL: llvm.func internal @main(
// CHECK: llvm.call @forge_rt_size_mul
// CHECK: llvm.call @forge_rt_device_alloc
// CHECK: llvm.call @forge_rt_device_constant
// CHECK: llvm.call @forge_rt_device_copy
// CHECK: llvm.call @forge_rt_device_module
// CHECK: llvm.call @forge_rt_device_kernel
// CHECK: llvm.call @forge_rt_launch(
// CHECK: llvm.call @forge_rt_launch_dependent(
// CHECK: llvm.call @forge_rt_device_read
// CHECK: llvm.call @forge_rt_device_free
// CHECK-LABEL: llvm.func @main__packed
module attributes {gpu.container_module} {
  memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  gpu.module @kernels {
    gpu.func @k(%x: memref<f32>, %n: index) kernel {
      gpu.return
    }
  }
  func.func @main(%n: index) -> f32 {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %x = memref.alloc(%n) : memref<?xf32>
    %y = memref.alloc() : memref<4xf32>
    %t = memref.get_global @table : memref<4xf32>
    memref.copy %t, %y : memref<4xf32> to memref<4xf32>
    %p = memref.reinterpret_cast %x to offset: [0], sizes: [], strides: [] : memref<?xf32> to memref<f32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %n : index) {forge.description = "generic; one"}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %n : index) {forge.dependent_launch, forge.description = "generic; two"}
    %r = memref.load %x[%c0] : memref<?xf32>
    memref.dealloc %x : memref<?xf32>
    return %r : f32
  }
}
