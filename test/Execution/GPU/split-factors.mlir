// f32 products on Hopper's matrix units, as products of bf16 pieces, on the simulator. Factors are integers of two pieces or three such
// that all sums are exact: results are those of the CPU, bit for bit.
// RUN: forge compile %s --target sim:sm_90a --to fuse -o %t.fuse.mlir
// RUN: forge-opt %t.fuse.mlir --pass-pipeline='builtin.module(func.func(forge-split-factors{worth=1000}))' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: forge run %s --function rows_by_columns --target cpu --save %t.a
// RUN: forge run %t.mlir --from fuse --function rows_by_columns --target sim:sm_90a --save %t.b
// RUN: cmp %t.a/out0.npy %t.b/out0.npy
// RUN: forge run %s --function transposed --target cpu --save %t.a
// RUN: forge run %t.mlir --from fuse --function transposed --target sim:sm_90a --save %t.b
// RUN: cmp %t.a/out0.npy %t.b/out0.npy
// RUN: forge run %s --function batches --target cpu --save %t.a
// RUN: forge run %t.mlir --from fuse --function batches --target sim:sm_90a --save %t.b
// RUN: cmp %t.a/out0.npy %t.b/out0.npy
// RUN: forge run %s --function parts --target cpu --save %t.a
// RUN: forge run %t.mlir --from fuse --function parts --target sim:sm_90a --save %t.b
// RUN: cmp %t.a/out0.npy %t.b/out0.npy
// RUN: forge run %s --function narrow --target cpu --save %t.a
// RUN: forge run %t.mlir --from fuse --function narrow --target sim:sm_90a --save %t.b
// RUN: cmp %t.a/out0.npy %t.b/out0.npy
// The largest number is not made infinite.
// RUN: forge run %t.mlir --from fuse --function largest --target sim:sm_90a | FileCheck %s --check-prefix=LARGEST
// LARGEST: result 0: tensor<64x64xf32> [3.4028235e+38, 3.4028235e+38,
// Infinity times a number of one piece is NaN (docs/gpu.md): it meets the number's other pieces, which are 0.
// RUN: forge run %t.mlir --from fuse --function infinite --target sim:sm_90a | FileCheck %s --check-prefix=INFINITE
// INFINITE: result 0: tensor<64x64xf32> [{{-?}}nan, {{-?}}nan,
// The whole way, of a size for which it is worth it: the result is split before the next product.
// RUN: forge compile %s --function large --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=LARGE
// LARGE: func.func private {{.*}} -> tensor<2048x1024xf32> attributes {{.*}}strategy = wgmma
// LARGE-NOT: strategy = library

// CHECK-LABEL: func.func @rows_by_columns
// CHECK: ins(%{{.*}}#0, %{{.*}}#1, %{{.*}}#2, %{{.*}}#0, %{{.*}}#1, %{{.*}}#2 : tensor<72x200xbf16>, tensor<72x200xbf16>, tensor<72x200xbf16>, tensor<200x136xbf16>
func.func @rows_by_columns() -> tensor<72x136xf32> {
  %x = func.call @left() : () -> tensor<72x200xf32>
  %w = func.call @right() : () -> tensor<200x136xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<72x200xf32>, tensor<200x136xf32>) -> tensor<72x136xf32>
  %q = stablehlo.add %p, %p : tensor<72x136xf32>
  return %q : tensor<72x136xf32>
}
// Both factors along rows and columns.
// CHECK-LABEL: func.func @transposed
// CHECK: ins(%{{.*}}#0, %{{.*}}#1, %{{.*}}#2, %{{.*}}#0, %{{.*}}#1, %{{.*}}#2 :
func.func @transposed() -> tensor<200x72xf32> {
  %x = func.call @right() : () -> tensor<200x136xf32>
  %r = stablehlo.slice %x [0:200, 5:77] : (tensor<200x136xf32>) -> tensor<200x72xf32>
  %w = func.call @small() : () -> tensor<72x72xf32>
  %p = stablehlo.dot_general %r, %w, contracting_dims = [1] x [1] : (tensor<200x72xf32>, tensor<72x72xf32>) -> tensor<200x72xf32>
  return %p : tensor<200x72xf32>
}
// CHECK-LABEL: func.func @batches
// CHECK: ins(%{{.*}}#0, %{{.*}}#1, %{{.*}}#2, %{{.*}}#0, %{{.*}}#1, %{{.*}}#2 :
func.func @batches() -> tensor<3x72x64xf32> {
  %i = stablehlo.iota dim = 0 : tensor<27648xi32>
  %m = stablehlo.constant dense<8191> : tensor<27648xi32>
  %r = stablehlo.remainder %i, %m : tensor<27648xi32>
  %f = stablehlo.convert %r : (tensor<27648xi32>) -> tensor<27648xf32>
  %x = stablehlo.reshape %f : (tensor<27648xf32>) -> tensor<3x128x72xf32>
  %j = stablehlo.iota dim = 1 : tensor<3x128x64xi32>
  %n = stablehlo.constant dense<13> : tensor<3x128x64xi32>
  %s = stablehlo.remainder %j, %n : tensor<3x128x64xi32>
  %w = stablehlo.convert %s : (tensor<3x128x64xi32>) -> tensor<3x128x64xf32>
  %p = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x128x72xf32>, tensor<3x128x64xf32>) -> tensor<3x72x64xf32>
  return %p : tensor<3x72x64xf32>
}
// Few tiles of many terms: parts of them, whose sums are added up.
// CHECK-LABEL: func.func @parts
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<[[PARTS:[0-9]+]]x{{.*}}outs(%{{.*}} : tensor<[[PARTS]]x64x64xf32>)
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel"]}
func.func @parts() -> tensor<64x64xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4096x64xi32>
  %n = stablehlo.constant dense<257> : tensor<4096x64xi32>
  %s = stablehlo.remainder %i, %n : tensor<4096x64xi32>
  %x = stablehlo.convert %s : (tensor<4096x64xi32>) -> tensor<4096x64xf32>
  %j = stablehlo.iota dim = 1 : tensor<4096x64xi32>
  %m = stablehlo.constant dense<7> : tensor<4096x64xi32>
  %t = stablehlo.remainder %j, %m : tensor<4096x64xi32>
  %w = stablehlo.convert %t : (tensor<4096x64xi32>) -> tensor<4096x64xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<4096x64xf32>, tensor<4096x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
// An extended bf16 is one piece.
// CHECK-LABEL: func.func @narrow
// CHECK: ins(%{{.*}}#0, %{{.*}}#1, %{{.*}}#2, %{{.*}} : tensor<72x200xbf16>, tensor<72x200xbf16>, tensor<72x200xbf16>, tensor<200x136xbf16>)
func.func @narrow() -> tensor<72x136xf32> {
  %x = func.call @left() : () -> tensor<72x200xf32>
  %w = func.call @right() : () -> tensor<200x136xf32>
  %n = stablehlo.convert %w : (tensor<200x136xf32>) -> tensor<200x136xbf16>
  %r = stablehlo.reshape %n : (tensor<200x136xbf16>) -> tensor<1x200x136xbf16>
  %c = stablehlo.concatenate %r, %r, dim = 0 : (tensor<1x200x136xbf16>, tensor<1x200x136xbf16>) -> tensor<2x200x136xbf16>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %b = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<2x200x136xbf16>, tensor<bf16>) -> tensor<200x136xbf16>
  %v = stablehlo.convert %b : (tensor<200x136xbf16>) -> tensor<200x136xf32>
  %p = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<72x200xf32>, tensor<200x136xf32>) -> tensor<72x136xf32>
  return %p : tensor<72x136xf32>
}
func.func @largest() -> tensor<64x64xf32> {
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %c = stablehlo.compare EQ, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %one = stablehlo.convert %c : (tensor<64x64xi1>) -> tensor<64x64xf32>
  %l = stablehlo.constant dense<3.40282347E+38> : tensor<64x64xf32>
  %d = stablehlo.optimization_barrier %one : tensor<64x64xf32>
  %p = stablehlo.dot_general %l, %d, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
func.func @infinite() -> tensor<64x64xf32> {
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.constant dense<1> : tensor<64x64xi32>
  %k = stablehlo.add %i, %j : tensor<64x64xi32>
  %one = stablehlo.convert %k : (tensor<64x64xi32>) -> tensor<64x64xf32>
  %l = stablehlo.constant dense<0x7F800000> : tensor<64x64xf32>
  %d = stablehlo.optimization_barrier %one : tensor<64x64xf32>
  %p = stablehlo.dot_general %l, %d, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
func.func @large(%x: tensor<2048x1024xf32>, %w: tensor<1024x1024xf32>, %v: tensor<1024x1024xf32>) -> tensor<2048x1024xf32> {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
  %n = stablehlo.negate %p : tensor<2048x1024xf32>
  %q = stablehlo.dot_general %n, %v, contracting_dims = [1] x [0] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
  return %q : tensor<2048x1024xf32>
}

func.func private @left() -> tensor<72x200xf32> {
  %i = stablehlo.iota dim = 0 : tensor<14400xi32>
  %k = stablehlo.constant dense<2711> : tensor<14400xi32>
  %z = stablehlo.multiply %i, %k : tensor<14400xi32>
  %m = stablehlo.constant dense<8191> : tensor<14400xi32>
  %r = stablehlo.remainder %z, %m : tensor<14400xi32>
  %h = stablehlo.constant dense<4095> : tensor<14400xi32>
  %s = stablehlo.subtract %r, %h : tensor<14400xi32>
  %f = stablehlo.convert %s : (tensor<14400xi32>) -> tensor<14400xf32>
  %x = stablehlo.reshape %f : (tensor<14400xf32>) -> tensor<72x200xf32>
  return %x : tensor<72x200xf32>
}
func.func private @right() -> tensor<200x136xf32> {
  %i = stablehlo.iota dim = 0 : tensor<27200xi32>
  %k = stablehlo.constant dense<17> : tensor<27200xi32>
  %r = stablehlo.remainder %i, %k : tensor<27200xi32>
  %f = stablehlo.convert %r : (tensor<27200xi32>) -> tensor<27200xf32>
  %x = stablehlo.reshape %f : (tensor<27200xf32>) -> tensor<200x136xf32>
  return %x : tensor<200x136xf32>
}
// Three pieces, once in a row: 2^17, 2^9 and 1.
func.func private @small() -> tensor<72x72xf32> {
  %i = stablehlo.iota dim = 0 : tensor<72x72xi32>
  %j = stablehlo.iota dim = 1 : tensor<72x72xi32>
  %c = stablehlo.compare EQ, %i, %j : (tensor<72x72xi32>, tensor<72x72xi32>) -> tensor<72x72xi1>
  %l = stablehlo.constant dense<131585> : tensor<72x72xi32>
  %o = stablehlo.constant dense<1> : tensor<72x72xi32>
  %s = stablehlo.select %c, %l, %o : tensor<72x72xi1>, tensor<72x72xi32>
  %f = stablehlo.convert %s : (tensor<72x72xi32>) -> tensor<72x72xf32>
  return %f : tensor<72x72xf32>
}
