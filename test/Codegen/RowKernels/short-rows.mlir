// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s
// RUN: forge verify %s --function few --target sim:sm_90a

// A thread could keep a row of 32 elements; of 4,096 rows eight share one, so that threads do not wait alone.
// CHECK: func.func private @{{.*}}tensor<4096x32xf32>{{.*}}strategy = rows, vector = 4, loads = 1, rows = 32, blocks = 1, threads = 256
func.func @few(%x: tensor<4096x32xf32>) -> tensor<4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x32xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// Of many rows each has a thread.
// CHECK: func.func private @{{.*}}tensor<131072x32xf32>{{.*}}strategy = rows, vector = 4, loads = 8, rows = 256, blocks = 1, threads = 256
func.func @many(%x: tensor<131072x32xf32>) -> tensor<131072xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<131072x32xf32>, tensor<f32>) -> tensor<131072xf32>
  return %0 : tensor<131072xf32>
}
