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

// Rows of elementwise operations that need more threads than a warp share a block as well, if they are many; rows that are reduced
// meet in their block.
// CHECK: func.func private @{{.*}}tensor<4096x288xbf16>{{.*}}strategy = rows, vector = 8, loads = 1, rows = 4, blocks = 1, threads = 256
// RUN: forge verify %s --function scaled --target sim:sm_90a
// RUN: forge verify %s --function scaled --target sim:gfx942
func.func @scaled(%x: tensor<4096x288xbf16>, %y: tensor<4096xbf16>) -> tensor<4096x288xbf16> {
  %0 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<4096xbf16>) -> tensor<4096x288xbf16>
  %1 = stablehlo.multiply %x, %0 : tensor<4096x288xbf16>
  return %1 : tensor<4096x288xbf16>
}

// CHECK: func.func private @{{.*}}tensor<66x288xbf16>{{.*}}strategy = rows, vector = 8, loads = 1, rows = 1, blocks = 1, threads = 64
func.func @scaled_few(%x: tensor<66x288xbf16>, %y: tensor<66xbf16>) -> tensor<66x288xbf16> {
  %0 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<66xbf16>) -> tensor<66x288xbf16>
  %1 = stablehlo.multiply %x, %0 : tensor<66x288xbf16>
  return %1 : tensor<66x288xbf16>
}
