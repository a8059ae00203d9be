// Rows appended to a cache, contiguous and in pages, against the reference: bit for bit.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --function static --each-stage --verbose | FileCheck %s
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --function static --verbose | FileCheck %s
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --function static --verbose | FileCheck %s
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --function static --verbose | FileCheck %s
// RUN: forge verify %t.bf16.mlir --function static --tier correctness
// RUN: forge verify %t.f32.mlir --function dynamic --each-stage && forge verify %t.bf16.mlir --function dynamic

// CHECK: {{^}}  result 0: {{.*}}; exact{{$}}
// CHECK: {{^}}  result 1: {{.*}}; exact{{$}}
// CHECK: {{^}}  result 2: {{.*}}; exact{{$}}
func.func @static(%x: tensor<2x3x1x5xT_>, %y: tensor<2x3x4x5xT_>, %cache: tensor<2x3x11x5xT_>, %pages: tensor<17x3x3x5xT_>,
                  %at: tensor<2xi32>, %t: tensor<2xi64>)
    -> (tensor<2x3x11x5xT_>, tensor<2x3x11x5xT_>, tensor<17x3x3x5xT_>) {
  %0 = transformer.kv_append %x into %cache at %at
      : (tensor<2x3x1x5xT_>, tensor<2x3x11x5xT_>, tensor<2xi32>) -> tensor<2x3x11x5xT_>
  // Some rows lie before the beginning or behind the end.
  %1 = transformer.kv_append %y into %0 at %t
      : (tensor<2x3x4x5xT_>, tensor<2x3x11x5xT_>, tensor<2xi64>) -> tensor<2x3x11x5xT_>
  %table = arith.constant dense<[[3, 9, 0, 16, 5], [1, -1, 2, 17, 4]]> : tensor<2x5xi32>
  %2 = transformer.kv_append %y into %pages at %at table %table
      : (tensor<2x3x4x5xT_>, tensor<17x3x3x5xT_>, tensor<2xi32>, tensor<2x5xi32>) -> tensor<17x3x3x5xT_>
  return %0, %1, %2 : tensor<2x3x11x5xT_>, tensor<2x3x11x5xT_>, tensor<17x3x3x5xT_>
}

func.func @dynamic(%y: tensor<?x3x?x?xT_>, %cache: tensor<?x3x?x?xT_>, %at: tensor<?xi64>)
    -> (tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>) {
  %0 = transformer.kv_append %y into %cache at %at
      : (tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?xi64>) -> tensor<?x3x?x?xT_>
  // Dynamic sizes are 5 here: each sequence has pages of its own.
  %table = arith.constant dense<[[0], [3], [1], [4], [2]]> : tensor<5x1xi32>
  %open = tensor.cast %table : tensor<5x1xi32> to tensor<?x?xi32>
  %1 = transformer.kv_append %y into %cache at %at table %open
      : (tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?xi64>, tensor<?x?xi32>) -> tensor<?x3x?x?xT_>
  return %0, %1 : tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>
}
