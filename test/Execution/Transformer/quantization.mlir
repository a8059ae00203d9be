// quantize and dequantize against the reference, to the bit where integers come out: every narrow type, per tensor,
// channel and block; sizes that no block divides, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage --verbose | FileCheck %s
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
// RUN: sed 's/T_/f32/g' %s > %t.rows32.mlir && forge verify %t.rows32.mlir --function rows --each-stage --target sim:sm_90a | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/T_/bf16/g' %s > %t.rows16.mlir && forge verify %t.rows16.mlir --function rows --target sim:sm_90a | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %t.bf16.mlir --function rows | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %t.f64.mlir --function rows | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %t.bf16.mlir --function rows --target sim:gfx942 | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %t.bf16.mlir --function few_rows --target sim:sm_90a | FileCheck %s --check-prefix=ROWS
// RUN: forge verify %t.bf16.mlir --function many_rows --target sim:sm_90a | FileCheck %s --check-prefix=ROWS

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

// ROWS: agree
// ROWS-NOT: differ
func.func @rows(%x: tensor<5x2x100xT_>, %y: tensor<?x19xT_>, %w: tensor<12x100xf8E4M3FN>, %v: tensor<12x19xf8E5M2>, %s: tensor<12xf32>, %a: tensor<f32>)
    -> (tensor<5x2x100xf8E4M3FN>, tensor<5x2xf32>, tensor<5x2x12xf32>, tensor<?x12xbf16>) {
  %q, %qs = transformer.quantize_rows %x : (tensor<5x2x100xT_>) -> (tensor<5x2x100xf8E4M3FN>, tensor<5x2xf32>)
  %r, %rs = transformer.quantize_rows %y : (tensor<?x19xT_>) -> (tensor<?x19xf8E5M2>, tensor<?xf32>)
  %0 = transformer.linear %q, %w scale %s input_scale %qs
      : (tensor<5x2x100xf8E4M3FN>, tensor<12x100xf8E4M3FN>, tensor<12xf32>, tensor<5x2xf32>) -> tensor<5x2x12xf32>
  %1 = transformer.linear %r, %v scale %a input_scale %rs {activation = #transformer.activation<silu>}
      : (tensor<?x19xf8E5M2>, tensor<12x19xf8E5M2>, tensor<f32>, tensor<?xf32>) -> tensor<?x12xbf16>
  return %q, %qs, %0, %1 : tensor<5x2x100xf8E4M3FN>, tensor<5x2xf32>, tensor<5x2x12xf32>, tensor<?x12xbf16>
}

// By gemv, and by warpgroups.
func.func @few_rows(%x: tensor<2x2048xT_>, %w: tensor<128x2048xf8E4M3FN>, %s: tensor<128xf32>, %z: tensor<2x128xbf16>) -> tensor<2x128xbf16> {
  %q, %qs = transformer.quantize_rows %x : (tensor<2x2048xT_>) -> (tensor<2x2048xf8E4M3FN>, tensor<2xf32>)
  %0 = transformer.linear %q, %w scale %s residual %z input_scale %qs
      : (tensor<2x2048xf8E4M3FN>, tensor<128x2048xf8E4M3FN>, tensor<128xf32>, tensor<2x128xbf16>, tensor<2xf32>) -> tensor<2x128xbf16>
  return %0 : tensor<2x128xbf16>
}
func.func @many_rows(%x: tensor<256x512xT_>, %w: tensor<256x512xf8E4M3FN>, %s: tensor<256xf32>, %z: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  %q, %qs = transformer.quantize_rows %x : (tensor<256x512xT_>) -> (tensor<256x512xf8E4M3FN>, tensor<256xf32>)
  %0 = transformer.linear %q, %w scale %s residual %z input_scale %qs
      : (tensor<256x512xf8E4M3FN>, tensor<256x512xf8E4M3FN>, tensor<256xf32>, tensor<256x256xbf16>, tensor<256xf32>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}
