// The simulated devices in the runtime's conformance suite.
#include "Conformance.h"

#include "forge/Simulator/Driver.h"

using namespace forge;
using namespace forge::test;

static const char *kernels = R"mlir(
gpu.module @kernels {
  gpu.func @forge_test_iota(%out: memref<i32>, %n: i32) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %o = arith.muli %b, %d : index
    %i = arith.addi %o, %t : index
    %size = arith.index_cast %n : i32 to index
    %in = arith.cmpi slt, %i, %size : index
    scf.if %in {
      %view = memref.reinterpret_cast %out to offset: [0], sizes: [%size], strides: [1] : memref<i32> to memref<?xi32>
      %v = arith.index_cast %i : index to i32
      memref.store %v, %view[%i] : memref<?xi32>
    }
    gpu.return
  }
  gpu.func @forge_test_axpy(%y: memref<f32>, %x: memref<f32>, %a: f32, %n: i64) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %o = arith.muli %b, %d : index
    %i = arith.addi %o, %t : index
    %size = arith.index_cast %n : i64 to index
    %in = arith.cmpi slt, %i, %size : index
    scf.if %in {
      %vy = memref.reinterpret_cast %y to offset: [0], sizes: [%size], strides: [1] : memref<f32> to memref<?xf32>
      %vx = memref.reinterpret_cast %x to offset: [0], sizes: [%size], strides: [1] : memref<f32> to memref<?xf32>
      %ey = memref.load %vy[%i] : memref<?xf32>
      %ex = memref.load %vx[%i] : memref<?xf32>
      %r = math.fma %a, %ex, %ey : f32
      memref.store %r, %vy[%i] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @forge_test_arguments(%out: memref<6xi64>, %a: i8, %b: i16, %c: i32, %d: i64, %e: f32, %f: f64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %wa = arith.extsi %a : i8 to i64
    %wb = arith.extsi %b : i16 to i64
    %wc = arith.extsi %c : i32 to i64
    %we = arith.extf %e : f32 to f64
    %be = arith.bitcast %we : f64 to i64
    %bf = arith.bitcast %f : f64 to i64
    memref.store %wa, %out[%c0] : memref<6xi64>
    memref.store %wb, %out[%c1] : memref<6xi64>
    memref.store %wc, %out[%c2] : memref<6xi64>
    memref.store %d, %out[%c3] : memref<6xi64>
    memref.store %be, %out[%c4] : memref<6xi64>
    memref.store %bf, %out[%c5] : memref<6xi64>
    gpu.return
  }
  gpu.func @forge_test_grid(%out: !llvm.ptr) kernel {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z
    %0 = arith.muli %bz, %gy : index
    %1 = arith.addi %0, %by : index
    %2 = arith.muli %1, %gx : index
    %block = arith.addi %2, %bx : index
    %3 = arith.muli %tz, %dy : index
    %4 = arith.addi %3, %ty : index
    %5 = arith.muli %4, %dx : index
    %thread = arith.addi %5, %tx : index
    %6 = arith.muli %dx, %dy : index
    %threads = arith.muli %6, %dz : index
    %7 = arith.muli %block, %threads : index
    %8 = arith.addi %7, %thread : index
    %place = arith.index_cast %8 : index to i64
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c20 = arith.constant 20 : index
    %sby = arith.shli %by, %c4 : index
    %sbz = arith.shli %bz, %c8 : index
    %stx = arith.shli %tx, %c12 : index
    %sty = arith.shli %ty, %c16 : index
    %stz = arith.shli %tz, %c20 : index
    %o1 = arith.ori %bx, %sby : index
    %o2 = arith.ori %o1, %sbz : index
    %o3 = arith.ori %o2, %stx : index
    %o4 = arith.ori %o3, %sty : index
    %o5 = arith.ori %o4, %stz : index
    %v = arith.index_cast %o5 : index to i32
    %p = llvm.getelementptr %out[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %p : i32, !llvm.ptr
    gpu.return
  }
  gpu.func @forge_test_reverse(%data: memref<i32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %g = gpu.grid_dim x
    %n = arith.muli %d, %g : index
    %o = arith.muli %b, %d : index
    %i = arith.addi %o, %t : index
    %view = memref.reinterpret_cast %data to offset: [0], sizes: [%n], strides: [1] : memref<i32> to memref<?xi32>
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %shared = memref.view %bytes[%c0][%d] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %v = memref.load %view[%i] : memref<?xi32>
    memref.store %v, %shared[%t] : memref<?xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %d, %c1 : index
    %r = arith.subi %last, %t : index
    %w = memref.load %shared[%r] : memref<?xi32, #gpu.address_space<workgroup>>
    memref.store %w, %view[%i] : memref<?xi32>
    gpu.return
  }
  gpu.func @forge_test_spin(%out: memref<1xi64>, %n: i64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %factor = arith.constant 6364136223846793005 : i64
    %size = arith.index_cast %n : i64 to index
    %x = scf.for %i = %c0 to %size step %c1 iter_args(%x = %zero) -> i64 {
      %y = arith.muli %x, %factor : i64
      %z = arith.addi %y, %one : i64
      scf.yield %z : i64
    }
    memref.store %x, %out[%c0] : memref<1xi64>
    gpu.return
  }
  gpu.func @forge_test_store(%to: memref<i32>) kernel {
    %seven = arith.constant 7 : i32
    memref.store %seven, %to[] : memref<i32>
    gpu.return
  }
}
)mlir";

static ConformanceTarget simulated(const std::string &chip) {
  sim::registerDriver();
  ConformanceTarget target;
  target.target = "sim:" + chip;
  target.name = "sim_" + chip;
  target.kernels = [](const rt::DeviceProperties &) { return std::string(kernels); };
  target.survivesBadStore = true;
  target.hasBlas = false;
  return target;
}

static AddConformanceTarget addNVIDIA(simulated("sm_90a")), addAMD(simulated("gfx942"));
