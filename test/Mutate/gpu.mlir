// Mistakes of GPU code, on a simulated chip: without a barrier the detectors find what the numbers may happen to hide.
// RUN: forge mutate %s --target sim:sm_90a --phase lower --mutator drop-barrier --all | FileCheck %s
func.func @main(%x: tensor<1x4096xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x4096xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// CHECK: lower drop-barrier at gpu.barrier ({{.*}}gpu.mlir:5:{{[0-9]+}}, @{{[a-z_0-9]+}})
// CHECK-NEXT: killed by execution: kernel 'reduce': {{race|read of uninitialised memory}}
