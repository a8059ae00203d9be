// Blocks of 1024 threads: HIP launches none larger than the code object names for its kernel, and the
// registers of a thread are those that as many threads leave to it.
// RUN: forge compile %s --target hip:gfx90a -o %t.gfx90a.hsaco
// RUN: llvm-readelf --notes %t.gfx90a.hsaco | FileCheck %s
// RUN: forge compile %s --target hip:gfx942 -o %t.gfx942.hsaco
// RUN: llvm-readelf --notes %t.gfx942.hsaco | FileCheck %s
// RUN: forge compile %s --target hip:gfx1100 -o %t.gfx1100.hsaco
// RUN: llvm-readelf --notes %t.gfx1100.hsaco | FileCheck %s
// CHECK: .max_flat_workgroup_size: 1024
// CHECK: .name: rows
// CHECK: .reqd_workgroup_size:
// CHECK-NEXT: - 1024
// CHECK-NEXT: - 1
// CHECK-NEXT: - 1
func.func @main(%x: tensor<64x32768xf32>) -> tensor<64x32768xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x32768xf32>, tensor<f32>) -> tensor<64xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x32768xf32>
  %r = stablehlo.divide %x, %all : tensor<64x32768xf32>
  return %r : tensor<64x32768xf32>
}
