// RUN: forge-opt %s --pass-pipeline="builtin.module(gpu.module(forge-call-device-math))" | FileCheck %s

gpu.module @kernels {
  // CHECK-DAG: func.func private @forge_math_exp_f64(f64) -> f64
  // CHECK-DAG: func.func private @forge_math_fmod_f32(f32, f32) -> f32
  // CHECK-DAG: func.func private @forge_math_lgamma_f64(f64) -> f64
  // CHECK-NOT: @forge_rt_lgamma_f64
  func.func private @forge_rt_lgamma_f64(f64) -> f64
  // CHECK-LABEL: gpu.func @k
  gpu.func @k(%x: memref<f64>, %h: memref<f16>) kernel {
    %a = memref.load %x[] : memref<f64>
    // CHECK: call @forge_math_exp_f64
    %b = math.exp %a : f64
    // CHECK: math.sqrt
    %c = math.sqrt %b : f64
    // CHECK: call @forge_math_lgamma_f64
    %d = func.call @forge_rt_lgamma_f64(%c) : (f64) -> f64
    memref.store %d, %x[] : memref<f64>
    %e = memref.load %h[] : memref<f16>
    // CHECK: arith.extf
    // CHECK: call @forge_math_fmod_f32
    // CHECK: arith.truncf
    %f = arith.remf %e, %e : f16
    memref.store %f, %h[] : memref<f16>
    gpu.return
  }
}
