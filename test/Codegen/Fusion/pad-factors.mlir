// Factors whose rows are no multiples of 16 bytes are read from padded rows where each element is used 128 times or more.
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-pad-factors))' | FileCheck %s
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-pad-factors{chip=sm_80}))' | FileCheck %s --check-prefix=NONE
// RUN: not forge-opt %s --pass-pipeline='builtin.module(func.func(forge-pad-factors{chip=sm_12}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// NONE-NOT: insert_slice
// UNKNOWN: error: unknown chip 'sm_12'

// CHECK-LABEL: func.func @both
// CHECK-SAME: %[[X:.*]]: tensor<128x257xbf16>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<128x264xbf16>
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %[[X]] into %[[ZEROS]][0, 0] [128, 257] [1, 1]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[WHOLE]][0, 0] [128, 257] [1, 1]
// CHECK: linalg.matmul ins(%[[PART]], %{{.*}} : tensor<128x257xbf16>, tensor<257x128xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[PART]], %{{.*}} : tensor<128x257xbf16>, tensor<128x128xbf16>)
func.func @both(%x: tensor<128x257xbf16>, %w: tensor<257x128xbf16>, %y: tensor<128x128xbf16>, %z0: tensor<128x128xf32>, %z1: tensor<257x128xf32>)
    -> (tensor<128x128xf32>, tensor<257x128xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<128x257xbf16>, tensor<257x128xbf16>) outs(%z0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x257xbf16>, tensor<128x128xbf16>) outs(%z1 : tensor<257x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %d = arith.extf %a : bf16 to f32
    %e = arith.extf %b : bf16 to f32
    %f = arith.mulf %d, %e : f32
    %g = arith.addf %c, %f : f32
    linalg.yield %g : f32
  } -> tensor<257x128xf32>
  return %0, %1 : tensor<128x128xf32>, tensor<257x128xf32>
}

// Long rows are padded to lines of 128 bytes.
// CHECK-LABEL: func.func @long
// CHECK: tensor.insert_slice {{.*}} : tensor<128x1001xf16> into tensor<128x1024xf16>
func.func @long(%x: tensor<128x1001xf16>, %w: tensor<1001x128xf16>, %z: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<128x1001xf16>, tensor<1001x128xf16>) outs(%z : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// Each element is used 64 times; rows are multiples of 16 bytes; f32; one row; a size not known.
// CHECK-LABEL: func.func @others
// CHECK-NOT: insert_slice
func.func @others(%few: tensor<128x257xbf16>, %w: tensor<257x64xbf16>, %aligned: tensor<128x264xf16>, %wa: tensor<264x128xf16>,
                  %f: tensor<128x257xf32>, %wf: tensor<257x128xf32>, %row: tensor<1x257xbf16>, %wr: tensor<257x128xbf16>,
                  %open: tensor<?x257xbf16>, %z0: tensor<128x64xf32>, %z1: tensor<128x128xf32>, %z2: tensor<1x128xf32>, %z3: tensor<?x128xf32>)
    -> (tensor<128x64xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<1x128xf32>, tensor<?x128xf32>) {
  %0 = linalg.matmul ins(%few, %w : tensor<128x257xbf16>, tensor<257x64xbf16>) outs(%z0 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %1 = linalg.matmul ins(%aligned, %wa : tensor<128x264xf16>, tensor<264x128xf16>) outs(%z1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.matmul ins(%f, %wf : tensor<128x257xf32>, tensor<257x128xf32>) outs(%z1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = linalg.matmul ins(%row, %wr : tensor<1x257xbf16>, tensor<257x128xbf16>) outs(%z2 : tensor<1x128xf32>) -> tensor<1x128xf32>
  %4 = linalg.matmul ins(%open, %wr : tensor<?x257xbf16>, tensor<257x128xbf16>) outs(%z3 : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %0, %1, %2, %3, %4 : tensor<128x64xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<1x128xf32>, tensor<?x128xf32>
}
