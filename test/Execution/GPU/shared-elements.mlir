// A row's maximum, the place of its maximum and its sum are one kernel of strategy rows: all are of the same element, and partial results of
// each are joined by themselves. Rounded numbers have equal maxima.
// RUN: forge explain %s --target sim:sm_90a | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// CHECK: {{^}}reduce{{.*}}, 1 launch: rows;
// CHECK-NOT: launch

module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<37x300xbf16>) -> (tensor<37xf32> {jax.result_info = "result[0]"}, tensor<37xi32> {jax.result_info = "result[1]"}, tensor<37xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<37x300xbf16>) -> tensor<37x300xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<37x300xf32>, tensor<f32>) -> tensor<37xf32>
    %2 = call @argmax(%0) : (tensor<37x300xf32>) -> tensor<37xi32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<37x300xf32>, tensor<f32>) -> tensor<37xf32>
    return %1, %2, %3 : tensor<37xf32>, tensor<37xi32>, tensor<37xf32>
  }
  func.func private @argmax(%arg0: tensor<37x300xf32>) -> tensor<37xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<37x300xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<37x300xf32>, tensor<37x300xi32>, tensor<f32>, tensor<i32>) -> (tensor<37xf32>, tensor<37xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<37xi32>
  }
}
