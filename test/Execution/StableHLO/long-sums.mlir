// Long sums of equal numbers, whose roundings all go the same way, and of numbers of many magnitudes: added one after the other,
// 30,000 of them are off by more than two correct executions may differ. Over leading, middle, trailing and all dimensions, in
// every kind of product, convolution and running sum, fast and naive.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge run %t/equal.mlir --save %t/in > %t/log
// RUN: forge verify %t/sums.mlir --function columns --input %t/in/out0.npy
// RUN: forge verify %t/sums.mlir --function columns --input %t/in/out0.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function columns --distribution large
// RUN: forge verify %t/sums.mlir --function columns --distribution large --tier correctness
// RUN: forge verify %t/sums.mlir --function columns_bf16
// RUN: forge verify %t/sums.mlir --function few_columns --input %t/in/out1.npy
// RUN: forge verify %t/sums.mlir --function few_columns --input %t/in/out1.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function columns_dynamic --input %t/in/out0.npy
// RUN: forge verify %t/sums.mlir --function columns_dynamic --dynamic-size 37
// RUN: forge verify %t/sums.mlir --function columns_dynamic --dynamic-size 1
// RUN: forge verify %t/sums.mlir --function columns_dynamic --dynamic-size 0
// RUN: forge verify %t/sums.mlir --function columns_dynamic --dynamic-size 83 --tier correctness
// RUN: forge verify %t/sums.mlir --function outer_and_middle --input %t/in/out2.npy
// RUN: forge verify %t/sums.mlir --function outer_and_middle --input %t/in/out2.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function middle_and_inner --input %t/in/out2.npy
// RUN: forge verify %t/sums.mlir --function middle_and_inner --input %t/in/out2.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function whole --input %t/in/out2.npy
// RUN: forge verify %t/sums.mlir --function whole --input %t/in/out2.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function row --input %t/in/out3.npy
// RUN: forge verify %t/sums.mlir --function row --input %t/in/out3.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function row --distribution large
// RUN: forge verify %t/sums.mlir --function row_dynamic --input %t/in/out3.npy
// RUN: forge verify %t/sums.mlir --function row_f64
// RUN: forge verify %t/sums.mlir --function norm --input %t/in/out3.npy
// RUN: forge verify %t/sums.mlir --function norm --input %t/in/out3.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function streamed --input %t/in/out4.npy --input %t/in/out5.npy
// RUN: forge verify %t/sums.mlir --function streamed --input %t/in/out4.npy --input %t/in/out5.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function streamed --distribution large
// RUN: forge verify %t/sums.mlir --function streamed_dynamic --input %t/in/out4.npy --input %t/in/out5.npy
// RUN: forge verify %t/sums.mlir --function streamed_dynamic --dynamic-size 77
// RUN: forge verify %t/sums.mlir --function dots --input %t/in/out4.npy --input %t/in/out6.npy
// RUN: forge verify %t/sums.mlir --function dots --distribution large
// RUN: forge verify %t/sums.mlir --function packed --input %t/in/out7.npy --input %t/in/out5.npy
// RUN: forge verify %t/sums.mlir --function packed_bf16
// RUN: forge verify %t/sums.mlir --function staged --input %t/in/out9.npy --input %t/in/out5.npy
// RUN: forge verify %t/sums.mlir --function largest_and_sum --distribution large
// RUN: forge verify %t/sums.mlir --function running --input %t/in/out8.npy
// RUN: forge verify %t/sums.mlir --function running --input %t/in/out8.npy --tier correctness
// RUN: forge verify %t/sums.mlir --function running_back --input %t/in/out8.npy
// RUN: forge verify %t/sums.mlir --function window --input %t/in/out3.npy
// RUN: forge-opt %t/sums.mlir --forge-pipeline="to=lower" | FileCheck %t/sums.mlir

//--- equal.mlir
func.func @main() -> (tensor<30000x20xf32>, tensor<30000x3xf32>, tensor<40x30x25x20xf32>, tensor<1x100000xf32>, tensor<2x30000xf32>, tensor<30000x20xf32>, tensor<20x30000xf32>, tensor<5x30000xf32>, tensor<2x3000xf32>, tensor<120x30000xf32>) {
  %0 = stablehlo.constant dense<0.1> : tensor<30000x20xf32>
  %1 = stablehlo.constant dense<0.1> : tensor<30000x3xf32>
  %2 = stablehlo.constant dense<0.1> : tensor<40x30x25x20xf32>
  %3 = stablehlo.constant dense<0.1> : tensor<1x100000xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<2x30000xf32>
  %5 = stablehlo.constant dense<0.3> : tensor<30000x20xf32>
  %6 = stablehlo.constant dense<0.3> : tensor<20x30000xf32>
  %7 = stablehlo.constant dense<0.1> : tensor<5x30000xf32>
  %8 = stablehlo.constant dense<0.1> : tensor<2x3000xf32>
  %9 = stablehlo.constant dense<0.1> : tensor<120x30000xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<30000x20xf32>, tensor<30000x3xf32>, tensor<40x30x25x20xf32>, tensor<1x100000xf32>, tensor<2x30000xf32>, tensor<30000x20xf32>, tensor<20x30000xf32>, tensor<5x30000xf32>, tensor<2x3000xf32>, tensor<120x30000xf32>
}

//--- sums.mlir
// CHECK-LABEL: func.func @columns(
// CHECK: scf.for {{.*}} iter_args({{.*}}vector<16xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}vector<16xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}vector<16xf32>
func.func @columns(%x: tensor<30000x20xf32>) -> tensor<20xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<30000x20xf32>, tensor<f32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @columns_bf16(%x: tensor<30000x20xbf16>) -> tensor<20xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<30000x20xbf16>, tensor<bf16>) -> tensor<20xbf16>
  return %r : tensor<20xbf16>
}
func.func @few_columns(%x: tensor<30000x3xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<30000x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @columns_dynamic(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @outer_and_middle(%x: tensor<40x30x25x20xf32>) -> tensor<30x20xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<40x30x25x20xf32>, tensor<f32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
func.func @middle_and_inner(%x: tensor<40x30x25x20xf32>) -> tensor<40x25xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1, 3] : (tensor<40x30x25x20xf32>, tensor<f32>) -> tensor<40x25xf32>
  return %r : tensor<40x25xf32>
}
func.func @whole(%x: tensor<40x30x25x20xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<40x30x25x20xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func @row(%x: tensor<1x100000xf32>) -> tensor<1xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<1x100000xf32>, tensor<f32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @row_dynamic(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @row_f64(%x: tensor<2x30001xf64>) -> tensor<2xf64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x30001xf64>, tensor<f64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
func.func @norm(%x: tensor<1x100000xf32>) -> tensor<1x100000xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<1x100000xf32>
  return %0 : tensor<1x100000xf32>
}
func.func @streamed(%x: tensor<2x30000xf32>, %y: tensor<30000x20xf32>) -> tensor<2x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x30000xf32>, tensor<30000x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}
func.func @streamed_dynamic(%x: tensor<2x?xf32>, %y: tensor<?x20xf32>) -> tensor<2x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<?x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}
func.func @dots(%x: tensor<2x30000xf32>, %y: tensor<20x30000xf32>) -> tensor<2x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x30000xf32>, tensor<20x30000xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}
func.func @packed(%x: tensor<5x30000xf32>, %y: tensor<30000x20xf32>) -> tensor<5x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x30000xf32>, tensor<30000x20xf32>) -> tensor<5x20xf32>
  return %r : tensor<5x20xf32>
}
func.func @packed_bf16(%x: tensor<9x30001xbf16>, %y: tensor<30001x20xbf16>) -> tensor<9x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<9x30001xbf16>, tensor<30001x20xbf16>) -> tensor<9x20xf32>
  return %r : tensor<9x20xf32>
}
func.func @staged(%x: tensor<120x30000xf32>, %y: tensor<30000x20xf32>) -> tensor<120x20xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<120x30000xf32>, tensor<30000x20xf32>) -> tensor<120x20xf32>
  return %r : tensor<120x20xf32>
}
func.func @largest_and_sum(%x: tensor<3000x70xf32>) -> (tensor<70xf32>, tensor<70xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %a = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3000x70xf32>, tensor<f32>) -> tensor<70xf32>
  %b = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<3000x70xf32>, tensor<f32>) -> tensor<70xf32>
  return %a, %b : tensor<70xf32>, tensor<70xf32>
}
func.func @running(%x: tensor<2x3000xf32>) -> tensor<2x3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3000>, padding = dense<[[0, 0], [2999, 0]]> : tensor<2x2xi64>} : (tensor<2x3000xf32>, tensor<f32>) -> tensor<2x3000xf32>
  return %0 : tensor<2x3000xf32>
}
func.func @running_back(%x: tensor<2x3000xf32>) -> tensor<2x3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3000>, padding = dense<[[0, 0], [0, 2999]]> : tensor<2x2xi64>} : (tensor<2x3000xf32>, tensor<f32>) -> tensor<2x3000xf32>
  return %0 : tensor<2x3000xf32>
}
func.func @window(%x: tensor<1x100000xf32>) -> tensor<1x2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 99999>} : (tensor<1x100000xf32>, tensor<f32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
