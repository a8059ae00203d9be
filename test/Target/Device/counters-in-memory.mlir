// RUN: forge-opt %s --split-input-file --forge-counters-in-memory | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-counters-in-memory --forge-capture-sequences | FileCheck %s --check-prefix=GRAPH

// The kernel that takes the counter gets a copy that reads it, and what is computed from it, from memory; the one that
// nothing launches any more is gone. What is not changed by the step is an argument as before.
// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @k(
// CHECK-NOT: gpu.func @at(
// CHECK: gpu.func @[[AT:.*]](%[[X:.*]]: memref<8xf32>, %[[I:.*]]: memref<2xi64>, %[[J:.*]]: memref<2xi64>, %[[N:.*]]: index)
// CHECK-DAG: %[[WORD0:.*]] = memref.load %[[I]][%c0{{.*}}] : memref<2xi64>
// CHECK-DAG: %[[INDEX:.*]] = arith.index_cast %[[WORD0]] : i64 to index
// CHECK-DAG: %[[WORD1:.*]] = memref.load %[[J]][%c1{{.*}}] : memref<2xi64>
// CHECK-DAG: %[[NUMBER:.*]] = arith.trunci %[[WORD1]] : i64 to i32
// CHECK: arith.sitofp %[[NUMBER]]
// CHECK: memref.store %{{.*}}, %[[X]][%[[INDEX]]]
// CHECK: gpu.func @[[COUNTERS:.*]](%[[BUFFER:.*]]: memref<2xi64>, %[[A:.*]]: i64, %[[B:.*]]: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>}
// CHECK: memref.store %[[A]], %[[BUFFER]][%c0{{.*}}]
// CHECK: memref.store %[[B]], %[[BUFFER]][%c1{{.*}}]
// CHECK-LABEL: func.func @main(
// CHECK: %[[MEMORY:.*]] = memref.alloc() : memref<2xi64>
// CHECK: scf.for %[[STEP:.*]] = {{.*}} : i32
// CHECK-DAG: %[[TWICE:.*]] = arith.muli %[[STEP]]
// CHECK-DAG: %[[PLACE:.*]] = arith.index_cast %[[STEP]] : i32 to index
// CHECK: gpu.launch_func @kernels::@[[COUNTERS]] {{.*}} args(%[[MEMORY]] : memref<2xi64>, %{{.*}} : i64, %{{.*}} : i64) {{.*}}forge.not_captured
// CHECK-COUNT-3: gpu.launch_func @kernels::@k
// CHECK: gpu.launch_func @kernels::@[[AT]] {{.*}} args(%{{.*}} : memref<8xf32>, %[[MEMORY]] : memref<2xi64>, %[[MEMORY]] : memref<2xi64>, %{{.*}} : index)
// CHECK: memref.dealloc %[[MEMORY]]
// CHECK: return

// The launch that writes them is in front of the graph.
// GRAPH-LABEL: func.func @main(
// GRAPH: scf.for
// GRAPH: gpu.launch_func {{.*}}forge.not_captured
// GRAPH: llvm.call @forge_rt_graph_begin
// GRAPH: scf.if
// GRAPH-COUNT-4: gpu.launch_func
// GRAPH: llvm.call @forge_rt_graph_end
// GRAPH-NOT: forge_rt_graph_begin
// GRAPH: return
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>, %y: memref<8xf32>) kernel {
      gpu.return
    }
    gpu.func @at(%x: memref<8xf32>, %i: index, %j: i32, %n: index) kernel {
      %f = arith.sitofp %j : i32 to f32
      memref.store %f, %x[%i] : memref<8xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %eight = arith.constant 8 : i32
    scf.for %i = %zero to %eight step %one : i32 {
      %place = arith.index_cast %i : i32 to index
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>, %x : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
      %twice = arith.muli %i, %two : i32
      gpu.launch_func @kernels::@at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %place : index, %twice : i32, %n : index)
    }
    return
  }
}

// -----

// A step whose grid changes, one whose view does, one with a scalar that has no place, one of few launches, and a loop
// of few steps stay as they are.
// CHECK-LABEL: func.func @grid(
// CHECK-NOT: not_captured
// CHECK-LABEL: func.func @view(
// CHECK-NOT: not_captured
// CHECK-LABEL: func.func @float(
// CHECK-NOT: not_captured
// CHECK-LABEL: func.func @few(
// CHECK-NOT: not_captured
// CHECK-LABEL: func.func @short(
// CHECK-NOT: not_captured
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<f32>, %i: index) kernel {
      gpu.return
    }
    gpu.func @f(%x: memref<f32>, %i: f16) kernel {
      gpu.return
    }
  }
  func.func @grid(%x: memref<f32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func @kernels::@k blocks in (%i, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
    }
    return
  }
  func.func @view(%x: memref<8xf32>, %y: memref<f32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.reinterpret_cast %x to offset: [%i], sizes: [], strides: [] : memref<8xf32> to memref<f32, strided<[], offset: ?>>
      memref.copy %v, %y : memref<f32, strided<[], offset: ?>> to memref<f32>
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<f32>, %i : index)
    }
    return
  }
  func.func @float(%x: memref<f32>, %n: index, %a: f16) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> f16 {
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %s : f16)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      %t = arith.addf %s, %s : f16
      scf.yield %t : f16
    }
    return
  }
  func.func @few(%x: memref<f32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
    }
    return
  }
  func.func @short(%x: memref<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %i : index)
    }
    return
  }
}
