// Steps of independent loops that write neighbours: a thread has those of an access of 16 bytes, their loads before their stores.
// RUN: forge-opt %s --forge-lower-kernels=chip=sm_90a --split-input-file | FileCheck %s

// Eight of bf16; the position is loaded, and compared, once.
// CHECK-LABEL: gpu.func @eight
// CHECK: memref.load %arg0
// CHECK: scf.if
// CHECK-COUNT-8: memref.load %arg1
// CHECK-NOT: memref.load
// CHECK-COUNT-8: memref.store {{.*}}, %arg2
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@eight blocks in (%c512{{.*}}) threads in (%c256
func.func private @eight(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %at = memref.load %p[%c0] : memref<1xi32>
      %first = arith.index_cast %at : i32 to index
      %to = arith.addi %first, %row : index
      %inside = arith.cmpi ult, %to, %rows : index
      scf.if %inside {
        %e = memref.load %x[%row, %column] : memref<1024x1024xbf16>
        memref.store %e, %y[%to, %column] : memref<1024x1024xbf16>
      }
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) {
  call @eight(%p, %x, %y) : (memref<1xi32>, memref<1024x1024xbf16>, memref<1024x1024xbf16>) -> ()
  return
}

// -----

// Four of f32.
// CHECK-LABEL: gpu.func @four
// CHECK-COUNT-4: memref.load %arg1
// CHECK-NOT: memref.load
// CHECK-COUNT-4: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@four blocks in (%c1024{{.*}}) threads in (%c256
func.func private @four(%p: memref<1xi32>, %x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %at = memref.load %p[%c0] : memref<1xi32>
      %first = arith.index_cast %at : i32 to index
      %to = arith.addi %first, %row : index
      %inside = arith.cmpi ult, %to, %rows : index
      scf.if %inside {
        %e = memref.load %x[%row, %column] : memref<1024x1024xf32>
        memref.store %e, %y[%to, %column] : memref<1024x1024xf32>
      }
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>) {
  call @four(%p, %x, %y) : (memref<1xi32>, memref<1024x1024xf32>, memref<1024x1024xf32>) -> ()
  return
}

// -----

// Too few to leave threads enough.
// CHECK-LABEL: gpu.func @few
// CHECK: memref.load %arg1
// CHECK-NOT: memref.load %arg1
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@few blocks
func.func private @few(%p: memref<1xi32>, %x: memref<256x1024xbf16>, %y: memref<256x1024xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 256 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %at = memref.load %p[%c0] : memref<1xi32>
      %first = arith.index_cast %at : i32 to index
      %to = arith.addi %first, %row : index
      %inside = arith.cmpi ult, %to, %rows : index
      scf.if %inside {
        %e = memref.load %x[%row, %column] : memref<256x1024xbf16>
        memref.store %e, %y[%to, %column] : memref<256x1024xbf16>
      }
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<256x1024xbf16>, %y: memref<256x1024xbf16>) {
  call @few(%p, %x, %y) : (memref<1xi32>, memref<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  return
}

// -----

// Not a multiple of eight.
// CHECK-LABEL: gpu.func @odd
// CHECK: memref.load %arg1
// CHECK-NOT: memref.load %arg1
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@odd blocks
func.func private @odd(%p: memref<1xi32>, %x: memref<1024x1020xbf16>, %y: memref<1024x1020xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1020 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %at = memref.load %p[%c0] : memref<1xi32>
      %first = arith.index_cast %at : i32 to index
      %to = arith.addi %first, %row : index
      %inside = arith.cmpi ult, %to, %rows : index
      scf.if %inside {
        %e = memref.load %x[%row, %column] : memref<1024x1020xbf16>
        memref.store %e, %y[%to, %column] : memref<1024x1020xbf16>
      }
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1020xbf16>, %y: memref<1024x1020xbf16>) {
  call @odd(%p, %x, %y) : (memref<1xi32>, memref<1024x1020xbf16>, memref<1024x1020xbf16>) -> ()
  return
}

// -----

// Neighbours decide for themselves whether they are written.
// CHECK-LABEL: gpu.func @own_branch
// CHECK: memref.load %arg1
// CHECK-NOT: memref.load %arg1
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@own_branch blocks
func.func private @own_branch(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %at = memref.load %p[%c0] : memref<1xi32>
      %first = arith.index_cast %at : i32 to index
      %to = arith.addi %first, %column : index
      %inside = arith.cmpi ult, %to, %columns : index
      scf.if %inside {
        %e = memref.load %x[%row, %to] : memref<1024x1024xbf16>
        memref.store %e, %y[%row, %column] : memref<1024x1024xbf16>
      }
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) {
  call @own_branch(%p, %x, %y) : (memref<1xi32>, memref<1024x1024xbf16>, memref<1024x1024xbf16>) -> ()
  return
}

// -----

// Neighbours of the loop are not neighbours in memory.
// CHECK-LABEL: gpu.func @across
// CHECK: memref.load %arg1
// CHECK-NOT: memref.load %arg1
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.launch_func @kernels::@across blocks
func.func private @across(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %e = memref.load %x[%row, %column] : memref<1024x1024xbf16>
      memref.store %e, %y[%column, %row] : memref<1024x1024xbf16>
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) {
  call @across(%p, %x, %y) : (memref<1xi32>, memref<1024x1024xbf16>, memref<1024x1024xbf16>) -> ()
  return
}

// -----

// A step has memory of its own, of which the thread has one.
// CHECK-LABEL: gpu.func @temporary
// CHECK: memref.load %arg1
// CHECK-NOT: memref.load %arg1
// CHECK: memref.store {{.*}}, %arg2
// CHECK-NOT: memref.store {{.*}}, %arg2
// CHECK: gpu.launch_func @kernels::@temporary blocks
func.func private @temporary(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %columns = arith.constant 1024 : index
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %column = %c0 to %columns step %c1 {
      %t = memref.alloca() : memref<1xbf16>
      %e = memref.load %x[%row, %column] : memref<1024x1024xbf16>
      memref.store %e, %t[%c0] : memref<1xbf16>
      %f = memref.load %t[%c0] : memref<1xbf16>
      memref.store %f, %y[%row, %column] : memref<1024x1024xbf16>
    } {forge.independent}
  } {forge.independent}
  return
}
func.func @main(%p: memref<1xi32>, %x: memref<1024x1024xbf16>, %y: memref<1024x1024xbf16>) {
  call @temporary(%p, %x, %y) : (memref<1xi32>, memref<1024x1024xbf16>, memref<1024x1024xbf16>) -> ()
  return
}
