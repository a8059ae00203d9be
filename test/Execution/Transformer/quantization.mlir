// quantize and dequantize against the reference, to the bit where integers come out: every narrow type, per tensor,
// channel and block; sizes that no block divides, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage --verbose | FileCheck %s
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness

// CHECK: {{^}}  result 0: {{.*}}; exact{{$}}
// CHECK-NOT: differ
func.func @main(%x: tensor<5x37xT_>, %y: tensor<?x19xT_>, %s: tensor<f32>, %c: tensor<5xT_>, %z: tensor<5xi8>,
                %bs: tensor<3x5xf32>, %bz: tensor<3x5xi4>, %ys: tensor<?x3xT_>, %q: tensor<5x37xi8>, %f: tensor<5x37xf8E5M2>,
                %i: tensor<5x37xi4>)
    -> (tensor<5x37xi8>, tensor<5x37xi8>, tensor<5x37xi4>, tensor<5x37xf8E4M3FN>, tensor<5x37xf8E5M2>, tensor<?x19xi8>,
        tensor<5x37xT_>, tensor<5x37xT_>, tensor<5x37xT_>, tensor<?x19xT_>) {
  %0 = transformer.quantize %x scale %s : (tensor<5x37xT_>, tensor<f32>) -> tensor<5x37xi8>
  %1 = transformer.quantize %x scale %c zero_point %z {axis = 0 : i64} : (tensor<5x37xT_>, tensor<5xT_>, tensor<5xi8>) -> tensor<5x37xi8>
  %2 = transformer.quantize %x scale %bs zero_point %bz {block = array<i64: 2, 8>}
      : (tensor<5x37xT_>, tensor<3x5xf32>, tensor<3x5xi4>) -> tensor<5x37xi4>
  %3 = transformer.quantize %x scale %c {axis = 0 : i64} : (tensor<5x37xT_>, tensor<5xT_>) -> tensor<5x37xf8E4M3FN>
  %4 = transformer.quantize %x scale %bs {block = array<i64: 2, 8>} : (tensor<5x37xT_>, tensor<3x5xf32>) -> tensor<5x37xf8E5M2>
  %5 = transformer.quantize %y scale %ys {block = array<i64: 1, 8>} : (tensor<?x19xT_>, tensor<?x3xT_>) -> tensor<?x19xi8>
  %6 = transformer.dequantize %q scale %c zero_point %z {axis = 0 : i64} : (tensor<5x37xi8>, tensor<5xT_>, tensor<5xi8>) -> tensor<5x37xT_>
  %7 = transformer.dequantize %f scale %s : (tensor<5x37xf8E5M2>, tensor<f32>) -> tensor<5x37xT_>
  %8 = transformer.dequantize %i scale %bs zero_point %bz {block = array<i64: 2, 8>}
      : (tensor<5x37xi4>, tensor<3x5xf32>, tensor<3x5xi4>) -> tensor<5x37xT_>
  %9 = transformer.dequantize %5 scale %ys {block = array<i64: 1, 8>} : (tensor<?x19xi8>, tensor<?x3xT_>) -> tensor<?x19xT_>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<5x37xi8>, tensor<5x37xi8>, tensor<5x37xi4>, tensor<5x37xf8E4M3FN>,
      tensor<5x37xf8E5M2>, tensor<?x19xi8>, tensor<5x37xT_>, tensor<5x37xT_>, tensor<5x37xT_>, tensor<?x19xT_>
}
