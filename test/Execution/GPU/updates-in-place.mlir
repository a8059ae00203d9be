// Conjugate gradients, exported by jax 0.10.2: what the loop carries is written where it is read. No step copies.
// RUN: forge compile %s --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a --each-stage
// RUN: forge verify %s --target sim:gfx942
// CHECK: scf.while
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func @kernels::@{{.*}}_in_place
// CHECK-NOT: memref.copy
// CHECK: scf.yield

module @jit_cg attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x32xf32>) -> (tensor<32x32xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:5 = stablehlo.while(%iterArg = %0, %iterArg_1 = %arg0, %iterArg_2 = %arg0, %iterArg_3 = %2, %iterArg_4 = %c) : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>, tensor<i32>
    cond {
      %cst_5 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %4 = stablehlo.compare GT, %iterArg_3, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_4, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_7 = stablehlo.constant dense<false> : tensor<i1>
      %6 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<i1>
      %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %8 = stablehlo.convert %7 : tensor<i1>
      %9 = stablehlo.and %4, %8 : tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %cst_5 = stablehlo.constant dense<4.200000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
      %5 = stablehlo.multiply %4, %iterArg_2 : tensor<32x32xf32>
      %6 = func.call @_roll_static(%iterArg_2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %7 = stablehlo.subtract %5, %6 : tensor<32x32xf32>
      %8 = func.call @_roll_static_0(%iterArg_2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %9 = stablehlo.subtract %7, %8 : tensor<32x32xf32>
      %10 = func.call @_roll_static_1(%iterArg_2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %11 = stablehlo.subtract %9, %10 : tensor<32x32xf32>
      %12 = func.call @_roll_static_2(%iterArg_2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %13 = stablehlo.subtract %11, %12 : tensor<32x32xf32>
      %14 = stablehlo.multiply %iterArg_2, %13 : tensor<32x32xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.reduce(%14 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
      %16 = stablehlo.divide %iterArg_3, %15 : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
      %18 = stablehlo.multiply %17, %iterArg_2 : tensor<32x32xf32>
      %19 = stablehlo.add %iterArg, %18 : tensor<32x32xf32>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
      %21 = stablehlo.multiply %20, %13 : tensor<32x32xf32>
      %22 = stablehlo.subtract %iterArg_1, %21 : tensor<32x32xf32>
      %23 = stablehlo.multiply %22, %22 : tensor<32x32xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.reduce(%23 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
      %25 = stablehlo.divide %24, %iterArg_3 : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
      %27 = stablehlo.multiply %26, %iterArg_2 : tensor<32x32xf32>
      %28 = stablehlo.add %22, %27 : tensor<32x32xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %29 = stablehlo.add %iterArg_4, %c_8 : tensor<i32>
      stablehlo.return %19, %22, %28, %24, %29 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>, tensor<i32>
    }
    return %3#0 : tensor<32x32xf32>
  }
  func.func private @_roll_static(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.slice %arg0 [31:32, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
    %1 = stablehlo.slice %arg0 [0:31, 0:32] : (tensor<32x32xf32>) -> tensor<31x32xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x32xf32>, tensor<31x32xf32>) -> tensor<32x32xf32>
    return %2 : tensor<32x32xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.slice %arg0 [1:32, 0:32] : (tensor<32x32xf32>) -> tensor<31x32xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<31x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
    return %2 : tensor<32x32xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.slice %arg0 [0:32, 31:32] : (tensor<32x32xf32>) -> tensor<32x1xf32>
    %1 = stablehlo.slice %arg0 [0:32, 0:31] : (tensor<32x32xf32>) -> tensor<32x31xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<32x1xf32>, tensor<32x31xf32>) -> tensor<32x32xf32>
    return %2 : tensor<32x32xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.slice %arg0 [0:32, 1:32] : (tensor<32x32xf32>) -> tensor<32x31xf32>
    %1 = stablehlo.slice %arg0 [0:32, 0:1] : (tensor<32x32xf32>) -> tensor<32x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<32x31xf32>, tensor<32x1xf32>) -> tensor<32x32xf32>
    return %2 : tensor<32x32xf32>
  }
}
