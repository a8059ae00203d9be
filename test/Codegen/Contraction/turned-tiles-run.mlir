// Tiles that are turned when they are written: edges of rows and columns, several blocks of k, batches, f64.
// RUN: forge verify %s --target cpu
// RUN: forge compile %s --target cpu --to lower -o - | FileCheck %s
// CHECK-DAG: @contraction_f32_37x701x613{{.*}}swap = true
// CHECK-DAG: @contraction_f64_41x333x130{{.*}}swap = true
// CHECK-DAG: @contraction_f32_3x35x400x64{{.*}}swap = true
func.func @main(%x: tensor<37x613xf32>, %e: tensor<701x613xf32>, %y: tensor<41x130xf64>, %f: tensor<333x130xf64>, %z: tensor<3x35x64xf32>, %g: tensor<3x400x64xf32>) -> (tensor<37x701xf32>, tensor<41x333xf64>, tensor<3x35x400xf32>) {
  %0 = stablehlo.dot_general %x, %e, contracting_dims = [1] x [1] : (tensor<37x613xf32>, tensor<701x613xf32>) -> tensor<37x701xf32>
  %1 = stablehlo.dot_general %y, %f, contracting_dims = [1] x [1] : (tensor<41x130xf64>, tensor<333x130xf64>) -> tensor<41x333xf64>
  %2 = stablehlo.dot_general %z, %g, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x35x64xf32>, tensor<3x400x64xf32>) -> tensor<3x35x400xf32>
  return %0, %1, %2 : tensor<37x701xf32>, tensor<41x333xf64>, tensor<3x35x400xf32>
}
