// RUN: forge-opt %s --forge-sink-reads | FileCheck %s
// RUN: forge-opt %s --forge-sink-reads --forge-counters-in-memory --forge-capture-sequences | FileCheck %s --check-prefix=GRAPH

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @norm(%x: memref<8xf32>, %n: memref<f32>) kernel {
      %c0 = arith.constant 0 : index
      %0 = memref.load %x[%c0] : memref<8xf32>
      memref.store %0, %n[] : memref<f32>
      gpu.return
    }
    gpu.func @step(%x: memref<8xf32>, %n: memref<f32>, %before: f32) kernel {
      %c0 = arith.constant 0 : index
      %0 = memref.load %n[] : memref<f32>
      %1 = arith.divf %0, %before : f32
      memref.store %1, %x[%c0] : memref<8xf32>
      gpu.return
    }
  }
  // The host waits when all of the step is issued, which is one graph: the number that it read in the step before is in memory.
  // CHECK-LABEL: func.func @loop
  // CHECK: scf.while
  // CHECK: gpu.launch_func {{ *}}@kernels::@norm
  // CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@step
  // CHECK-NEXT: memref.alloc()
  // CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@norm
  // CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@step
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: %[[N:.*]] = memref.load
  // CHECK-NEXT: %[[HALF:.*]] = arith.mulf %[[N]]
  // CHECK-NEXT: scf.yield %[[HALF]]
  // GRAPH-LABEL: func.func @loop
  // GRAPH: scf.while
  // GRAPH: arith.bitcast %{{.*}} : f32 to i32
  // GRAPH: gpu.launch_func {{ *}}@kernels::@counters {{.*}}forge.not_captured
  // GRAPH: llvm.call @forge_rt_graph_begin
  // GRAPH-COUNT-4: gpu.launch_func
  // GRAPH: llvm.call @forge_rt_graph_end
  // GRAPH: memref.load
  func.func @loop(%start: f32, %half: f32) -> f32 {
    %c1 = arith.constant 1 : index
    %limit = arith.constant 1.0e-3 : f32
    %x = memref.alloc() : memref<8xf32>
    %n = memref.alloc() : memref<f32>
    %r = scf.while (%a = %start) : (f32) -> f32 {
      %more = arith.cmpf ogt, %a, %limit : f32
      scf.condition(%more) %a : f32
    } do {
    ^bb0(%a: f32):
      gpu.launch_func @kernels::@norm blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %n : memref<f32>)
      %0 = memref.load %n[] : memref<f32>
      %1 = arith.mulf %0, %half : f32
      gpu.launch_func @kernels::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %n : memref<f32>, %a : f32)
      %m = memref.alloc() : memref<f32>
      gpu.launch_func @kernels::@norm blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %m : memref<f32>)
      gpu.launch_func @kernels::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %m : memref<f32>, %a : f32)
      memref.dealloc %m : memref<f32>
      scf.yield %1 : f32
    }
    memref.dealloc %n : memref<f32>
    memref.dealloc %x : memref<8xf32>
    return %r : f32
  }
  // A launch that changes it, one that takes it, the end of the buffer.
  // CHECK-LABEL: func.func @stays
  // CHECK: gpu.launch_func {{ *}}@kernels::@norm
  // CHECK-NEXT: %[[A:.*]] = memref.load
  // CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@norm
  // CHECK-NEXT: %[[B:.*]] = memref.load
  // CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@step {{.*}}%[[B]] : f32
  // CHECK-NEXT: %[[C:.*]] = memref.load
  // CHECK-NEXT: memref.dealloc
  func.func @stays() -> (f32, f32) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<8xf32>
    %n = memref.alloc() : memref<f32>
    gpu.launch_func @kernels::@norm blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %n : memref<f32>)
    %a = memref.load %n[] : memref<f32>
    gpu.launch_func @kernels::@norm blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %n : memref<f32>)
    %b = memref.load %n[] : memref<f32>
    gpu.launch_func @kernels::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %n : memref<f32>, %b : f32)
    %c = memref.load %n[] : memref<f32>
    memref.dealloc %n : memref<f32>
    memref.dealloc %x : memref<8xf32>
    return %a, %c : f32, f32
  }
}
