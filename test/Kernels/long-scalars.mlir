// RUN: forge-opt %s --forge-form-kernels | FileCheck %s

// A scalar that takes more than 32 operations is computed once, and both kernels read it.
// CHECK-LABEL: func.func private @elementwise(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>)
// CHECK-COUNT-33: arith.addf
// CHECK: linalg.yield
// CHECK-LABEL: func.func private @elementwise_0
// CHECK-NOT: arith.addf
// CHECK: arith.mulf
// CHECK-LABEL: func.func @long
// CHECK: %[[S:.*]] = call @elementwise(%arg1
// CHECK: call @elementwise_0(%arg0, %[[S]]
// CHECK: call @elementwise_1(%arg0, %[[S]]
func.func @long(%x: tensor<64xf32>, %s: tensor<f32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = tensor.extract %s[] : tensor<f32>
  %1 = arith.addf %0, %0 : f32
  %2 = arith.addf %1, %0 : f32
  %3 = arith.addf %2, %0 : f32
  %4 = arith.addf %3, %0 : f32
  %5 = arith.addf %4, %0 : f32
  %6 = arith.addf %5, %0 : f32
  %7 = arith.addf %6, %0 : f32
  %8 = arith.addf %7, %0 : f32
  %9 = arith.addf %8, %0 : f32
  %10 = arith.addf %9, %0 : f32
  %11 = arith.addf %10, %0 : f32
  %12 = arith.addf %11, %0 : f32
  %13 = arith.addf %12, %0 : f32
  %14 = arith.addf %13, %0 : f32
  %15 = arith.addf %14, %0 : f32
  %16 = arith.addf %15, %0 : f32
  %17 = arith.addf %16, %0 : f32
  %18 = arith.addf %17, %0 : f32
  %19 = arith.addf %18, %0 : f32
  %20 = arith.addf %19, %0 : f32
  %21 = arith.addf %20, %0 : f32
  %22 = arith.addf %21, %0 : f32
  %23 = arith.addf %22, %0 : f32
  %24 = arith.addf %23, %0 : f32
  %25 = arith.addf %24, %0 : f32
  %26 = arith.addf %25, %0 : f32
  %27 = arith.addf %26, %0 : f32
  %28 = arith.addf %27, %0 : f32
  %29 = arith.addf %28, %0 : f32
  %30 = arith.addf %29, %0 : f32
  %31 = arith.addf %30, %0 : f32
  %32 = arith.addf %31, %0 : f32
  %33 = arith.addf %32, %0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %33 : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.divf %a, %33 : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %r, %q : tensor<64xf32>, tensor<64xf32>
}

// A few operations are each kernel's.
// CHECK-LABEL: func.func private
// CHECK: tensor.extract
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-LABEL: func.func @short
// CHECK-COUNT-1: call
// CHECK-NOT: call
func.func @short(%x: tensor<64xf32>, %s: tensor<f32>) -> tensor<64xf32> {
  %0 = tensor.extract %s[] : tensor<f32>
  %1 = arith.addf %0, %0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %1 : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
