// RUN: forge-opt %s --forge-capture-sequences | FileCheck %s

// Two launches and the buffer between them: issued only when the graph wants it. What outlives the sequence, and scalars,
// are in front.
// CHECK-LABEL: func.func @main(
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: %[[ISSUE:.*]] = llvm.call @forge_rt_graph_begin
// CHECK: arith.cmpi ne, %[[ISSUE]]
// CHECK: scf.if
// CHECK-NEXT: %[[TEMPORARY:.*]] = memref.alloc
// CHECK: gpu.launch_func @kernels::@k {{.*}} args(%{{.*}} : memref<8xf32>, %[[TEMPORARY]]
// CHECK: gpu.launch_func @kernels::@k {{.*}} args(%[[TEMPORARY]] : memref<8xf32>, %[[OUT]]
// CHECK: memref.dealloc %[[TEMPORARY]]
// CHECK: llvm.call @forge_rt_graph_end
// CHECK: return %[[OUT]]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>, %y: memref<8xf32>) kernel {
      gpu.return
    }
  }
  func.func @main(%x: memref<8xf32>) -> memref<8xf32> {
    %c1 = arith.constant 1 : index
    %t = memref.alloc() : memref<8xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %t : memref<8xf32>)
    %out = memref.alloc() : memref<8xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<8xf32>, %out : memref<8xf32>)
    memref.dealloc %t : memref<8xf32>
    return %out : memref<8xf32>
  }
  // What outlives the sequence is behind the sizes it is made of.
  // CHECK-LABEL: func.func @sizes(
  // CHECK: %[[SIZE:.*]] = memref.dim
  // CHECK-NEXT: memref.alloc(%[[SIZE]])
  // CHECK: forge_rt_graph_begin
  func.func @sizes(%x: memref<?xf32>, %y: memref<8xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %out = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %out : memref<?xf32> to memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>, %y : memref<8xf32>)
    return %out : memref<?xf32>
  }
  // One launch alone is no sequence.
  // CHECK-LABEL: func.func @one(
  // CHECK-NOT: forge_rt_graph_begin
  func.func @one(%x: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
    return
  }
  // The body of a loop is a sequence of its own; the words are in the function's first block.
  // CHECK-LABEL: func.func @loop(
  // CHECK: llvm.alloca
  // CHECK: scf.while
  // CHECK: llvm.call @forge_rt_graph_begin
  // CHECK: scf.if
  // CHECK: gpu.launch_func
  // CHECK: gpu.launch_func
  // CHECK: llvm.call @forge_rt_graph_end
  // CHECK: memref.load
  // CHECK: scf.condition
  func.func @loop(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    scf.while : () -> () {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
      %e = memref.load %x[%c0] : memref<8xf32>
      %more = arith.cmpf ogt, %e, %zero : f32
      scf.condition(%more)
    } do {
      scf.yield
    }
    return
  }
  // A loop of a known number of steps is part of the sequence around it, a tensor map of a slice at the step included; its
  // body is a sequence of its own. The counter, and the host's memory, are no words of what is around: only x and out are.
  // CHECK-LABEL: func.func @steps(
  // CHECK: memref.alloca
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @forge_rt_graph_begin(%{{.*}}, %{{.*}}, %[[TWO]])
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK: llvm.call @forge_rt_graph_begin
  // CHECK: scf.if
  // CHECK: func.call @forge_rt_device_tensor_map_f32
  // CHECK: gpu.launch_func
  // CHECK: llvm.call @forge_rt_graph_end
  // CHECK: memref.copy
  // CHECK: llvm.call @forge_rt_graph_end
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: return
  func.func private @forge_rt_device_tensor_map_f32(memref<*xi8>, memref<*xf32>)
  func.func @steps(%x: memref<64xf32>, %out: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %map = memref.alloca() {alignment = 64 : i64} : memref<128xi8>
    %t = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %at = arith.muli %i, %c8 : index
      %row = memref.reinterpret_cast %x to offset: [%at], sizes: [8], strides: [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
      %v = memref.cast %map : memref<128xi8> to memref<*xi8>
      %w = memref.cast %row : memref<8xf32, strided<[1], offset: ?>> to memref<*xf32>
      func.call @forge_rt_device_tensor_map_f32(%v, %w) {forge.device_call} : (memref<*xi8>, memref<*xf32>) -> ()
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<8xf32>, %t : memref<8xf32>)
    }
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
    memref.dealloc %t : memref<8xf32>
    return
  }
  // Not so one whose number of steps is known at run time only, one with a read, or one of too many steps: the launch and the copy around are each alone.
  // CHECK-LABEL: func.func @other_steps(
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: scf.for
  // CHECK: forge_rt_graph_begin
  // CHECK: forge_rt_graph_end
  // CHECK: memref.copy
  // CHECK-NEXT: scf.for
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: memref.load
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: memref.copy
  // CHECK-NEXT: scf.for
  // CHECK: forge_rt_graph_begin
  // CHECK: forge_rt_graph_end
  // CHECK: memref.copy
  // CHECK: return
  func.func @other_steps(%x: memref<8xf32>, %out: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 1000000 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
    }
    memref.copy %x, %out : memref<8xf32> to memref<8xf32>
    scf.for %i = %c0 to %c1 step %c1 {
      %e = memref.load %x[%c0] : memref<8xf32>
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
      memref.store %e, %x[%c0] : memref<8xf32>
    }
    memref.copy %x, %out : memref<8xf32> to memref<8xf32>
    scf.for %i = %c0 to %many step %c1 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %x : memref<8xf32>)
    }
    memref.copy %x, %out : memref<8xf32> to memref<8xf32>
    return
  }
  // A copy knows the size of its buffers only from them: it is a word.
  // CHECK-LABEL: func.func @copies(
  // CHECK: %[[N:.*]] = memref.dim %arg0
  // CHECK: %[[WORD:.*]] = arith.index_cast %[[N]]
  // CHECK: llvm.store %[[WORD]]
  // CHECK: forge_rt_graph_begin
  func.func @copies(%x: memref<?xf32>, %y: memref<?xf32>) {
    memref.copy %x, %y : memref<?xf32> to memref<?xf32>
    memref.copy %y, %x : memref<?xf32> to memref<?xf32>
    return
  }
  // A product by the vendor's library, and the launch where the library does not do it, belong to the sequence; the buffer
  // counts as a word, not the view of it.
  // CHECK-LABEL: func.func @product(
  // CHECK: llvm.call @forge_rt_graph_begin
  // CHECK: scf.if
  // CHECK: %[[DONE:.*]] = func.call @forge_rt_device_product_f32_f32
  // CHECK-NEXT: %[[LEFT:.*]] = arith.cmpi eq, %[[DONE]]
  // CHECK-NEXT: scf.if %[[LEFT]] {
  // CHECK-NEXT: gpu.launch_func
  // CHECK-NEXT: }
  // CHECK: gpu.launch_func
  // CHECK: memref.dealloc
  // CHECK-NEXT: llvm.call @forge_rt_graph_end
  func.func private @forge_rt_device_product_f32_f32(memref<*xf32>, memref<*xf32>) -> i32
  func.func @product(%x: memref<8xf32>, %out: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %no = arith.constant 0 : i32
    %t = memref.alloc() : memref<8xf32>
    %v = memref.cast %x : memref<8xf32> to memref<*xf32>
    %w = memref.cast %t : memref<8xf32> to memref<*xf32>
    %done = call @forge_rt_device_product_f32_f32(%v, %w) {forge.device_call} : (memref<*xf32>, memref<*xf32>) -> i32
    %left = arith.cmpi eq, %done, %no : i32
    scf.if %left {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %t : memref<8xf32>)
    }
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<8xf32>, %out : memref<8xf32>)
    memref.dealloc %t : memref<8xf32>
    return
  }
  // A fallback that makes a tensor map for its launch is part of the sequence too, and none of its own.
  // CHECK-LABEL: func.func @fallback_with_map(
  // CHECK: llvm.call @forge_rt_graph_begin
  // CHECK: scf.if
  // CHECK: func.call @forge_rt_device_product_f32_f32
  // CHECK: scf.if
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: func.call @forge_rt_device_tensor_map_bf16
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: gpu.launch_func
  // CHECK: llvm.call @forge_rt_graph_end
  // CHECK-NOT: forge_rt_graph_begin
  // CHECK: return
  func.func private @forge_rt_device_tensor_map_bf16(memref<*xi8>, memref<*xf32>)
  func.func @fallback_with_map(%x: memref<8xf32>, %out: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %no = arith.constant 0 : i32
    %map = memref.alloca() {alignment = 64 : i64} : memref<128xi8>
    %v = memref.cast %x : memref<8xf32> to memref<*xf32>
    %w = memref.cast %out : memref<8xf32> to memref<*xf32>
    %done = call @forge_rt_device_product_f32_f32(%v, %w) {forge.device_call} : (memref<*xf32>, memref<*xf32>) -> i32
    %left = arith.cmpi eq, %done, %no : i32
    scf.if %left {
      %m = memref.cast %map : memref<128xi8> to memref<*xi8>
      func.call @forge_rt_device_tensor_map_bf16(%m, %v) {forge.device_call} : (memref<*xi8>, memref<*xf32>) -> ()
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %out : memref<8xf32>)
    }
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<8xf32>, %out : memref<8xf32>)
    return
  }
  // Of a view, where it begins and its strides are words too, where its type does not say them.
  // CHECK-LABEL: func.func @view(
  // CHECK-DAG: memref.extract_aligned_pointer_as_index
  // CHECK-DAG: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
  // CHECK-DAG: arith.index_cast %[[OFFSET]]
  // CHECK-DAG: arith.index_cast %[[STRIDES]]#0
  // CHECK: llvm.call @forge_rt_graph_begin
  func.func @view(%x: memref<64xf32>, %out: memref<8xf32>, %offset: index, %stride: index) {
    %c1 = arith.constant 1 : index
    %no = arith.constant 0 : i32
    %part = memref.reinterpret_cast %x to offset: [%offset], sizes: [2, 4], strides: [%stride, 1] : memref<64xf32> to memref<2x4xf32, strided<[?, 1], offset: ?>>
    %v = memref.cast %part : memref<2x4xf32, strided<[?, 1], offset: ?>> to memref<*xf32>
    %w = memref.cast %out : memref<8xf32> to memref<*xf32>
    %done = call @forge_rt_device_product_f32_f32(%v, %w) {forge.device_call} : (memref<*xf32>, memref<*xf32>) -> i32
    %left = arith.cmpi eq, %done, %no : i32
    scf.if %left {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<8xf32>, %out : memref<8xf32>)
    }
    return
  }
  // A product alone is a sequence too.
  // CHECK-LABEL: func.func @product_alone(
  // CHECK: llvm.call @forge_rt_graph_begin
  // CHECK: func.call @forge_rt_device_product_f32_f32
  // CHECK: scf.if
  // CHECK: llvm.call @forge_rt_graph_end
  func.func @product_alone(%x: memref<8xf32>, %out: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %no = arith.constant 0 : i32
    %v = memref.cast %x : memref<8xf32> to memref<*xf32>
    %w = memref.cast %out : memref<8xf32> to memref<*xf32>
    %done = call @forge_rt_device_product_f32_f32(%v, %w) {forge.device_call} : (memref<*xf32>, memref<*xf32>) -> i32
    %left = arith.cmpi eq, %done, %no : i32
    scf.if %left {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %out : memref<8xf32>)
    }
    return
  }
}
