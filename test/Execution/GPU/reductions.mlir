// Reductions over several dimensions, on simulated chips with warps of 32 and 64, against the reference: partial sums, whichever
// dimensions they go along. 30,000 equal numbers added one after the other in f32 would be off by more than is allowed.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge run %t/equal.mlir --save %t/in > %t/log
// RUN: forge run %t/sums.mlir --function whole --target sim:sm_90a --input %t/in/out0.npy --expect %t/in/out2.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function whole --target sim:gfx942 --input %t/in/out0.npy --expect %t/in/out2.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function whole --target sim:gfx1100 --input %t/in/out0.npy --expect %t/in/out2.npy | FileCheck %t/sums.mlir
// RUN: forge verify %t/sums.mlir --function loss --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function loss --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function picked --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function picked --target sim:gfx1100
// RUN: forge verify %t/sums.mlir --function inner --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function inner --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function inner --target sim:gfx1100 --distribution huge
// RUN: forge verify %t/sums.mlir --function dynamic --target sim:sm_90a --dynamic-size 37
// RUN: forge verify %t/sums.mlir --function dynamic --target sim:gfx942 --dynamic-size 1
// RUN: forge run %t/sums.mlir --function columns --target sim:sm_90a --input %t/in/out1.npy --expect %t/in/out3.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function columns --target sim:gfx942 --input %t/in/out1.npy --expect %t/in/out3.npy | FileCheck %t/sums.mlir
// RUN: forge run %t/sums.mlir --function columns --target sim:gfx1100 --input %t/in/out1.npy --expect %t/in/out3.npy | FileCheck %t/sums.mlir
// RUN: forge verify %t/sums.mlir --function bias_gradient --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function bias_gradient --target sim:gfx1100
// RUN: forge verify %t/sums.mlir --function bias_gradient_bf16 --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function bias_gradient_bf16 --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function outer_and_inner --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function outer_and_inner --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function leading_dynamic --target sim:sm_90a --dynamic-size 37
// RUN: forge verify %t/sums.mlir --function leading_dynamic --target sim:gfx942 --dynamic-size 1
// RUN: forge verify %t/sums.mlir --function leading_dynamic --target sim:sm_90a --dynamic-size 0
// RUN: forge verify %t/sums.mlir --function groups --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function groups --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function leading_max --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function leading_max --target sim:gfx942 --distribution huge
// RUN: forge verify %t/sums.mlir --function leading_any --target sim:gfx1100
// RUN: forge verify %t/sums.mlir --function leading_argmax --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function leading_argmax --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function product --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function product --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function norm --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function norm --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function largest --target sim:gfx1100
// RUN: forge-opt %t/sums.mlir --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %t/sums.mlir --check-prefix=SCHEDULE
// RUN: forge verify %t/sums.mlir --function variance --target sim:sm_90a --each-stage
// RUN: forge verify %t/sums.mlir --function variance --target sim:gfx942
// RUN: forge verify %t/sums.mlir --function extremes --target sim:sm_90a
// RUN: forge verify %t/sums.mlir --function extremes --target sim:gfx1100

//--- equal.mlir
// The sum of 30,000 times 0.1 in f32 is 3000 in f32.
func.func @main() -> (tensor<300x100xf32>, tensor<30000x3xf32>, tensor<f32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<0.1> : tensor<300x100xf32>
  %1 = stablehlo.constant dense<0.1> : tensor<30000x3xf32>
  %2 = stablehlo.constant dense<3000.0> : tensor<f32>
  %3 = stablehlo.constant dense<3000.0> : tensor<3xf32>
  return %0, %1, %2, %3 : tensor<300x100xf32>, tensor<30000x3xf32>, tensor<f32>, tensor<3xf32>
}

//--- sums.mlir
// CHECK: agrees
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<30000xf32>{{.*}}strategy = rows,
func.func @whole(%x: tensor<300x100xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x100xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<3000xf32>, %{{.*}}: tensor<100xf32>, %{{.*}}: tensor<3000xf32>{{.*}}strategy = rows,
func.func @loss(%x: tensor<30x100xf32>, %y: tensor<30x100xf32>, %bias: tensor<100xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<3000.0> : tensor<f32>
  %bb = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<100xf32>) -> tensor<30x100xf32>
  %a = stablehlo.add %x, %bb : tensor<30x100xf32>
  %d = stablehlo.subtract %a, %y : tensor<30x100xf32>
  %s = stablehlo.multiply %d, %d : tensor<30x100xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<30x100xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.divide %r, %n : tensor<f32>
  return %m : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<28xi32>, %{{.*}}: tensor<1400xf32>{{.*}}strategy = rows,
func.func @picked(%x: tensor<4x7x50xf32>, %l: tensor<4x7xi32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 2 : tensor<4x7x50xi32>
  %lb = stablehlo.broadcast_in_dim %l, dims = [0, 1] : (tensor<4x7xi32>) -> tensor<4x7x50xi32>
  %c = stablehlo.compare LE, %i, %lb : (tensor<4x7x50xi32>, tensor<4x7x50xi32>) -> tensor<4x7x50xi1>
  %zz = stablehlo.constant dense<0.0> : tensor<4x7x50xf32>
  %s = stablehlo.select %c, %x, %zz : tensor<4x7x50xi1>, tensor<4x7x50xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x7x50xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<5x1320xbf16>{{.*}}strategy = rows,
func.func @inner(%x: tensor<5x30x44xbf16>) -> tensor<5xbf16> {
  %z = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<5x30x44xbf16>, tensor<bf16>) -> tensor<5xbf16>
  return %r : tensor<5xbf16>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<?x?xf32>{{.*}}strategy = rows,
func.func @dynamic(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.multiply %x, %x : tensor<?x?x?xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<1024x48xf32>{{.*}}strategy = generic, threads = 512, reduce_threads = 64
func.func @bias_gradient(%x: tensor<8x128x48xf32>) -> tensor<48xf32> {
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x48xf32>, tensor<f32>) -> tensor<48xf32>
  return %r : tensor<48xf32>
}
func.func @bias_gradient_bf16(%x: tensor<8x131x5xbf16>) -> tensor<5xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x131x5xbf16>, tensor<bf16>) -> tensor<5xbf16>
  return %r : tensor<5xbf16>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<30000x3xf32>{{.*}}strategy = generic, threads = 512, reduce_threads = 128
func.func @columns(%x: tensor<30000x3xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<30000x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<30x6x200xf32>{{.*}}strategy = generic, threads = 128, reduce_threads = 16
func.func @outer_and_inner(%x: tensor<30x6x200xf32>) -> tensor<6xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<30x6x200xf32>, tensor<f32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<2x16x256x8x4xf32>, %{{.*}}: tensor<16x2x8x4xf32>
func.func @groups(%x: tensor<2x4096x8x4xf32>) -> tensor<2x8xf32> {
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1, 3] : (tensor<2x4096x8x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
func.func @leading_dynamic(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @leading_max(%x: tensor<777x33xf16>) -> tensor<33xf16> {
  %z = stablehlo.constant dense<0xFC00> : tensor<f16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<777x33xf16>, tensor<f16>) -> tensor<33xf16>
  return %r : tensor<33xf16>
}
func.func @leading_any(%x: tensor<777x33xi1>) -> tensor<33xi1> {
  %z = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.or across dimensions = [0] : (tensor<777x33xi1>, tensor<i1>) -> tensor<33xi1>
  return %r : tensor<33xi1>
}
func.func @leading_argmax(%x: tensor<501x6xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<501x6xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %v, %k = "stablehlo.reduce"(%x, %i, %lowest, %z) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %ne = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.or %gt, %ne : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.and %eq, %lt : tensor<i1>
    %r = stablehlo.or %p, %q : tensor<i1>
    %vv = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %ii = stablehlo.select %r, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %vv, %ii : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<501x6xf32>, tensor<501x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  return %v, %k : tensor<6xf32>, tensor<6xi32>
}
func.func @product(%x: tensor<300x4xf64>) -> tensor<4xf64> {
  %z = stablehlo.constant dense<3.0> : tensor<f64>
  %one = stablehlo.constant dense<1.0> : tensor<300x4xf64>
  %small = stablehlo.constant dense<1.0e-3> : tensor<300x4xf64>
  %s = stablehlo.multiply %x, %small : tensor<300x4xf64>
  %f = stablehlo.add %s, %one : tensor<300x4xf64>
  %r = stablehlo.reduce(%f init: %z) applies stablehlo.multiply across dimensions = [0] : (tensor<300x4xf64>, tensor<f64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512x513xf32>{{.*}}strategy = rows,
func.func @norm(%x: tensor<512x513xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<2.0> : tensor<f32>
  %s = stablehlo.multiply %x, %x : tensor<512x513xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x513xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.sqrt %r : tensor<f32>
  return %n : tensor<f32>
}
// SCHEDULE: func.func private @{{.*}}(%{{.*}}: tensor<512x513xbf16>{{.*}}strategy = rows,
func.func @largest(%x: tensor<512x513xbf16>) -> tensor<bf16> {
  %z = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<512x513xbf16>, tensor<bf16>) -> tensor<bf16>
  return %r : tensor<bf16>
}
// Few columns, many rows: in parts; squares are sums like others, and two reductions of one tensor are one kernel.
func.func @variance(%x: tensor<6x700x64xbf16>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %f = stablehlo.convert %x : (tensor<6x700x64xbf16>) -> tensor<6x700x64xf32>
  %q = stablehlo.multiply %f, %f : tensor<6x700x64xf32>
  %s = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x700x64xf32>, tensor<f32>) -> tensor<64xf32>
  %m = stablehlo.reduce(%f init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x700x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s, %m : tensor<64xf32>, tensor<64xf32>
}
func.func @extremes(%x: tensor<5000x3x20xf32>) -> tensor<3x20xf32> {
  %z = stablehlo.constant dense<-2.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<5000x3x20xf32>, tensor<f32>) -> tensor<3x20xf32>
  return %m : tensor<3x20xf32>
}
