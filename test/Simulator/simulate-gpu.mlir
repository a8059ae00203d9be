// RUN: forge-opt %s --forge-simulate-gpu | FileCheck %s

// The host is gone; a kernel is a function of the pointers to its arguments.
// CHECK-NOT: func.func @host
// CHECK-NOT: gpu.module
func.func @host() {
  return
}

gpu.module @kernels {
  // Scalars of less than a byte take one; a memref is one pointer; a view says where its argument ends.
  // CHECK-LABEL: func.func @arguments(%{{.*}}: !llvm.ptr)
  // CHECK-SAME: arguments = [{bytes = 8 : i64, element = 4 : i64, extent = 64 : i64, pointer}, {bytes = 8 : i64, element = 4 : i64, pointer}, {bytes = 8 : i64}, {bytes = 1 : i64}]
  // CHECK-SAME: block = array<i32: 64, 1, 1>
  // CHECK: llvm.load {{.*}} {forge_sim.argument = 0 : i32}
  // CHECK: llvm.load {{.*}} {forge_sim.argument = 2 : i32} : !llvm.ptr -> i64
  // CHECK: llvm.load {{.*}} {forge_sim.argument = 3 : i32} : !llvm.ptr -> i8
  // CHECK: llvm.trunc {{.*}} : i8 to i1
  // CHECK: llvm.call @forge_sim_extent({{.*}}) {forge_sim.operation = "memref.reinterpret_cast"}
  gpu.func @arguments(%a: memref<16xf32>, %b: memref<f32>, %n: index, %p: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %view = memref.reinterpret_cast %b to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %v = memref.load %view[%c0] : memref<?xf32>
    scf.if %p {
      memref.store %v, %a[%c0] : memref<16xf32>
    }
    gpu.return
  }

  // A slice of an argument, folded into its view, does not say where the argument ends, not even one from its start.
  // CHECK-LABEL: func.func @first_row
  // CHECK-NOT: forge_sim_extent
  gpu.func @first_row(%a: memref<f32>, %b: memref<4xf32>, %n: index) kernel {
    %first = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %second = memref.reinterpret_cast %a to offset: [%n], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
    %c0 = arith.constant 0 : index
    %v = memref.load %first[%c0] : memref<?xf32, strided<[1]>>
    %w = memref.load %second[%c0] : memref<?xf32, strided<[1], offset: ?>>
    %x = arith.addf %v, %w : f32
    memref.store %x, %b[%c0] : memref<4xf32>
    gpu.return
  }

  // CHECK-LABEL: func.func @operations
  // CHECK-DAG: llvm.call @forge_sim_index
  // CHECK-DAG: llvm.call @forge_sim_barrier({{.*}}) {forge_sim.operation = "gpu.barrier"}
  // CHECK-DAG: llvm.call @forge_sim_shuffle({{.*}}) {forge_sim.operation = "gpu.shuffle"}
  // CHECK-NOT: gpu.
  gpu.func @operations(%a: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    gpu.barrier
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %w, %valid = gpu.shuffle xor %v, %one, %width : f32
    memref.store %w, %a[%t] : memref<64xf32>
    gpu.return
  }

  // Shared memory is at offsets: 16 bytes of alignment for each, dynamic memory behind.
  // CHECK-LABEL: func.func @shared
  // CHECK-SAME: shared = 32 : i64
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @forge_sim_shared(%[[ZERO]])
  // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(16 : i32)
  // CHECK: llvm.call @forge_sim_shared(%[[SECOND]])
  // CHECK: %[[DYNAMIC:.*]] = llvm.mlir.constant(32 : i32)
  // CHECK: llvm.call @forge_sim_shared(%[[DYNAMIC]])
  // CHECK: llvm.call @forge_sim_dynamic_shared()
  gpu.func @shared() workgroup(%s: memref<3xf32, #gpu.address_space<workgroup>>, %r: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.load %s[%c0] : memref<3xf32, #gpu.address_space<workgroup>>
    memref.store %v, %r[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    %b = memref.load %d[%c0] : memref<?xi8, #gpu.address_space<workgroup>>
    memref.store %b, %d[%c0] : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}
