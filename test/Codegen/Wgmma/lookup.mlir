// A right factor whose matrices are looked up is read from the table, if the product alone reads it.
// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-cluster-products{library=cost chip=sm_90a}),forge-form-kernels)" --split-input-file | FileCheck %s

// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<6xi32>, %{{.*}}: tensor<9x128x192xbf16>, %{{.*}}: tensor<6x128x128xbf16>
// CHECK-SAME: forge.kernel
func.func @one(%w: tensor<9x128x192xbf16>, %x: tensor<6x128x128xbf16>, %numbers: tensor<6xi32>) -> tensor<6x128x192xf32> {
  %empty = tensor.empty() : tensor<6x128x192xbf16>
  %own = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<6x128x192xbf16>) {
  ^bb0(%out: bf16):
    %b = linalg.index 0 : index
    %number = tensor.extract %numbers[%b] : tensor<6xi32>
    %i = arith.index_cast %number : i32 to index
    %k = linalg.index 1 : index
    %n = linalg.index 2 : index
    %element = tensor.extract %w[%i, %k, %n] : tensor<9x128x192xbf16>
    linalg.yield %element : bf16
  } -> tensor<6x128x192xbf16>
  %zero = arith.constant 0.0 : f32
  %start = tensor.empty() : tensor<6x128x192xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%start : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  %y = linalg.batch_matmul ins(%x, %own : tensor<6x128x128xbf16>, tensor<6x128x192xbf16>) outs(%zeros : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  return %y : tensor<6x128x192xf32>
}

// -----

// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<6x128x128xbf16>, %{{.*}}: tensor<6x128x192xbf16>, %{{.*}}: tensor<6x128x192xf32>)
func.func @two_readers(%w: tensor<9x128x192xbf16>, %x: tensor<6x128x128xbf16>, %numbers: tensor<6xi32>) -> (tensor<6x128x192xf32>, tensor<6x128x192xbf16>) {
  %empty = tensor.empty() : tensor<6x128x192xbf16>
  %own = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<6x128x192xbf16>) {
  ^bb0(%out: bf16):
    %b = linalg.index 0 : index
    %number = tensor.extract %numbers[%b] : tensor<6xi32>
    %i = arith.index_cast %number : i32 to index
    %k = linalg.index 1 : index
    %n = linalg.index 2 : index
    %element = tensor.extract %w[%i, %k, %n] : tensor<9x128x192xbf16>
    linalg.yield %element : bf16
  } -> tensor<6x128x192xbf16>
  %zero = arith.constant 0.0 : f32
  %start = tensor.empty() : tensor<6x128x192xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%start : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  %y = linalg.batch_matmul ins(%x, %own : tensor<6x128x128xbf16>, tensor<6x128x192xbf16>) outs(%zeros : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  return %y, %own : tensor<6x128x192xf32>, tensor<6x128x192xbf16>
}

// -----

// The number depends on more than the batch.
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<6x128x128xbf16>, %{{.*}}: tensor<6x128x192xbf16>, %{{.*}}: tensor<6x128x192xf32>)
func.func @by_rows(%w: tensor<9x128x192xbf16>, %x: tensor<6x128x128xbf16>, %numbers: tensor<128xi32>) -> tensor<6x128x192xf32> {
  %empty = tensor.empty() : tensor<6x128x192xbf16>
  %own = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<6x128x192xbf16>) {
  ^bb0(%out: bf16):
    %k = linalg.index 1 : index
    %number = tensor.extract %numbers[%k] : tensor<128xi32>
    %i = arith.index_cast %number : i32 to index
    %n = linalg.index 2 : index
    %element = tensor.extract %w[%i, %k, %n] : tensor<9x128x192xbf16>
    linalg.yield %element : bf16
  } -> tensor<6x128x192xbf16>
  %zero = arith.constant 0.0 : f32
  %start = tensor.empty() : tensor<6x128x192xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%start : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  %y = linalg.batch_matmul ins(%x, %own : tensor<6x128x128xbf16>, tensor<6x128x192xbf16>) outs(%zeros : tensor<6x128x192xf32>) -> tensor<6x128x192xf32>
  return %y : tensor<6x128x192xf32>
}
